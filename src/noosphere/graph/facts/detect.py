"""found_slots: the facts that a text states, clause by clause, with who they are about and when they hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.facts.clauses import clauses, plainly, with_subject
from noosphere.graph.facts.frames import Frame, counted, framed
from noosphere.graph.facts.renewals import STARTING
from noosphere.graph.facts.rulebook import Form, rulebook, updates
from noosphere.graph.facts.stand_ins import StandIns
from noosphere.graph.facts.stating import stating
from noosphere.graph.facts.subjects import is_name, of_several, owner_of, person, thing
from noosphere.graph.facts.values import fits, tidy
from noosphere.graph.facts.when import NOWHERE, Held, apart_from_times, held
from noosphere.model.needs import Sought
from noosphere.model.persons import FIRST, FIRST_OF_MANY, KIN, THIRD
from noosphere.model.slot import holds_one, normal
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from noosphere.graph.facts.rulebook import Rule
    from noosphere.graph.facts.stating import Sentence
    from noosphere.model.when.times import Time

MAX_TEXT = 20_000  # characters of a text that are read
BEING = frozenset(
    [
        "is",
        "are",
        "be",
        "been",
        "am",
        "i'm",
        "was",
        "returns",
        "becomes",
        "became",
        "takes",
        "took",
        "conducts",
        "chairs",
        "directs",
        "edits",
        "coaches",
        "handles",
        "sponsors",
        "succeeds",
        "succeeded",
        "replaces",
        "replaced",
        "taken",
        "changed",
        "switched",
    ]
)
ADVERB = re.compile(r"(?: (?:now|again|anymore|any more|these days|too|as well|instead))+$", re.IGNORECASE)
CAPITAL = re.compile(r"(?!\bI\b)[A-Z]")
NAMED_FIRST = re.compile(
    r"((?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][\w-]+(?: [A-Z][\w-]+)*) (?:told|says|said|called|is|has|was|wrote|asked|"
    r"found|got|moved|[a-z]+s) |([A-Z][\w-]+)['’]s (?:back|here|gone|away|been|moved|now|home) "
)
TITLED = re.compile(r"\b(?:Grandma|Grandpa|Granny|Uncle|Aunt|Auntie|Mr|Mrs|Ms|Miss|Dr)\.? [A-Z][\w'’-]+")
ACTED_ON = re.compile(
    r"(?:(?:I|We|we) )?(?i:just |finally )?(?i:weighed|measured|met|rang|phoned|asked) "
    r"((?-i:[A-Z])[\w-]+)(?= (?:at|to|on|in|with|and|about|home|again|today|yesterday|last|this)\b|[:,.]|$)"
)
BESIDE = re.compile(
    r"\b(?:also|besides|in addition|on the side|at weekends|on weekends|second job|part[- ]time)\b",
    re.IGNORECASE,
)
TOO = re.compile(r"\b(?:too|as well|also)\W*$|\balso (?:on|in|at|from)\b", re.IGNORECASE)
MOVING = re.compile(r"\b(?:moved|relocated|switched|changed|became|joined|transferred|went|now)\b", re.IGNORECASE)
OF_ONE = frozenset({"employer", "job_title", "home_city", "school", "team", "manager"})  # of which one may have two
PERFECT = re.compile(r"['’]ve$|\b(?:have|has)$", re.IGNORECASE)
OF_A_HOUSEHOLD = frozenset(
    {"home_city", "address", "insurance", "insurer", "bank", "isp", "provider", "carrier", "gym"}
)  # "we moved" is "I moved" too
RELATIVE = re.compile(rf"((?:my|our) (?:{'|'.join(sorted(KIN))}))(?:['’]s)? [a-z]+", re.IGNORECASE)
WORD = re.compile(r"[\w'’-]+")
LED_BY_TIME = re.compile(
    r"(?:in|on|at|by|since|from|until|till|starting|as of|effective|because|despite|following|due to|thanks to|"
    r"given|with|for|last|next|this|before|after|between|during|back in|"
    r"yesterday|tomorrow|today|a|two|three|\d)\b",
    re.IGNORECASE,
)
FROM = re.compile(r"(?:from|as of|starting|effective|with effect from|since)\b", re.IGNORECASE)
HEDGED = Sought(
    re.compile(
        r"\b(?:might|maybe|perhaps|thinking (?:about|of)|considering|consider|would like|would love|'d like|’d like|"
        r"want to|wants to|hope|hopes|hoping|"
        r"if(?! (?:any|some)(?:one|body)\b)|wish|wishes|could|should|probably|dream of|almost|nearly|"
        r"rumou?r|supposedly|whether|"
        r"pretend|imagine|tempted|going to see|suppose|offered|looking for|plans? to ask|used to think|thought)\b",
        re.IGNORECASE,
    )
)


class Told(NamedTuple):
    """What surrounds a clause: its sentence and where that stands, who speaks when, and whom "he" means."""

    sentence: str
    span: tuple[int, int]
    speaker: str
    said_at: datetime | None
    named: str | None
    casual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSlot:
    """A statement about a slot.

    Attributes:
        subject: who or what it is about; "user" for the user.
        attribute: what is said of it.
        value: the value as written.
        ends: whether it says that the value no longer holds.
        since: when it begins to hold, in microseconds; None when not said.
        until: when it stops; None when not said.
        once: whether it is over by the time it is said.
        span: where its sentence stands in the text.
        rule: the rule that found it.
        functional: whether the slot holds one value at a time.
    """

    subject: str
    attribute: str
    value: str
    ends: bool
    since: int | None
    until: int | None
    once: bool
    span: tuple[int, int]
    rule: str
    functional: bool


def found_slots(
    text: str,
    speaker: str = "user",
    said_at: datetime | None = None,
    named: str | None = None,
    thing_named: str | None = None,
) -> list[FoundSlot]:
    """Find the facts a text states; at most one of each slot and value, in order.

    Args:
        text: what was said; its first MAX_TEXT characters are read.
        speaker: who said it, for "I" and "my"; "user" is the mind's user.
        said_at: an aware time, for "since May" or "last week"; without it times are left alone.
        named: whom "he" means when the text does not say.
        thing_named: what "it" means when the text does not say.
    """
    found: dict[tuple[str, str, str, bool], FoundSlot] = {}
    text = text[:MAX_TEXT]
    told = Told("", (0, 0), speaker, said_at, named, casual=_is_casual(text))
    stand_ins = StandIns(thing_named, there=" there" in text or " here" in text)
    for sentence in stating(text, thing_named):
        told = Told(sentence.text, sentence.span, speaker, said_at, told.named, told.casual)
        lost = "I"
        stand_ins.head(sentence.text)
        for said, bare, plain in clauses(sentence.text):
            clause = stand_ins.filled(said, sentence.text)
            if told.named is None and (name := _named(clause)) is not None:
                told = told._replace(named=name)
            if not bare and (relative := RELATIVE.match(clause)) is not None:
                lost = relative[1]
            if not sentence.states:
                continue
            for slot in _told(with_subject(clause, lost) if bare else clause, plain, told, sentence):
                found.setdefault((slot.subject, slot.attribute, slot.value, slot.ends), slot)
                mine = slot.subject in (speaker, "user", "we")
                lost = "I" if mine else lost if lost != "I" else "they"
                told = told if mine else told._replace(named=slot.subject)
    return list(found.values())


def _is_casual(text: str) -> bool:
    """Whether the writer of a text uses no capitals."""
    return text[:1].islower() and (text.islower() or CAPITAL.search(text) is None)


def _named(clause: str) -> str | None:
    """Whom a clause names, for a "he" or "her" after it: who stands first in it, or a title's bearer."""
    first = NAMED_FIRST.match(clause)
    name = None if first is None else first[1] or first[2]
    if name is not None and _may_be_meant(name):
        return name
    acted_on = ACTED_ON.match(clause)
    if acted_on is not None and _may_be_meant(acted_on[1]):
        return acted_on[1]
    titled = TITLED.search(clause)
    return None if titled is None else titled[0]


