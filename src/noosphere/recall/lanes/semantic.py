"""The semantic lane: cosine between the question's vector and the units' chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.recall.lanes.lane import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from noosphere.store.connection import Connection
    from noosphere.store.vector_index import VectorIndex


class Semantic:
    """Finds units by what they mean."""

    def __init__(
        self,
        name: str,
        query: NDArray[np.float32],
        indexes: Sequence[VectorIndex],
        among: NDArray[np.int64] | None = None,
    ) -> None:
        self.name = name
        self._query = query
        self._indexes = indexes
        self._among = among

    def find(self, sql: Connection, depth: int) -> list[Candidate]:
        """Search the space of each era and take the best."""
        if not self._query.any():
            return []  # nothing in the question that the model knows
        found = [f for index in self._indexes for f in index.search(sql, self._query, depth, self._among)]
        if len(self._indexes) > 1:
            found.sort(key=lambda f: (-f.score, f.frame))
        return [Candidate(f.frame, f.score, (f.start, f.stop)) for f in found[:depth]]

    def scores(self, sql: Connection, frames: Iterable[int]) -> dict[int, float]:
        """The exact cosine of given units, for those that other lanes brought."""
        wanted = list(frames)
        found: dict[int, float] = {}
        for index in self._indexes:
            found |= index.cosines(sql, wanted, self._query)
        return found
