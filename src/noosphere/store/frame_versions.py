"""Frames that left the default state by themselves: a turn or a branch that was forgotten, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.transaction import Entry, Tx


def retract(tx: Tx, entry: Entry, frame: FrameRow, at: int | None) -> None:
    """Forget a turn or a branch, or bring it back with `at=None`."""
    last = tx.sql.execute(
        "SELECT n, known_from, secret, suspect, rules FROM frame_version WHERE frame = ? AND known_to IS NULL",
        (frame.id,),
    ).fetchall()
    n, since, secret, suspect, rules = last[0] if last else (0, 0, 0, None, None)
    now = tx.tick(entry, after=since)
    tx.sql.execute(
        "UPDATE frame_version SET known_to = ?, closed_by = ? WHERE frame = ? AND known_to IS NULL",
        (now, entry.id, frame.id),
    )
    tx.sql.execute(
        """INSERT INTO frame_version (frame, n, known_from, opened_by, retracted_at, secret, suspect, rules)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (frame.id, n + 1, now, entry.id, at, secret, suspect, rules),
    )
    entry.touched.turns.append([uid_text(frame.uid), n + 1])


def retracted_at(sql: Connection, frame: int) -> int | None:
    """When a frame was forgotten; None when it was not."""
    return sql.execute("SELECT retracted_at FROM frame_version WHERE frame = ? AND known_to IS NULL", (frame,)).get


def retracted_in(sql: Connection, frame: int, n: int) -> int | None:
    """When a frame was forgotten by one of its versions; version 0 is as it was said."""
    return sql.execute("SELECT retracted_at FROM frame_version WHERE frame = ? AND n = ?", (frame, n)).get


def forgotten(sql: Connection, node: int) -> set[int]:
    """The frames of a node that are forgotten by themselves."""
    rows = sql.execute(
        """SELECT v.frame FROM frame_version AS v JOIN frame AS f ON f.id = v.frame
           WHERE f.node = ? AND v.known_to IS NULL AND v.retracted_at IS NOT NULL""",
        (node,),
    )
    return {frame for (frame,) in rows}
