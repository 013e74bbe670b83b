"""Building segments, under a lease: rows that none holds yet go into a new file, small neighbours into one.

Every segment is written from the rows of the database, those that are written anew too: what was deleted stays out.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.errors import StorageError
from noosphere.store import lease, segment_files
from noosphere.store.merging import due, listed
from noosphere.store.vectors import SOUND

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import BinaryIO

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.segments import Segment
    from noosphere.store.vectors import SpaceRow

    Choice = Callable[[Connection], "Stretch | None"]

MIN_ROWS = 4096  # fewer are read from the database in about 10 ms at open
MAX_ROWS = 200_000  # of one file
MAX_BYTES = 256 << 20  # of one file, which is in memory while it is made: at 384 numbers the rows are the lower bound
ROW_BYTES = 24  # of a row of a segment, beside the vectors
NUMBER_BYTES = 3  # of each of its numbers: float16 and int8
PULL = 8192  # rows read at a time
NO_END = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows that are to become one segment: their seqs, and the files it takes the place of.

    Attributes:
        after, upto: the seqs between which they lie: behind the one, up to the other.
        most: how many of them at most, the oldest first.
        least: with fewer none is written.
    """

    after: int
    upto: int
    most: int
    least: int
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """A segment that was written, if any row of its stretch lives; `buried` is the last tombstone it knows of."""

    stretch: Stretch
    buried: int
    segment: Segment | None = None
    path: Path | None = None


def build_segments(
    mind: MindFile, *, min_rows: int = MIN_ROWS, opener: Callable[[Path], BinaryIO] | None = None
) -> list[Path]:
    """Put the rows behind each space's last segment into new files, and merge small ones; returns the files written.

    An encrypted mind keeps them in memory, so none is written.

    Raises:
        StorageError: the disk refused; nothing else changed.
    """
    written: list[Path] = []
    if mind.db.key is not None:
        return written
    if not mind.segments_seen:
        segment_files.strike_unusable(mind)
        mind.segments_seen = True
    for pair in mind.spaces().values():
        for space in pair.values():
            for choose in (_new(mind, space, min_rows), _merged(mind, space)):
                while (path := _build(mind, space, choose, opener)) is not None:
                    written.append(path)
    return [path for path in written if path.exists()]  # some were merged into others at once


def _new(mind: MindFile, space: SpaceRow, min_rows: int) -> Choice:
    """Choose the rows that no segment holds yet."""

    def choose(sql: Connection) -> Stretch | None:
        covered, most = _covered(sql, mind, space), most_rows(space)
        query = "SELECT count(*) FROM (SELECT 1 FROM vec WHERE space = ? AND seq > ? LIMIT ?)"
        if sql.execute(query, (space.id, covered, min_rows)).get < min_rows:
            return None
        return Stretch(covered, NO_END, most, min_rows)

    return choose


def _merged(mind: MindFile, space: SpaceRow) -> Choice:
    """Choose segments that are to be written anew as one."""

    def choose(sql: Connection) -> Stretch | None:
        ones = due(listed(sql, space.id, mind.incarnation), MIN_ROWS, most_rows(space))
        if not ones:
            return None
        return Stretch(ones[0].lo - 1, ones[-1].hi, most_rows(space), 1, tuple(one.file for one in ones))

    return choose


