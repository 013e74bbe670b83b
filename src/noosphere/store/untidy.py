"""What upkeep finds to do: weak edges, temporary memories nobody needed, units out of place, texts not compared yet.

Every query leaves out what is canonical: upkeep never touches that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

WEAK = 0.3
_IN_USE = "{v}.known_to IS NULL AND {v}.retracted_at IS NULL AND {v}.merged_into IS NULL"
_WEAK = """FROM edge AS e WHERE e.known_to IS NULL AND e.provenance = 'inferred' AND e.weight < ? AND e.known_from <= ?
  AND NOT EXISTS (SELECT 1 FROM node_version AS v
    WHERE v.known_to IS NULL AND v.node IN (e.src, e.dst) AND v.status = 'canonical')"""
_UNNEEDED = f"""FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = 'memory'
    LEFT JOIN usage AS u ON u.node = v.node
  WHERE v.importance = 'temporary' AND v.known_from <= :before AND v.status IN ('draft', 'active')
    AND {_IN_USE.format(v="v")} AND coalesce(u.last_used_at, 0) <= :before AND coalesce(u.checked_at, 0) <= :before
    AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.target = n.uid AND e.retracted_by IS NULL AND e.at > :before)"""
_UNREAD = f"""FROM frame AS f JOIN node AS n ON n.id = f.node AND n.class = 'memory'
    JOIN node_version AS v ON v.node = n.id AND v.head = f.id
  WHERE f.id > :after AND v.status IN ('draft', 'active') AND {_IN_USE.format(v="v")}"""
_MISPLACED = """FROM (
    SELECT v.node AS node, v.head AS unit FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = 'memory'
      WHERE v.head IS NOT NULL
    UNION SELECT f.node, f.id FROM frame AS f WHERE f.turn_key IS NOT NULL) AS w
  JOIN frame AS f ON f.id = w.unit AND f.purged_at IS NULL
  JOIN node_version AS c ON c.node = w.node AND c.known_to IS NULL AND c.retracted_at IS NULL
  LEFT JOIN frame_version AS g ON g.frame = f.id AND g.known_to IS NULL AND g.retracted_at IS NOT NULL
  LEFT JOIN text_now_docsize AS now ON now.id = f.id LEFT JOIN text_past_docsize AS past ON past.id = f.id
  WHERE g.frame IS NULL AND (now.id IS NULL AND past.id IS NULL
    OR now.id IS NOT NULL AND (past.id IS NOT NULL OR c.merged_into IS NOT NULL
      OR c.status NOT IN ('draft', 'active', 'canonical') OR (f.turn_key IS NULL AND c.head <> f.id)))
  UNION SELECT node FROM expiry WHERE at <= :now"""


def weak_edges(sql: Connection, before: int, limit: int) -> list[int]:
    """Inferred edges that have stood since `before` and were never drawn stronger, the oldest first."""
    query = f"SELECT e.id {_WEAK} ORDER BY e.id LIMIT ?"
    return [edge for (edge,) in sql.execute(query, (WEAK, before, limit))]


def count_weak_edges(sql: Connection, before: int) -> int:
    """How many edges `weak_edges` would give without a limit."""
    return sql.execute(f"SELECT count(*) {_WEAK}", (WEAK, before)).get


def unneeded(sql: Connection, before: int, limit: int) -> list[int]:
    """Temporary memories not changed, told again, used or checked since `before`, the oldest first."""
    query = f"SELECT v.node {_UNNEEDED} ORDER BY v.known_from, v.node LIMIT :limit"
    return [node for (node,) in sql.execute(query, {"before": before, "limit": limit})]


def count_unneeded(sql: Connection, before: int) -> int:
    """How many memories `unneeded` would give without a limit."""
    return sql.execute(f"SELECT count(*) {_UNNEEDED}", {"before": before}).get


def unread(sql: Connection, after: int, limit: int) -> list[int]:
    """The present texts of memories, by frame, that came after one; the oldest first."""
    query = f"SELECT f.id {_UNREAD} ORDER BY f.id LIMIT :limit"
    return [frame for (frame,) in sql.execute(query, {"after": after, "limit": limit})]


def count_unread(sql: Connection, after: int) -> int:
    """How many texts `unread` would give without a limit."""
    return sql.execute(f"SELECT count(*) {_UNREAD}", {"after": after}).get


def misplaced(sql: Connection, now: int, limit: int) -> list[int]:
    """Nodes with a text that is in no index, in two, or in the current one though it is past."""
    query = f"SELECT node FROM (SELECT w.node AS node {_MISPLACED}) GROUP BY node ORDER BY node LIMIT :limit"
    return [node for (node,) in sql.execute(query, {"now": now, "limit": limit})]


def count_misplaced(sql: Connection, now: int) -> int:
    """How many nodes `misplaced` would give without a limit."""
    return sql.execute(f"SELECT count(DISTINCT node) FROM (SELECT w.node AS node {_MISPLACED})", {"now": now}).get
