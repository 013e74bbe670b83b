"""Dates as callers give them: a moment, or a calendar span of a day, month, quarter or year.

Inside, time is whole microseconds UTC in half-open intervals; "2026" is a year-long span, never 1 January.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from noosphere.clock import micros, moment
from noosphere.errors import InvalidInput, shown
from noosphere.records import dataclass

FOREVER = 2**63 - 1  # the open end of an interval, so that ends compare as plain integers
FIRST, LAST = micros(datetime(1, 1, 2, tzinfo=UTC)), micros(datetime(9999, 12, 31, tzinfo=UTC))  # in every zone a date
REMEDY = "Give a datetime with a zone, or a date such as 2026-05-14, 2026-05, 2026-Q2 or 2026"
CALENDAR = re.compile(r"(\d{4})(?:-(?:(\d{2})(?:-(\d{2}))?|Q([1-4])|W(\d{2})))?")


class Grain(StrEnum):
    """How exactly a time is known."""

    MOMENT = "moment"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of time [start, end) in microseconds UTC, with its grain."""

    start: int
    end: int
    grain: Grain

    @property
    def last(self) -> int:
        """The last microsecond inside the span."""
        return self.end - 1


def read_zone(name: str) -> tzinfo:
    """Find a time zone by its IANA name.

    Raises:
        InvalidInput: there is no such zone on this machine.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(
            "zone", f"{shown(name)} is not a time zone", "Use an IANA name such as Europe/Berlin"
        ) from None


def read_time(value: datetime | date | str | None, field: str, zone: tzinfo = UTC) -> Span | None:
    """Read a time argument; None stays None.

    Args:
        value: an aware datetime, a date, or ISO-8601 text of either.
        field: the argument's name, for the error.
        zone: the zone whose calendar a bare date belongs to.

    Raises:
        InvalidInput: not a time, or a time of day without a zone.
    """
    if value is None:
        return None
    if isinstance(value, datetime):
        return _moment(value, field)
    if isinstance(value, date):
        return _text(value.isoformat(), field, zone)
    if isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers are not all typed)
        return _text(value.strip(), field, zone)
    raise InvalidInput(field, f"{value!r:.80} is not a time", REMEDY)


def _moment(value: datetime, field: str) -> Span:
    if value.tzinfo is None:
        raise InvalidInput(field, f"{value.isoformat()} has no time zone", "Add one, for example +00:00 or Z")
    at = micros(value)
    if not FIRST <= at < LAST:
        raise InvalidInput(field, f"{value.isoformat()} is outside the calendar", REMEDY)
    return Span(at, at + 1, Grain.MOMENT)


def _text(value: str, field: str, zone: tzinfo) -> Span:
    if match := CALENDAR.fullmatch(value):
        try:
            return _calendar(*match.groups(), zone=zone)
        except (ValueError, OverflowError):
            raise InvalidInput(field, f"{shown(value)} is not in the calendar", REMEDY) from None
    try:
        return _moment(datetime.fromisoformat(value), field)
    except ValueError as problem:
        if isinstance(problem, InvalidInput):
            raise
        raise InvalidInput(field, f"{shown(value)} is not a time", REMEDY) from None


def _calendar(
    year: str, month: str | None, day: str | None, quarter: str | None, week: str | None, zone: tzinfo
) -> Span:
    y = int(year)
    if week:
        monday = date.fromisocalendar(y, int(week), 1)
        return days(monday, monday + timedelta(days=7), Grain.WEEK, zone)
    if day and month:
        first = date(y, int(month), int(day))
        return days(first, first + timedelta(days=1), Grain.DAY, zone)
    if month:
        return _months(y, int(month), 1, Grain.MONTH, zone)
    if quarter:
        return _months(y, int(quarter) * 3 - 2, 3, Grain.QUARTER, zone)
    return _months(y, 1, 12, Grain.YEAR, zone)


def _months(year: int, month: int, count: int, grain: Grain, zone: tzinfo) -> Span:
    carry, following = divmod(month - 1 + count, 12)
    return days(date(year, month, 1), date(year + carry, following + 1, 1), grain, zone)


def days(first: date, after: date, grain: Grain, zone: tzinfo) -> Span:
    """The span of the calendar days from `first` up to, not including, `after` in a zone.

    Raises:
        OverflowError: it reaches the ends of the calendar.
    """
    span = Span(midnight(first, zone), midnight(after, zone), grain)
    if span.start < FIRST or span.end > LAST:
        raise OverflowError
    return span


def midnight(day: date, zone: tzinfo) -> int:
    """The first moment of a day in a zone."""
    return micros(datetime(day.year, day.month, day.day, tzinfo=zone))


def iso(at: int | None, zone: tzinfo = UTC) -> str | None:
    """Write a moment as ISO-8601 with its zone; None and the open end stay None."""
    if at is None or at == FOREVER:
        return None
    text = moment(at).astimezone(zone).isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def show(span: Span, zone: tzinfo = UTC) -> str:
    """Write a span no more exactly than it is known: 2026, 2026-Q2, 2026-05, 2026-W20, 2026-05-14 or a moment."""
    local = moment(span.start).astimezone(zone)
    day = local.date().isoformat()  # strftime does not fill up a year below 1000
    match span.grain:
        case Grain.YEAR:
            return day[:4]
        case Grain.QUARTER:
            return f"{day[:4]}-Q{(local.month + 2) // 3}"
        case Grain.MONTH:
            return day[:7]
        case Grain.WEEK:
            year, week, _ = local.isocalendar()
            return f"{year:04}-W{week:02}"
        case Grain.DAY:
            return day
        case Grain.MOMENT:
            return iso(span.start, zone) or ""


def day_of(at: int, zone: tzinfo = UTC) -> str:
    """The calendar day of a moment, as YYYY-MM-DD."""
    return moment(at).astimezone(zone).date().isoformat()
