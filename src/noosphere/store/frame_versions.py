"""Frames that left the default state by themselves: a turn or a branch that was flagged or forgotten, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.ids import uid_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection, Row
    from noosphere.store.frames import FrameRow
    from noosphere.store.transaction import Entry, Tx


class Flags(NamedTuple):
    """What screening found in a frame: a secret, and a score when it looks like an attack; by which rules."""

    secret: bool = False
    suspect: float | None = None
    rules: str | None = None


UNFLAGGED = Flags()


def open_first(tx: Tx, entry: Entry, frame: FrameRow, flags: Flags) -> None:
    """Note the flags of a frame just written; one without any stays in the default state, which has no row."""
    if flags.secret or flags.suspect is not None:
        _open(tx, entry, frame, 1, entry.at, None, flags)


def retract(tx: Tx, entry: Entry, frame: FrameRow, at: int | None) -> None:
    """Forget a turn or a branch, or bring it back with `at=None`."""
    _open_next(tx, entry, frame, at, flags_of(tx.sql, frame.id))


def set_flags(tx: Tx, entry: Entry, frame: FrameRow, flags: Flags) -> None:
    """Change what is said of a frame's text."""
    _open_next(tx, entry, frame, retracted_at(tx.sql, frame.id), flags)


def flags_of(sql: Connection, frame: int) -> Flags:
    """The flags of a frame now."""
    return _flags(
        sql.execute("SELECT secret, suspect, rules FROM frame_version WHERE frame = ? AND known_to IS NULL", (frame,))
    )


def flags_in(sql: Connection, frame: int, n: int) -> Flags:
    """The flags of a frame in one of its versions; version 0 is as it was said, and has none."""
    return _flags(sql.execute("SELECT secret, suspect, rules FROM frame_version WHERE frame = ? AND n = ?", (frame, n)))


def _flags(rows: Iterable[Row]) -> Flags:
    return next((Flags(bool(secret), suspect, rules) for secret, suspect, rules in rows), UNFLAGGED)


def _open_next(tx: Tx, entry: Entry, frame: FrameRow, retracted: int | None, flags: Flags) -> None:
    last = tx.sql.execute(
        "SELECT n, known_from FROM frame_version WHERE frame = ? AND known_to IS NULL", (frame.id,)
    ).fetchall()
    n, since = last[0] if last else (0, 0)
    now = tx.tick(entry, after=since)
    tx.sql.execute(
        "UPDATE frame_version SET known_to = ?, closed_by = ? WHERE frame = ? AND known_to IS NULL",
        (now, entry.id, frame.id),
    )
    _open(tx, entry, frame, n + 1, now, retracted, flags)
    entry.touched.turns.append([uid_text(frame.uid), n + 1])


def _open(tx: Tx, entry: Entry, frame: FrameRow, n: int, at: int, retracted: int | None, flags: Flags) -> None:
    tx.sql.execute(
        """INSERT INTO frame_version (frame, n, known_from, opened_by, retracted_at, secret, suspect, rules)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (frame.id, n, at, entry.id, retracted, int(flags.secret), flags.suspect, flags.rules),
    )


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
