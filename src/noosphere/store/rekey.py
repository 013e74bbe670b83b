"""Changing the key of a mind: a whole copy under the new key takes the place of the file, held by nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import MindBusy, StorageError, WrongKey
from noosphere.store import migrations
from noosphere.store.backup import inspect, staged
from noosphere.store.connection import Db
from noosphere.store.durable import sync_folder
from noosphere.store.failures import on_disk, translated
from noosphere.store.key import change

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.backup import Copy
    from noosphere.store.connection import Connection
    from noosphere.store.key import Key

BUSY_MILLISECONDS = 2_000  # who has it open will hardly close it; better to say so soon


def rekey(path: Path, old: Key | None, new: Key | None) -> bool:
    """Encrypt a mind with another key, or with None take its encryption away; False when it has this key already.

    A process that is killed leaves the mind under the one key or the other. Segments go: they come back by
    themselves, or, of an encrypted mind, are never written. Backups keep the key they were made with.

    Raises:
        WrongKey: the mind opens with neither key.
        MindBusy: somebody has it open.
        StorageError: the disk refused; the mind is as it was.
    """
    if _opens(path, new):
        return False
    db = Db(path, admit=migrations.check, key=old)
    try:
        with db.use() as sql:
            _hold(sql, path)
            with staged(path, "rekeying", over=True) as temporary:
                with translated(path):
                    sql.execute("VACUUM INTO ?", (str(temporary),))
                    change(temporary, old, new)
                copy = _checked(temporary, new, sql)
    finally:
        db.close()
    _clear(path, copy.mind)
    return True


def _opens(path: Path, key: Key | None) -> bool:
    try:
        inspect(path, key)
    except WrongKey:
        return False
    return True


def _hold(sql: Connection, path: Path) -> None:
    """Keep everybody else out until the connection closes: to leave WAL mode one must be alone."""
    sql.pragma("busy_timeout", BUSY_MILLISECONDS)
    sql.pragma("locking_mode", "exclusive")
    with translated(path):
        if sql.pragma("journal_mode", "delete") != "delete":
            raise MindBusy(str(path), "is open elsewhere", "Close it in every process and try again")
        sql.execute("BEGIN EXCLUSIVE")
        sql.execute("COMMIT")


def _checked(temporary: Path, new: Key | None, sql: Connection) -> Copy:
    """Take the segments' names out of the copy, and see that it holds as much as the original."""
    db = Db(temporary, admit=migrations.check, key=new)
    try:
        with db.write() as made:
            made.execute("DELETE FROM segment")
            made.execute("DELETE FROM lease")
        with db.use() as made:
            made.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        db.close()
    copy = inspect(temporary, new)
    counts = tuple(sql.execute(f"SELECT count(*) FROM {table}").get for table in ("frame", "node", "vec"))
    if (copy.frames, copy.nodes, copy.vectors) != counts:
        raise StorageError(str(temporary), "does not hold what the mind holds", "Try again; the mind was not touched")
    return copy


def _clear(path: Path, mind: str) -> None:
    """Delete what lay beside the old file: its segments hold vectors, and nothing reads them any more."""
    with on_disk(path):
        for segment in path.parent.glob(f"{mind}.*.q8*"):
            segment.unlink(missing_ok=True)
        sync_folder(path.parent)
