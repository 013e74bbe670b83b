"""Search over one space: its segments and the rows after them, scanned in int8, rescored in float16.

Rows that no segment holds yet are kept in a private tail in memory. What is new is found by `seq`, which
rises in the order of commits; what is gone, by the tombstones that a trigger leaves.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import numpy as np

from noosphere.errors import BrokenInvariant
from noosphere.store.scan import best, dots, quantize
from noosphere.store.segments import Segment, open_segment
from noosphere.store.vectors import FLOAT16_BYTES, exact

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from noosphere.store.connection import Connection
    from noosphere.store.vectors import SpaceRow

SPARE = 40  # rows rescored beyond those asked for: int8 misorders neighbours, seldom by more than a few places
OVERFETCH = 4
SOUND = "length(q) = ?"  # a row of another size, as after damage, is as good as none; doctor names it
PULL = 8192  # rows read at a time while catching up


@dataclass(frozen=True, slots=True)
class Found:
    """A unit found by meaning: its frame, the chunk that matched, and the cosine."""

    frame: int
    start: int
    stop: int
    score: float


class VectorIndex:
    """The index of one space; safe from any thread."""

    def __init__(self, space: SpaceRow, folder: Path, incarnation: str) -> None:
        self.space = space
        self._folder = folder
        self._incarnation = incarnation
        self._lock = threading.Lock()
        self._parts: list[Segment] = []
        self._tail = _Tail(space.dim)
        self._last_seq = 0
        self._last_tomb = 0
        self._dead = np.empty(0, np.int64)
        self._unusable: tuple[str, ...] = ()
        self._opened = False

    def search(
        self, sql: Connection, query: NDArray[np.float32], k: int, among: NDArray[np.int64] | None = None
    ) -> list[Found]:
        """The k units nearest to a unit-length query, best first; a unit scores as its best chunk.

        Args:
            sql: a connection in a read transaction.
            query: float32, shape (dim,), unit length.
            k: how many units.
            among: frames to choose from, or None for all.

        Raises:
            BrokenInvariant: called inside a write transaction, where rows may yet be rolled back.
        """
        if sql.txn_state() == apsw.SQLITE_TXN_WRITE:
            raise BrokenInvariant(
                "vectors were searched inside a write transaction", "Report this; it is a fault of ours"
            )
        with self._lock:
            self._refresh(sql)
            parts = [(p.seqs, p.frames, p.rows) for p in self._parts] + [self._tail.arrays()]
            dead = self._dead
        small, count = quantize(query, self.space.scale), k + max(k // 2, SPARE)
        while True:
            seqs = _candidates(small, parts, dead, count, among)
            found = _rescore(sql, seqs, query)
            if len(found) >= k or len(seqs) < count:
                return found[:k]
            count *= OVERFETCH  # many chunks of few units

    def unusable(self, sql: Connection) -> tuple[str, ...]:
        """The first segment of the manifest that is missing, torn or foreign, and those after it.

        Rows from there on are read from the database. It may be asked inside a write transaction: no row is read.
        """
        with self._lock:
            if not self._opened:
                self._open_parts(sql)
            return self._unusable

    def _refresh(self, sql: Connection) -> None:
        marks = dict(sql.execute("SELECT name, seq FROM sqlite_sequence WHERE name IN ('vec', 'vec_tomb')"))
        if not self._opened:
            self._open_parts(sql)
        if marks.get("vec", 0) > self._last_seq:
            self._pull(sql, marks["vec"])
        if marks.get("vec_tomb", 0) > self._last_tomb:
            self._bury(sql, marks["vec_tomb"])

    def _open_parts(self, sql: Connection) -> None:
        manifest = sql.execute(
            "SELECT lo, hi, file FROM segment WHERE space = ? AND incarnation = ? ORDER BY lo",
            (self.space.id, self._incarnation),
        ).fetchall()
        for number, (lo, hi, file) in enumerate(manifest):
            part = open_segment(self._folder / file, incarnation=self._incarnation, dim=self.space.dim)
            if part is None or (part.lo, part.hi) != (lo, hi) or not self._fits(sql, part):
                self._unusable = tuple(later for _, _, later in manifest[number:])
                break  # rows from here on come from the database
            self._parts.append(part)
            self._last_seq = hi
        self._opened = True

    def _fits(self, sql: Connection, part: Segment) -> bool:
        """Whether no row lies between a segment and the one before it, and its newest living row is the database's."""
        space, dim = self.space.id, self.space.dim
        between = f"SELECT 1 FROM vec WHERE space = ? AND seq > ? AND seq < ? AND {SOUND} LIMIT 1"
        if sql.execute(between, (space, self._last_seq, part.lo, dim)).get is not None:
            return False
        newest = f"SELECT seq, q FROM vec WHERE space = ? AND seq BETWEEN ? AND ? AND {SOUND} ORDER BY seq DESC LIMIT 1"
        for seq, kept in sql.execute(newest, (space, part.lo, part.hi, dim)):
            place = int(np.searchsorted(part.seqs, np.int64(seq)))
            return place < len(part.seqs) and part.seqs[place] == seq and part.rows[place].tobytes() == kept
        return True

    def _pull(self, sql: Connection, upto: int) -> None:
        cursor = sql.execute(
            f"SELECT seq, frame, q FROM vec WHERE seq > ? AND space = ? AND {SOUND} ORDER BY seq",
            (self._last_seq, self.space.id, self.space.dim),
        )
        while rows := [r for _, r in zip(range(PULL), cursor, strict=False)]:
            self._tail.extend(rows)
        self._last_seq = max(self._last_seq, upto)

    def _bury(self, sql: Connection, upto: int) -> None:
        rows = sql.execute("SELECT vec FROM vec_tomb WHERE seq > ? AND space = ?", (self._last_tomb, self.space.id))
        new = np.fromiter((vec for (vec,) in rows), np.int64)
        self._dead = np.union1d(self._dead, new)
        self._last_tomb = max(self._last_tomb, upto)


