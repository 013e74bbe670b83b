"""The parts of a vector index: segments mapped into memory, and the tail of rows that no segment holds yet."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from noosphere.records import dataclass
from noosphere.store.vectors import SOUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from noosphere.store.connection import Connection
    from noosphere.store.sketch import Sketch
    from noosphere.store.vectors import SpaceRow

# frames, where their chunks lie, and their vectors
Looked = tuple["NDArray[np.int64]", "NDArray[np.int32]", "NDArray[np.float16]"]


@dataclass(slots=True)
class Mapped:
    """A segment's arrays; see `segments.Segment`."""

    seqs: NDArray[np.int64]
    frames: NDArray[np.int64]
    rows: NDArray[np.int8]
    spans: NDArray[np.int32]
    exact: NDArray[np.float16]
    sketch: Sketch | None = None
    _by_frame: NDArray[np.intp] | None = field(init=False, default=None)
    _sorted: NDArray[np.int64] | None = field(init=False, default=None)

    def look(self, sql: Connection, at: NDArray[np.intp]) -> Looked:  # noqa: ARG002  (the tail asks the database)
        """What is known of rows."""
        return self.frames[at], self.spans[at], self.exact[at]

    def places(self, frames: NDArray[np.int64], dead: NDArray[np.int64]) -> NDArray[np.intp]:
        """Where the living rows of these frames lie."""
        order, known = self._order()
        first = np.searchsorted(known, frames, "left")
        count = np.searchsorted(known, frames, "right") - first
        step: NDArray[np.intp] = np.arange(int(count.sum()), dtype=np.intp)
        at: NDArray[np.intp] = np.repeat(first + count - np.cumsum(count), count) + step
        if order is not None:
            at = order[at]
        return at[~holds(dead, self.seqs[at])] if len(dead) else at

    def _order(self) -> tuple[NDArray[np.intp] | None, NDArray[np.int64]]:
        """The rows by frame; as they lie, when they were embedded in that order."""
        if self._sorted is None:
            if (self.frames[1:] >= self.frames[:-1]).all():
                self._sorted = self.frames
            else:
                self._by_frame = np.argsort(self.frames, kind="stable")
                self._sorted = self.frames[self._by_frame]
        return self._by_frame, self._sorted


@dataclass(frozen=True, slots=True)
class Recent:
    """The tail as it was at one moment; its exact vectors are in the database."""

    space: SpaceRow
    seqs: NDArray[np.int64]
    frames: NDArray[np.int64]
    rows: NDArray[np.int8]
    sketch: None = None

    def look(self, sql: Connection, at: NDArray[np.intp]) -> Looked:
        """What is known of rows, without those that the transaction does not see."""
        found = sql.execute(
            f"""SELECT v.frame, v.start, v.stop, v.f FROM json_each(:seqs) AS w CROSS JOIN vec AS v ON v.seq = w.value
            WHERE {SOUND}""",
            {"seqs": json.dumps(self.seqs[at].tolist()), "dim": self.space.dim},
        ).fetchall()
        exact = np.frombuffer(b"".join(row[3] for row in found), np.float16).reshape(len(found), self.space.dim)
        frames = np.array([row[0] for row in found], np.int64)
        return frames, np.array([row[1:3] for row in found], np.int32).reshape(len(found), 2), exact


Part = Mapped | Recent


class Tail:
    """Rows that no segment holds yet, in arrays that grow by doubling."""

    def __init__(self, space: SpaceRow) -> None:
        self.count = 0
        self._space = space
        self._seqs = np.empty(0, np.int64)
        self._frames = np.empty(0, np.int64)
        self._rows = np.empty((0, space.dim), np.int8)

    def part(self) -> Recent:
        """What is in it now."""
        return Recent(self._space, self._seqs[: self.count], self._frames[: self.count], self._rows[: self.count])

    def extend(self, rows: list[tuple[int, int, bytes]]) -> None:
        """Add rows: seq, frame and int8 vector."""
        need = self.count + len(rows)
        if need > len(self._seqs):
            self._grow(max(need, 2 * len(self._seqs), 1024))
        self._seqs[self.count : need] = [r[0] for r in rows]
        self._frames[self.count : need] = [r[1] for r in rows]
        self._rows[self.count : need] = np.frombuffer(b"".join(r[2] for r in rows), np.int8).reshape(len(rows), -1)
        self.count = need

    def _grow(self, size: int) -> None:
        now = self.part()
        self._seqs, self._frames = np.empty(size, np.int64), np.empty(size, np.int64)
        self._rows = np.empty((size, now.rows.shape[1]), np.int8)
        self._seqs[: self.count], self._frames[: self.count], self._rows[: self.count] = now.seqs, now.frames, now.rows


def holds(known: NDArray[np.int64], seqs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of these seqs are among known ones, that are in order and not none."""
    at = np.minimum(np.searchsorted(known, seqs), len(known) - 1)
    return known[at] == seqs
