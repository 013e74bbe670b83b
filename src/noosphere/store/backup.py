"""Backup and restore: consistent copies taken while others write, checked before they are called good."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import NotAMind, StorageError
from noosphere.ids import uid_text
from noosphere.store import lease, meta, migrations
from noosphere.store.connection import Db
from noosphere.store.durable import sync, sync_folder
from noosphere.store.failures import on_disk, translated

if TYPE_CHECKING:
    from collections.abc import Generator

    from noosphere.ids import Ids
    from noosphere.store.connection import Connection
    from noosphere.store.key import Key

REMEDY = "Give another name; a backup never overwrites"
MARK = ".by"  # ends the name of a small file that says which process makes the copy beside it
STAGED = count()
SIDE_FILES = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a mind: where it lies, what was counted in it, and the older backups that went for it."""

    path: str
    mind: str
    incarnation: str
    frames: int
    nodes: int
    vectors: int
    removed: tuple[str, ...] = ()


def backup(db: Db, target: Path) -> Copy:
    """Write a consistent copy of a mind, full text and vectors included; segments come back by themselves.

    Raises:
        StorageError: the target exists, cannot be written, or the copy does not check out.
    """
    refuse_to_overwrite(target, REMEDY)
    with staged(target, "part") as temporary:
        with db.use() as connection, translated(target):
            connection.execute("VACUUM INTO ?", (str(temporary),))
        copy = inspect(temporary, db.key)
    return Copy(str(target), copy.mind, copy.incarnation, copy.frames, copy.nodes, copy.vectors)


def restore(source: Path, target: Path, ids: Ids, key: Key | None = None, *, mind: str | None = None) -> Copy:
    """Make a mind from a backup, under a new incarnation so that no old segment is trusted, with the same key.

    It is the same mind, unless `mind` gives it a UUID of its own.

    Raises:
        StorageError: the target exists, or the backup does not check out.
    """
    inspect(source, key)
    refuse_to_overwrite(target, "Restore under another name, then move it into place")
    with staged(target, "restoring") as temporary:
        origin = Db(source, admit=migrations.check, read_only=True, key=key)
        try:
            backup(origin, temporary)
        finally:
            origin.close()
        _renew(temporary, ids, key, mind)
    return inspect(target, key)


def refuse_to_overwrite(target: Path, remedy: str) -> None:
    """Stop where something lies already; a WAL left by another mind would be read as this one's."""
    for suffix in ("", *SIDE_FILES):
        if os.path.lexists(f"{target}{suffix}"):
            raise StorageError(f"{target}{suffix}", "exists already", remedy)


@contextmanager
def staged(target: Path, ending: str, *, over: bool = False) -> Generator[Path]:
    """A file beside the target that takes its name, synced, when all went well; else nothing of it stays.

    With `over` it takes the place of the file that has the name.
    """
    temporary = target.with_name(f"{target.name}.{ending}-{os.getpid()}-{next(STAGED)}")
    with on_disk(target):
        _sweep(target, ending)
        with _standing(temporary):
            try:
                yield temporary
                sync(temporary)
                if over:
                    temporary.replace(target)
                else:
                    _name(temporary, target)
                sync_folder(target.parent)
            finally:
                _remove(temporary)


@contextmanager
def _standing(temporary: Path) -> Generator[None]:
    """Say who makes a file, beside it, so that another backup to the same target tells it from what a crash left."""
    mark = Path(f"{temporary}{MARK}")
    try:
        mark.write_text(lease.me(), encoding="ascii")
        yield
    finally:
        mark.unlink(missing_ok=True)


def _sweep(target: Path, ending: str) -> None:
    """Remove what earlier attempts left unfinished, as far as whoever made it no longer runs."""
    for mark in target.parent.iterdir():
        if not (mark.name.startswith(f"{target.name}.{ending}-") and mark.name.endswith(MARK)):
            continue
        with suppress(FileNotFoundError):
            owner = mark.read_text(encoding="ascii", errors="replace")
            if owner and not lease.lives(owner):  # an empty one is being written at this moment
                _remove(mark.with_name(mark.name.removesuffix(MARK)))
                mark.unlink(missing_ok=True)


def _name(temporary: Path, target: Path) -> None:
    """Give a file its name unless somebody was quicker; where there are no hard links, as near to that as it goes."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        refuse_to_overwrite(target, REMEDY)
        raise
    except OSError:
        refuse_to_overwrite(target, REMEDY)
        temporary.replace(target)


def _remove(path: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def _renew(path: Path, ids: Ids, key: Key | None, mind: str | None) -> None:
    """Give a copy an incarnation of its own, and the UUID it is to have."""
    db = Db(path, admit=migrations.check, key=key)
    try:
        with db.write() as sql:
            meta.put(sql, "incarnation", uid_text(ids.new()))
            if mind is not None:
                meta.put(sql, "mind", mind)
            meta.put(sql, "retired_at", "")  # a copy of a deleted mind lives
            sql.execute("DELETE FROM segment")
            sql.execute("DELETE FROM lease")
        with db.use() as sql:  # the WAL stays behind, and closing says nothing when it could not be merged
            sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        db.close()


def inspect(path: Path, key: Key | None = None) -> Copy:
    """Open a copy read-only, check it, and count.

    Raises:
        StorageError: it is missing, not a mind, or damaged.
    """
    with on_disk(path):
        if not path.is_file():
            raise StorageError(str(path), "is not there, or is not a file", "Check the path of the backup")
    db = Db(path, admit=migrations.check, read_only=True, key=key)
    try:
        with db.read() as sql:
            return _count(sql, path)
    finally:
        db.close()


def _count(sql: Connection, path: Path) -> Copy:
    if migrations.check(sql, path) == 0:
        raise NotAMind(str(path), "is empty", "Use another backup")
    facts = meta.read(sql)
    problems = [p for (p,) in sql.execute("PRAGMA quick_check(1)")]
    if facts is None or problems != ["ok"]:
        raise StorageError(str(path), "is not a sound mind", "Use another backup; this one was not touched")
    tables = ("frame", "node", "vec")
    frames, nodes, vectors = (sql.execute(f"SELECT count(*) FROM {table}").get for table in tables)
    return Copy(str(path), facts.mind, facts.incarnation, frames, nodes, vectors)
