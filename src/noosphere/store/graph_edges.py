"""Edges between entities, and from memories to them: counted, found, and those that rest on one memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.store.connection import Connection

# An inferred edge rests on a memory when no other reason stands for it but frames of what was forgotten.
_RESTING = """SELECT e.id FROM edge AS e WHERE e.known_to IS NULL AND e.provenance = 'inferred' AND e.uid IN (
    SELECT r.target FROM frame AS f JOIN evidence AS r ON r.frame = f.uid AND r.retracted_by IS NULL WHERE f.node = ?1)
  AND NOT EXISTS (SELECT 1 FROM evidence AS o WHERE o.target = e.uid AND o.retracted_by IS NULL
    AND (o.frame IS NULL OR NOT EXISTS (SELECT 1 FROM frame AS g JOIN node_version AS v
      ON v.node = g.node AND v.known_to IS NULL WHERE g.uid = o.frame AND (g.node = ?1 OR v.retracted_at IS NOT NULL))))
  ORDER BY e.id"""


def types_of(sql: Connection, entities: Sequence[int]) -> dict[int, str]:
    """The types of entities."""
    rows = sql.execute(
        """SELECT v.node, v.entity_type FROM json_each(?) AS w CROSS JOIN node_version AS v
           ON v.node = w.value AND v.known_to IS NULL""",
        (json.dumps(list(entities)),),
    )
    return dict(rows)


def all_names(sql: Connection) -> list[tuple[int, str, str]]:
    """Every active entity: node, normalised name and type."""
    return sql.execute(
        """SELECT v.node, v.norm_name, v.entity_type FROM node_version AS v INDEXED BY node_version_entity
           WHERE v.entity_type IS NOT NULL AND v.known_to IS NULL AND v.retracted_at IS NULL
             AND v.merged_into IS NULL AND v.status IN ('draft', 'active', 'canonical')"""
    ).fetchall()


def count(sql: Connection, node: int, type_: str, weight: float) -> int:
    """How many edges of a type and of at most this weight stand at a node; the heavier ones are not read."""
    return sql.execute(
        """SELECT (SELECT count(*) FROM edge WHERE src = ?1 AND weight <= ?3 AND type = ?2 AND known_to IS NULL)
             + (SELECT count(*) FROM edge WHERE dst = ?1 AND weight <= ?3 AND type = ?2 AND known_to IS NULL)""",
        (node, type_, weight),
    ).get


def joined(sql: Connection, one: int, other: int) -> bool:
    """Whether any edge stands between two nodes, either way."""
    return (
        sql.execute(
            """SELECT 1 FROM edge WHERE known_to IS NULL
               AND ((src = ?1 AND dst = ?2) OR (src = ?2 AND dst = ?1)) LIMIT 1""",
            (one, other),
        ).get
        is not None
    )


def resting_on(sql: Connection, memory: int) -> list[int]:
    """The inferred edges for which nothing stands but frames of this memory."""
    return [edge for (edge,) in sql.execute(_RESTING, (memory,))]
