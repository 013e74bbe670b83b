"""Clocks and ids for tests: time that moves only when told, and identities that are the same in every run."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from noosphere.clock import SECOND, micros
from noosphere.ids import UID_BYTES

START = datetime(2026, 5, 14, 9, 0, tzinfo=UTC)  # a Thursday; any moment with a round date would do
VERSION_AND_VARIANT = 0x7 << 76 | 0b10 << 62  # what makes a number a UUIDv7


class FrozenClock:
    """A clock that stands still until it is moved."""

    def __init__(self, start: datetime = START) -> None:
        self._at = micros(start)
        self._lock = threading.Lock()

    def now(self) -> int:
        """Return the moment it stands at, in microseconds UTC."""
        with self._lock:
            return self._at

    def advance(self, by: timedelta) -> None:
        """Move it forward; a negative stretch sets it back, as a machine's clock may be."""
        with self._lock:
            self._at += by // timedelta(microseconds=1)

    def set(self, at: datetime) -> None:
        """Put it at another moment, earlier or later."""
        with self._lock:
            self._at = micros(at)


class SteppingClock(FrozenClock):
    """A clock that goes on by one step each time it is read, so that no two readings are alike."""

    def __init__(self, start: datetime = START, step: timedelta = timedelta(microseconds=SECOND)) -> None:
        super().__init__(start)
        self._step = step // timedelta(microseconds=1)

    def now(self) -> int:
        """Return the moment it stands at, and go one step on."""
        with self._lock:
            at, self._at = self._at, self._at + self._step
            return at


class SequentialIds:
    """Ids that count: well-formed UUIDv7, in order, the same in every run."""

    def __init__(self, first: int = 1) -> None:
        self._next = first
        self._lock = threading.Lock()

    def new(self) -> bytes:
        """Return the next 16-byte uid."""
        with self._lock:
            number, self._next = self._next, self._next + 1
        return (VERSION_AND_VARIANT | number << 80).to_bytes(UID_BYTES)
