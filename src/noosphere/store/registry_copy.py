"""The registry of a home once more, as lines of text: who lost the registry has it again from here.

Each change adds a line, so the last one of a mind holds. A line that a crash cut off is passed over.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from noosphere.ids import looks_like_uid
from noosphere.store.durable import sync_folder
from noosphere.store.failures import on_disk

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from noosphere.store.connection import Row

FILE = "registry.jsonl"
COLUMNS = ("uuid", "slug", "created_at", "archived_at", "retired_at")


def add(home: Path, row: Row) -> None:
    """Note how a mind is known from now on. Called before the change is committed, by one process at a time.

    Raises:
        StorageError: the disk refused.
    """
    _write(home / FILE, _line(row), os.O_APPEND)


def replace(home: Path, rows: Iterable[Row]) -> None:
    """Write it anew, without names that nothing has any more. Called as `add` is.

    Raises:
        StorageError: the disk refused; it is as it was.
    """
    path = home / FILE
    fresh = path.with_suffix(".tmp")
    _write(fresh, b"".join(map(_line, rows)), os.O_TRUNC)
    with on_disk(path):
        fresh.replace(path)
        sync_folder(home)


def is_there(home: Path) -> bool:
    """Whether a home has one."""
    return (home / FILE).exists()


def read(home: Path) -> list[Row]:
    """How minds were known last."""
    if not is_there(home):
        return []
    with on_disk(home / FILE):
        lines = (home / FILE).read_bytes().splitlines()
    found = {row[0]: row for line in lines if (row := _row(line)) is not None}
    return list(found.values())


def _line(row: Row) -> bytes:
    return f"\n{json.dumps(dict(zip(COLUMNS, row, strict=True)))}\n".encode()  # begun anew after one that was cut off


def _write(path: Path, text: bytes, how: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_BINARY", 0)
    with on_disk(path), os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _row(line: bytes) -> Row | None:
    try:
        told: Any = json.loads(line)
        uuid, slug, *times = row = tuple(told[name] for name in COLUMNS)
    except (ValueError, KeyError, TypeError):
        return None
    sound = isinstance(uuid, str) and looks_like_uid(uuid) and isinstance(slug, str)
    return row if sound and all(isinstance(time, int | None) for time in times) else None