def most_rows(space: SpaceRow) -> int:
    """How many rows one segment of a space may hold."""
    return min(MAX_ROWS, MAX_BYTES // (ROW_BYTES + NUMBER_BYTES * space.dim))


def _build(mind: MindFile, space: SpaceRow, choose: Choice, opener: Callable[[Path], BinaryIO] | None) -> Path | None:
    with segment_files.BUILDING:
        with mind.read() as sql:
            if choose(sql) is None:
                return None
        if not _begin(mind, space):
            return None
        try:
            segment_files.sweep_space(mind, space)
            made = _make(mind, space, choose, opener)
        except StorageError:
            with mind.write() as tx:
                lease.release(tx.sql, segment_files.lease_name(space))
            raise
        with mind.write() as tx:
            stands = made is not None and _list(tx.sql, mind, space, made)
            lease.release(tx.sql, segment_files.lease_name(space))
        if made is None or not stands:
            return None  # rows were deleted meanwhile, or the lease ran out and another process was quicker
        for file in made.stretch.replaces:
            with suppress(OSError):  # Windows keeps what is mapped; the next to build sweeps it
                (mind.path.parent / file).unlink(missing_ok=True)
        return made.path


def _covered(sql: Connection, mind: MindFile, space: SpaceRow) -> int:
    """The last seq that a segment of this incarnation holds."""
    query = "SELECT max(hi) FROM segment WHERE space = ? AND incarnation = ?"
    return sql.execute(query, (space.id, mind.incarnation)).get or 0


def _begin(mind: MindFile, space: SpaceRow) -> bool:
    """Take the lease, and strike what cannot be used; false when another process builds."""
    with mind.write() as tx:
        taken = lease.take(tx.sql, segment_files.lease_name(space), tx.clock_now)
        if taken:
            segment_files.forget_unusable(mind, tx.sql, space)
        return taken


def _make(mind: MindFile, space: SpaceRow, choose: Choice, opener: Callable[[Path], BinaryIO] | None) -> Made | None:
    with mind.read() as sql:
        stretch = choose(sql)
        if stretch is None:
            return None
        buried: int = sql.execute("SELECT max(seq) FROM vec_tomb").get or 0
        segment = _read(sql, space, stretch)
    if segment is None:
        return Made(stretch, buried) if stretch.replaces else None
    return Made(stretch, buried, segment, _write(mind, space, segment, opener))


def _read(sql: Connection, space: SpaceRow, stretch: Stretch) -> Segment | None:
    """The living rows of a stretch; None when they are too few."""
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    from noosphere.store.segments import SKETCHED_ROWS, Segment  # noqa: PLC0415  (brings numpy)
    from noosphere.store.sketch import draw  # noqa: PLC0415  (brings numpy)

    values = {"space": space.id, "dim": space.dim, "after": stretch.after, "upto": stretch.upto, "most": stretch.most}
    within = "FROM vec WHERE space = :space AND seq > :after AND seq <= :upto"
    room: int = sql.execute(f"SELECT count(*) FROM (SELECT 1 {within} LIMIT :most)", values).get
    numbers = np.empty((room, 4), np.int64)
    exact, small = np.empty((room, space.dim), np.float16), np.empty((room, space.dim), np.int8)
    cursor = sql.execute(f"SELECT seq, frame, start, stop, f, q {within} AND {SOUND} ORDER BY seq LIMIT :most", values)
    count = 0
    while rows := [row for _, row in zip(range(PULL), cursor, strict=False)]:
        behind = count + len(rows)
        numbers[count:behind] = [row[:4] for row in rows]
        exact[count:behind] = np.frombuffer(b"".join(row[4] for row in rows), np.float16).reshape(len(rows), -1)
        small[count:behind] = np.frombuffer(b"".join(row[5] for row in rows), np.int8).reshape(len(rows), -1)
        count = behind
    if count < stretch.least:
        return None
    seqs, frames = numbers[:count, 0].copy(), numbers[:count, 1].copy()
    spans, exact, small = numbers[:count, 2:].astype(np.int32), exact[:count], small[:count]
    sketch = draw(exact) if count >= SKETCHED_ROWS else None
    return Segment(int(seqs[0]), int(seqs[-1]), seqs, frames, spans, exact, small, sketch)


def _write(mind: MindFile, space: SpaceRow, segment: Segment, opener: Callable[[Path], BinaryIO] | None) -> Path:
    from noosphere.store.segments import file_name, write_segment  # noqa: PLC0415  (brings numpy)

    name = file_name(mind.mind, mind.incarnation, space.id, segment.lo, segment.hi, len(segment.seqs))
    path = mind.path.parent / name
    options = {} if opener is None else {"opener": opener}
    write_segment(path, segment, incarnation=mind.incarnation, **options)
    return path


def _list(sql: Connection, mind: MindFile, space: SpaceRow, made: Made) -> bool:
    """Put a segment into the manifest in the place of those it replaces, and take away tombstones nobody needs now.

    An index that does not know them yet goes over to the new segment, in which the rows are missing.
    """
    replaced = json.dumps(made.stretch.replaces)
    there = "FROM segment WHERE file IN (SELECT value FROM json_each(?))"
    if made.stretch.replaces:
        stands = sql.execute(f"SELECT count(*) {there}", (replaced,)).get == len(made.stretch.replaces)
    else:
        stands = _covered(sql, mind, space) == made.stretch.after
    if not stands:
        return False
    sql.execute(f"DELETE {there}", (replaced,))
    segment, path = made.segment, made.path
    if segment is None or path is None:
        return True
    sql.execute(
        "INSERT INTO segment (space, lo, hi, rows, file, incarnation) VALUES (?, ?, ?, ?, ?, ?)",
        (space.id, segment.lo, segment.hi, len(segment.seqs), path.name, mind.incarnation),
    )
    sql.execute(
        """DELETE FROM vec_tomb WHERE space = :space AND seq <= :buried AND vec <= :hi AND NOT EXISTS (
             SELECT 1 FROM segment AS s WHERE s.space = :space AND vec_tomb.vec BETWEEN s.lo AND s.hi
             AND s.file <> :file)""",
        {"space": space.id, "buried": made.buried, "hi": segment.hi, "file": path.name},
    )
    return True
