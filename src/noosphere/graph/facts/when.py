"""When a statement holds, by the times its clause names."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import cache
from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.graph.facts.words import happened
from noosphere.model.needs import Sought
from noosphere.model.pieces import PIECES
from noosphere.model.ways import Ways
from noosphere.model.when.times import Lean, calls_in, find_times, may_name, without
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import tzinfo

    from noosphere.graph.facts.rulebook import Form
    from noosphere.model.when.times import Time

AHEAD = (
    r"\b(?:will|going to|moving|starting|starts?|joining|relocating|until|till|effective|as of|next|due|"
    r"from (?=\d|today|tomorrow|now|next|this|mon|tue|wed|thu|fri|sat|sun|"
    r"jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec)|"
    r"about to|leaving|taking over|takes over)\b|['’]ll\b"
)


MONTHS = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b"
COMING = re.compile(
    rf"\b(?:is|are) (?=\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTHS})|"
    r"(?:\b(?:is|are|am|isn['’]t|aren['’]t|flies|fly|leaves?|departs?|arrives?|returns?|opens?|closes?|begins?|ends?|"
    r"travels?|visits?|comes?|goes?)|['’](?:s|re|m))\b.* (?:on|for|by) (?:the )?"
    rf"(?=\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|{MONTHS})",
    re.IGNORECASE,
)
OVER = re.compile(r"\b(?:since|ago|last(?! day)|yesterday|was|were|had|been|did|got)\b", re.IGNORECASE)
ENGLISH = "en"  # the language of the rules
UNTIL = re.compile(
    r"(\b(?:from|between) [^,;]{2,20}?) (?:until|till|through|up to) (?=\S*\d|[A-Z]|now|today)", re.IGNORECASE
)
LASTS = re.compile(
    r"\b(valid|good|open|booked|rented|leased|extended|prolonged|guaranteed|runs?|lasts?|lasting|running)"
    rf"(?: (?:up|through))? (?:to|through) (?=\d|the end\b|{MONTHS})",
    re.IGNORECASE,
)  # what it lasts to is its end
YEARS = re.compile(r"^((?i:from|between) (?:19|20)\d\d (?:to|and) (?:19|20)\d\d) (?=[A-Z])")
FROM_LED = len("between")
UNTIL_LED = PIECES.whole(["until", "till", "through", "up"])  # one of them stands in what UNTIL matches
TO = frozenset(["to"])  # what UNTIL puts in
DIGIT = re.compile(r"\d")
UNTIL_WORDS = ("til", "through", "up to")  # one of them stands in what UNTIL matches
NAMING = re.compile(
    r"(?:the )?(?:q[1-4]|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|spring|summer|autumn|winter|(?:19|20)\d\d)",
    re.IGNORECASE,
)
NOUN_FOLLOWS = re.compile(
    r" (?!(?:i|we|he|she|they|it|is|are|was|the|my|our|his|her|their|at|on|in|from|to|for|and|of|this|that|"
    r"there)\b)[a-z]"
)


SPELL = Sought(
    re.compile(
        r"\b(?:from|between) .{0,20}?\b(?:19|20)\d\d (?:to|until|till|and|through) .{0,20}?\b(?:19|20)\d\d\b",
        re.IGNORECASE,
    )
)
PRESENT = re.compile(
    r"\b(?:is|are|am|now|still|since|has|have|will)\b|['’](?:s|re|m|ve|ll)\b|[.!;] +\S|\?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Held:
    """From when until when, in microseconds; None where it is not said."""

    since: int | None
    until: int | None


NOWHERE = Held(None, None)


@cache
def ahead() -> Ways:
    """What says that a time lies ahead."""
    return Ways([AHEAD])


def looks_ahead(clause: str) -> bool:
    """Whether a day without its year lies ahead: the clause says so, or tells of what is so on that day."""
    return ahead().meets(clause) or (
        COMING.search(clause) is not None and OVER.search(clause) is None and not happened(clause)
    )


def without_times(clause: str, said_at: datetime | None) -> tuple[tuple[Time, ...], str]:
    """The times of a clause, and the clause without them; those that name something stay ("the Q3 budget").

    Args:
        clause: what is said.
        said_at: an aware time; without it times are left alone.
    """
    times, clause = _times(clause, said_at)
    return times, without(clause, times) if times else clause


def apart_from_times(clause: str, said_at: datetime | None) -> tuple[tuple[Time, ...], str, str]:
    """The times of a clause, the clause without them, and without those alone that it begins with."""
    times, whole = _times(clause, said_at)
    if not times:
        return times, whole, clause
    leading = [t for t in times if t.cut[0] == 0]
    return times, without(whole, times), without(whole, leading) if leading else whole


def may_tell(sentence: str, words: Iterable[str]) -> bool:
    """Whether a clause of a sentence may name a time; `words` are those of the sentence in lower case."""
    return DIGIT.search(sentence) is not None or calls_in(TO.union(words), ENGLISH)


def _times(clause: str, said_at: datetime | None) -> tuple[tuple[Time, ...], str]:
    """The times of a clause that name nothing, and the clause in which they stand."""
    if said_at is None:
        return (), clause
    low = clause.lower()
    if not clause.isascii() or any(word in low for word in UNTIL_WORDS):
        clause = UNTIL.sub(r"\1 to ", clause)
    if " to " in low or " through " in low:
        clause = LASTS.sub(r"\1 until ", clause)
    if clause[:FROM_LED].lower().startswith(("from", "between")):
        clause = YEARS.sub(r"\1, ", clause)  # a name behind a year would be that of a thing: "2010 Mercedes"
    if not may_name(clause, ENGLISH):
        return (), clause
    lean = Lean.FUTURE if looks_ahead(clause) else Lean.PAST
    found = find_times(clause, said_at, lean=lean, languages=(ENGLISH,))
    return tuple(t for t in found if not _names(clause, t)), clause


def _names(clause: str, time: Time) -> bool:
    """Whether a time is part of a name: "Q3 budget", "the Monday class", "the budget for Q3"."""
    if NAMING.fullmatch(clause[time.start : time.end]) is None:
        return False
    before, after = clause[time.cut[0] : time.start].strip().lower(), clause[time.end :]
    return before == "for" or (before in ("", "the", "our", "my") and NOUN_FOLLOWS.match(after) is not None)


def held(times: tuple[Time, ...], form: Form, clause: str, said_at: datetime) -> Held:
    """When a fact holds: a range says both ends, a day when it began; what was, was for that while."""
    if not times:
        return Held(None, micros(said_at)) if form.past else NOWHERE
    first, after = times[0].first, times[0].after
    zone = said_at.tzinfo
    since, until = _at(first, zone), _at(after, zone)
    if form.past or times[0].kind == "range":
        return Held(since, until if until is not None or not form.past else micros(said_at))
    if form.ends and re.search(r"\b(?:until|till)\b", clause, re.IGNORECASE):
        return NOWHERE
    return Held(since, None)


def spell(text: str, said_at: datetime) -> Held | None:
    """The spell of a sentence that tells only of the past: "we rented the plot from April 2010 to October 2013"."""
    if SPELL.search(text) is None or PRESENT.search(text) is not None:
        return None
    times, _ = without_times(text, said_at)
    ranges = [time for time in times if time.kind == "range" and time.first is not None and time.after is not None]
    if len(ranges) != 1 or ranges[0].after is None or ranges[0].after > said_at.date():
        return None
    return Held(_at(ranges[0].first, said_at.tzinfo), _at(ranges[0].after, said_at.tzinfo))


def _at(day: date | None, zone: tzinfo | None) -> int | None:
    return None if day is None else micros(datetime.combine(day, time(), zone))
