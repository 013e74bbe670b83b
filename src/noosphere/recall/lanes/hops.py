"""The hops lane: what is connected with what the question names and with the best that other lanes found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph import hops
from noosphere.graph.hops import Place, walk
from noosphere.graph.normalize import normalize
from noosphere.recall.fusion import fuse
from noosphere.recall.lanes.lane import Candidate
from noosphere.recall.relevance import counts
from noosphere.store import listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.recall.gather import Lot, Sight
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection

SEEDS = 3  # of the best that other lanes found
DEPTH = 2
LONGEST_NAME = 4  # words of an entity's name
READ = 1_000  # characters of a question in which entities are looked for
BROUGHT = 12  # units: what is connected adds to the pool and does not crowd it


class Hops:
    """Finds units by the edges that lead to them; `distance` says how far each node is from what the question is about.

    Args:
        lots: what the other lanes brought; their best are where it starts.
    """

    name = "hops"

    def __init__(self, plan: Plan, sight: Sight, lots: Sequence[Lot]) -> None:
        self._plan = plan
        self._sight = sight
        self._lots = lots
        self.distance: dict[int, int] = {}

    def find(self, sql: Connection, depth: int) -> list[Candidate]:
        """Walk from the entities that the question names, and from the best so far."""
        if not listing.has_edges(sql):
            return []
        named = listing.entities(sql, list(_names(self._plan.query)))
        units = [self._sight.unit(frame) for frame in list(fuse(self._lots))[:SEEDS]]
        best = [Place(unit.node, unit.frame if unit.turn_key is not None else 0) for unit in units]
        about = [Place(node) for node in named] or best[:1]
        self.distance = {place.node: 0 for place in about}
        view = self._plan.view
        sight = hops.Sight(sql, view)
        if counts(self._plan.profile):  # nothing else asks how far
            for reached in walk(sql, about, view, DEPTH + 1, sight=sight):
                self.distance.setdefault(reached.place.node, len(reached.path))
        reached = walk(sql, dict.fromkeys([*about, *best]), view, DEPTH, sight=sight)
        heads = listing.heads(sql, [r.place.node for r in reached if not r.place.turn])
        found = [
            Candidate(frame, r.score) for r in reached if (frame := r.place.turn or heads.get(r.place.node)) is not None
        ]
        return found[: min(depth, BROUGHT)]


def _names(query: str) -> Iterator[str]:
    """Every run of words that may be the name of an entity, as entities are identified."""
    words = query[:READ].split()
    for start in range(len(words)):
        for stop in range(start + 1, min(start + LONGEST_NAME, len(words)) + 1):
            yield normalize(" ".join(words[start:stop]).strip("?!.,;:()\"'"))
