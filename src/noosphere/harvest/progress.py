"""How far a harvest has come, and how long it will still take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

MEANINGFUL = 0.02  # of the whole must be read before the rest can be guessed from it


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One item further.

    Attributes:
        item: where it came from.
        items: conversations and notes read so far.
        added: turns and notes that were new so far.
        read: bytes of the sources read so far.
        size: bytes of the sources altogether; 0 when that is not known.
        seconds_left: how long the rest will take at the pace so far; None while that cannot be told.
    """

    item: str
    items: int
    added: int
    read: int
    size: int
    seconds_left: float | None


class Watcher(Protocol):
    """Is told how far a harvest has come."""

    def __call__(self, step: Step, /) -> None:
        """Called after every item."""
        ...


@dataclass(slots=True)
class Meter:
    """Counts the bytes that were read of those there are."""

    size: int = 0
    clock: Callable[[], float] = time.monotonic
    _done: int = 0
    _here: int = 0
    _size_here: int = 0
    _begun: float = field(init=False)

    def __post_init__(self) -> None:
        self._begun = self.clock()

    @property
    def read(self) -> int:
        """Bytes read so far."""
        return self._done + min(self._here, self._size_here)

    def begin(self, size: int) -> None:
        """The member before is done; the next one has this size."""
        self._done += self._size_here
        self._here, self._size_here = 0, size

    def reach(self, place: int) -> None:
        """The present member was read up to here; it may be read again from the start."""
        self._here = max(self._here, place)

    def seconds_left(self) -> float | None:
        """How long the rest will take, if that can be told."""
        if not self.size or self.read < MEANINGFUL * self.size:
            return None
        return (self.clock() - self._begun) * max(0, self.size - self.read) / self.read
