"""Makers of points: dates, months, seasons, years and holidays, each from the words of one phrase."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from noosphere.model.when.reading import Reading, dated, on_weekday
from noosphere.model.when.stretch import (
    Stretch,
    Unfit,
    around,
    day,
    easter,
    monday,
    months,
    nth_weekday,
    numbered_week,
    season,
    shift,
    years,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.model.when.caught import Caught
    from noosphere.model.when.reading import Standpoint

MONTHS = 12
CENTURY_OF_DECADES = 30  # "the 20s" are the 2020s, "the 30s" the 1930s


def nothing(_caught: Caught, _at: Standpoint) -> None:
    """Words that look like a time and are none."""


def calendar_date(caught: Caught, at: Standpoint) -> Reading:
    """A day of a month, with its year or without."""
    month = caught.value("month") or caught.number("month")
    number = caught.number("day")
    return dated(lambda y: day(date(y, month, number)), "day", at, year=caught.year(), month=month)


def compact_date(caught: Caught, _at: Standpoint) -> Reading:
    """A year, a month and a day in eight digits."""
    digits = caught.tokens("compact")[0].text
    year, month, number = int(digits[:4]), int(digits[4:6]), int(digits[6:])
    return Reading(day(date(year, month, number)), "day", year=year, month=month, absolute=True)


def numeric_date(caught: Caught, at: Standpoint) -> Reading:
    """Two or three numbers: a number above 12 tells which is the day, else the standpoint does."""
    one, two = caught.number("one"), caught.number("two")
    day_first = caught.options.get("day_first", at.day_first)
    month, number = (two, one) if one > MONTHS or (day_first and two <= MONTHS) else (one, two)
    return dated(lambda y: day(date(y, month, number)), "day", at, year=caught.year(), month=month)


def month(caught: Caught, at: Standpoint) -> Reading:
    """A month, with its year, "last", "this" or "next", or alone."""
    number = caught.value("month") or caught.number("month")
    return _yearly(lambda y: months(y, number), "month", caught, at, month=number)


def month_reading(number: int, at: Standpoint) -> Reading:
    """The reading of a month alone."""
    return dated(lambda y: months(y, number), "month", at, year=None, month=number)


def season_of_year(caught: Caught, at: Standpoint) -> Reading:
    """A season."""
    number = caught.word("season")
    return _yearly(lambda y: season(y, number), "season", caught, at)


def seasons_ago(caught: Caught, at: Standpoint) -> Reading:
    """Two summers ago: the season itself, as often before this one as counted."""
    number = caught.value("unit", "season_s")
    number = caught.word("unit", "season") if number is None else number
    return Reading(related(lambda y: season(y, number), -caught.number("count"), at), "season")


def quarter(caught: Caught, at: Standpoint) -> Reading:
    """A quarter or a half of a year, by its number."""
    number, unit = caught.number("number"), caught.options["unit"]
    length = 3 if unit == "quarter" else 6
    if not 1 <= number <= MONTHS // length:
        raise Unfit
    return _yearly(lambda y: months(y, (number - 1) * length + 1, length), unit, caught, at)


def week(caught: Caught, at: Standpoint) -> Reading:
    """A week by its ISO number."""
    number = caught.number("number")
    return _yearly(lambda y: numbered_week(y, number), "week", caught, at)


def holiday(caught: Caught, at: Standpoint) -> Reading:
    """A holiday, by its rule."""
    rule = caught.word("holiday")
    return _yearly(lambda y: day(holiday_date(rule, y)), "day", caught, at)


def holiday_weekend(caught: Caught, at: Standpoint) -> Reading:
    """The weekend of a holiday's week."""
    rule = caught.word("T", "holiday")
    return _yearly(lambda y: around(holiday_date(rule, y), "weekend"), "weekend", caught, at)


def holiday_date(rule: str, year: int) -> date:
    """The day of a holiday: "12-25", "easter-2", "nov thu 4" written 11-thu-4, or with days added: 11-thu-4+1."""
    if rule.startswith("easter"):
        return easter(year) + timedelta(days=int(rule.removeprefix("easter") or 0))
    base, _, added = rule.partition("+")
    parts = base.split("-", 2)
    if len(parts) == 2:  # noqa: PLR2004  (month and day)
        return date(year, int(parts[0]), int(parts[1]))
    weekday = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(parts[1])
    return nth_weekday(months(year, int(parts[0])), weekday, int(parts[2])) + timedelta(days=int(added or 0))


def year(caught: Caught, _at: Standpoint) -> Reading:
    """A year."""
    number = caught.year()
    if number is None:
        raise Unfit
    return year_reading(number)


