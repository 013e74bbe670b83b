"""Time as the engine counts it: whole microseconds UTC, read from a clock that is passed in."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    """Where "now" comes from."""

    def now(self) -> int:
        """Return microseconds since 1970-01-01T00:00Z."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> int:
        """Return the wall clock in microseconds UTC."""
        return time.time_ns() // 1000


def moment(at: int) -> datetime:
    """Turn microseconds into an aware UTC datetime."""
    return EPOCH + timedelta(microseconds=at)


def micros(at: datetime) -> int:
    """Turn an aware datetime into microseconds, exactly."""
    return (at - EPOCH) // timedelta(microseconds=1)
