"""What was flagged when it was written, and waits for somebody to look at it: memories, branches and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

# The indexes node_version_flagged and frame_version_flagged hold just these rows.
_NODES = """SELECT n.uid, v.head, v.title, v.suspect, v.secret, v.rules, v.known_from
  FROM node_version AS v JOIN node AS n ON n.id = v.node
  WHERE v.known_to IS NULL AND (v.suspect IS NOT NULL OR v.secret = 1) AND v.retracted_at IS NULL
    AND v.merged_into IS NULL AND v.head IS NOT NULL"""
_FRAMES = """SELECT f.uid, f.id, c.title, v.suspect, v.secret, v.rules, v.known_from
  FROM frame_version AS v JOIN frame AS f ON f.id = v.frame
  JOIN node_version AS c ON c.node = f.node AND c.known_to IS NULL
  WHERE v.known_to IS NULL AND (v.suspect IS NOT NULL OR v.secret = 1) AND v.retracted_at IS NULL
    AND c.retracted_at IS NULL AND f.text IS NOT NULL"""


class FlaggedRow(NamedTuple):
    """A text that was flagged: `uid` is what callers cite, `frame` where its text is folded."""

    uid: bytes
    frame: int
    title: str | None
    suspect: float | None
    secret: int
    rules: str | None
    known_from: int


def waiting(sql: Connection) -> list[FlaggedRow]:
    """What is flagged and not forgotten, the longest known first."""
    rows = [FlaggedRow(*row) for query in (_NODES, _FRAMES) for row in sql.execute(query)]
    return sorted(rows, key=lambda row: (row.known_from, row.uid))
