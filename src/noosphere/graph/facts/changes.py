"""Changes: a clause that says that something is another now: "the standup moved to 10:15", "Tom took over as lead".

Forms in changes.toml read what changed, what it was and what it is. What such a change overtakes is another file's.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from noosphere.graph.facts.clauses import clauses, plainly, sentences, with_subject
from noosphere.graph.facts.kinds_of_values import Kind, kinds_in, numeral
from noosphere.graph.facts.renewals import news, read_words
from noosphere.graph.facts.rulebook import MACRO, changes
from noosphere.model.late import Late
from noosphere.model.needs import Needs, needs_of
from noosphere.model.persons import FIRST, FIRST_OF_MANY
from noosphere.model.ways import Ways
from noosphere.model.worded import worded
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

GROUPS = frozenset({"topic", "old", "new", "who", "role", "holder"})
NAME, AGAIN = re.compile(r"\(\?P<(\w+)>"), "__"
GROUP = r"[\w'’.&/#:-]+(?: [\w'’.&/#:-]+){0,6}?"
NEW = r"(?P<new>[^,;]+)"
HOLDER = r"(?P<new>(?-i:(?:(?:Mr|Ms|Mrs|Dr)\.? )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}|I|we))"
SPEAKER = FIRST | FIRST_OF_MANY
THEIRS = re.compile(r"(?:his|her|their|its|your)\b", re.IGNORECASE)
PARTS = frozenset({"of", "for", "in", "on", "at", "to", "with", "from", "by", "as", "per", "about", "and", "or"})
VALUED = frozenset({"value", "count", "same"})  # those that name a value
SEATS = frozenset({"numbered", "nth"})
COUNTED = frozenset({"count", "same"})  # those whose value is a number
MEASURED = frozenset({"count", "money"})
ABOUT = frozenset({"value", "over", "name", "timed", "place", "same", "set"})  # kinds of changes that have a topic
LITTLE = frozenset({"the", "we", "be", "have", "this", "that", "new", "now", "a", "an"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A form of changes; see changes.toml.

    Attributes:
        anybody: whether whose statement it ends makes no difference.
        ours: whether its topic is the speaker, and its value where they are.
        moves: whether a name as its value is a place.
        posts: whether its role has to be one that somebody can step down from.
        old_form: what the earlier statement has to look like besides.
    """

    id: str
    what: str
    form: Late
    news: bool
    anybody: bool
    ours: bool
    moves: bool
    posts: bool
    old_form: Late
    words: str


@dataclass(frozen=True, slots=True)
class Change:
    """That something is another now.

    Attributes:
        what: how the earlier statement is told; see changes.toml.
        own: whether it is about the speaker.
        who: whom it names, as written.
        owner: the stems of that; empty for the speaker.
        topic: the stems of what changed, in order.
        old: those of what it was.
        new: those of what it is.
        role: those of what somebody else does now.
        kinds: of the new value.
        words: by which the earlier statement is looked up; it holds one of them.
        rule: the form that found it.
        verb: the stem of what it does now, where that counts.
        told: the new value as written.
        owned: whether its topic is the speaker's.
        theirs: whether its topic belongs to whom it names, or to others: "they renamed their boat".
    """

    what: str
    own: bool
    who: str
    owner: frozenset[str]
    topic: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    role: tuple[str, ...]
    kinds: frozenset[Kind]
    words: str
    rule: str
    verb: str = ""
    told: str = ""
    owned: bool = False
    theirs: bool = False

    def is_sure(self, found: int) -> bool:
        """Whether it is clear which statements are meant, by their number: a thing's short name may mean several."""
        return found <= 1 or self.what not in (*ABOUT, "kind")


def found_changes(text: str) -> Iterator[Change]:
    """The changes that a text tells, in its order."""
    if not _open(text):
        return
    for start, stop in sentences(text):
        sentence = text[start:stop]
        if sentence.rstrip().endswith("?") or not (rules := _open(sentence)) or unsaid().meets(sentence):
            continue
        for clause, bare, _ in clauses(sentence):
            plain = plainly(with_subject(clause, "I") if bare else clause)
            shorter = without_remark(plain)
            for rule in rules:
                form = rule.form.compiled
                match = form.fullmatch(plain) or (form.fullmatch(shorter) if shorter else None)
                if match is not None and (change := _change(rule, match)) is not None:
                    yield change


def _open(sentence: str) -> list[Rule]:
    """The rules that a sentence can meet."""
    called = _needs().open(worded(sentence))
    if not called:
        return []
    rules = [rules_of_changes()[n] for n in called]
    if any(rule.what in COUNTED for rule in rules) and not numeral().meets(sentence):
        rules = [rule for rule in rules if rule.what not in COUNTED]
    if any(rule.news for rule in rules) and not news().meets(sentence):
        rules = [rule for rule in rules if not rule.news]
    return rules


