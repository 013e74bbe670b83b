"""The minds that are open: lent one by one, the least recently used closed first, never one in use."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from noosphere.errors import ClosedMind
from noosphere.forking import Lock
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from noosphere.mind import Mind

CAPACITY = 8  # open minds; one holds a cache, a few connections and its indexes


@dataclass(slots=True, eq=False)
class _Lent:
    """An open mind, and how many use it now; `leaves` when it is off the shelf, to be closed as soon as none does."""

    mind: Mind
    users: int = 0
    leaves: bool = False


class Shelf:
    """Open minds by key. More than `capacity` stay open only while they are all in use."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._open: OrderedDict[str, _Lent] = OrderedDict()
        self._lock = Lock()
        self._closed = False

    @contextmanager
    def borrow(self, key: str, make: Callable[[], Mind]) -> Generator[Mind]:
        """Use the mind of a key, opened when it is not; it stays open for as long as it is used.

        Raises:
            ClosedMind: the noosphere was closed.
        """
        with self._lock:
            if self._closed:
                raise ClosedMind(key)
            lent = self._open.get(key)
            if lent is None:
                lent = self._open[key] = _Lent(make())
            self._open.move_to_end(key)
            lent.users += 1
            surplus = self._surplus()
        self._close_unused(surplus)
        try:
            yield lent.mind
        finally:
            with self._lock:
                lent.users -= 1
                surplus = self._surplus()
                last = lent.leaves and lent.users == 0 and lent not in surplus
            self._close_unused([*surplus, lent] if last else surplus)

    def drop(self, key: str) -> None:
        """Close the mind of a key, after whoever uses it now."""
        with self._lock:
            lent = self._open.pop(key, None)
            unused = [] if lent is None else self._take_off([lent])
        self._close_unused(unused)

    def keys(self) -> list[str]:
        """The keys of the open minds, the least recently used first."""
        with self._lock:
            return list(self._open)

    def close(self) -> None:
        """Close every mind, each after whoever uses it now."""
        with self._lock:
            self._closed = True
            unused = self._take_off(list(self._open.values()))
            self._open.clear()
        self._close_unused(unused)

    def _surplus(self) -> list[_Lent]:
        """Take what is over the capacity and not in use off the shelf, the least recently used first."""
        idle = [key for key, lent in self._open.items() if lent.users == 0]
        over = max(0, len(self._open) - self._capacity)
        return self._take_off([self._open.pop(key) for key in idle[:over]])

    def _take_off(self, minds: list[_Lent]) -> list[_Lent]:
        """Let minds leave; those that nobody uses are to be closed now, the others by their last user."""
        for lent in minds:
            lent.leaves = True
        return [lent for lent in minds if lent.users == 0]

    def _close_unused(self, minds: list[_Lent]) -> None:
        """Close outside the lock: what is under way in a mind ends first."""
        for lent in minds:
            lent.mind.close()
