"""Counting: totals in plain SQL over the tables that hold the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from noosphere.store import vectors

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

IN_USE = """FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = '{node_class}'
  WHERE v.known_to IS NULL AND v.retracted_at IS NULL AND v.merged_into IS NULL"""
TOTALS = {
    "memories": f"SELECT count(*) {IN_USE.format(node_class='memory')}",
    "conversations": f"SELECT count(*) {IN_USE.format(node_class='conversation')}",
    "entities": f"SELECT count(*) {IN_USE.format(node_class='entity')}",
    "forgotten": "SELECT count(*) FROM node_version WHERE known_to IS NULL AND retracted_at IS NOT NULL",
    "past": "SELECT count(*) FROM text_past_docsize",
    "turns": "SELECT count(*) FROM frame WHERE turn_key IS NOT NULL",
    "edges": "SELECT count(*) FROM edge WHERE known_to IS NULL",
    "sessions": "SELECT count(*) FROM session",
    "frames": "SELECT count(*) FROM frame",
    "journal": "SELECT count(*) FROM journal",
    "tags": "SELECT count(DISTINCT tag) FROM tag WHERE known_to IS NULL",
}


def totals(sql: Connection) -> dict[str, int]:
    """The totals of a mind."""
    return {name: sql.execute(query).get for name, query in TOTALS.items()}


def memories_by(sql: Connection, column: Literal["role", "kind", "status", "importance", "source"]) -> dict[str, int]:
    """Memories in use by one column of their description, the most frequent first."""
    rows = sql.execute(
        f"SELECT v.{column}, count(*) {IN_USE.format(node_class='memory')} GROUP BY 1 ORDER BY count(*) DESC, 1"
    )
    return dict(rows.fetchall())


def pending(sql: Connection) -> dict[str, int]:
    """Units still to be embedded, by space."""
    return vectors.count_waiting(sql)
