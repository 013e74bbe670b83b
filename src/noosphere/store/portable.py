"""A whole mind as lines of JSON and back: every row of truth, told by uids, so that it can be read without SQLite.

The first line is a head: the format, its version, the mind, and how many rows of each table follow. Every other line
is one row: `record` names its table, the other fields are its columns; a column without a value is left out. Ids are
UUID text, hashes hexadecimal, times microseconds UTC. A column that refers to a row holds that row's uid.
docs/concepts/export-format.md is the page for readers of the format.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import apsw

from noosphere.errors import NotAnExport
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.vocabulary import NodeClass
from noosphere.store import meta, migrations, rebuild
from noosphere.store.backup import Copy, inspect, refuse_to_overwrite, staged
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk, translated
from noosphere.store.foreign import SQLITE_MAGIC
from noosphere.store.nodes import NodeRow
from noosphere.store.transaction import Author, Tx

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.store.connection import Connection
    from noosphere.store.key import Key
    from noosphere.store.mind_file import MindFile

FORMAT, VERSION = "noosphere-mind", 1
TRUTH = (  # in this order every row comes after those it refers to
    "journal", "session", "session_version", "participants", "edge_type", "entity_type",
    "registry_version", "node", "frame", "frame_ref",
    "frame_version", "unnamed", "node_version", "tag", "edge", "evidence", "usage", "ai_interactions", "install_audit",
    "identity", "awareness", "concept_mastery", "improvement_signals", "signal_turn", "procedures", "execution_traces",
    "upkeep_runs", "harvest_runs", "harvest_sources", "harvest_items", "quarantine",
)  # fmt: skip
KEYS = {"participants": "names"}  # by what other rows refer to a row; by its uid everywhere else
FACTS = ("mind", "zone", "created_at")  # of meta; the incarnation is another in every file
UID_BYTES = 16
REMEDY = "Export the mind again"
REMEDY_FILE = "Restore it, or make a workspace of it, or export it and use the lines of JSON"
NO_ROW = -1  # refers to nothing, which a foreign key refuses
PAUSE = 100_000  # rows between two commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A mind was written as text: where to, and how many rows of each table."""

    path: str
    rows: dict[str, int]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `refers` is the table whose rows it names; a local number is not told."""

    name: str
    is_bytes: bool
    refers: str | None


def export(mind: MindFile, target: Path) -> Exported:
    """Write a whole mind as lines of JSON, one moment of it.

    Raises:
        StorageError: the target exists or cannot be written.
    """
    refuse_to_overwrite(target, "Give another name; an export never overwrites")
    with staged(target, "part") as temporary, mind.read() as sql, temporary.open("w", encoding="utf-8") as file:
        head = _head(sql, mind.clock.now())
        for line in _lines(sql, head):
            file.write(f"{json.dumps(line, ensure_ascii=False)}\n")
    return Exported(path=str(target), rows=head["rows"])


def mind_of(source: Path) -> str:
    """Which mind an export is of, as it says itself.

    Raises:
        StorageError: the source is no export, or a newer or cut one.
    """
    with on_disk(source), source.open("rb") as file:
        _, head = next(_read(source, file))
    _check_head(source, head)
    return str(head["mind"])


def load(
    source: Path, target: Path, clock: Clock, ids: Ids, key: Key | None = None, *, mind: str | None = None
) -> Copy:
    """Make a mind of an export: the same ids, versions and journal; full text is made again, vectors are pending.

    It is the same mind, unless `mind` gives it a UUID of its own.

    Raises:
        StorageError: the target exists, or the source is no export, or a newer, cut or damaged one.
    """
    refuse_to_overwrite(target, "Import under another name, then move it into place")
    with on_disk(source), source.open("rb") as file, staged(target, "importing") as temporary:
        db = Db(temporary, admit=migrations.check, key=key)
        try:
            with translated(source):
                migrations.migrate(db, temporary)
                _fill(db, source, _read(source, file), ids, clock, {} if mind is None else {"mind": mind})
        finally:
            db.close()
    return inspect(target, key)


def _head(sql: Connection, now: int) -> dict[str, Any]:
    facts = meta.read(sql)
    told = {name: value for name, value in asdict(facts).items() if name in FACTS} if facts else {}
    rows = {table: sql.execute(f"SELECT count(*) FROM {table}").get for table in TRUTH}
    return {"format": FORMAT, "version": VERSION, **told, "exported_at": now, "rows": rows}


def _lines(sql: Connection, head: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield head
    for table in TRUTH:
        told_columns = columns(sql, table)
        told = ", ".join(_told(column) for column in told_columns)
        order = ", ".join(name for (name,) in sql.execute(
            "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (table,)
        ))  # fmt: skip
        for row in sql.execute(f"SELECT {told} FROM {table} AS t ORDER BY {order}"):
            pairs = zip(told_columns, row, strict=True)
            yield {"record": table} | {column.name: _shown(value) for column, value in pairs if value is not None}


def columns(sql: Connection, table: str) -> list[Column]:
    """The columns of a table that an export holds: all but the number that only this file knows a row by."""
    refers = {
        name: other
        for name, other, key in sql.execute('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)', (table,))
        if key == "id"
    }
    rows = sql.execute("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", (table,))
    return [
        Column(name, kind == "BLOB", refers.get(name))
        for name, kind, key in rows
        if not (name == "id" and key and table != "identity")
    ]


def _told(column: Column) -> str:
    if column.refers is None:
        return f"t.{column.name}"
    return f"(SELECT {KEYS.get(column.refers, 'uid')} FROM {column.refers} WHERE id = t.{column.name})"


def _shown(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    return uid_text(value) if len(value) == UID_BYTES else value.hex()


def _read(source: Path, lines: Iterable[bytes]) -> Generator[tuple[int, dict[str, Any]]]:
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            if number == 1 and line.startswith(SQLITE_MAGIC):
                raise NotAnExport(str(source), "is a mind or a backup, not an export", REMEDY_FILE)
            raise NotAnExport(str(source), f"line {number} is not a JSON object", REMEDY)
        yield number, cast("dict[str, Any]", found)
    if number == 0:
        raise NotAnExport(str(source), "is empty", REMEDY)


def _fill(
    db: Db,
    path: Path,
    lines: Generator[tuple[int, dict[str, Any]]],
    ids: Ids,
    clock: Clock,
    instead: dict[str, str],
) -> None:
    _, head = next(lines)
    _check_head(path, head)
    with db.write(rows=PAUSE) as sql:
        for name, value in ((name, instead.get(name) or str(head[name])) for name in FACTS):
            meta.put(sql, name, value)
        meta.put(sql, "incarnation", uid_text(ids.new()))
        sql.execute("DELETE FROM edge_type")
        sql.execute("DELETE FROM entity_type")
    _insert(db, path, lines, head["rows"])
    now = clock.now()
    with db.write(rows=PAUSE) as sql:
        rebuild.rebuild(Tx(sql, ids, now, Author("noosphere", "upkeep")), now)
    with db.use() as sql:  # the WAL stays behind, and closing says nothing when it could not be merged
        sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _check_head(path: Path, head: dict[str, Any]) -> None:
    if head.get("format") != FORMAT:
        raise NotAnExport(str(path), "is not an export of a mind", "Give a file that `noosphere export` wrote")
    version = head.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise NotAnExport(str(path), f"has version {version} of the format, this knows {VERSION}", "Update noosphere")
    if not {*FACTS, "rows"} <= head.keys():
        raise NotAnExport(str(path), "has no whole head", REMEDY)


def _insert(db: Db, path: Path, lines: Iterator[tuple[int, dict[str, Any]]], wanted: dict[str, int]) -> None:
    done = dict.fromkeys(wanted, 0)
    more = True
    while more:
        with db.write(rows=PAUSE) as sql:
            statements = {table: _Inserting(sql, table) for table in TRUTH}
            for _ in range(PAUSE):
                line = next(lines, None)
                if line is None:
                    more = False
                    break
                number, row = line
                table = row.pop("record", None)
                if table not in statements:
                    raise NotAnExport(str(path), f"line {number} is of no kind this knows", "Update noosphere")
                statements[table].put(path, number, row)
                done[table] = done.get(table, 0) + 1
    if done != wanted:
        raise NotAnExport(str(path), "does not hold all the rows it says it has", REMEDY)


class _Inserting:
    """Puts rows of one table in."""

    def __init__(self, sql: Connection, table: str) -> None:
        self._sql = sql
        self._columns = {column.name: column for column in columns(sql, table)}
        names = ", ".join(self._columns)
        values = ", ".join(_found(column) for column in self._columns.values())
        self._statement = f"INSERT INTO {table} ({names}) VALUES ({values})"

    def put(self, path: Path, number: int, row: dict[str, Any]) -> None:
        if strange := row.keys() - self._columns.keys():
            problem = f"line {number} has fields this does not know: {', '.join(sorted(strange))}"
            raise NotAnExport(str(path), problem, "Update noosphere")
        try:
            self._sql.execute(self._statement, {name: self._value(name, row.get(name)) for name in self._columns})
        except (ValueError, TypeError):
            raise NotAnExport(str(path), f"line {number} holds what is no value of its field", REMEDY) from None
        except apsw.ConstraintError as problem:
            raise NotAnExport(str(path), f"line {number} breaks a rule of minds ({problem})", REMEDY) from None

    def _value(self, name: str, told: Any) -> Any:
        column = self._columns[name]
        by_uid = column.refers is not None and column.refers not in KEYS
        if not isinstance(told, str) or not (column.is_bytes or by_uid):
            return told
        return parse_uid(told) if looks_like_uid(told) else bytes.fromhex(told)


def _found(column: Column) -> str:
    if column.refers is None:
        return f":{column.name}"
    row = f"(SELECT id FROM {column.refers} WHERE {KEYS.get(column.refers, 'uid')} = :{column.name})"
    return f"coalesce({row}, CASE WHEN :{column.name} IS NOT NULL THEN {NO_ROW} END)"


def living(sql: Connection) -> Iterator[NodeRow]:
    """Every node that was neither forgotten nor merged into another, in the order they came."""
    rows = sql.execute(
        """SELECT n.id, n.uid, n.class, n.key FROM node AS n JOIN node_version AS v ON v.node = n.id
           WHERE v.known_to IS NULL AND v.retracted_at IS NULL AND v.merged_into IS NULL ORDER BY n.id"""
    )
    return (NodeRow(row[0], row[1], NodeClass(row[2]), row[3]) for row in rows)


def count(sql: Connection, table: str) -> int:
    """How many rows of truth a table holds."""
    if table not in TRUTH:
        raise KeyError(table)
    return sql.execute(f"SELECT count(*) FROM {table}").get
