"""Memories that may have changed and that nobody changed or checked for long: to be marked, and marked ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

_HELD = """max(CASE WHEN v.known_from > f.recorded_at OR f.said_at IS NULL THEN v.known_from ELSE f.said_at END,
    coalesce(u.checked_at, -9223372036854775808))"""  # model/staleness.py says the same of one memory
_STALE = f"""FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = 'memory'
    JOIN frame AS f ON f.id = v.head LEFT JOIN usage AS u ON u.node = v.node
  WHERE v.known_to IS NULL AND v.volatility IN ('state', 'volatile') AND v.retracted_at IS NULL
    AND v.merged_into IS NULL AND v.status IN ('draft', 'active', 'canonical') AND {_HELD} < :before"""
_UNMARKED = f"{_STALE} AND coalesce(u.stale_at, -9223372036854775808) <= {_HELD}"
_MARKED = _STALE.replace("LEFT JOIN usage", "JOIN usage") + f" AND u.stale_at > {_HELD}"


def unmarked(sql: Connection, before: int, limit: int) -> list[int]:
    """Nodes last known to hold before then and not marked yet, the longest first."""
    query = f"SELECT v.node {_UNMARKED} ORDER BY {_HELD}, v.node LIMIT :limit"
    return [node for (node,) in sql.execute(query, {"before": before, "limit": limit})]


def count_unmarked(sql: Connection, before: int) -> int:
    """How many nodes `unmarked` would give without a limit."""
    return sql.execute(f"SELECT count(*) {_UNMARKED}", {"before": before}).get


def marked(sql: Connection, before: int, limit: int) -> list[tuple[int, int]]:
    """Marked memories by their heads, with when each was last known to hold; the longest ago first."""
    query = f"SELECT v.head, {_HELD} {_MARKED} ORDER BY {_HELD}, v.node LIMIT :limit"
    return sql.execute(query, {"before": before, "limit": limit}).fetchall()