def year_reading(number: int) -> Reading:
    """The reading of a year."""
    return Reading(years(number), "year", year=number, absolute=True)


def decade(caught: Caught, _at: Standpoint) -> Reading:
    """A decade: 1990s, the 90s, the nineties, the nineteen nineties."""
    tens = caught.value("decade")
    number = tens if tens is not None else caught.number("number")
    if tens is not None and caught.has("century"):
        number += caught.number("century") * 100
    elif number < 100:  # noqa: PLR2004  (two digits)
        number += 1900 if number >= CENTURY_OF_DECADES else 2000
    if number % 10:
        raise Unfit
    return Reading(years(number, 10), "decade", absolute=True)


def century(caught: Caught, _at: Standpoint) -> Reading:
    """A century: the 21st has the years from 2000 on, as people use it."""
    return Reading(years((caught.number("number") - 1) * 100, 100), "century", absolute=True)


def weekday(caught: Caught, at: Standpoint) -> Reading:
    """A day of the week: "last" is the latest before today, "this" is of this week, "next" of the next one."""
    number, relation = caught.word("weekday"), caught.value("relation")
    if relation is None:
        return Reading(on_weekday(number, at), "day", weekday=number, settled=False)
    if relation < 0:
        back = (at.today.weekday() - number - 1) % 7 + 1
        return Reading(day(at.today - timedelta(days=back)), "day")
    return Reading(day(monday(at.today) + timedelta(days=number + 7 * relation)), "day")


def coming_weekday(caught: Caught, at: Standpoint) -> Reading:
    """The first such day after today, or so many weeks later."""
    ahead = (caught.word("weekday") - at.today.weekday() - 1) % 7 + 1 + 7 * caught.options.get("weeks", 0)
    return Reading(day(at.today + timedelta(days=ahead)), "day")


def weekdays_ago(caught: Caught, at: Standpoint) -> Reading:
    """Two Fridays ago: the one before the latest."""
    back = (at.today.weekday() - caught.word("weekday_s") - 1) % 7 + 1 + 7 * (caught.number("count") - 1)
    return Reading(day(at.today - timedelta(days=back)), "day")


def weekday_of_month(caught: Caught, at: Standpoint) -> Reading:
    """A weekday with the day of a month: the nearest month where they meet, on the side of the lean."""
    number, wanted = caught.number("day"), caught.word("weekday")
    found = [d for d in _days_numbered(number, at) if d.weekday() == wanted]
    if not found:
        raise Unfit
    return Reading(day(min(found, key=lambda d: abs((d - at.today).days))), "day", settled=False)


def day_of_month(caught: Caught, at: Standpoint) -> Reading:
    """A day of a month that is not named."""
    return Reading(day(monthless(caught.number("day"), at)), "day", settled=False)


def monthless(number: int, at: Standpoint) -> date:
    """The nearest day of this number on the side of the lean, today included.

    Raises:
        ValueError: no month has it.
    """
    found = _days_numbered(number, at)
    ahead = at.lean.value == "future"
    side = [d for d in found if (d >= at.today if ahead else d <= at.today)]
    return min(side, key=lambda d: abs((d - at.today).days))


def _days_numbered(number: int, at: Standpoint) -> list[date]:
    """The days of this number in the months around."""
    found: list[date] = []
    for distance in range(-6, 7):
        first = shift(at.today.replace(day=1), "month", distance)
        if shift(first, "month", 1) - first >= timedelta(days=number):
            found.append(first.replace(day=number))
    return found


def _yearly(
    make: Callable[[int], Stretch], unit: str, caught: Caught, at: Standpoint, month: int | None = None
) -> Reading:
    """What comes once a year: by its year, by "last", "this", "next", or the nearest."""
    relation = caught.value("relation")
    if relation is None:
        return dated(make, unit, at, year=caught.year(), month=month)
    return Reading(related(make, relation, at), unit, month=month)


def related(make: Callable[[int], Stretch], relation: int, at: Standpoint) -> Stretch:
    """The last one that is over, the one now or this year, the next one to begin."""
    found = [make(y) for y in range(at.today.year - 2 + min(relation, 0), at.today.year + 3 + max(relation, 0))]
    if relation == 0:
        now = [s for s in found if s.first is not None and s.after is not None and s.first <= at.today < s.after]
        return now[0] if now else make(at.today.year)
    if relation < 0:
        return [s for s in found if s.after is not None and s.after <= at.today][relation]
    return [s for s in found if s.first is not None and s.first > at.today][relation - 1]
