"""Backup and restore: consistent copies taken while others write, checked before they are called good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.errors import StorageError
from noosphere.ids import uid_text
from noosphere.store import meta, migrations
from noosphere.store.connection import Db, translated

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.ids import Ids
    from noosphere.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a mind: where it lies and what was counted in it."""

    path: str
    mind: str
    incarnation: str
    frames: int
    nodes: int
    vectors: int


def backup(db: Db, target: Path) -> Copy:
    """Write a consistent copy of a mind, full text and vectors included; segments come back by themselves.

    Raises:
        StorageError: the target exists, cannot be written, or the copy does not check out.
    """
    if target.exists():
        raise StorageError(str(target), "exists already", "Give another name; a backup never overwrites")
    temporary = target.with_name(f"{target.name}.part")
    temporary.unlink(missing_ok=True)
    try:
        with translated(target):
            db.connect().execute("VACUUM INTO ?", (str(temporary),))
        copy = inspect(temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return Copy(str(target), copy.mind, copy.incarnation, copy.frames, copy.nodes, copy.vectors)


def restore(source: Path, target: Path, ids: Ids) -> Copy:
    """Make a mind from a backup, under a new incarnation so that no old segment is trusted.

    Raises:
        StorageError: the target exists, or the backup does not check out.
    """
    inspect(source)
    if target.exists():
        raise StorageError(str(target), "exists already", "Restore under another name, then move it into place")
    staged = target.with_name(f"{target.name}.restoring")
    staged.unlink(missing_ok=True)
    try:
        origin = Db(source, admit=migrations.check, read_only=True)
        try:
            backup(origin, staged)
        finally:
            origin.close()
        _renew(staged, ids)
        staged.replace(target)
    finally:
        staged.unlink(missing_ok=True)
    return inspect(target)


def _renew(path: Path, ids: Ids) -> None:
    """Give a copy an incarnation of its own."""
    db = Db(path, admit=migrations.check)
    try:
        with db.write() as sql:
            meta.put(sql, "incarnation", uid_text(ids.new()))
            sql.execute("DELETE FROM segment")
            sql.execute("DELETE FROM lease")
    finally:
        db.close()


def inspect(path: Path) -> Copy:
    """Open a copy read-only, check it, and count.

    Raises:
        StorageError: it is missing, not a mind, or damaged.
    """
    if not path.is_file():
        raise StorageError(str(path), "does not exist", "Check the path of the backup")
    db = Db(path, admit=migrations.check, read_only=True)
    try:
        with db.read() as sql:
            return _count(sql, path)
    finally:
        db.close()


def _count(sql: Connection, path: Path) -> Copy:
    facts = meta.read(sql)
    problems = [p for (p,) in sql.execute("PRAGMA quick_check(1)")]
    if facts is None or problems != ["ok"]:
        raise StorageError(str(path), "is not a sound mind", "Use another backup; this one was not touched")
    tables = ("frame", "node", "vec")
    frames, nodes, vectors = (sql.execute(f"SELECT count(*) FROM {table}").get for table in tables)
    return Copy(str(path), facts.mind, facts.incarnation, frames, nodes, vectors)
