"""Salvage: a new mind of what can still be read of a damaged one; the damaged file is only read."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from noosphere.errors import DamagedMind, StorageError
from noosphere.ids import looks_like_uid, uid_text
from noosphere.store import meta, migrations, rebuild
from noosphere.store.backup import Copy, inspect, refuse_to_overwrite, staged
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk, translated
from noosphere.store.hashing import content_hash
from noosphere.store.portable import TRUTH
from noosphere.store.salvage_mending import mend
from noosphere.store.salvage_pages import Pages, shape_of
from noosphere.store.salvage_reading import NUMBERED, UNREADABLE, Reader
from noosphere.store.transaction import Author, Tx

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.store.connection import Connection
    from noosphere.store.key import Key

MANY = 1000  # a salvage is a large batch: synced to disk
COUNTED = tuple(table for table, (key, owner) in NUMBERED.items() if key == "id" and owner == table != "identity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What came out of a damaged mind.

    Attributes:
        path, mind: the new file, and the mind it is.
        read: rows read, by table.
        lost: ids given and not read, by table; only tables whose ids are counted.
        torn: tables that could not be read whole.
        refused: rows that were read and are no rows of a mind.
        standing: rows put in for lost ones that others refer to: purged frames, archived states, empty entries.
        dropped: rows that were read and refer to what is lost.
        whole: nothing was lost.
    """

    path: str
    mind: str
    read: dict[str, int]
    lost: dict[str, int]
    torn: tuple[str, ...]
    refused: int
    standing: int
    dropped: int
    whole: bool


def salvage(source: Path, target: Path, clock: Clock, ids: Ids, key: Key | None = None) -> Salvaged:
    """Make a new mind of what is readable: truth row by row; what is derived is made again, vectors are pending.

    Raises:
        DamagedMind: not even the list of its tables can be read.
        StorageError: the target exists or cannot be written, or the source is missing or no mind.
    """
    refuse_to_overwrite(target, "Salvage under another name, then move it into place")
    with on_disk(source):
        if not source.is_file():
            raise StorageError(str(source), "is not there, or is not a file", "Check the path of the damaged mind")
        size = source.stat().st_size
    origin = Db(source, admit=_admit, read_only=True, key=key)
    try:
        with staged(target, "salvaging") as temporary:
            with origin.use() as damaged:
                found = _into(temporary, damaged, source, size, clock, ids, key)
            copy = inspect(temporary, key)
    except DamagedMind as problem:
        raise DamagedMind(str(source), "is damaged beyond salvage", "Restore a backup") from problem
    finally:
        origin.close()
    return _answer(target, copy, found)


def _admit(damaged: Connection, source: Path) -> int:
    """Look at a file as any other, also at one that ends before its last page: SQLite calls that damage else."""
    damaged.pragma("writable_schema", True)  # the connection cannot write
    return migrations.check(damaged, source)


@dataclass(slots=True)
class _Found:
    read: dict[str, int]
    lost: dict[str, int]
    torn: set[str]
    refused: int = 0
    standing: int = 0
    dropped: int = 0


def _into(path: Path, damaged: Connection, source: Path, size: int, clock: Clock, ids: Ids, key: Key | None) -> _Found:
    if migrations.check(damaged, source) == 0:
        raise DamagedMind(str(source), "is empty", "Restore a backup")
    reader = Reader(damaged, size)
    now = clock.now()
    db = Db(path, admit=migrations.check, key=key)
    try:
        migrations.migrate(db, path)
        with db.use() as sql:
            sql.pragma("foreign_keys", False)  # rows come before what they refer to, and some refer to what is lost
        with db.write(rows=MANY) as sql:
            _facts(damaged, sql, ids, now)
            for (trigger,) in sql.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                sql.execute(f"DROP TRIGGER {trigger}")
            found = _copy(reader, Pages(source, damaged), sql)
            found.standing, found.dropped = mend(sql, ids, now)
            tx = Tx(sql, ids, now, Author("noosphere", "upkeep"))
            rebuild.rebuild(tx, now)
        with db.use() as sql, translated(path):
            sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        db.close()
    return found


def _facts(damaged: Connection, sql: Connection, ids: Ids, now: int) -> None:
    """Take over what says which mind this is; where that is lost, it is another one."""
    told: dict[str, Any] = {}
    try:
        told = dict(damaged.execute("SELECT key, value FROM meta").fetchall())
    except UNREADABLE:
        told = {}
    mind, zone, created = told.get("mind"), told.get("zone"), told.get("created_at")
    meta.put(sql, "mind", mind if isinstance(mind, str) and looks_like_uid(mind) else uid_text(ids.new()))
    meta.put(sql, "zone", zone if isinstance(zone, str) else "UTC")
    meta.put(sql, "created_at", created if isinstance(created, str) and created.isdigit() else str(now))
    meta.put(sql, "incarnation", uid_text(ids.new()))


def _copy(reader: Reader, pages: Pages, sql: Connection) -> _Found:
    found = _Found({}, {}, reader.torn)
    shapes = {table: shape_of(sql, table) for table in _tables(sql)}
    for table in TRUTH:
        names = [name for (name,) in sql.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        holes = ", ".join("?" * len(names))
        before, refused = sql.execute(f"SELECT count(*) FROM {table}").get, found.refused
        for row in reader.rows(table, ", ".join(names)):
            if not _is_row(table, dict(zip(names, row, strict=True))):
                found.refused += 1
                continue
            try:
                sql.execute(f"INSERT OR IGNORE INTO {table} VALUES ({holes})", row)
            except apsw.Error:
                found.refused += 1
        if table in found.torn:
            for row in pages.rows(table, shapes):
                if _is_row(table, row):
                    with suppress(apsw.Error):
                        sql.execute(f"INSERT OR IGNORE INTO {table} VALUES ({holes})", [row[name] for name in names])
        found.read[table] = sql.execute(f"SELECT count(*) FROM {table}").get - before
        if table in COUNTED and (table in found.torn or found.refused > refused):
            found.lost[table] = max(0, reader.highest(table) - found.read[table])
    return found


def _tables(sql: Connection) -> list[str]:
    """Every table whose rows lie in pages of their own: what a page is must be told from all of them."""
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
    return [name for (name,) in sql.execute(query).fetchall()]


def _is_row(table: str, row: dict[str, Any]) -> bool:
    """Whether a row can be what was written: a text has its hash, and a journal entry its detail."""
    if table == "frame":
        return row["text"] is None or content_hash(row["text"]) == row["hash"]
    return table != "journal" or row["detail"] is not None


def _answer(target: Path, copy: Copy, found: _Found) -> Salvaged:
    return Salvaged(
        path=str(target),
        mind=copy.mind,
        read=found.read,
        lost=found.lost,
        torn=tuple(sorted(found.torn)),
        refused=found.refused,
        standing=found.standing,
        dropped=found.dropped,
        whole=not (found.lost or found.torn or found.refused),
    )
