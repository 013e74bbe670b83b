"""stats: how much a mind knows, counted from the tables that say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.store import counts

if TYPE_CHECKING:
    from noosphere.store.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of a mind; `memories` are those in use, the others are counted apart.

    Attributes:
        by_role, by_kind, by_status, by_importance, by_source: memories in use by their description.
        pending: units still to be embedded, by space.
    """

    memories: int
    forgotten: int
    past: int
    conversations: int
    turns: int
    entities: int
    edges: int
    sessions: int
    frames: int
    journal: int
    tags: int
    by_role: dict[str, int]
    by_kind: dict[str, int]
    by_status: dict[str, int]
    by_importance: dict[str, int]
    by_source: dict[str, int]
    pending: dict[str, int]


def stats(sql: Connection) -> Stats:
    """Count what a mind knows."""
    return Stats(
        **counts.totals(sql),
        by_role=counts.memories_by(sql, "role"),
        by_kind=counts.memories_by(sql, "kind"),
        by_status=counts.memories_by(sql, "status"),
        by_importance=counts.memories_by(sql, "importance"),
        by_source=counts.memories_by(sql, "source"),
        pending=counts.pending(sql),
    )
