"""Entities in use, with how many edges stand at each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

_IN_USE = """SELECT v.node, n.uid, v.entity_type, v.name, v.norm_name, v.status,
    (SELECT count(*) FROM edge AS e WHERE e.src = v.node AND e.known_to IS NULL)
    + (SELECT count(*) FROM edge AS e WHERE e.dst = v.node AND e.known_to IS NULL)
  FROM node_version AS v JOIN node AS n ON n.id = v.node
  WHERE v.entity_type IN (SELECT name FROM entity_type) AND v.known_to IS NULL AND v.entity_type IS NOT NULL
    AND v.retracted_at IS NULL AND v.merged_into IS NULL AND v.status IN ('draft', 'active', 'canonical')"""


class EntityRow(NamedTuple):
    """An entity as it is identified."""

    node: int
    uid: bytes
    type: str
    name: str
    norm_name: str
    status: str
    edges: int


def in_use(sql: Connection) -> list[EntityRow]:
    """Every entity that is neither forgotten, merged nor retired."""
    return [EntityRow(*row) for row in sql.execute(_IN_USE)]
