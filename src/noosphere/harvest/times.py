"""Times as exports write them: epoch numbers of any unit, ISO-8601 with or without a zone, calendar dates."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from noosphere.clock import micros
from noosphere.errors import InvalidInput
from noosphere.harvest.untrusted import as_number, as_text
from noosphere.model.when import CALENDAR, read_time

# A number is read in the one unit that puts it between these years; 0, and ids that look like numbers, are no times.
EARLIEST = 946_684_800  # 2000-01-01 in seconds: before any product whose export we read
LATEST = 4_102_444_800  # 2100-01-01
UNITS = (1, 1_000, 1_000_000, 1_000_000_000)  # of a second: s, ms, µs, ns

NUMBER = re.compile(r"\d{9,19}(?:\.\d{1,9})?")
NO_ZONE = "time without zone read as UTC"
NO_TIME = "date without a time of day read as its first moment in UTC"


class Instant(NamedTuple):
    """A moment in microseconds UTC, and what had to be assumed to get it."""

    at: int
    repair: str | None = None


def read_instant(value: Any) -> Instant | None:
    """Read a time from an export; None when it is none, or not one we can understand."""
    number = as_number(value)
    if number is not None:
        return _epoch(number)
    text = as_text(value)
    if text is None:
        return None
    text = text.strip()
    if NUMBER.fullmatch(text) and (instant := _epoch(Decimal(text))):
        return instant
    return _calendar(text) if CALENDAR.fullmatch(text) else _iso(text)


def _epoch(number: float | Decimal) -> Instant | None:
    for unit in UNITS:
        if EARLIEST * unit <= number < LATEST * unit:
            exact = Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
            return Instant(round(exact * 1_000_000 / unit))
    return None


def _calendar(text: str) -> Instant | None:
    try:
        span = read_time(text, "time")
    except InvalidInput:
        return None
    return Instant(span.start, NO_TIME) if span else None


def _iso(text: str) -> Instant | None:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            return Instant(micros(moment.replace(tzinfo=UTC)), NO_ZONE if ":" in text else NO_TIME)
        return Instant(micros(moment))
    except (ValueError, OverflowError):
        return None