def _may_be_meant(words: str) -> bool:
    """Whether "he" or "her" may mean who is named first."""
    return is_name(words) and words.split(maxsplit=1)[0].lower() not in THIRD | FIRST | FIRST_OF_MANY


def _told(clause: str, plain: str | None, told: Told, sentence: Sentence) -> list[FoundSlot]:
    """What a clause states as it stands; where no rule reads an idiom so, what it states plainly."""
    if plain is None:
        return list(_facts(clause, told, sentence))
    told = told._replace(sentence=plain)
    stated = [slot for slot in _facts(clause, told, sentence) if slot.rule != "frame"]
    return stated or list(_facts(plain, told, sentence))


def _facts(clause: str, told: Told, sentence: Sentence) -> Iterator[FoundSlot]:
    known, words = rulebook(), set(WORD.findall(clause.lower().replace("’", "'")))
    ways = known.open(clause) if sentence.ways is None else sentence.ways
    called, being = known.called(words, ways), not words.isdisjoint(BEING)
    framed = being and sentence.framed
    if not (called or framed):
        return
    bare = clause if sentence.dated else plainly(clause)
    if sentence.dated or bare != clause:
        led = being or LED_BY_TIME.match(clause) is not None
        if not (led or any(_fact(known.rules[n], ways[n], clause, told) for n in called)):
            return
    times, dated = (), bare
    if sentence.dated:
        times, bare, dated = apart_from_times(clause, told.said_at)
        bare, dated = plainly(bare), plainly(STARTING.sub("", dated))
    yield from _unhedged(clause, _read(clause, told, (times, bare, dated), ways, called, framed=framed))