class _Tail:
    """Rows that no segment holds yet, in arrays that grow by doubling."""

    def __init__(self, dim: int) -> None:
        self.count = 0
        self._seqs = np.empty(0, np.int64)
        self._frames = np.empty(0, np.int64)
        self._rows = np.empty((0, dim), np.int8)

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8]]:
        return self._seqs[: self.count], self._frames[: self.count], self._rows[: self.count]

    def extend(self, rows: list[tuple[int, int, bytes]]) -> None:
        need = self.count + len(rows)
        if need > len(self._seqs):
            self._grow(max(need, 2 * len(self._seqs), 1024))
        self._seqs[self.count : need] = [r[0] for r in rows]
        self._frames[self.count : need] = [r[1] for r in rows]
        self._rows[self.count : need] = np.frombuffer(b"".join(r[2] for r in rows), np.int8).reshape(len(rows), -1)
        self.count = need

    def _grow(self, size: int) -> None:
        seqs, frames, rows = self.arrays()
        self._seqs, self._frames = np.empty(size, np.int64), np.empty(size, np.int64)
        self._rows = np.empty((size, rows.shape[1]), np.int8)
        self._seqs[: self.count], self._frames[: self.count], self._rows[: self.count] = seqs, frames, rows


def _candidates(
    query: NDArray[np.int8],
    parts: Iterable[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8]]],
    dead: NDArray[np.int64],
    count: int,
    among: NDArray[np.int64] | None,
) -> list[int]:
    """The seqs of the best living rows of every part, best first."""
    found_seqs: list[NDArray[np.int64]] = []
    found_scores: list[NDArray[np.float32]] = []
    for seqs, frames, rows in parts:
        if not len(seqs):
            continue
        scores = dots(query, rows)
        if among is not None:
            scores = np.where(np.isin(frames, among), scores, -np.inf).astype(np.float32)
        buried = np.searchsorted(seqs, dead)
        buried = buried[(buried < len(seqs)) & (seqs[np.minimum(buried, len(seqs) - 1)] == dead)]
        scores[buried] = -np.inf
        top = best(scores, count)
        top = top[np.isfinite(scores[top])]
        found_seqs.append(seqs[top])
        found_scores.append(scores[top])
    if not found_seqs:
        return []
    every_seq, every_score = np.concatenate(found_seqs), np.concatenate(found_scores)
    return every_seq[np.lexsort((every_seq, -every_score))][:count].tolist()


def _rescore(sql: Connection, seqs: list[int], query: NDArray[np.float32]) -> list[Found]:
    rows = sql.execute(
        "SELECT v.frame, v.start, v.stop, v.f FROM json_each(?) AS w CROSS JOIN vec AS v ON v.seq = w.value"
        " WHERE length(v.f) = ?",
        (json.dumps(seqs), FLOAT16_BYTES * len(query)),
    ).fetchall()
    if not rows:
        return []
    scores = exact([r[3] for r in rows], query)
    chunks = [Found(r[0], r[1], r[2], float(score)) for r, score in zip(rows, scores, strict=True)]
    units: dict[int, Found] = {}
    for chunk in sorted(chunks, key=lambda c: (-c.score, c.frame, c.start)):
        units.setdefault(chunk.frame, chunk)
    return list(units.values())
