"""Search over one space: its segments and the rows after them, scanned in int8, rescored in float16.

Rows that no segment holds yet are kept in a private tail in memory. What is new is found by `seq`, which
rises in the order of commits; what is gone, by the tombstones that a trigger leaves. When a segment was
written, the index goes over to it: its tail is short again, and tombstones that nobody needs any more are gone.

Of a large segment only the rows are scanned that its sketch says are near: as many as were needed to find 99 % of
the ten nearest when it was written, and as many again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import apsw
import numpy as np

from noosphere.errors import BrokenInvariant
from noosphere.forking import Lock
from noosphere.store import vectors
from noosphere.store.scan import best, dots, quantize
from noosphere.store.segments import open_segment
from noosphere.store.vector_parts import Mapped, Tail, holds
from noosphere.store.vectors import SOUND

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from noosphere.store.connection import Connection
    from noosphere.store.segments import Segment
    from noosphere.store.vector_parts import Part
    from noosphere.store.vectors import SpaceRow

SPARE = 40  # rows rescored beyond those asked for: int8 misorders neighbours, seldom by more than a few places
OVERFETCH = 4
PULL = 8192  # rows read at a time while catching up
NEAR = 20  # times as many rows as are wanted are scanned at least, of those that a sketch says are near
MARKS = "SELECT name, seq FROM sqlite_sequence WHERE name IN ('vec', 'vec_tomb', 'segment')"


class Found(NamedTuple):
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
        self._lock = Lock()
        self._parts: dict[str, Mapped] = {}  # by the name of the file
        self._tail = Tail(space)
        self._last_seq = 0
        self._last_tomb = 0
        self._last_segment = -1
        self._dead = np.empty(0, np.int64)
        self._unusable: tuple[str, ...] = ()

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
        parts, dead = self._now(sql)
        small, count = quantize(query, self.space.scale), k + max(k // 2, SPARE)
        while True:
            chosen = _candidates(small, query, parts, dead, count, among)
            found = _rescored(sql, chosen, query)
            if len(found) >= k or sum(len(at) for _, at in chosen) < count:
                return found[:k]
            count *= OVERFETCH  # many chunks of few units

    def cosines(self, sql: Connection, frames: Sequence[int], query: NDArray[np.float32]) -> dict[int, float]:
        """The exact cosine of a unit-length query with each unit that has vectors here: its best chunk's.

        Raises:
            BrokenInvariant: called inside a write transaction.
        """
        parts, dead = self._now(sql)
        wanted = np.array(sorted(set(frames)), np.int64)
        found: dict[int, float] = {}
        for part in parts:
            if isinstance(part, Mapped) and len(at := part.places(wanted, dead)):
                scores = vectors.products(part.exact[at], query)
                for frame, score in zip(part.frames[at].tolist(), scores.tolist(), strict=True):
                    found[frame] = max(score, found.get(frame, -1.0))
        missing = [frame for frame in wanted.tolist() if frame not in found] if len(parts[-1].seqs) else []
        return found | vectors.cosines(sql, self.space.id, missing, query) if missing else found

    def unusable(self, sql: Connection) -> tuple[str, ...]:
        """The first segment of the manifest that is missing, torn or foreign, and those after it.

        Rows from there on are read from the database. It may be asked inside a write transaction: no row is read.
        """
        with self._lock:
            if self._last_segment < 0:
                self._open_parts(sql)
            return self._unusable

    def _now(self, sql: Connection) -> tuple[list[Part], NDArray[np.int64]]:
        """The parts as of this transaction, and the rows in them that are gone."""
        if sql.txn_state() == apsw.SQLITE_TXN_WRITE:
            raise BrokenInvariant(
                "vectors were searched inside a write transaction", "Report this; it is a fault of ours"
            )
        with self._lock:
            self._refresh(sql)
            return [*self._parts.values(), self._tail.part()], self._dead

    def _refresh(self, sql: Connection) -> None:
        marks = dict(sql.execute(MARKS))
        if marks.get("segment", 0) > self._last_segment:
            self._open_parts(sql)
            self._last_segment = marks.get("segment", 0)
        if marks.get("vec", 0) > self._last_seq:
            self._pull(sql, marks["vec"])
        if marks.get("vec_tomb", 0) > self._last_tomb:
            self._bury(sql, marks["vec_tomb"])

    def _open_parts(self, sql: Connection) -> None:
        """Open what the manifest lists; rows that no usable segment holds come from the database."""
        known, self._parts, self._unusable = self._parts, {}, ()
        self._tail, self._last_seq = Tail(self.space), 0
        self._dead, self._last_tomb = np.empty(0, np.int64), 0
        manifest = sql.execute(
            "SELECT lo, hi, file FROM segment WHERE space = ? AND incarnation = ? ORDER BY lo",
            (self.space.id, self._incarnation),
        ).fetchall()
        for number, (lo, hi, file) in enumerate(manifest):
            part = known.get(file) or self._open(sql, lo, hi, file)
            if part is None:
                self._unusable = tuple(later for _, _, later in manifest[number:])
                break
            self._parts[file] = part
            self._last_seq = hi

    def _open(self, sql: Connection, lo: int, hi: int, file: str) -> Mapped | None:
        part = open_segment(self._folder / file, incarnation=self._incarnation, dim=self.space.dim, ahead=True)
        if part is None or (part.lo, part.hi) != (lo, hi) or not self._fits(sql, part):
            return None
        return Mapped(part.seqs, part.frames, part.rows, part.spans, part.exact, part.sketch)

    def _fits(self, sql: Connection, part: Segment) -> bool:
        """Whether no row lies between a segment and the one before it, and its newest living row is the database's."""
        values = {"space": self.space.id, "dim": self.space.dim, "before": self._last_seq, "lo": part.lo, "hi": part.hi}
        between = f"SELECT 1 FROM vec WHERE space = :space AND seq > :before AND seq < :lo AND {SOUND} LIMIT 1"
        if sql.execute(between, values).get is not None:
            return False
        newest = f"""SELECT seq, q, f FROM vec WHERE space = :space AND seq BETWEEN :lo AND :hi AND {SOUND}
          ORDER BY seq DESC LIMIT 1"""
        for seq, q, f in sql.execute(newest, values):
            place = int(np.searchsorted(part.seqs, np.int64(seq)))
            known = place < len(part.seqs) and part.seqs[place] == seq
            return known and part.rows[place].tobytes() == q and part.exact[place].tobytes() == f
        return True

    def _pull(self, sql: Connection, upto: int) -> None:
        cursor = sql.execute(
            f"SELECT seq, frame, q FROM vec WHERE seq > :seq AND space = :space AND {SOUND} ORDER BY seq",
            {"seq": self._last_seq, "space": self.space.id, "dim": self.space.dim},
        )
        while rows := [r for _, r in zip(range(PULL), cursor, strict=False)]:
            self._tail.extend(rows)
        self._last_seq = max(self._last_seq, upto)

    def _bury(self, sql: Connection, upto: int) -> None:
        rows = sql.execute("SELECT vec FROM vec_tomb WHERE seq > ? AND space = ?", (self._last_tomb, self.space.id))
        new = np.fromiter((vec for (vec,) in rows), np.int64)
        self._dead = np.sort(np.concatenate([self._dead, new]))
        self._last_tomb = max(self._last_tomb, upto)


