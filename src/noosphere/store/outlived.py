"""Outlived: turns of which all that was drawn is over, by what took its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection

DRAWN = """SELECT coalesce(s.holds_to, c.stated_to), r.uid
  FROM evidence AS e JOIN node AS n ON n.uid = e.target AND n.class = 'memory'
  JOIN node_version AS c ON c.node = n.id AND c.known_to IS NULL
  LEFT JOIN spell AS s ON s.node = n.id LEFT JOIN node AS r ON r.id = s.replaced_by
  WHERE e.frame = ? AND e.retracted_by IS NULL AND c.retracted_at IS NULL ORDER BY n.id"""
FRAMES = "SELECT frame FROM evidence WHERE target = ? AND frame IS NOT NULL AND retracted_by IS NULL"


def outlived(sql: Connection, turns: Iterable[bytes], at: int) -> dict[bytes, bytes]:
    """The memory that took the place of what was drawn from each turn, where nothing of it holds at a moment.

    Args:
        sql: a connection.
        turns: the uids of their frames.
        at: the moment, in microseconds.
    """
    found: dict[bytes, bytes] = {}
    for turn in turns:
        rows = sql.execute(DRAWN, (turn,)).fetchall()
        heirs = [heir for end, heir in rows if heir is not None and end is not None and end <= at]
        if heirs and all(end is not None and end <= at for end, _ in rows):
            found[turn] = heirs[-1]
    return found


def told_in(sql: Connection, memory: bytes) -> set[bytes]:
    """The uids of the frames that are evidence of a memory."""
    return {frame for (frame,) in sql.execute(FRAMES, (memory,))}
