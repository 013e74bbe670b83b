"""A mind whose vectors are put in by hand, and a brute-force oracle that knows them all."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.model.draft import Draft
from noosphere.store import vectors
from noosphere.store.fulltext import Era
from noosphere.store.mind_file import MindFile, Opening
from noosphere.store.segment_build import build_segments
from noosphere.store.transaction import Author
from noosphere.store.vector_index import VectorIndex
from noosphere.store.vectors import NewVector, ensure_space
from noosphere.write.remember import remember

NAME = "by-hand"


@dataclass
class Unit:
    """What the oracle knows of a unit: its era and its chunks."""

    era: Era
    rows: np.ndarray


@dataclass
class Shelf:
    """A mind file with `size` new units to give vectors to, and the oracle's own copy of their vectors."""

    path: Path
    dim: int
    scale: float = 1.0
    size: int = 40
    units: dict = field(default_factory=dict)

    def __post_init__(self):
        clock = SystemClock()
        self.mind = MindFile(self.path, clock, Uuid7(clock), Author("test", "python"), Opening())
        with self.mind.write() as tx:
            self.pair = ensure_space(tx, NAME, "by hand 1", self.dim, self.scale)
        remember(self.mind, [Draft(text=f"unit {n}") for n in range(self.size)])
        with self.mind.read() as sql:
            self.frames = [frame for (frame,) in sql.execute("SELECT id FROM frame ORDER BY id")]
        with self.mind.write() as tx:
            for frame in self.frames if self.size else ():
                vectors.drop(tx, frame)  # they wait to be embedded

    def put(self, frame, rows, era=Era.NOW):
        """Give a unit vectors, one for each chunk, in place of those it had."""
        rows = np.asarray(rows, np.float32).reshape(-1, self.dim)
        small = np.clip(np.rint(rows * self.scale), -127, 127).astype(np.int8)
        made = [
            NewVector(n, n * 10, n * 10 + 10, small[n].tobytes(), row.astype(np.float16).tobytes())
            for n, row in enumerate(rows)
        ]
        with self.mind.write() as tx:
            vectors.want_in(tx, self.pair[Era.NOW].id, [frame])
            assert vectors.write(tx, self.pair, frame, era, "by hand", b"hash", made)
        self.units[frame] = Unit(era, rows)

    def put_many(self, rows):
        """Give so many units that are not there a vector each; the oracle does not learn of it."""
        small = np.clip(np.rint(rows * self.scale), -127, 127).astype(np.int8)
        exact = rows.astype(np.float16)
        with self.mind.db.use() as sql:
            sql.pragma("foreign_keys", False)
        with self.mind.write() as tx:
            tx.sql.executemany(
                """INSERT INTO vec (space, frame, chunk, start, stop, recipe, input_hash, q, f)
                   VALUES (?, ?, 0, 0, 10, 'by hand', x'00', ?, ?)""",
                [(self.pair[Era.NOW].id, 10**6 + n, small[n].tobytes(), exact[n].tobytes()) for n in range(len(rows))],
            )

    def drop(self, frame):
        """Take a unit's vectors away."""
        with self.mind.write() as tx:
            vectors.drop(tx, frame)
        self.units.pop(frame, None)

    def move(self, frame, era):
        """Move a unit to another era."""
        with self.mind.write() as tx:
            vectors.move(tx, frame, era)
        if frame in self.units:
            self.units[frame].era = era

    def build(self, min_rows=1):
        """Put every row into segments."""
        return build_segments(self.mind, min_rows=min_rows)

    def index(self, era=Era.NOW, folder=None):
        """A fresh index over the segments of a folder; an empty folder means rows only."""
        return VectorIndex(self.pair[era], folder or self.path.parent, self.mind.incarnation)

    def search(self, index, query, k, among=None):
        """What an index answers."""
        query = np.asarray(query, np.float32)
        chosen = None if among is None else np.array(sorted(among), np.int64)
        with self.mind.read() as sql:
            return index.search(sql, query, k, chosen)

    def scores(self, era, query, among=None):
        """What the oracle answers: the score of every unit of an era, its best chunk's."""
        query = np.asarray(query, np.float64)
        return {
            frame: float(max(unit.rows.astype(np.float64) @ query))
            for frame, unit in self.units.items()
            if unit.era is era and (among is None or frame in among)
        }

    def check(self, index, era, query, k, among=None):
        """An index answers as the oracle does; among equals any may stand at the end."""
        found = self.search(index, query, k, among)
        right = self.scores(era, query, among)
        best = sorted(right.values(), reverse=True)[:k]
        assert [f.score for f in found] == best
        assert [f.frame for f in found] == [f.frame for f in sorted(found, key=lambda f: (-f.score, f.frame))]
        assert len({f.frame for f in found}) == len(found)
        assert all(f.score == right[f.frame] for f in found)
        assert all(f.frame in {g.frame for g in found} for f in found if f.score > best[-1])
        for hit in found:
            chunk = self.units[hit.frame].rows[hit.start // 10].astype(np.float64)
            assert float(chunk @ np.asarray(query, np.float64)) == hit.score
            assert hit.stop == hit.start + 10
        with self.mind.read() as sql:
            cosines = index.cosines(sql, self.frames[::-1], np.asarray(query, np.float32))
        assert cosines == {frame: max(score, -1.0) for frame, score in self.scores(era, query).items()}

    def close(self):
        """Close the mind."""
        self.mind.close()
