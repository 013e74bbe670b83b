"""Deleting a whole mind: marked at once, so that nobody writes to it; its files go later, when nobody holds them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, cast

import apsw

from noosphere.store import meta, migrations
from noosphere.store.connection import Connection, Db
from noosphere.store.failures import on_disk, translated

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.key import Key


def retire(path: Path, at: int | None, key: Key | None = None) -> None:
    """Mark a mind as deleted since a moment, or with None as no longer deleted.

    Raises:
        StorageError: the file cannot be written.
    """
    db = Db(path, admit=migrations.check, key=key)
    try:
        with db.write() as sql:
            meta.put(sql, "retired_at", "" if at is None else str(at))
    finally:
        db.close()


def remove(path: Path, key: Key | None = None) -> bool:
    """Delete a mind's folder; False when another process still holds the file, and nothing was touched.

    Raises:
        StorageError: the folder cannot be deleted.
    """
    if path.exists() and not _nobody_holds(path, key):
        return False
    with on_disk(path.parent):
        if path.parent.exists():
            shutil.rmtree(path.parent)
    return True


def _nobody_holds(path: Path, key: Key | None) -> bool:
    """Whether the exclusive lock can be had: every connection to a WAL file keeps a shared one."""
    with translated(path):
        raw = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
        connection = cast("Connection", raw)
        try:
            if key is not None:
                key.unlock(raw)
            connection.pragma("locking_mode", "exclusive")
            connection.execute("BEGIN EXCLUSIVE")
        except (apsw.BusyError, apsw.LockedError):
            return False
        finally:
            connection.close()
    return True
