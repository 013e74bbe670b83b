"""Rebuilding what is derived, from what is truth, in one transaction. Vectors are kept: they are costly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.vocabulary import NodeClass
from noosphere.model.when import FOREVER
from noosphere.store import nodes, path, refold, schema, slots, units, vectors
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from noosphere.store.transaction import Tx
    from noosphere.store.vectors import SpaceRow


def rebuild(tx: Tx, now: int) -> str | None:
    """Make every derived table what it should be; returns the journal entry when an edge was mended."""
    schema.complete(tx.sql)
    entry = tx.open("doctor")
    for slot in slots.all_slots(tx.sql):
        slots.recompute(tx, entry, slot, rebuilding=True)
    slots.drop_strays(tx, entry)
    journal = None
    if entry.touched.edges:
        journal = tx.close(entry)
    else:
        tx.abandon(entry)
    _paths(tx)
    places = units.all_wanted(tx.sql, now)
    refold.fill(tx, places)
    _vectors(tx, places)
    _expiry(tx, now)
    return journal


def _paths(tx: Tx) -> None:
    tx.sql.execute("DELETE FROM leaf")
    tx.sql.execute("DELETE FROM off_path")
    for row in tx.sql.execute("SELECT id, uid, class, key FROM node WHERE class = 'conversation'").fetchall():
        path.derive(tx, nodes.NodeRow(row[0], row[1], NodeClass.CONVERSATION, row[3]))


def _vectors(tx: Tx, places: dict[int, Era]) -> None:
    """Move vectors that lie in the wrong era, drop those of no unit, and have the rest embedded."""
    for pair in vectors.spaces(tx.sql).values():
        _drop_spoiled(tx, pair)
        there = {era: vectors.embedded(tx.sql, space) for era, space in pair.items()}
        for era, other in ((Era.NOW, Era.PAST), (Era.PAST, Era.NOW)):
            for frame in sorted(f for f in there[era] if places.get(f) is other and f not in there[other]):
                vectors.move(tx, frame, other)
        every = there[Era.NOW] | there[Era.PAST]
        for frame in sorted(every - places.keys()):
            vectors.drop(tx, frame)
        if pair[Era.NOW].state == "resting":
            continue
        vectors.want_in(tx, pair[Era.NOW].id, sorted(places.keys() - every))
        vectors.drop_waiting(tx, pair[Era.NOW].id, places.keys())
        vectors.try_again(tx, pair[Era.NOW].id)


def _drop_spoiled(tx: Tx, pair: dict[Era, SpaceRow]) -> None:
    """Drop the vectors of units of which one was damaged."""
    if tx.sql.execute("SELECT 1 FROM vec LIMIT 1").get is None:
        return
    from noosphere.store.vector_forms import differing  # noqa: PLC0415  (brings numpy)

    spoiled = [(space.id, frame) for space in pair.values() for _, frame in differing(tx.sql, space)]
    tx.sql.executemany("DELETE FROM vec WHERE space = ? AND frame = ?", spoiled)


def _expiry(tx: Tx, now: int) -> None:
    tx.sql.execute("DELETE FROM expiry")
    for (node,) in tx.sql.execute("SELECT id FROM node WHERE class = 'memory'").fetchall():
        state = nodes.current(tx.sql, node).state
        end = units.ends_at(tx.sql, node, state)
        if end < FOREVER:
            units.watch(tx, node, state, end, now)
