"""What a change overtakes: an earlier statement that told how it was.

Of the same thing a value of the same kind, of the same person what was given up, of a role who held it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from noosphere.graph.facts.changes import LITTLE, PARTS, SPEAKER, THEIRS, content_stems, groups_of, rule_of, unsaid
from noosphere.graph.facts.clauses import clauses, plainly, sentences, with_subject
from noosphere.graph.facts.kinds_of_values import kinds_in
from noosphere.graph.facts.readings import BE, FEW, MOST_WORDS, differ, said_of
from noosphere.graph.facts.renewals import COMPARED, read_words
from noosphere.graph.facts.rulebook import changes, data
from noosphere.graph.facts.words import base, happened, verbs
from noosphere.model.persons import FIRST_OF_MANY, KIN
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from noosphere.graph.facts.changes import Change
    from noosphere.graph.facts.kinds_of_values import Kind
    from noosphere.graph.facts.readings import Reading

OWNER = re.compile(
    r"\b(?!it\b|that\b|there\b|here\b|what\b|he\b|she\b|who\b|let\b)(\w+)(?:['’]s|(?<=s)['’])\b", re.IGNORECASE
)
OF_MINE = re.compile(r"(?:my|our) (?:\w+ ){0,2}\w+(?:['’]s|s['’]) ", re.IGNORECASE)
NUMERIC = frozenset({"number", "count", "money"})
PLACED = re.compile(r"\b(?:in|at|on|to|with|by|for) (?:the )?[A-Z]")
SHORT = 2  # words
WHERE = re.compile(r"^ ?(?:in|at|on|by|near|with|under|behind) (?!(?:a|an|the) (?:good|bad|great)\b)", re.IGNORECASE)
SAYS = ("I ", "We ", "we ")
MENDED = "mended"  # the change that ends a fault, which a thing has or does: "the tap is broken", "the tap leaks"


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier clause.

    Attributes:
        subject: the stems before its verb, and `rest` those behind it.
        verb: its stem.
        shown: the rest as written.
        clause: all of it as written.
        own: whether it is about the speaker, or what is theirs.
    """

    subject: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]
    shown: str
    clause: str
    own: bool

    @property
    def head(self) -> str:
        """What its subject is called by: "budget" of "my budget for the trip"."""
        before = [word for word in _until(self.subject, PARTS) if word not in LITTLE]
        return before[-1] if before else ""


def overtakes(change: Change, text: str) -> bool:
    """Whether a change says that an earlier text no longer holds; a text of many sentences outlives one of them."""
    told = [text[start:stop] for start, stop in sentences(text)]
    if len(told) > FEW:
        return False
    if change.what == "state":
        form = rule_of(change.rule).old_form.compiled
        return any(
            (match := form.fullmatch(clause.strip(" .!"))) is not None and _of_the_same(match, change)
            for sentence in told
            for clause in [sentence, *_plain(sentence)]
        )
    if change.what == "set":
        return any(_was_another(change, one) for one in said_of(text))
    return any(TESTS[change.what](change, one) for sentence in told for one in _compared(sentence))


@lru_cache(maxsize=COMPARED)
def _compared(sentence: str) -> tuple[Earlier, ...]:
    return tuple(_statements(sentence))


def _of_the_same(match: re.Match[str], change: Change) -> bool:
    """Whether an earlier statement names whom, what and which trade a change names."""
    said = groups_of(match)
    named = {"who": change.who, "topic": " ".join(change.topic), "role": " ".join(change.role)}
    return all(_agree(said.get(name), words) for name, words in named.items())


def _plain(sentence: str) -> Iterator[str]:
    """The clauses of a sentence, each with a subject and beginning with it."""
    for clause, bare, _ in clauses(sentence):
        yield plainly(with_subject(clause, "I") if bare else clause)


def _was_another(change: Change, old: Reading) -> bool:
    """Whether an earlier reading is of the topic of a change, and its value of a kind with the new one."""
    topic = frozenset(change.topic)
    if not topic <= old.about or not old.about - topic <= _aspects() or old.own != change.owned:
        return False
    if base(change.verb) == base("moved") and old.how == BE:
        return False
    return differ(replace(old, value=change.new, kinds=kinds_in(change.told)), old)