def _unhedged(clause: str, found: Iterable[FoundSlot]) -> Iterator[FoundSlot]:
    """What a clause states, unless it only wishes or wonders; few clauses state anything, so that is asked last."""
    for slot in found:
        if HEDGED.search(clause) is not None:
            return
        yield slot


def _read(
    clause: str,
    told: Told,
    apart: tuple[tuple[Time, ...], str, str],
    ways: dict[int, list[Form]],
    called: Sequence[int],
    *,
    framed: bool,
) -> Iterator[FoundSlot]:
    """What a clause states by the rules that it calls for, else by its frame; `apart` from its times and with them."""
    known = rulebook()
    times, bare, dated = apart
    left = known.open(bare) if called and bare != clause else ways
    found, named = False, set[str]()
    for n in called:
        rule = known.rules[n]
        read, forms = (dated, ways) if rule.value == "date" else (bare, left)
        slot = _fact(rule, forms.get(n, ()), read, told)
        beside = slot is not None and (_stands_beside(clause, slot[2]) or (slot[2] in OF_ONE and BESIDE.search(clause)))
        if slot is not None and not beside:
            form, subject, attribute, value = slot
            begins = tuple(t for t in times if t.cut[0] == 0 and FROM.match(clause)) if rule.value == "date" else times
            at = NOWHERE if told.said_at is None else held(begins, form, clause, told.said_at)
            renews = updates(told.sentence)
            one = holds_one(attribute) or rule.one or (renews and rule.renews)
            one = one and (renews or attribute != "name" or not of_several(subject))
            subject = told.speaker if subject == "we" and attribute in OF_A_HOUSEHOLD else subject
            yield _slot(Frame(subject, attribute, value, one, form.past), at, told, rule.id, ends=form.ends)
            named.add(attribute.replace("_", " "))  # "my employer is Acme": no thing called "employer"
            found = found or not rule.more
            if not rule.more:  # "I work at Acme as a nurse" says two things
                return
    if framed and not found:
        yield from (slot for slot in _framed(dated, bare, times, told) if normal(slot.subject) not in named)


