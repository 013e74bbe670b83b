"""Which file lies at a path and how it is: by this a connection notices that another one lies there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def identities(path: Path) -> tuple[object, ...]:
    """Which file a database is, and which one its WAL."""
    found = (_stat(path), _stat(f"{path}-wal"))
    return tuple(None if f is None else (f.st_dev, f.st_ino) for f in found)


def state(path: Path) -> tuple[int, ...]:
    """What changes when anybody writes to a file or its WAL."""
    found = _stat(path)
    if found is None:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, wal_size(path)


def wal_size(path: Path) -> int:
    """The bytes of the WAL beside a database; 0 when there is none."""
    found = _stat(f"{path}-wal")
    return 0 if found is None else found.st_size


def may_write(folder: Path) -> bool:
    """Whether this process may write in a folder, by the rights it acts with."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _stat(path: Path | str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  (a third of the time of a path's own, for every write)
    except OSError:
        return None
