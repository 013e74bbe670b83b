"""A reading: what one phrase can mean, and the standpoint that decides between what was and what will be."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from noosphere.model.when.stretch import Stretch
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

LEAP_REACH = 8  # years between two leap days at most (1896 and 1904)


class Kind(StrEnum):
    """What sort of time a phrase names."""

    DATE = "date"
    PERIOD = "period"
    RELATIVE = "relative"
    RANGE = "range"


class Lean(StrEnum):
    """Where "in June" or "on Friday" looks when it does not say: back, ahead, or nowhere."""

    PAST = "past"
    FUTURE = "future"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Standpoint:
    """From where a text is read.

    Attributes:
        today: the day it is now, in the zone the answer is for.
        lean: where an open direction looks.
        day_first: whether 3/4 is the third of April.
        anchor: the day "two days later" counts from; None leaves such phrases unread.
        tells_past: whether the text tells of the past only, so that "in two weeks" is how long it took.
        tells_future: whether it tells of the future only.
    """

    today: date
    lean: Lean
    day_first: bool
    anchor: date | None
    tells_past: bool
    tells_future: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a phrase means from a standpoint.

    Attributes:
        stretch: its days.
        unit: the unit it is known by: day, week, weekend, month, …, or "days" for a stretch of no such unit.
        kind: given by the pattern that read it.
        year: the year, when the words say it.
        month: the month, when the words say it.
        turns: the same phrase in a given year, when the words name none.
        weekday: the day of the week, when that is all the words say.
        settled: whether the words themselves decide which of several it is.
        absolute: whether it means the same on every day.
        away: whether it is counted from now ("two years ago").
        asks: whether the phrase itself bounds a search ("between … and …").
    """

    stretch: Stretch
    unit: str
    kind: Kind = Kind.DATE
    year: int | None = None
    month: int | None = None
    turns: Callable[[int], Stretch] | None = None
    weekday: int | None = None
    settled: bool = True
    absolute: bool = False
    asks: bool = False
    away: bool = False

    @property
    def first(self) -> date:
        """Its first day.

        Raises:
            Unfit: it is open.
        """
        return self.stretch.ends[0]

    @property
    def after(self) -> date:
        """The day after its last.

        Raises:
            Unfit: it is open.
        """
        return self.stretch.ends[1]

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of its token for the patterns of later levels."""
        is_open = self.stretch.first is None or self.stretch.after is None
        flags = {
            "Topen": is_open,
            "Tyearless": self.turns is not None,
            "Tweekday": self.weekday is not None,
            "Taway": self.away,
        }
        return ("T", f"T{self.unit}", *(name for name, holds in flags.items() if holds))

    def reshaped(self, make: Callable[[Stretch], Stretch], unit: str) -> Reading:
        """What `make` cuts from it, in whichever year it is."""
        turns = self.turns

        def turned(year: int) -> Stretch:
            return make(self.stretch if turns is None else turns(year))

        return replace(self, stretch=make(self.stretch), unit=unit, turns=turns and turned, weekday=None)

    def with_kind(self, kind: Kind, *, asks: bool) -> Reading:
        """The same, as another kind."""
        return replace(self, kind=kind, asks=asks)


def dated(make: Callable[[int], Stretch], unit: str, at: Standpoint, *, year: int | None, month: int | None) -> Reading:
    """A reading of something that comes once a year: in its year, else in the nearest one on the side of the lean.

    Raises:
        ValueError: it is not in the calendar.
    """
    if year is not None:
        return Reading(make(year), unit, year=year, month=month, absolute=True)
    return Reading(nearest(make, at), unit, month=month, turns=make, settled=False)


def nearest(make: Callable[[int], Stretch], at: Standpoint) -> Stretch:
    """What comes once a year: the last that has begun, or, when the lean is ahead, the first that has not ended.

    Raises:
        ValueError: it comes in no year.
    """
    ahead = at.lean is Lean.FUTURE
    for distance in range(-1, LEAP_REACH + 2):
        try:
            found = make(at.today.year + (distance if ahead else -distance))
        except ValueError:
            continue
        first, after = found.ends
        if after > at.today if ahead else first <= at.today:
            return found
    raise ValueError


def on_weekday(weekday: int, at: Standpoint) -> Stretch:
    """The last such weekday before today, or the next one from today on."""
    back = (at.today.weekday() - weekday - 1) % 7 + 1
    first = at.today + timedelta(days=7 - back if at.lean is Lean.FUTURE else -back)
    return Stretch(first, first + timedelta(days=1))