def _stands_beside(clause: str, attribute: str) -> bool:
    """Whether a clause says that its value stands beside another: "meets on Friday too", not "moved to Berlin too"."""
    return holds_one(attribute) and TOO.search(clause) is not None and MOVING.search(clause) is None


def _framed(dated: str, bare: str, times: tuple[Time, ...], told: Told) -> Iterator[FoundSlot]:
    """The frame of a clause; a date is its value only when the whole clause is read."""
    frame = _frame(dated, told)
    if bare != dated and (frame is None or frame.attribute != "deadline"):
        frame = _frame(bare, told)
    if frame is None:
        return
    at = NOWHERE
    if frame.attribute != "deadline" and told.said_at is not None:
        at = held(times, Form("", ends=False, past=frame.once), dated, told.said_at)
    if not frame.once or at.since is not None:
        yield _slot(frame, at, told, "frame")


def _frame(clause: str, told: Told) -> Frame | None:
    """The frame of a clause in its sentence; what makes none though something had changed makes none if nothing had."""
    frame = framed(clause, told.speaker, told.named, renews=True)
    if frame is None or updates(told.sentence):
        return frame
    return framed(clause, told.speaker, told.named, renews=False)


def _slot(frame: Frame, at: Held, told: Told, rule: str, *, ends: bool = False) -> FoundSlot:
    return FoundSlot(
        subject=frame.subject,
        attribute=frame.attribute,
        value=frame.value,
        ends=ends,
        since=at.since,
        until=at.until,
        once=frame.once,
        span=told.span,
        rule=rule,
        functional=frame.one,
    )


def _fact(rule: Rule, forms: Iterable[Form], clause: str, told: Told) -> tuple[Form, str, str, str] | None:
    for form in forms:
        match = form.compiled.match(clause)
        if match is None:
            continue
        said = match.groupdict()
        if form.past and PERFECT.search(said.get("who") or ""):
            continue
        value = rule.fixed or tidy(said.get("v") or "", rule.value)
        subject = _subject({"who": rule.about, **said}, told.speaker, told.named)
        raw = said.get("v") or ""
        kind = "name" if form.ends and rule.value == "workplace" else rule.value  # "I left the bakery" may be a walk
        if subject is None or (rule.fixed is None and not fits(value, kind, raw, casual=told.casual)):
            continue
        noun = _noun(said.get("noun")) if said.get("other") is None else _pair(value, said["other"] or "")
        noun = _base(noun) if rule.attribute.startswith(("does_", "schedule_")) else noun
        noun = counted(noun) if rule.attribute == "count_{noun}" else noun
        attribute = rule.attribute.replace("{noun}", noun)[:64]
        if not attribute.strip("_") or attribute.endswith("_for_"):
            continue
        return form, subject, attribute, value
    return None


def _noun(words: str | None) -> str:
    words = ADVERB.sub("", words or "")
    return "_".join(re.findall(r"[a-z0-9]+", (words or "").lower()))


def _base(noun: str) -> str:
    """The verb that leads a habit, without its ending: "keeps_her_keys_in" is "keep_her_keys_in"."""
    verb, *rest = noun.split("_", 1)
    return "_".join([re.sub(r"(?<=sh)es$|(?<![si])s$", "", verb), *rest])


def _pair(one: str, other: str) -> str:
    """Two things that are chosen between, the same whichever is named first."""
    return "_".join(sorted((_noun(one), _noun(tidy(other, "phrase")))))


def _subject(said: dict[str, str | None], speaker: str, named: str | None) -> str | None:
    if (what := said.get("thing")) is not None:
        part = said.get("part")
        what = what if part is None else f"{what}'s {part}"
        owned = owner_of(said.get("who") or "", speaker, named)
        return thing(what if owned is None else f"{owned} {what}", speaker, named)
    who = said.get("who") or ""
    one = person(who, speaker, named)
    if one is None and who.lower().startswith(("the ", "our ", "my ")):
        return thing(who, speaker, named)
    return one
