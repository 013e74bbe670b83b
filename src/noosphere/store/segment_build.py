"""Building segments: rows that no segment holds yet go into a new immutable file, under a lease."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import StorageError
from noosphere.store import lease, segment_files
from noosphere.store.vectors import SOUND

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from noosphere.store.connection import Connection, Row
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vectors import SpaceRow

MIN_ROWS = 4096  # fewer are read from the database in about 10 ms at open
MAX_ROWS = 200_000  # of one file: 230 MB at 384 numbers


def build_segments(
    mind: MindFile, *, min_rows: int = MIN_ROWS, opener: Callable[[Path], BinaryIO] | None = None
) -> list[Path]:
    """Put the rows behind each space's last segment into new files; returns the files written.

    An encrypted mind keeps them in memory, so none is written.

    Raises:
        StorageError: the disk refused; nothing else changed.
    """
    written: list[Path] = []
    if mind.db.key is not None:
        return written
    for pair in mind.spaces().values():
        for space in pair.values():
            while (path := _next(mind, space, min_rows, opener)) is not None:
                written.append(path)
    return written


def _next(mind: MindFile, space: SpaceRow, min_rows: int, opener: Callable[[Path], BinaryIO] | None) -> Path | None:
    with segment_files.BUILDING:
        if _count_uncovered(mind, space, min_rows) < min_rows or not _begin(mind, space):
            return None
        try:
            segment_files.sweep_space(mind, space)
            rows = _uncovered(mind, space, MAX_ROWS)
            path = _write(mind, space, rows, opener) if len(rows) >= min_rows else None
        except StorageError:
            with mind.write() as tx:
                lease.release(tx.sql, segment_files.lease_name(space))
            raise
        with mind.write() as tx:
            if path is not None and _covered(tx.sql, mind, space) < rows[0][0]:
                tx.sql.execute(
                    "INSERT INTO segment (space, lo, hi, rows, file, incarnation) VALUES (?, ?, ?, ?, ?, ?)",
                    (space.id, rows[0][0], rows[-1][0], len(rows), path.name, mind.incarnation),
                )
            else:
                path = None  # rows were deleted meanwhile, or the lease ran out and another process was quicker
            lease.release(tx.sql, segment_files.lease_name(space))
        return path


def _covered(sql: Connection, mind: MindFile, space: SpaceRow) -> int:
    """The last seq that a segment of this incarnation holds."""
    query = "SELECT max(hi) FROM segment WHERE space = ? AND incarnation = ?"
    return sql.execute(query, (space.id, mind.incarnation)).get or 0


def _count_uncovered(mind: MindFile, space: SpaceRow, enough: int) -> int:
    with mind.read() as sql:
        query = "SELECT count(*) FROM (SELECT 1 FROM vec WHERE space = ? AND seq > ? LIMIT ?)"
        return sql.execute(query, (space.id, _covered(sql, mind, space), enough)).get


def _uncovered(mind: MindFile, space: SpaceRow, limit: int) -> list[Row]:
    with mind.read() as sql:
        query = f"""SELECT seq, frame, start, stop, f, q FROM vec
          WHERE space = :space AND seq > :seq AND {SOUND} ORDER BY seq LIMIT :limit"""
        covered = _covered(sql, mind, space)
        return sql.execute(query, {"space": space.id, "seq": covered, "dim": space.dim, "limit": limit}).fetchall()


def _begin(mind: MindFile, space: SpaceRow) -> bool:
    """Take the lease, and strike what cannot be used; false when another process builds."""
    with mind.write() as tx:
        taken = lease.take(tx.sql, segment_files.lease_name(space), tx.clock_now)
        if taken:
            segment_files.forget_unusable(mind, tx.sql, space)
        return taken


def _write(mind: MindFile, space: SpaceRow, rows: list[Row], opener: Callable[[Path], BinaryIO] | None) -> Path:
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    from noosphere.store.segments import Segment, file_name, write_segment  # noqa: PLC0415  (brings numpy)

    seqs, frames, starts, stops, exact, quantized = zip(*rows, strict=True)
    segment = Segment(
        seqs[0],
        seqs[-1],
        np.array(seqs, np.int64),
        np.array(frames, np.int64),
        np.array([starts, stops], np.int32).T,
        np.frombuffer(b"".join(exact), np.float16).reshape(len(rows), space.dim),
        np.frombuffer(b"".join(quantized), np.int8).reshape(len(rows), space.dim),
    )
    path = mind.path.parent / file_name(mind.mind, mind.incarnation, space.id, segment.lo, segment.hi)
    options = {} if opener is None else {"opener": opener}
    write_segment(path, segment, incarnation=mind.incarnation, **options)
    return path
