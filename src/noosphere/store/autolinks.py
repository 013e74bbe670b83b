"""Links that the engine drew between memories by their meaning, and pairs that are not to be linked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

_DRAWN = """SELECT e.id, CASE WHEN e.src = :node THEN e.dst ELSE e.src END FROM edge AS e
    JOIN journal AS j ON j.id = e.opened_by AND j.verb = 'autolink'
  WHERE (e.src = :node OR e.dst = :node) AND e.known_to IS NULL ORDER BY e.id"""
_JOINED = """SELECT 1 FROM edge AS e LEFT JOIN journal AS j ON j.id = e.closed_by
  WHERE ((e.src = ?1 AND e.dst = ?2) OR (e.src = ?2 AND e.dst = ?1))
    AND (e.known_to IS NULL OR (e.type = 'relates_to' AND j.verb IN ('unlink', 'undo'))) LIMIT 1"""


def drawn(sql: Connection, node: int) -> list[tuple[int, int]]:
    """The standing links that were drawn at a memory, each with the node at its other end."""
    return sql.execute(_DRAWN, {"node": node}).fetchall()


def are_joined_or_parted(sql: Connection, one: int, other: int) -> bool:
    """Whether any edge stands between two nodes, or somebody took a link between them away."""
    return sql.execute(_JOINED, (one, other)).get is not None