def _had_a_value(change: Change, old: Earlier) -> bool:
    told = rule_of(change.rule).old_form
    if told.source and told.compiled.search(old.clause) is None:
        return False
    return _is_about(change, old) and _values_differ(change, old)


def _had_a_state(change: Change, old: Earlier) -> bool:
    states = rule_of(change.rule).old_form
    faulty = change.rule == MENDED and old.verb in _faults()
    return (faulty or (old.verb == "be" and states.compiled.search(old.shown) is not None)) and _is_about(change, old)


def _had_a_name(change: Change, old: Earlier) -> bool:
    return old.verb == "be" and len(old.rest) <= SHORT and _is_about(change, old)


def _had_a_time(change: Change, old: Earlier) -> bool:
    return any(kind.is_a in ("time", "date") for kind in kinds_in(old.shown)) and _is_about(change, old)


def _had_a_place(change: Change, old: Earlier) -> bool:
    timed = any(kind.is_a in ("time", "date") for kind in kinds_in(old.shown))
    return old.verb in _placed() and WHERE.match(old.shown) is not None and not timed and _is_about(change, old)


def _was_all_of_it(change: Change, old: Earlier) -> bool:
    gone = frozenset(change.old)
    return len(gone) >= SHORT and gone <= {*old.subject, *old.rest} and old.head in gone


def _had_so_many(change: Change, old: Earlier) -> bool:
    return _same_person(change, old) and _values_differ(change, old) and change.new != old.rest


