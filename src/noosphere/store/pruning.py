"""Edges that were inferred, are weak, and have stood long enough to have been drawn stronger: what prune retires."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

WEAK = 0.3
_DUE = "FROM edge WHERE known_to IS NULL AND provenance = 'inferred' AND weight < ? AND known_from <= ?"


def due(sql: Connection, before: int, limit: int) -> list[int]:
    """Edges to retire that have stood since `before`, the oldest first."""
    return [edge for (edge,) in sql.execute(f"SELECT id {_DUE} ORDER BY id LIMIT ?", (WEAK, before, limit))]


def count_due(sql: Connection, before: int) -> int:
    """How many edges `due` would give without a limit."""
    return sql.execute(f"SELECT count(*) {_DUE}", (WEAK, before)).get
