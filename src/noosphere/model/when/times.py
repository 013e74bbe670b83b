"""The times a text names, as stretches of calendar days: what questions filter by, and when a text says it happened.

The grammar is data: for each language a folder of words and patterns, each pattern with examples. A text without any
word or number that could name a time costs one look at its words; the patterns are loaded when a text has one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.model.when.language import LANGUAGES, calling, language, lexicon, spoken
from noosphere.model.when.match import all_classes, read
from noosphere.model.when.reading import Kind, Lean, Standpoint
from noosphere.model.when.spans import Grain, Span, days
from noosphere.model.when.stretch import around
from noosphere.model.when.token import WORD
from noosphere.model.worded import worded
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime, tzinfo

    from noosphere.model.when.language import Language
    from noosphere.model.when.token import Token

__all__ = ["Kind", "Lean", "Time", "find_times", "without"]

READ = 20_000  # characters of a text that are read: what lies further is no question and no memory of one moment
LOOSE = re.compile(r"\s+([,.;:?!])")  # a sign left without the word it followed
DIGIT = re.compile(r"\d")
# A digit that may be of a time, by what stands beside it: four are a year of three millennia at most, eight a day;
# `re` looks quickly for what begins with a class.
BY_DIGITS = re.compile(
    r"\d(?:(?<=(?<!\d)[^03-9])\d{3}(?!\d)|(?<=(?<!\d)\d)\d{7}(?!\d)|[/.-]\d|\d*(?:st|nd|rd|th)\b|0['’]?s\b|\s*[º°.]|"
    r"(?<=\bon \d)|(?<=\bon the \d)|(?<=\b[qQhHwW]\d)|(?<=['’]\d)\d)"
)
EARLIEST, LATEST = 2, 9998  # years that have a midnight before and after in every zone
GRAINS = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR)


@dataclass(frozen=True, slots=True)
class Time:
    """A time that a text names.

    Attributes:
        start: offset of the phrase in the text.
        end: offset after it.
        cut: the offsets between which to cut it out, its preposition included.
        first: its first day; None is open.
        after: the day after its last; None is open.
        kind: what sort of time it is.
        unit: the unit it is known by: day, week, month, season, …, "days" for any other stretch.
        asks: whether the words ask for what lies inside ("in May", "between 2019 and 2021"), not only mention it.
        settled: whether the words decide which of several it is; "on Friday" alone does not.
        absolute: whether it means the same whenever it is read.
        year: the year, when the phrase says it.
        month: the month, when the phrase says it.
    """

    start: int
    end: int
    cut: tuple[int, int]
    first: date | None
    after: date | None
    kind: Kind
    unit: str
    asks: bool
    settled: bool
    absolute: bool
    year: int | None
    month: int | None

    @property
    def closed(self) -> bool:
        """Whether it has both ends."""
        return self.first is not None and self.after is not None

    def span(self, zone: tzinfo) -> Span | None:
        """The smallest day, week, month, quarter or year that holds it; None when none does."""
        if self.first is None or self.after is None:
            return None
        for grain in GRAINS:
            whole = around(self.first, grain)
            if whole.after is not None and whole.first is not None and whole.after >= self.after:
                return days(whole.first, whole.after, grain, zone)
        return None


def find_times(
    text: str,
    now: datetime,
    *,
    lean: Lean = Lean.PAST,
    day_first: bool | None = None,
    anchor: date | None = None,
    languages: Sequence[str] = LANGUAGES,
) -> tuple[Time, ...]:
    """Find the times a text names, in order; they never overlap.

    Args:
        text: at most its first READ characters are read.
        now: an aware datetime; its zone's calendar is the one of the answer.
        lean: where "in June" or "on Friday" looks, unless the text tells of the future or of the past only.
        day_first: whether 3/4/2024 is in April; None decides by language, and a number above 12 by itself.
        anchor: the day "two days later" counts from.
        languages: the languages to consider.
    """
    head = text[:READ]
    by_digits, held = _by_digits(head), _words(head)
    if not by_digits and not calling().among(held):
        return ()
    told = language(spoken(head, held, languages))
    if not by_digits and not told.lexicon.calling.among(held):
        return ()
    found = told.lexicon.tokens(head)
    seen = all_classes(found)
    ahead, back = bool(seen & told.future), bool(seen & told.past) or _ends_as_past(found, told)
    if ahead != back:
        lean = Lean.FUTURE if ahead else Lean.PAST
    at = Standpoint(
        today=now.date(),
        lean=lean,
        day_first=told.day_first if day_first is None else day_first,
        anchor=anchor,
        tells_past=back and not ahead,
        tells_future=ahead and not back,
    )
    phrases = read(found, seen, told, at)
    told_of = [place for place, phrase in enumerate(phrases) if phrase.reading is not None]
    times = (_time(phrases, place, told, tells=ahead != back) for place in told_of)
    return tuple(time for time in times if time is not None)


def may_name(text: str, code: str) -> bool:
    """Whether a text has a word or a number by which it may name a time in a language; else `find_times` finds none."""
    head = text[:READ]
    return _by_digits(head) or calls_in(_words(head), code)


def calls_in(words: frozenset[str], code: str) -> bool:
    """Whether some of these words, in lower case and without digits, may name a time in a language."""
    return lexicon(code).calling.among(words)


def _words(head: str) -> frozenset[str]:
    """The words of a text in lower case, without digits."""
    words = worded(head).words
    odd = [word for word in words if not word.isalpha()]
    return words.difference(odd).union(WORD.findall(" ".join(odd))) if odd else words


def _by_digits(head: str) -> bool:
    return BY_DIGITS.search(head) is not None


def without(text: str, times: Sequence[Time]) -> str:
    """A text without its times and their prepositions; the text itself when no word would be left."""
    kept: list[str] = []
    at = 0
    for time in times:
        kept.append(text[at : time.cut[0]])
        at = time.cut[1]
    left = " ".join("".join((*kept, text[at:])).split())
    left = LOOSE.sub(r"\1", left).strip(" ,;:-–")
    return left if WORD.search(left) else text


def _ends_as_past(found: Sequence[Token], told: Language) -> bool:
    """Whether some word ends as one of the past does, and tells of no state: "closed", but not "is closed"."""
    ending = told.past_ending
    if ending is None or ending.search("\n".join([token.text for token in found])) is None:
        return False
    before = (0, *(token.mask for token in found))
    return any(ending.search(t.text) and not mask & told.present for t, mask in zip(found, before, strict=False))


def _time(phrases: Sequence[Token], place: int, told: Language, *, tells: bool) -> Time | None:
    token = phrases[place]
    if token.reading is None:
        return None
    reading = token.reading
    first, after = reading.stretch.first, reading.stretch.after
    if any(day is not None and not EARLIEST <= day.year <= LATEST for day in (first, after)):
        return None
    lead, asks = _lead(phrases, place, told)
    behind = phrases[place + 1]
    return Time(
        start=token.start,
        end=token.end,
        cut=(lead, behind.end if behind.mask & told.possessive and behind.start == token.end else token.end),
        first=first,
        after=after,
        kind=reading.kind,
        unit=reading.unit,
        asks=reading.asks or asks,
        settled=reading.settled or tells,
        absolute=reading.absolute,
        year=reading.year,
        month=reading.month,
    )


def _lead(phrases: Sequence[Token], place: int, told: Language) -> tuple[int, bool]:
    """Where the words that lead to a time begin, and whether they ask for what lies inside it."""
    start, asks = phrases[place].start, False
    for token in reversed(phrases[max(place - 3, 0) : place]):
        if not token.mask & told.leading:
            break
        start, asks = token.start, asks or bool(token.mask & told.asking)
    return start, asks
