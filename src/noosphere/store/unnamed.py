"""Memories whose names wait to be tied to the graph, by the frame that says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store.transaction import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx

_ENTRIES = """SELECT DISTINCT j.id FROM frame AS f JOIN evidence AS e ON e.frame = f.uid
  JOIN journal AS j ON j.id = e.journal AND j.verb = 'name' WHERE f.uid = ?"""
_ORIGIN = """SELECT n.journal FROM journal AS j JOIN node AS n ON n.uid = j.target
  WHERE j.id = ? AND j.verb = 'name'"""


def want(tx: Tx, frames: Iterable[int]) -> None:
    """Note that the names in some frames are to be tied."""
    for frame in frames:
        tx.put(Table.UNNAMED, "INSERT INTO unnamed (frame) VALUES (?)", (frame,))


def done(tx: Tx, frames: Iterable[int]) -> None:
    """Note that they wait no more: they were tied, or there is no text to read them in."""
    tx.sql.executemany("DELETE FROM unnamed WHERE frame = ?", [(frame,) for frame in frames])


def waiting(sql: Connection, limit: int) -> list[int]:
    """The frames that wait, oldest first."""
    return [frame for (frame,) in sql.execute("SELECT frame FROM unnamed ORDER BY frame LIMIT ?", (limit,))]


def waits(sql: Connection, frame: int) -> bool:
    """Whether a frame waits."""
    return sql.execute("SELECT 1 FROM unnamed WHERE frame = ?", (frame,)).get is not None


def of_node(sql: Connection, node: int) -> list[int]:
    """The frames of a memory that wait."""
    query = "SELECT u.frame FROM frame AS f CROSS JOIN unnamed AS u ON u.frame = f.id WHERE f.node = ? ORDER BY u.frame"
    return [frame for (frame,) in sql.execute(query, (node,))]


def count(sql: Connection) -> int:
    """How many frames wait."""
    return sql.execute("SELECT count(*) FROM unnamed").get


def entries(sql: Connection, frame: bytes) -> list[int]:
    """The journal entries under which the names of a frame were tied."""
    return sorted(entry for (entry,) in sql.execute(_ENTRIES, (frame,)))


def origin(sql: Connection, entry: int) -> int:
    """The entry that wrote the memory whose names an entry tied; any other entry is its own."""
    return sql.execute(_ORIGIN, (entry,)).get or entry