def without_remark(clause: str) -> str | None:
    """A clause without what is remarked behind a comma: "gave up on the cello, no time"; None when it has no remark.

    What names a source or a doubt is no mere remark.
    """
    said, comma, remark = clause.partition(", ")
    return said if comma and _reported().isdisjoint(remark.lower().split()) else None


def _change(rule: Rule, match: re.Match[str]) -> Change | None:
    said: Mapping[str, str] = groups_of(match)
    who = said.get("who", "")
    low = who.lower().replace("’", "'")
    unnamed = not who and rule.what in ("left", "count", "kind", "state")
    own = "me" in said or unnamed or low in SPEAKER or low in changes()["ours"]["who"]
    if not _reported().isdisjoint(f"{low} {said.get('topic', '').lower()}".split()):
        return None
    topic, old, new, role = (content_stems(said.get(name, "")) for name in ("topic", "old", "new", "role"))
    if rule.what == "kind" and not own:
        return None
    if said.get("topic", "").lower() in SPEAKER:
        if not rule.ours:
            return None
        own = True
    elif rule.what in ABOUT and not topic:
        return None
    kinds = _kinds(rule, said.get("new", ""))
    if rule.what in VALUED and not kinds:
        return None
    words = (
        rule.words
        or " ".join([*_shown(said, "topic"), *_shown(said, "old"), *_shown(said, "role")])
        or said.get("new", "")
        or who
    )
    owner = frozenset[str]() if own else frozenset(content_stems(who))
    verb = next((word for word, _ in read_words(said.get("verb", ""))), "")
    owned = re.match(r"my ", said.get("topic", ""), re.IGNORECASE) is not None
    theirs = THEIRS.match(said.get("topic", "")) is not None
    told = said.get("new", "")
    own = own or owned
    return Change(rule.what, own, who, owner, topic, old, new, role, kinds, words, rule.id, verb, told, owned, theirs)


def _kinds(rule: Rule, new: str) -> frozenset[Kind]:
    """What a form's new value is, of the kinds that count there."""
    if rule.what not in VALUED:
        return frozenset()
    counts = SEATS if rule.ours else MEASURED if rule.what != "value" else None
    return frozenset(kind for kind in kinds_in(new) if counts is None or kind.is_a in counts)


def content_stems(words: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order."""
    return tuple(word for word, _ in read_words(words) if word not in LITTLE and word not in PARTS)


def _shown(said: Mapping[str, str], name: str) -> list[str]:
    return [shown for word, shown in read_words(said.get(name, "")) if word not in LITTLE and word not in PARTS]


@cache
def rules_of_changes() -> tuple[Rule, ...]:
    """The forms, in their order."""
    return tuple(
        Rule(
            one["id"],
            one["what"],
            Late(_whole(one["form"])),
            one.get("news", False),
            one.get("anybody", False),
            one.get("ours", False),
            one.get("moves", False),
            one.get("posts", False),
            Late(_whole(one.get("old_form", ""))),
            " ".join(one.get("words", ())),
        )
        for one in changes()["change"]
    )


@cache
def _needs() -> Needs:
    """What a text must hold for each form; what a group stands for may be anything."""
    return Needs(
        needs_of(MACRO.sub(lambda m: changes()["macros"].get(m[1], "(?:.*)"), one["form"]))
        for one in changes()["change"]
    )


@cache
def rule_of(name: str) -> Rule:
    """A form by its id."""
    return next(rule for rule in rules_of_changes() if rule.id == name)


def groups_of(match: re.Match[str]) -> dict[str, str]:
    """The groups of a form that hold words; each may stand in several of its ways."""
    return {name.partition(AGAIN)[0]: words for name, words in match.groupdict().items() if words}


def _whole(form: str) -> str:
    """A form with its macros; a group that stands in it again is numbered, for a pattern has each name once."""
    seen: Counter[str] = Counter()

    def numbered(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return match[0] if seen[match[1]] == 1 else f"(?P<{match[1]}{AGAIN}{seen[match[1]]}>"

    return NAME.sub(numbered, MACRO.sub(lambda m: _group(m[1]), form))


def _group(name: str) -> str:
    if name not in GROUPS:
        return changes()["macros"][name]
    if name == "holder":
        return HOLDER
    return NEW if name == "new" else rf"(?P<{name}>{GROUP})"


@cache
def unsaid() -> Ways:
    """What says that a clause tells no change."""
    return Ways([changes()["unsaid"]["form"]])


@cache
def _reported() -> frozenset[str]:
    return frozenset(changes()["reported"]["words"].split())
