"""The periods a question names, and the one a text says it happened in: the grammar of dates in micros of a zone.

Importing this loads the grammar's modules (50 ms): import it where it is used, not at the top of a hot module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.model.when.spans import FIRST, FOREVER, Span, midnight
from noosphere.model.when.times import find_times
from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.model.when.times import Time

OF_A_MOMENT = 600  # characters: four or five sentences
SENTENCE_END = re.compile(r"[.!?…]+(?=\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Period:
    """A period that a question names.

    Attributes:
        start: its first microsecond UTC; FIRST when it is open ("before 2020").
        end: the microsecond after its last; FOREVER when it is open ("since May").
        words: the phrase as it stands in the question.
        cut: the offsets of the phrase with its preposition, to take it out of the question.
        asks: whether the question bounds its answer by it ("in May", "between …") rather than mentions it: only
            then may it filter, else it is a boost.
        settled: whether the words decide which one it is; "in June" alone is the latest June, and any other is near.
        month: the month that the words name, for a question that means it in any year.
    """

    start: int
    end: int
    words: str
    cut: tuple[int, int]
    asks: bool
    settled: bool
    month: int | None


def periods(question: str, now: int, zone: tzinfo) -> tuple[Period, ...]:
    """The periods a question names, in its order, as seen from a present.

    Args:
        question: the question; without any word of time it costs some microseconds.
        now: the present in microseconds UTC, from which "last week" counts.
        zone: the zone whose days are meant.
    """
    found = find_times(question, moment(now).astimezone(zone))
    return tuple(_period(time, question, zone) for time in found)


def _period(time: Time, question: str, zone: tzinfo) -> Period:
    return Period(
        start=FIRST if time.first is None else midnight(time.first, zone),
        end=FOREVER if time.after is None else midnight(time.after, zone),
        words=question[time.start : time.end],
        cut=time.cut,
        asks=time.asks,
        settled=time.settled,
        month=time.month,
    )


def occurred(text: str, said_at: int, zone: tzinfo, *, absolute: bool = False) -> Span | None:
    """When a text says that what it tells happened, known no more exactly than its words; None when it does not say.

    "We moved yesterday" is the day before it was said, "in the spring of 2019" that season's smallest calendar span.
    None too for a text of several times, for what a question asks, for a time that its words leave open ("on Friday"
    without a tense), and for a long text, which tells of more than one moment.

    Args:
        text: the text.
        said_at: when it was said, in microseconds UTC: what "yesterday" counts from.
        zone: the zone whose days are meant.
        absolute: whether only times count that mean the same whenever they are read.
    """
    if len(text) > OF_A_MOMENT:
        return None
    found = find_times(text, moment(said_at).astimezone(zone))
    told = [time for time in found if not _is_asked(text, time)]
    if len({(time.first, time.after) for time in told}) != 1 or not all(time.settled for time in told):
        return None
    return None if absolute and not told[0].absolute else told[0].span(zone)


def _is_asked(text: str, time: Time) -> bool:
    """Whether a time stands in a question."""
    end = SENTENCE_END.search(text, time.end)
    return end is not None and "?" in end[0]