def _candidates(
    small: NDArray[np.int8],
    query: NDArray[np.float32],
    parts: Sequence[Part],
    dead: NDArray[np.int64],
    count: int,
    among: NDArray[np.int64] | None,
) -> list[tuple[Part, NDArray[np.intp]]]:
    """Where the best living rows are, `count` of all parts together."""
    chosen: list[tuple[Part, NDArray[np.intp]]] = []
    scores: list[NDArray[np.float32]] = []
    for part in (part for part in parts if len(part.seqs)):
        at, found = _best(small, query, part, dead, count, among)
        chosen.append((part, at))
        scores.append(found)
    if len(chosen) <= 1:
        return chosen
    every = np.concatenate(scores)
    seqs = np.concatenate([part.seqs[at] for part, at in chosen])
    kept = np.zeros(len(every), np.bool_)
    kept[np.lexsort((seqs, -every))[:count]] = True
    ends = np.cumsum([len(at) for _, at in chosen])[:-1]
    return [(part, at[mine]) for (part, at), mine in zip(chosen, np.split(kept, ends), strict=True)]


def _best(
    small: NDArray[np.int8],
    query: NDArray[np.float32],
    part: Part,
    dead: NDArray[np.int64],
    count: int,
    among: NDArray[np.int64] | None,
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The best living rows of one part, at most `count`, with their scores.

    Where frames are given to choose from, all rows are scanned: those may lie anywhere.
    """
    width = count
    while True:
        near = None if part.sketch is None or among is not None else part.sketch.near(query, NEAR * width)
        found = dots(small, part.rows if near is None else part.rows.take(near, axis=0))
        if among is not None:
            found = np.where(np.isin(part.frames, among), found, -np.inf).astype(np.float32)
        top = best(found, width)
        top = top[np.isfinite(found[top])]
        at, exhausted = top if near is None else near[top], near is None and len(top) < width
        if len(dead):
            alive = ~holds(dead, part.seqs[at])
            at, top = at[alive], top[alive]
        if exhausted or len(at) >= count:
            return at[:count], found[top[:count]]
        width *= OVERFETCH


def _rescored(
    sql: Connection, chosen: Sequence[tuple[Part, NDArray[np.intp]]], query: NDArray[np.float32]
) -> list[Found]:
    """The units of the chosen rows by their exact cosine, best first."""
    looked = [part.look(sql, at) for part, at in chosen if len(at)]
    if not looked:
        return []
    frames, spans, exact = (np.concatenate(each) if len(looked) > 1 else each[0] for each in zip(*looked, strict=True))
    scores = vectors.products(exact, query)
    order = np.lexsort((spans[:, 0], frames, -scores))
    best_chunks = order[_firsts(frames[order].tolist())]
    columns = (frames, spans[:, 0], spans[:, 1], scores)
    return list(map(Found, *(column[best_chunks].tolist() for column in columns)))


def _firsts(frames: list[int]) -> list[int]:
    """Where each frame stands first (np.unique would tell too, and bring numpy.ma: 15 ms of a cold start)."""
    places = {frame: place for place, frame in zip(reversed(range(len(frames))), reversed(frames), strict=True)}
    return sorted(places.values())
