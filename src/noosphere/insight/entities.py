"""Exact look-up of entities by name; never fuzzy, so that it can serve as identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph.normalize import normalize
from noosphere.insight.lookup import entity
from noosphere.model.argument import read_line
from noosphere.store import nodes

if TYPE_CHECKING:
    from noosphere.model.record import Entity
    from noosphere.store.connection import Connection


def called(sql: Connection, name: str) -> list[Entity]:
    """The active entities of exactly this name, of any type, oldest first."""
    return [entity(sql, node) for node, _ in nodes.entities_called(sql, normalize(read_line(name, "name") or ""))]
