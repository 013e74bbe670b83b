"""The vector index held against an exact search: how many of the nearest it finds; and segments against the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noosphere.store.segments import open_segment
from noosphere.store.vectors import FLOAT16_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from noosphere.store.connection import Connection, Row
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vector_index import VectorIndex
    from noosphere.store.vectors import SpaceRow

QUERIES = 20
NEAREST = 10
PULL = 8192  # rows read at a time
SAME = 1e-3  # cosines nearer than this are one place: float16 cannot tell them


def recall(sql: Connection, index: VectorIndex, queries: NDArray[np.float32] | None = None) -> float | None:
    """The share of the ten nearest units that the index finds; None of no rows. Every row is read once.

    Args:
        sql: a connection in a read transaction.
        index: of one space.
        queries: of unit length, shape (n, dim); when they are not said, some that lie between rows.
    """
    if queries is None:
        queries = _queries(sql, index.space)
    if not len(queries):
        return None
    nearest: list[dict[int, float]] = [{} for _ in queries]
    for frames, rows in _rows(sql, index.space):
        scores = rows @ queries.T
        for n, best in enumerate(nearest):
            for at in np.argsort(-scores[:, n])[: NEAREST * 8].tolist():
                frame = int(frames[at])
                best[frame] = max(best.get(frame, -1.0), float(scores[at, n]))
            if len(best) > NEAREST:
                nearest[n] = dict(sorted(best.items(), key=lambda pair: -pair[1])[:NEAREST])
    found = wanted = 0
    for query, best in zip(queries, nearest, strict=True):
        least = min(best.values()) - SAME
        wanted += len(best)
        found += sum(hit.score >= least for hit in index.search(sql, query, len(best)))
    return found / wanted


def spoiled(mind: MindFile, sql: Connection, space: SpaceRow) -> Iterator[str]:
    """Segments of the manifest with a row that is not what the database holds."""
    query = "SELECT lo, hi, file FROM segment WHERE space = ? AND incarnation = ? ORDER BY lo"
    for lo, hi, file in sql.execute(query, (space.id, mind.incarnation)).fetchall():
        segment = open_segment(mind.path.parent / file, incarnation=mind.incarnation, dim=space.dim)
        if segment is None:
            continue  # told apart as unusable
        cursor = sql.execute(
            "SELECT seq, q, f FROM vec WHERE space = ? AND seq BETWEEN ? AND ? AND length(q) = ? AND length(f) = ?"
            " ORDER BY seq",
            (space.id, lo, hi, space.dim, FLOAT16_BYTES * space.dim),
        )
        while rows := [row for _, row in zip(range(PULL), cursor, strict=False)]:
            seqs = np.array([row[0] for row in rows], np.int64)
            at = np.minimum(np.searchsorted(segment.seqs, seqs), max(len(segment.seqs) - 1, 0))
            small = np.frombuffer(b"".join(row[1] for row in rows), np.int8).reshape(len(rows), -1)
            exact = np.frombuffer(b"".join(row[2] for row in rows), np.float16).reshape(len(rows), -1)
            same = (segment.seqs[at] == seqs).all() and (segment.rows[at] == small).all()
            drawn = segment.sketch is None or segment.sketch.holds(at, exact)
            if not (same and drawn and np.array_equal(segment.exact[at], exact, equal_nan=True)):
                yield file
                break


def _queries(sql: Connection, space: SpaceRow) -> NDArray[np.float32]:
    """Directions between rows that lie evenly over the space, so that no row is its own answer."""
    sound = (space.id, FLOAT16_BYTES * space.dim)
    count = sql.execute("SELECT count(*) FROM vec WHERE space = ? AND length(f) = ?", sound).get
    step = max(1, count // (2 * QUERIES))
    chosen: list[Row] = sql.execute(
        """SELECT f FROM (SELECT f, row_number() OVER (ORDER BY seq) AS n FROM vec WHERE space = ?1 AND length(f) = ?2)
        WHERE n % ?3 = 0 LIMIT ?4""",
        (*sound, step, 2 * QUERIES),
    ).fetchall()
    rows = _matrix(chosen, 0, space.dim)
    between = rows[: len(rows) // 2] + rows[len(rows) // 2 : 2 * (len(rows) // 2)]
    sizes = np.linalg.norm(between, axis=1, keepdims=True)
    return (between / np.where(sizes > 0, sizes, 1))[(sizes > 0)[:, 0]].astype(np.float32)


def _rows(sql: Connection, space: SpaceRow) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    query = "SELECT frame, f FROM vec WHERE space = ? AND length(f) = ?"
    cursor = sql.execute(query, (space.id, FLOAT16_BYTES * space.dim))
    while rows := [row for _, row in zip(range(PULL), cursor, strict=False)]:
        yield np.array([row[0] for row in rows], np.int64), _matrix(rows, 1, space.dim)


def _matrix(rows: list[Row], column: int, dim: int) -> NDArray[np.float32]:
    whole = np.frombuffer(b"".join(row[column] for row in rows), np.float16).astype(np.float32)
    return np.where(np.isfinite(whole), whole, np.float32(0)).reshape(len(rows), dim)
