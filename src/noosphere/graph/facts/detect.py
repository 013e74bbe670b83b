"""found_slots: the facts that a text states, clause by clause, with who they are about and when they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.graph.facts.rulebook import rulebook
from noosphere.graph.facts.subjects import POSSESSIVE, owner_of, person, thing
from noosphere.graph.facts.values import fits, tidy
from noosphere.graph.facts.when import NOWHERE, Held, held, without_times
from noosphere.model.needs import Sought
from noosphere.model.slot import holds_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from noosphere.graph.facts.rulebook import Form, Rule

MAX_CLAUSE = 240  # characters: a fact is said shortly, and the forms backtrack within a clause only
MAX_TEXT = 20_000  # characters of a text that are read
# Where a sentence ends, with the sign that ends it; `re` looks quickly for what begins with a class of characters.
SENTENCE = re.compile(
    r"[.!?\n;](?:(?<=\n)\n*|(?<=;)\s+|(?<=[.!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bSt\.)[\"'”)]?\s+)"
)
CLAUSE = re.compile(
    r",? (?:but|however|although|though|while|whereas|so|and then)(?= )|, and(?= )|\s[-–—]+\s|: |"
    r" and(?= (?:I|we|he|she|they|it|my|our|her|his|their|the|now|just|has|have|is|joined|moved|started|left)\b)|"
    r", (?=(?:I|we|he|she|they|my|our|now)(?:['’]\w+)? )",
)
WORD = re.compile(r"[\w'’-]+")
LEAD = re.compile(
    r"^(?:(?:and|but|so|oh|ok|okay|well|hey|hi|yes|yeah|no|nope|wait|oops|sorry|anyway|also|fyi|btw|note|heads up|"
    r"update|news|good news|bad news|big news|by the way|just so you know|for the record|correction|my mistake|my bad|"
    r"actually|in fact|turns out|it turns out(?: that)?|remember that|note that|please note|please remember(?: that)?|"
    r"i think|i meant(?: to say)?|i misspoke|as you know|now|then|from now on|these days|currently|at the moment|"
    r"right now|for now|finally|officially|as it happens|to be clear|going forward|meanwhile|until then|since then|"
    r"after that|later|recently|today|as for me|instead|unfortunately|sadly|luckily|quick update|small update|"
    r"with effect from (?:today|now)|from (?:today|this \w+)(?: on)?|as of (?:today|now|this \w+)|"
    r"because of (?:the|a|an) \w+|reminder|scratch that|apparently|plot twist)\b[\s,:!.–—-]*)+",
    re.IGNORECASE,
)
LED_BY_TIME = re.compile(
    r"(?:in|on|at|by|since|from|until|till|starting|as of|effective|last|next|this|before|after|between|during|back in|"
    r"yesterday|tomorrow|today|a|two|three|\d)\b",
    re.IGNORECASE,
)
HEDGED = Sought(
    re.compile(
        r"\b(?:might|maybe|perhaps|thinking (?:about|of)|considering|consider|would like|would love|'d like|’d like|"
        r"want to|wants to|hope|hopes|hoping|if|wish|wishes|could|should|probably|dream of|almost|nearly|"
        r"rumou?r|supposedly|whether|"
        r"pretend|imagine|tempted|going to see|suppose|offered|looking for|plans? to ask|used to think|thought)\b",
        re.IGNORECASE,
    )
)


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

    @property
    def functional(self) -> bool:
        """Whether the slot holds one value at a time."""
        return holds_one(self.attribute)


def found_slots(text: str, speaker: str = "user", said_at: datetime | None = None) -> list[FoundSlot]:
    """Find the facts a text states; at most one of each slot and value, in order.

    Args:
        text: what was said; its first MAX_TEXT characters are read.
        speaker: who said it, for "I" and "my"; "user" is the mind's user.
        said_at: an aware time, for "since May" or "last week"; without it times are left alone.
    """
    text = text[:MAX_TEXT]
    found: dict[tuple[str, str, str, bool], FoundSlot] = {}
    named: str | None = None
    for start, end in _sentences(text) if rulebook().open(text) else ():
        sentence = text[start:end]
        if sentence.rstrip("\"'”) ").endswith("?"):
            continue
        for clause in _clauses(sentence):
            for slot in _facts(clause, speaker, said_at, named, (start, end)):
                found.setdefault((slot.subject, slot.attribute, slot.value, slot.ends), slot)
                named = slot.subject if slot.subject not in (speaker, "user", "we") else named
    return list(found.values())


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in SENTENCE.finditer(text):
        end = cut.start() + (text[cut.start()] in ".!?")
        if text[at:end].strip():
            yield at, end
        at = cut.end()
    if text[at:].strip():
        yield at, len(text)


def _clauses(sentence: str) -> Iterator[str]:
    for part in CLAUSE.split(sentence):
        clause = part.strip(' .!,;"“”()')
        if clause and len(clause) <= MAX_CLAUSE:
            yield clause


def _facts(
    clause: str, speaker: str, said_at: datetime | None, named: str | None, span: tuple[int, int]
) -> Iterator[FoundSlot]:
    known = rulebook()
    ways = known.open(clause)
    called = known.candidates(set(WORD.findall(clause.lower().replace("’", "'")))) if ways else []
    if ways.keys().isdisjoint(called):
        return
    whole = LEAD.sub("", clause)
    if not LED_BY_TIME.match(whole) and not any(
        _fact(known.rules[n], ways.get(n, ()), whole, speaker, named) for n in called
    ):
        return
    if HEDGED.search(clause) is not None:
        return
    times, bare = without_times(whole, said_at)
    bare = LEAD.sub("", bare)
    left = known.open(bare) if times else ways
    for n in called:
        rule = known.rules[n]
        read, forms = (whole, ways) if rule.value == "date" else (bare, left)
        slot = _fact(rule, forms.get(n, ()), read, speaker, named)
        if slot is not None:
            form, subject, attribute, value = slot
            at: Held = NOWHERE if rule.value == "date" or said_at is None else held(times, form, clause, said_at)
            yield FoundSlot(
                subject=subject,
                attribute=attribute,
                value=value,
                ends=form.ends,
                since=at.since,
                until=at.until,
                once=form.past,
                span=span,
                rule=rule.id,
            )
            if rule.attribute != "employer":  # "I work at Acme as a nurse" says two things
                return


def _fact(
    rule: Rule, forms: Iterable[Form], clause: str, speaker: str, named: str | None
) -> tuple[Form, str, str, str] | None:
    for form in forms:
        match = form.compiled.match(clause)
        if match is None:
            continue
        said = match.groupdict()
        value = rule.fixed or tidy(said.get("v") or "", rule.value)
        subject = _subject(said, speaker, named)
        if subject is None or (rule.fixed is None and not fits(value, rule.value)):
            continue
        noun = _noun(said.get("noun")) if said.get("other") is None else _pair(value, said["other"] or "")
        noun = _base(noun) if rule.attribute.startswith("does_") else noun
        attribute = rule.attribute.replace("{noun}", noun)[:64]
        if not attribute.strip("_") or attribute.endswith("_for_"):
            continue
        return form, subject, attribute, value
    return None


def _noun(words: str | None) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", (words or "").lower()))


def _base(noun: str) -> str:
    """The verb that leads a habit, without its ending: "keeps_her_keys_in" is "keep_her_keys_in"."""
    verb, _, rest = noun.partition("_")
    return f"{re.sub(r'(?<=sh)es$|(?<!s)s$', '', verb)}_{rest}"


def _pair(one: str, other: str) -> str:
    """Two things that are chosen between, the same whichever is named first."""
    return "_".join(sorted((_noun(one), _noun(tidy(other, "phrase")))))


def _subject(said: dict[str, str | None], speaker: str, named: str | None) -> str | None:
    if (what := said.get("thing")) is not None:
        owned = owner_of(said.get("who") or "", speaker, named)
        return thing(what if owned is None else f"{owned} {what}", speaker, named)
    who = said.get("who") or ""
    one = person(who, speaker, named)
    if one is None and who.lower().startswith("the ") and POSSESSIVE.search(who):
        return thing(who, speaker, named)
    return one
