"""What stands beside the graph of a mind and comes along when another mind is taken in, row by row under its own id.

What an agent is at and has learnt, what waits for review, and the lists that only grow. What is here already stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from noosphere.store import portable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx


@dataclass(frozen=True, slots=True)
class Table:
    """A table of rows that come along.

    Attributes:
        verb: of the journal entry its rows refer to; None when they refer to none.
        known_by: the columns by which a row is known again.
        says: the column in which two minds may say different things of one row.
        texts: the columns whose words somebody will read.
    """

    name: str
    verb: str | None
    known_by: tuple[str, ...] = ("uid",)
    says: str | None = None
    texts: tuple[str, ...] = ()


TABLES = (  # in this order every row comes after those it refers to
    Table("awareness", "awareness.take_in", says="text", texts=("text", "metadata")),
    Table("concept_mastery", "mastery.take_in", ("norm",), "card", ("concept",)),
    Table("improvement_signals", "signals.take_in", ("kind", "key"), texts=("text",)),
    Table("procedures", "procedures.take_in", ("norm",), "steps", ("name", "steps")),
    Table("execution_traces", "traces.take_in", says="outcome", texts=("task", "steps", "note")),
    Table("harvest_runs", None),
    Table("quarantine", None, ("item", "part", "hash")),
    Table("ai_interactions", None),
    Table("install_audit", None),
    Table("upkeep_runs", None),
)
KEYS = {"procedures": "norm", "harvest_runs": "uid"}  # by what a row that is referred to is known here


@dataclass(frozen=True, slots=True)
class Other:
    """What both minds have, and each tells differently."""

    uid: bytes
    about: str
    here: object
    there: object


class Barred(NamedTuple):
    """A row that may not come in."""

    uid: bytes


def take(
    tx: Tx, there: Connection, table: Table, *, may_come: Callable[[str], bool]
) -> Iterator[Other | Barred | None]:
    """Take the rows of a table in: None for each that is new, and what a row that is here tells differently.

    Args:
        tx: of this mind.
        there: the other mind.
        table: one of TABLES.
        may_come: whether words may be shown to somebody here.
    """
    told = portable.columns(there, table.name)
    names = [column.name for column in told]
    asked = ", ".join(("uid", table.says or "NULL"))
    ask = f"SELECT {asked} FROM {table.name} WHERE {' AND '.join(f'{name} IS :{name}' for name in table.known_by)}"
    values = ", ".join(_here(column.refers, column.name) for column in told)
    put = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values})"
    shown = ", ".join(_there(column.refers, column.name) for column in told)
    entry = None if table.verb is None else tx.open(table.verb)
    for found in there.execute(f"SELECT {shown} FROM {table.name} AS t ORDER BY t.id"):
        row = dict(zip(names, found, strict=True))
        ours = tx.sql.execute(ask, {name: row[name] for name in table.known_by}).fetchall()
        if not ours and not may_come("\n".join(row[name] or "" for name in table.texts)):
            yield Barred(row["uid"])
        elif not ours:
            tx.sql.execute(put, row if entry is None else row | {"journal": entry.id})
            yield None
        elif table.says is not None and ours[0][1] != row[table.says]:
            yield Other(ours[0][0], f"{table.name} {table.says}", ours[0][1], row[table.says])
    if entry is not None:
        tx.close(entry) if entry.is_written else tx.abandon(entry)


def hear(tx: Tx, there: Connection) -> None:
    """Turns in which a signal was heard, of those that are here; each counts once."""
    rows = there.execute(
        """SELECT s.kind, s.key, f.uid, s.uid FROM signal_turn AS t JOIN improvement_signals AS s ON s.id = t.signal
           JOIN frame AS f ON f.id = t.frame ORDER BY t.signal, t.frame"""
    )
    for kind, key, frame, uid in rows:
        tx.sql.execute(
            """INSERT OR IGNORE INTO signal_turn (signal, frame)
               SELECT s.id, f.id FROM improvement_signals AS s, frame AS f
               WHERE s.kind = ? AND s.key = ? AND f.uid = ?""",
            (kind, key, frame),
        )
        if tx.sql.changes():  # one that came along was counted there
            query = "UPDATE improvement_signals SET count = count + 1 WHERE kind = ? AND key = ? AND uid <> ?"
            tx.sql.execute(query, (kind, key, uid))


def use(tx: Tx, there: Connection, node: int, here: int) -> None:
    """What was counted of a node that is new here."""
    row = there.execute(
        "SELECT use_count, last_used_at, checked_at, stale_at, seen_count FROM usage WHERE node = ?", (node,)
    ).fetchall()
    for counted in row:
        tx.sql.execute(
            """INSERT OR REPLACE INTO usage (node, use_count, last_used_at, checked_at, stale_at, seen_count)
               VALUES (?, ?, ?, ?, ?, ?)""",
            (here, *counted),
        )


def _there(refers: str | None, name: str) -> str:
    """A column as the other mind tells it: a row it refers to by what that is known by."""
    return f"t.{name}" if refers not in KEYS else f"(SELECT {KEYS[refers]} FROM {refers} WHERE id = t.{name})"


def _here(refers: str | None, name: str) -> str:
    return f":{name}" if refers not in KEYS else f"(SELECT id FROM {refers} WHERE {KEYS[refers]} = :{name})"
