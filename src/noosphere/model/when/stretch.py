"""Arithmetic of calendar days: the days, weeks, months, seasons and years that phrases name."""

from __future__ import annotations

from datetime import date, timedelta

from noosphere.records import dataclass

MONTHS_IN = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS_IN = {"day": 1, "workday": 1, "weekend": 7, "week": 7, "fortnight": 14}
SPRING_STARTS = 3  # meteorological seasons of the northern half: March, June, September, December
SATURDAY = 5
WORKDAYS = 5  # of a week


class Unfit(Exception):
    """A form matched, but what it caught is no phrase of its kind; others may still read the words."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Calendar days from `first` up to, not including, `after`; None is open."""

    first: date | None
    after: date | None

    def __post_init__(self) -> None:
        if self.first is not None and self.after is not None and self.first >= self.after:
            raise ValueError

    @property
    def ends(self) -> tuple[date, date]:
        """Its first day and the day after its last.

        Raises:
            Unfit: it is open.
        """
        if self.first is None or self.after is None:
            raise Unfit
        return self.first, self.after


def day(at: date, count: int = 1) -> Stretch:
    """One day, or as many as counted."""
    return Stretch(at, at + timedelta(days=count))


def months(year: int, month: int, count: int = 1) -> Stretch:
    """Whole months; `month` may lie outside 1–12 and carries into the year."""
    first = shift(date(year, 1, 1), "month", month - 1)
    return Stretch(first, shift(first, "month", count))


def years(year: int, count: int = 1) -> Stretch:
    """Whole years."""
    return months(year, 1, 12 * count)


def season(year: int, number: int) -> Stretch:
    """A season by its number from spring, 0, to winter, 3, which starts in the year's December."""
    return months(year, SPRING_STARTS + 3 * number, 3)


def numbered_week(year: int, number: int) -> Stretch:
    """An ISO week."""
    return day(date.fromisocalendar(year, number, 1), 7)


def monday(at: date) -> date:
    """The Monday of a day's week."""
    return at - timedelta(days=at.weekday())


def around(at: date, unit: str) -> Stretch:
    """The calendar unit a day lies in; a day before Saturday belongs to the weekend of its own week.

    Raises:
        ValueError: there is no such unit.
    """
    if unit == "weekend":
        return day(monday(at) + timedelta(days=SATURDAY), 2)
    if unit in DAYS_IN:
        return day(at if DAYS_IN[unit] == 1 else monday(at), DAYS_IN[unit])
    if unit not in MONTHS_IN:
        raise ValueError(unit)
    count, offset = MONTHS_IN[unit], SPRING_STARTS - 1 if unit == "season" else 0
    year, number = divmod((at.year * 12 + at.month - 1 - offset) // count * count + offset, 12)
    return months(year, number + 1, count)


def shift(at: date, unit: str, count: int) -> date:
    """A day so many units away; the day of the month is kept as far as the month has it."""
    if unit == "workday":
        return _workday(at, count)
    if unit in DAYS_IN:
        return at + timedelta(days=DAYS_IN[unit] * count)
    number = at.year * 12 + at.month - 1 + MONTHS_IN[unit] * count
    year, month = divmod(number, 12)
    return date(year, month + 1, min(at.day, _length(year, month + 1)))


def _workday(at: date, count: int) -> date:
    """A day so many days from Monday to Friday away."""
    step = timedelta(days=1 if count > 0 else -1)
    weeks, left = divmod(abs(count), WORKDAYS)
    at += 7 * weeks * step
    while left or at.weekday() >= SATURDAY:
        at += step
        left -= bool(left) and at.weekday() < SATURDAY
    return at


def _length(year: int, month: int) -> int:
    following = date(year, month + 1, 1) if month < 12 else date(year + 1, 1, 1)  # noqa: PLR2004  (December)
    return (following - timedelta(days=1)).day


def third(whole: Stretch, unit: str, part: str) -> Stretch:
    """The early, mid or late part of a stretch: thirds, at day 11 and 21 of a month, at whole months of longer ones.

    Of a week: Monday and Tuesday, Wednesday and Thursday, Friday to Sunday.
    """
    first, after = whole.ends
    one, two = _cuts(first, after, unit)
    bounds = {"early": (first, one), "mid": (one, two), "late": (two, after)}[part]
    return Stretch(*bounds)


def _cuts(first: date, after: date, unit: str) -> tuple[date, date]:
    match unit:
        case "month":
            return first.replace(day=11), first.replace(day=21)
        case "week":
            return first + timedelta(days=2), first + timedelta(days=4)
        case "year" | "quarter" | "season" | "half":
            count = MONTHS_IN[unit] // 3
            return shift(first, "month", count), shift(first, "month", 2 * count)
        case "decade":
            return shift(first, "year", 4), shift(first, "year", 7)
        case "century":
            return shift(first, "year", 33), shift(first, "year", 67)
        case _:
            length = (after - first).days
            return first + timedelta(days=(length + 2) // 3), first + timedelta(days=length - length // 3)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876, Meeus, Astronomical Algorithms)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, rest = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, rest + 1)


def nth_weekday(whole: Stretch, weekday: int, number: int) -> date:
    """The n-th weekday of a stretch, from 1; -1 is the last.

    Raises:
        ValueError: it has no such day.
    """
    first, after = whole.ends
    if number < 0:
        last = after - timedelta(days=1)
        found = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-number - 1))
    else:
        found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    if not first <= found < after:
        raise ValueError(number)
    return found
