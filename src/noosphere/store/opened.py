"""Which files SQLite has open in this process: nobody else here may open and close one of them.

POSIX takes a process's locks on a file away when the process closes any descriptor of it, so a plain `open` and
`close` of a database, its WAL or its shared memory lets other processes write over what this one is writing.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from noosphere import forking
from noosphere.forking import Lock

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.connection import Db

SIDE_FILES = ("-wal", "-shm", "-journal", "-line")  # what lies beside a database while it is used
MIND = "mind.db"  # of every mind in a home, which another thread may open at any moment
SEGMENT = ".q8"

_open: weakref.WeakSet[Db] = weakref.WeakSet()
_lock = Lock()


def note(db: Db) -> None:
    """Remember a database for as long as it may be in use."""
    with _lock:
        _open.add(db)


def drop(db: Db) -> None:
    """Forget a database whose connections are all closed."""
    with _lock:
        _open.discard(db)


def _part() -> None:
    """Close every connection: each thread opens its own again, here and in the child."""
    for db in list(_open):
        db.part()


forking.BEFORE.append(_part)


def is_taken(place: Path) -> bool:
    """Whether a file is, by whatever name, a mind's own: its database, what SQLite keeps beside it, or a segment."""
    if place.name in {f"{MIND}{suffix}" for suffix in ("", *SIDE_FILES)}:
        return True
    with _lock:
        paths = [db.path for db in _open]
    if place.suffix == SEGMENT and any(_is_same(place.parent, path.parent) for path in paths):
        return True
    return any(_is_same(place, f"{path}{suffix}") for path in paths for suffix in ("", *SIDE_FILES))


def _is_same(one: Path, other: Path | str) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