def _was_mine(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement is of the one thing of a kind that the speaker has: "my dentist is …"."""
    return old.own and old.head in change.topic[-1:] and not OWNER.search(old.clause)


def _is_about(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement has the topic of a change as its subject, or, of the speaker, in what it says."""
    topic = frozenset(change.topic)
    subject = frozenset(old.subject) - LITTLE
    owners = {_stem(name) for name in OWNER.findall(old.clause.removesuffix(old.shown))}
    if change.own and not topic:
        return old.own and not subject
    if not topic or THEIRS.match(old.clause) is not None or not _is_owned_alike(change, owners):
        return False
    if not subject:
        return (topic - _aspects() or topic) <= frozenset(old.rest)
    if subject <= topic and topic - subject <= frozenset(old.rest) | _aspects():
        return True
    if len(topic) == 1 and subject > topic and subject - topic <= _seats():
        return True  # "Ben has moved to room 318", of Ben's office
    return (topic - _aspects() or topic) <= subject and old.head in topic


def _is_owned_alike(change: Change, owners: set[str]) -> bool:
    """Whether those who own the subject of an earlier statement own the topic of a change."""
    if change.theirs:
        return bool(owners) and owners <= frozenset(change.topic) | change.owner
    return owners <= frozenset(change.topic)


def _values_differ(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement has a value of the kind of the new one, and not the new one; a name is a place's."""
    said = kinds_in(old.shown)
    if rule_of(change.rule).moves and PLACED.search(old.shown) is None:
        said = frozenset(kind for kind in said if kind.is_a != "name")
    new, held = _bare(change.kinds, said), _bare(said, change.kinds)
    stuff = {kind.stuff for kind in change.kinds if kind.stuff}, {kind.stuff for kind in said if kind.stuff}
    return bool(new & held) and not (change.kinds & said) and not (all(stuff) and stuff[0].isdisjoint(stuff[1]))


def _bare(kinds: frozenset[Kind], beside: frozenset[Kind]) -> set[tuple[str, str]]:
    """What values are; a number without what it counts may be any number, where there is one."""
    numbers = [kind for kind in kinds if kind.is_a in NUMERIC]
    any_number = len(numbers) == 1 and any(kind.is_a == "number" for kind in (*kinds, *beside))
    return {kind.bare for kind in kinds} | ({("number", "")} if any_number else set())


def _same_person(change: Change, old: Earlier) -> bool:
    if change.own:
        return old.own and not frozenset(old.subject) - LITTLE
    return frozenset(old.subject) == change.owner


def _is_same(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement has the same subject, verb and measure; what costs 14 euros is 14 euros."""
    money = all(kind.is_a == "money" for kind in change.kinds)
    verbs = {change.verb, old.verb} - ({"be", "cost"} if money else set())
    subject = frozenset(old.subject) - LITTLE
    if len(verbs) > 1 or not subject or subject != frozenset(change.topic) or THEIRS.match(old.clause) is not None:
        return False
    return _values_differ(change, old)


def _had(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement says that somebody has, uses or does what was given up."""
    gone = frozenset(change.old)
    if not gone or not gone <= frozenset(old.rest):
        return False
    return _is_name_of(change, old) or (_is_kept_up(change, old) and _holds(change, old, gone))


def _is_kept_up(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement says what goes on, and would not outlive that it was given up."""
    told = old.verb in _states() or (change.own and old.own and not happened(old.clause))
    return told and old.verb not in _outliving()


def _holds(change: Change, old: Earlier, gone: frozenset[str]) -> bool:
    """Whether an earlier statement is about the same one, and says of what was given up that it is theirs."""
    if change.topic:
        return frozenset(change.topic) <= frozenset(old.subject) and old.verb == "be"
    same = old.own if change.own else _is_one(frozenset(old.subject), change.owner)
    if not same and not rule_of(change.rule).anybody:
        return False
    thing = _first_thing(old)
    return thing[-1:] == change.old[-1:] or _of_one_name(thing, gone, old) or _is_where(change, old)


def _is_name_of(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement says that what was given up is a thing of everybody's: "the linter is flake8"."""
    definite = re.match(r"(?:the|our|my) ", old.clause, re.IGNORECASE) is not None
    ours = change.who.lower() in (*FIRST_OF_MANY, "they", "") or change.own
    return ours and definite and not OWNER.search(old.clause) and old.verb == "be" and old.rest == change.old


def _is_where(change: Change, old: Earlier) -> bool:
    """Whether a name that was given up is where or by what the speaker does something: "I draw in Krita"."""
    if not (change.own and old.own) or happened(old.clause) or len(change.old) > SHORT:
        return False
    words = old.shown.split()
    at = next((n for n, word in enumerate(words) if n and _stem(word.strip(".,")) == change.old[0]), None)
    return at is not None and words[at][:1].isupper() and words[at - 1].lower() in PARTS


def _first_thing(old: Earlier) -> tuple[str, ...]:
    """What stands next behind the verb, past what leads to it: "for a marathon", "learning Spanish"."""
    rest = list(old.rest)
    if rest[1:2] == ["of"] and rest[0] in ("member", "part"):
        del rest[:2]
    while rest and (
        rest[0] in PARTS or rest[0] in LITTLE or (rest[0].endswith("ing") and len(rest) > 1 and rest[1] not in PARTS)
    ):
        del rest[0]
    return _until(tuple(rest), PARTS)


def _of_one_name(thing: tuple[str, ...], gone: frozenset[str], old: Earlier) -> bool:
    """Whether what was given up is part of a name: "the Skoda" of "a Skoda Octavia", not of "a Skoda key"."""
    capital = {_stem(word) for word in old.shown.split() if word[:1].isupper()}
    return bool(thing) and gone <= frozenset(thing) and thing[-1] in capital and gone <= capital


def _held(change: Change, old: Earlier) -> bool:
    """Whether an earlier statement says who held a role: "Maya is the lead", "the lead is Maya"."""
    role, before = frozenset(change.role), frozenset(change.old)
    if rule_of(change.rule).posts and not _is_post(role):
        return False
    subject, rest = frozenset(old.subject) - LITTLE, frozenset(old.rest) - LITTLE
    if old.verb != "be" or not (before or role) or frozenset(change.new) & (subject | rest):
        return False
    who, post = (subject, rest) if role <= rest and (role or before <= subject) else (rest, subject)
    if (before and not before <= who) or (role and role != post):
        return False
    definite = re.search(r"\b(?:the|our|my)\b", old.clause, re.IGNORECASE) is not None
    if not definite:
        return _is_post(post) and post == subject  # "release manager is Dana"
    return bool(role or _is_post(post))


def _is_post(words: frozenset[str]) -> bool:
    """Whether some words name what somebody can step down from."""
    known = data()["roles"]
    posts = {*known["offices"], *changes()["posts"]["words"].split()}
    return any(word in posts or word.endswith(tuple(known["ends"])) for word in words)


def _is_one(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether words that name two may mean one; "Rosa" and "Rosa's cousin" do not."""
    one, other = one - LITTLE, other - LITTLE
    return bool(one & other) and (one <= other or other <= one) and KIN.isdisjoint(one ^ other)


def _agree(who: str | None, now: str) -> bool:
    """Whether two forms name the same one, where both name one."""
    return not who or not now or content_stems(who) == content_stems(now)


def _statements(sentence: str) -> Iterator[Earlier]:
    """The clauses of a sentence that an own verb parts into subject and rest; what is denied or unsure is none."""
    if sentence.rstrip().endswith("?") or unsaid().meets(sentence):
        return
    for plain in _plain(sentence):
        pairs = list(read_words(plain))
        if not 2 <= len(pairs) <= MOST_WORDS:  # noqa: PLR2004  (a verb, and what it says)
            continue
        words = [word for word, _ in pairs]
        least = 2 if words[0] == "the" else 1  # "the book club meets": a noun comes first
        at = next((n for n, word in enumerate(words) if n >= least and _is_verb(word)), None)
        if plain.startswith(SAYS) and len(words) > 2 and (at is None or at > 1):  # noqa: PLR2004  (I, a verb, and what)
            at = 1  # "I edit everything in Vim"
        if at is None:
            continue
        if words[at + 1 : at + 2] == ["be"]:
            at += 1  # "the report is due": a noun that can be a verb
        own = plain.split(maxsplit=1)[0].lower().replace("’", "'") in SPEAKER and OF_MINE.match(plain) is None
        own = own and (words[at] == "be" or KIN.isdisjoint(shown.lower() for _, shown in pairs[1:at]))
        yield Earlier(tuple(words[:at]), words[at], tuple(words[at + 1 :]), _behind(plain, pairs[at][1]), plain, own)


def _behind(clause: str, verb: str) -> str:
    """What stands behind a verb, as written."""
    match = re.search(rf"\b{re.escape(verb)}\b", clause)
    return "" if match is None else clause[match.end() :]


def _is_verb(word: str) -> bool:
    return word in _states() or word in _faults() or word in verbs()


def _stem(word: str) -> str:
    return next((form for form, _ in read_words(word)), word.lower())


def _until(words: tuple[str, ...], stops: frozenset[str]) -> tuple[str, ...]:
    return words[: next((n for n, word in enumerate(words) if n and word in stops), len(words))]


TESTS: dict[str, Callable[[Change, Earlier], bool]] = {
    "value": _had_a_value,
    "over": _had_a_state,
    "name": _had_a_name,
    "timed": _had_a_time,
    "place": _had_a_place,
    "same": _is_same,
    "all": _was_all_of_it,
    "count": _had_so_many,
    "left": _had,
    "role": _held,
    "kind": _was_mine,
}  # by how changes.toml says that the earlier statement is told


@cache
def _aspects() -> frozenset[str]:
    return frozenset(changes()["aspects"]["words"].split())


@cache
def _outliving() -> frozenset[str]:
    return frozenset(changes()["outliving"]["words"].split())


@cache
def _seats() -> frozenset[str]:
    return frozenset(changes()["ours"]["seats"].split())


@cache
def _faults() -> frozenset[str]:
    return frozenset(changes()["states"]["faults"].split())


@cache
def _placed() -> frozenset[str]:
    return frozenset(changes()["states"]["placed"].split())


@cache
def _states() -> frozenset[str]:
    return frozenset(changes()["states"]["words"].split())
