"""Shadow spaces: a new model's space fills while the old one serves, then takes its place in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import fulltext, meta, vectors
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx

FILLED, FILLING, RESTING = "filled", "filling", "resting"


def fill(tx: Tx, name: str) -> None:
    """Have a space filled that is to become the active one."""
    _mark(tx, name, FILLING)
    begin(tx, name)


def rest(tx: Tx, name: str) -> None:
    """Keep a space no longer up to date; its vectors stay."""
    _mark(tx, name, RESTING)
    tx.sql.execute("DELETE FROM pending WHERE space IN (SELECT id FROM space WHERE name = ?)", (name,))


def begin(tx: Tx, name: str) -> None:
    """Have embedded what a space lacks, and try again what its model refused."""
    pair = vectors.spaces(tx.sql)[name]
    units = {frame for era in Era for frame in fulltext.frames(tx.sql, era)}
    there = {frame for space in pair.values() for frame in vectors.embedded(tx.sql, space)}
    vectors.want_in(tx, pair[Era.NOW].id, sorted(units - there))
    vectors.try_again(tx, pair[Era.NOW].id)


def again(tx: Tx, name: str) -> None:
    """Have every unit of a space embedded again; its vectors serve until their successors are there."""
    space = vectors.spaces(tx.sql)[name][Era.NOW].id
    vectors.want_in(tx, space, sorted({frame for era in Era for frame in fulltext.frames(tx.sql, era)}))
    vectors.try_again(tx, space)


def is_whole(sql: Connection, name: str) -> bool:
    """Whether nothing of a space waits any more, but for texts that its model refuses."""
    return not vectors.waiting(sql, vectors.spaces(sql)[name][Era.NOW].id, 1)


def swap(tx: Tx, name: str, keep: str) -> None:
    """Make a space the active one; the one before it rests, unless it is `keep`, which is always kept filled."""
    facts = meta.read(tx.sql)
    before = None if facts is None else facts.active_space
    _mark(tx, name, FILLED)
    meta.put(tx.sql, "active_space", name)
    if before is not None and before not in (name, keep):
        rest(tx, before)


def filling(sql: Connection) -> list[str]:
    """The spaces that are being filled to take another's place."""
    return [name for name, pair in vectors.spaces(sql).items() if pair[Era.NOW].state == FILLING]


def waiting(sql: Connection, name: str) -> int:
    """How many units wait in a space."""
    query = "SELECT count(*) FROM pending WHERE space IN (SELECT id FROM space WHERE name = ?)"
    return sql.execute(query, (name,)).get


def size(sql: Connection, name: str) -> int:
    """How many units have vectors in a space."""
    query = "SELECT count(DISTINCT frame) FROM vec WHERE space IN (SELECT id FROM space WHERE name = ?)"
    return sql.execute(query, (name,)).get


def _mark(tx: Tx, name: str, state: str) -> None:
    tx.sql.execute("UPDATE space SET state = ? WHERE name = ?", (state, name))
