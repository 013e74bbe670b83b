"""Forks: none happens while a thread is inside SQLite, no connection goes along, and no lock stays held in the child.

A child has a copy of SQLite's own book of who holds which lock of a file, but none of the locks: it would read and
write without them, and the parent, closing, take itself for the last and take the WAL away. What another thread held
while the fork happened, nobody there would ever give back.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

PATIENCE_SECONDS = 30  # as long as a write waits for others; then the fork happens all the same


class Lock:
    """A lock that is free in a forked child, whoever held it in the parent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _locks.add(self)

    def locked(self) -> bool:
        """Whether somebody holds it."""
        return self._lock.locked()

    def renew(self) -> None:
        """Be free: the thread that held it is in another process."""
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._lock.release()


class _Inside(threading.local):
    """How often this thread went inside SQLite and did not come out."""

    depth = 0


BEFORE: list[Callable[[], None]] = []  # what is done when nobody else is inside, before the process forks
_locks: weakref.WeakSet[Lock] = weakref.WeakSet()
_changed = threading.Condition()
_threads = 0  # that are inside
_forking = False
_mine = _Inside()


class Guard:
    """To be inside SQLite: another thread's fork waits until this is left, and who comes meanwhile waits for it."""

    def __enter__(self) -> None:
        global _threads  # noqa: PLW0603  (there is one process)
        if _mine.depth == 0:
            with _changed:
                while _forking:
                    _changed.wait()
                _threads += 1
        _mine.depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        global _threads  # noqa: PLW0603
        _mine.depth -= 1
        if _mine.depth == 0:
            with _changed:
                _threads -= 1
                if _forking:
                    _changed.notify_all()


INSIDE = Guard()


def is_inside() -> bool:
    """Whether this thread is."""
    return _mine.depth > 0


def _before() -> None:
    """Let the others come out; who forks may be inside itself."""
    global _forking  # noqa: PLW0603
    until = time.monotonic() + PATIENCE_SECONDS
    with _changed:
        while _forking:
            _changed.wait()
        _forking = True
        while _threads > is_inside() and (left := until - time.monotonic()) > 0:
            _changed.wait(left)
    for part in BEFORE:
        part()


def _in_parent() -> None:
    global _forking  # noqa: PLW0603
    with _changed:
        _forking = False
        _changed.notify_all()


def _in_child() -> None:
    global _changed, _threads, _forking  # noqa: PLW0603
    _changed = threading.Condition()
    _threads, _forking = int(is_inside()), False
    for lock in list(_locks):
        lock.renew()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
