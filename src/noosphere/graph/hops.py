"""Hops: from seeds over the heaviest edges, both ways, bounded, and never through what is not current.

A place is reached with the score of its best path: the seed's, times 0.6 and the weight for each edge (the seed names
one edge; for one hop they agree). Walking is breadth first, so a bound cuts off what is farthest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.model.query import NO_FILTERS
from noosphere.model.unit import hidden
from noosphere.model.vocabulary import CURRENT_STATUSES, NodeClass
from noosphere.records import dataclass
from noosphere.store import surroundings
from noosphere.store.hydrate import units

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.model.query import View
    from noosphere.store.connection import Connection
    from noosphere.store.surroundings import Standing, Way

FAN_OUT = 8
MOST = 50
DEEPEST = 3
DECAY = 0.6


class Place(NamedTuple):
    """A node, or the turn of a conversation in which an edge is anchored (0: the conversation as a whole)."""

    node: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Reached:
    """A place, and the best path to it."""

    place: Place
    score: float
    seed: Place
    path: tuple[Way, ...] = ()

    def order(self) -> tuple[float, Place]:
        """The best first; ties by age."""
        return -self.score, self.place


def walk(
    sql: Connection, seeds: Iterable[Place], view: View, depth: int, most: int = MOST, *, sight: Sight | None = None
) -> list[Reached]:
    """What lies within `depth` edges of the seeds, the best first, at most `most`; the seeds themselves are left out.

    Once `most` places are found the walk ends: scores are those of the best path among what was walked. Walks in one
    view may share a sight, so that nothing is looked up twice.
    """
    sight = sight or Sight(sql, view)
    best = {seed: Reached(seed, 1.0, seed) for seed in seeds if sight.shows(seed)}
    started = len(best)
    ahead = sorted(best.values(), key=Reached.order)
    for level in range(depth):
        better: dict[Place, Reached] = {}
        for start in ahead:
            for place, way in sight.around(start.place, seed=level == 0):
                if len(best) - started >= most:
                    return _found(best)
                score = start.score * DECAY * way.weight
                if place not in best or score > best[place].score:
                    best[place] = better[place] = Reached(place, score, start.seed, (*start.path, way))
        ahead = sorted(better.values(), key=Reached.order)
    return _found(best)


def _found(best: dict[Place, Reached]) -> list[Reached]:
    return sorted((one for one in best.values() if one.path), key=Reached.order)


class Sight:
    """What may be walked through in one view, looked up once."""

    def __init__(self, sql: Connection, view: View) -> None:
        self._sql = sql
        self._view = view
        self._standing: dict[int, Standing | None] = {}
        self._shown: dict[Place, bool] = {}

    def around(self, place: Place, *, seed: bool) -> list[tuple[Place, Way]]:
        """The nearest places by weight, at most FAN_OUT; a conversation as a whole leads on only as a seed."""
        found: dict[Place, Way] = {}
        talk = self.is_talk(place.node)
        if talk and not place.turn and not seed:
            return []
        for way in surroundings.ways(self._sql, place.node, self._view):
            if talk and place.turn and way.here != place.turn:
                continue
            anchored = way.there is not None and self.is_talk(way.node)
            there = Place(way.node, way.there or 0) if anchored else Place(way.node)
            if there not in found and there != place and self.shows(there):
                found[there] = way
                if len(found) == FAN_OUT:
                    break
        return list(found.items())

    def shows(self, place: Place) -> bool:
        """Whether a place may be shown, and so walked through."""
        known = self._shown.get(place)
        if known is None:
            known = self._shown[place] = self._decide(place)
        return known

    def is_talk(self, node: int) -> bool:
        """Whether a node is a conversation."""
        state = self._state(node)
        return state is not None and state.node_class is NodeClass.CONVERSATION

    def _state(self, node: int) -> Standing | None:
        if node not in self._standing:
            self._standing[node] = surroundings.standing(self._sql, node, self._view)
        return self._standing[node]

    def _decide(self, place: Place) -> bool:
        state, view = self._state(place.node), self._view
        if state is None or state.gone:
            return False
        lives = state.status in CURRENT_STATUSES
        if state.node_class is not NodeClass.MEMORY and not place.turn:
            return lives or view.include_past
        begun = state.holds_from is None or state.holds_from <= view.at
        if not place.turn and lives and not view.looks_back and begun and state.holds_to > view.at:
            return True  # plainly current; whatever is less plain is left to the one predicate
        unit = place.turn or state.head
        if unit is None:
            return False
        found = units(self._sql, [unit], view.known_at).get(unit)
        return found is not None and hidden(found, view, NO_FILTERS) is None
