"""What contradicts something else and waits for a decision: marked when it was written, or disputed in its slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import nodes, slots

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.slots import SlotKey

_IN_USE = """v.retracted_at IS NULL AND v.merged_into IS NULL AND v.corrected = 0
    AND v.status IN ('draft', 'active', 'canonical')"""
_WAITS = f"v.known_to IS NULL AND {_IN_USE}"
_THEN = "{row}.known_from <= :at AND ({row}.known_to IS NULL OR {row}.known_to > :at)"
_NOW = "{row}.known_to IS NULL"
ENDS = (("src", "dst"), ("dst", "src"))
# The indexes node_version_conflict and spell_conflict hold just these rows.
_MARKED = f"SELECT v.node FROM node_version AS v WHERE v.conflict = 1 AND {_WAITS} ORDER BY v.node"
_DISPUTED = f"""SELECT s.node FROM spell AS s JOIN node_version AS v ON v.node = s.node
  WHERE s.conflict = 1 AND s.holds_to > ? AND {_WAITS} ORDER BY s.node"""
_TIED = """SELECT {other} FROM edge WHERE {end} = ? AND type = 'relates_to' AND provenance = 'system'
  AND known_to IS NULL"""
_PROPOSED = """SELECT {other} FROM edge WHERE {end} = ? AND type = 'relates_to' AND provenance = 'system'
  AND claim = 'unknown' AND known_to IS NULL"""
_STANDS = """SELECT 1 FROM node_version AS m JOIN edge AS e ON e.{end} = m.node
    JOIN node_version AS v ON v.node = e.{other}
  WHERE m.node = :node AND m.conflict = 1 AND v.conflict = 1 AND e.type = 'relates_to' AND e.provenance = 'system'
    AND {mine} AND {open_m} AND {open_e} AND {theirs} AND {open_v} LIMIT 1"""
_MATTERS = """SELECT 1 FROM node_version WHERE known_to IS NULL AND importance IN ('critical', 'important')
  LIMIT 1"""  # of the index node_version_importance
_DECIDED = """SELECT v.settled FROM node_version AS v WHERE v.slot_subject = ? AND v.attribute = ?
  AND v.value_norm = ? AND v.known_to IS NULL AND v.corrected = 1 AND v.settled IS NOT NULL"""


def marked(sql: Connection) -> list[int]:
    """The memories in use that were marked as in conflict when something was written."""
    return [node for (node,) in sql.execute(_MARKED)]


def disputed(sql: Connection, now: int) -> list[int]:
    """The memories in use whose value another of the same start disputes, unless both are over."""
    return [node for (node,) in sql.execute(_DISPUTED, (now,))]


def tied(sql: Connection, node: int) -> set[int]:
    """What the engine tied to a memory."""
    return _around(sql, _TIED, node)


def proposed(sql: Connection, node: int) -> set[int]:
    """Of these, what a language model alone takes for contradictory to it."""
    return _around(sql, _PROPOSED, node)


def _around(sql: Connection, query: str, node: int) -> set[int]:
    return {n for end, other in ENDS for (n,) in sql.execute(query.format(end=end, other=other), (node,))}


def are_marked(sql: Connection, one: int, other: int) -> bool:
    """Whether two memories are marked as in conflict with each other."""
    both = all(nodes.current(sql, node).state.conflict for node in (one, other))
    return both and other in tied(sql, one)


def stands(sql: Connection, node: int, slot: SlotKey | None, known_at: int | None = None) -> bool:
    """Whether the mark of a memory stands: it is in use, and so is something that it is in conflict with.

    A mark is what was found when something was written; it shows nothing once the other side is gone, and shows again
    when that comes back.
    """
    open_row = _NOW if known_at is None else _THEN
    rows = {f"open_{row}": open_row.format(row=row) for row in "mev"} | {
        "mine": _IN_USE.replace("v.", "m."),
        "theirs": _IN_USE,
    }
    values = {"node": node} if known_at is None else {"node": node, "at": known_at}
    for end, other in ENDS:
        if sql.execute(_STANDS.format(end=end, other=other, **rows), values).get is not None:
            return True
    return slot is not None and bool(rivals(sql, node, slot, known_at))


def rivals(sql: Connection, node: int, slot: SlotKey, known_at: int | None = None) -> list[int]:
    """The stronger memories of other values that hold where a value would begin, and because of which it waits."""
    told = {a.node: a for a in slots.assertions(sql, slot, known_at=known_at)[0]}
    spells = {s.node: s for s in slots.spells(sql, slot, known_at=known_at)}
    mine, own = told.get(node), spells.get(node)
    if mine is None or own is None or mine.ends or own.start == mine.start < own.end:
        return []
    return [
        n
        for n, s in spells.items()
        if n != node
        and s.start <= mine.start < s.end
        and told[n].value != mine.value
        and told[n].strength > mine.strength
    ]


def was_marked_at_first(sql: Connection, node: int) -> bool:
    """Whether a memory was in conflict as soon as it was stored."""
    return bool(nodes.numbered(sql, node, 1).state.conflict)


def any_matters(sql: Connection) -> bool:
    """Whether the mind holds a memory that is important or critical: nothing else is a candidate's side."""
    return sql.execute(_MATTERS).get is not None


def decisions(sql: Connection, slot: SlotKey, value_norm: str) -> set[bytes]:
    """The decisions by which a value of a slot was found wrong."""
    return {by for (by,) in sql.execute(_DECIDED, (slot.subject, slot.attribute, value_norm))}
