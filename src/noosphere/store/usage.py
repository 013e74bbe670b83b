"""Counters of nodes, apart from their versions: how often used or seen, when last, and when somebody checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.ids import uid_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx


class Notes(NamedTuple):
    """When somebody last said that a memory still holds, and when it was found stale."""

    checked_at: int | None = None
    stale_at: int | None = None


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


def move_seen(tx: Tx, entry: Entry, node: NodeRow, to: NodeRow, times: int) -> None:
    """Count the meetings of one entity as those of another."""
    seen(tx, node.id, -times)
    seen(tx, to.id, times)
    entry.touched.seen.append([uid_text(node.uid), uid_text(to.uid), times])


def note(tx: Tx, entry: Entry, node: NodeRow, *, checked_at: int | None = None, stale_at: int | None = None) -> None:
    """Note that a memory was checked, which makes it fresh, or that it was found stale."""
    before = _notes(tx.sql, node.id)
    after = (
        Notes(max(checked_at, before.checked_at or checked_at))
        if checked_at is not None
        else Notes(before.checked_at, stale_at)
    )
    _write(tx, entry, node, before, after)


def take_back(tx: Tx, entry: Entry, node: NodeRow, before: Sequence[int | None], after: Sequence[int | None]) -> None:
    """Put notes back as they were, unless somebody noted something since."""
    if _notes(tx.sql, node.id) == tuple(after):
        _write(tx, entry, node, Notes(*after), Notes(*before))


def _notes(sql: Connection, node: int) -> Notes:
    rows = sql.execute("SELECT checked_at, stale_at FROM usage WHERE node = ?", (node,)).fetchall()
    return Notes(*rows[0]) if rows else Notes()


def _write(tx: Tx, entry: Entry, node: NodeRow, before: Notes, after: Notes) -> None:
    tx.sql.execute(
        """INSERT INTO usage (node, checked_at, stale_at) VALUES (?, ?, ?)
           ON CONFLICT (node) DO UPDATE SET checked_at = excluded.checked_at, stale_at = excluded.stale_at""",
        (node.id, *after),
    )
    entry.touched.checks.append([uid_text(node.uid), before, after])


def of_node(sql: Connection, node: int) -> tuple[int, int | None, int | None, int]:
    """Uses, last use, last check and sightings of a node."""
    rows = sql.execute(
        "SELECT use_count, last_used_at, checked_at, seen_count FROM usage WHERE node = ?", (node,)
    ).fetchall()
    return rows[0] if rows else (0, None, None, 0)
