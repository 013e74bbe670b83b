"""Makers over a phrase already read: early 2023, the first week of March, three days after Easter."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from noosphere.model.when.reading import Reading
from noosphere.model.when.relatives import OF_A_DAY, counted, moved, spans
from noosphere.model.when.stretch import (
    DAYS_IN,
    MONTHS_IN,
    SATURDAY,
    Stretch,
    Unfit,
    around,
    day,
    monday,
    nth_weekday,
    shift,
    third,
)

if TYPE_CHECKING:
    from datetime import date

    from noosphere.model.when.caught import Caught
    from noosphere.model.when.reading import Standpoint

WEEK = 7
SIDES = {"earlier": "early", "later": "late"}  # of today; of what today is not in, its thirds


def part(caught: Caught, at: Standpoint) -> Reading:
    """Early, mid or late in something longer than a day; earlier and later on this side of today."""
    whole, name = caught.reading("T"), caught.word("part")
    if whole.unit == "day":
        return whole
    if name in SIDES:
        return _beside_today(whole, name, at)
    return whole.reshaped(lambda of: third(of, whole.unit, name), "days")


def _beside_today(whole: Reading, name: str, at: Standpoint) -> Reading:
    tomorrow = at.today + timedelta(days=1)
    if not whole.first <= at.today < whole.after:
        return replace(whole, stretch=third(whole.stretch, whole.unit, SIDES[name]))
    bounds = (whole.first, tomorrow) if name == "earlier" else (at.today, whole.after)
    return Reading(Stretch(*bounds), "days")


def end_of_unit(caught: Caught, at: Standpoint) -> Reading:
    """EOD, EOW, EOM, EOQ, EOY: today, or the end of the unit that is now."""
    unit = caught.word("end_of_unit")
    now = Reading(around(at.today, unit), unit)
    return now if unit == "day" else Reading(third(now.stretch, unit, "late"), "days")


def day_of_this(caught: Caught, at: Standpoint) -> Reading:
    """The 26th day of the month: of the one that is now."""
    return Reading(day(at.today.replace(day=caught.number("day"))), "day")


def part_of_unit(caught: Caught, at: Standpoint) -> Reading:
    """The end of the year, later in the week: of the unit that is now."""
    unit, name = caught.word("unit"), caught.word("part")
    now = Reading(around(at.today, unit), unit)
    return _beside_today(now, name, at) if name in SIDES else Reading(third(now.stretch, unit, name), "days")


def rest(caught: Caught, at: Standpoint) -> Reading:
    """The rest of the week: from today to its end."""
    whole = around(at.today, caught.word("unit"))
    return Reading(Stretch(at.today, whole.after), "days")


def nth_unit(caught: Caught, _at: Standpoint) -> Reading:
    """The first week of March, the second half of 2023, the last three days of June, counted inside the whole."""
    whole, unit = caught.reading("T"), caught.word("unit")
    number = -1 if caught.has("final") else caught.number("ordinal")
    count = counted(caught.tokens("count"))[1] if caught.has("count") else 1
    if unit == "workday":
        raise Unfit
    if unit == "half":
        if whole.unit not in MONTHS_IN or count != 1:
            raise Unfit
    elif not _length(unit) < _length(whole.unit):
        raise Unfit

    return whole.reshaped(lambda of: _numbered(of, unit, number, count), unit if count == 1 else "days")


def _length(unit: str) -> int:
    return DAYS_IN.get(unit, 0) or 30 * MONTHS_IN.get(unit, 0)


def _numbered(whole: Stretch, unit: str, number: int, count: int) -> Stretch:
    """The n-th units of a stretch: weeks of a year are ISO weeks, of anything else sevens of days."""
    if unit == "weekend":
        return day(nth_weekday(whole, SATURDAY, number), 2)
    start, end = whole.ends
    if unit == "week" and (end - start).days > 360:  # noqa: PLR2004  (a year)
        start, end = _iso_bounds(start), _iso_bounds(end)
    if unit == "half":
        return _half(whole, number)
    if number < 0:
        found = Stretch(shift(end, unit, -count), end)
    else:
        found = Stretch(shift(start, unit, number - 1), shift(start, unit, number - 1 + count))
    first, after = found.ends
    if not start <= first < end:
        raise ValueError(number)
    return Stretch(first, min(after, end))


def _half(whole: Stretch, number: int) -> Stretch:
    """The first or the second half; a month is cut before its 16th day."""
    first, after = whole.ends
    full, odd = divmod(_months(whole), 2)
    cut = shift(first, "month", full) + timedelta(days=15 * odd)
    if number not in (1, 2, -1):
        raise ValueError(number)
    return Stretch(first, cut) if number == 1 else Stretch(cut, after)


def _months(whole: Stretch) -> int:
    first, after = whole.ends
    return (after.year - first.year) * 12 + after.month - first.month


def _iso_bounds(at: date) -> date:
    """The Monday of the first ISO week of the year that starts on this day."""
    return monday(at.replace(month=1, day=4))


def nth_weekday_of(caught: Caught, _at: Standpoint) -> Reading:
    """The second Monday of next month, the last Friday in May."""
    whole, weekday = caught.reading("T"), _weekday(caught)
    number = -1 if caught.has("final") else caught.number("ordinal")
    return whole.reshaped(lambda of: day(nth_weekday(of, weekday, number)), "day")


def unit_around(caught: Caught, _at: Standpoint) -> Reading:
    """The week of 10 April, the weekend of the 5th, w/c 4 May, the Christmas weekend."""
    unit = caught.options.get("unit") or caught.word("unit")
    return replace(caught.reading("T").reshaped(lambda of: around(of.ends[0], unit), unit), month=None)


def weekday_in(caught: Caught, _at: Standpoint) -> Reading:
    """Tuesday of next week."""
    week, number = caught.reading("T"), _weekday(caught)
    return week.reshaped(lambda of: day(of.ends[0] + timedelta(days=number)), "day")


def _weekday(caught: Caught) -> int:
    """The day of the week, as a word or as a phrase already read."""
    number = caught.value("weekday")
    if number is None:
        number = caught.reading("weekday").weekday
    if number is None:
        raise Unfit
    return int(number)


def day_in(caught: Caught, _at: Standpoint) -> Reading:
    """The 20th of next month."""
    whole, number = caught.reading("T"), caught.number("day")
    return whole.reshaped(lambda of: day(of.ends[0].replace(day=number)), "day")


def in_year(caught: Caught, _at: Standpoint) -> Reading:
    """The fourth of July last year: something without a year, and a year."""
    within, year = caught.reading("T"), caught.reading("year")
    if within.turns is None:
        raise Unfit
    return replace(
        within,
        stretch=within.turns(year.first.year),
        turns=None,
        settled=True,
        year=year.year,
        absolute=year.absolute,
    )


def step(caught: Caught, _at: Standpoint) -> Reading:
    """Three days after Easter, two weeks before 13 May: the very day."""
    whole, sign = caught.reading("T"), caught.options["sign"]
    found = spans(caught)
    if whole.unit != "day" or all(unit in OF_A_DAY for _, unit in found):
        raise Unfit

    def make(of: Stretch) -> Stretch:
        ends = sorted((moved(of.ends[0], found, sign, 0), moved(of.ends[0], found, sign, 1)))
        return Stretch(ends[0], ends[1] + timedelta(days=1))

    return replace(whole.reshaped(make, "day"), month=None, away=True)


def beside(caught: Caught, _at: Standpoint) -> Reading:
    """The day after Christmas, the week before 5 May, the Friday before the 20th."""
    whole, sign = caught.reading("T"), caught.options["sign"]
    unit = "day" if caught.has("weekday") else caught.word("unit")
    return replace(whole.reshaped(lambda of: _beside(of, whole.unit, caught, sign), unit), month=None)


def _beside(of: Stretch, of_unit: str, caught: Caught, sign: int) -> Stretch:
    first, after = of.ends
    edge = after if sign > 0 else first
    if caught.has("weekday"):
        return _weekday_beside(edge, _weekday(caught), sign)
    unit = caught.word("unit")
    if unit == "weekend":
        saturday, _ = _weekday_beside(edge - timedelta(days=1) if sign < 0 else edge, SATURDAY, sign).ends
        return day(saturday, 2)
    if unit not in DAYS_IN and unit not in MONTHS_IN:
        raise Unfit
    if of_unit == unit:
        return around(edge - timedelta(days=1) if sign < 0 else edge, unit)
    return Stretch(*sorted((edge, shift(edge, unit, sign))))


def _weekday_beside(edge: date, weekday: int, sign: int) -> Stretch:
    """The nearest such day wholly on one side of an edge."""
    if sign < 0:
        last = edge - timedelta(days=1)
        return day(last - timedelta(days=(last.weekday() - weekday) % WEEK))
    return day(edge + timedelta(days=(weekday - edge.weekday()) % WEEK))
