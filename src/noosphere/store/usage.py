"""Counters of nodes: how often used, when last, when checked, how often seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx


def used(tx: Tx, uses: Mapping[bytes, tuple[int, int]]) -> None:
    """Add buffered uses: by node or frame uid, how many and when last."""
    for uid, (count, last) in uses.items():
        tx.sql.execute(
            """INSERT INTO usage (node, use_count, last_used_at)
               SELECT coalesce((SELECT id FROM node WHERE uid = :uid), (SELECT node FROM frame WHERE uid = :uid)),
                      :count, :last
               WHERE EXISTS (SELECT 1 FROM node WHERE uid = :uid UNION ALL SELECT 1 FROM frame WHERE uid = :uid)
               ON CONFLICT (node) DO UPDATE SET use_count = use_count + :count,
                 last_used_at = max(coalesce(last_used_at, 0), :last)""",
            {"uid": uid, "count": count, "last": last},
        )


def seen(tx: Tx, node: int, times: int = 1) -> int:
    """Count that an entity was met, and return how often it was."""
    tx.sql.execute(
        """INSERT INTO usage (node, seen_count) VALUES (:node, :times)
           ON CONFLICT (node) DO UPDATE SET seen_count = seen_count + :times""",
        {"node": node, "times": times},
    )
    return tx.sql.execute("SELECT seen_count FROM usage WHERE node = ?", (node,)).get


def of_node(sql: Connection, node: int) -> tuple[int, int | None, int | None, int]:
    """Uses, last use, last check and sightings of a node."""
    rows = sql.execute(
        "SELECT use_count, last_used_at, checked_at, seen_count FROM usage WHERE node = ?", (node,)
    ).fetchall()
    return rows[0] if rows else (0, None, None, 0)
