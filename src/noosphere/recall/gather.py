"""Gathering: each lane is asked, its candidates are hydrated, and the one predicate says which may be shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.trace import Gathered
from noosphere.model.unit import Hidden, hidden
from noosphere.recall.weights import MAX_DEPTH, WIDEN
from noosphere.records import dataclass
from noosphere.store.hydrate import units

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.model.unit import Unit
    from noosphere.recall.lanes.lane import Candidate, Lane
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection

FIRST_DEPTH = 2  # times the pool: most questions need no second look


class Sight:
    """What this question may see: units hydrated once, each with the predicate's word on it."""

    def __init__(self, sql: Connection, plan: Plan) -> None:
        self._sql = sql
        self._plan = plan
        self._units: dict[int, Unit] = {}
        self._hidden: dict[int, Hidden | None] = {}

    def look(self, frames: Iterable[int]) -> None:
        """Hydrate what was not hydrated yet."""
        new = [f for f in frames if f not in self._hidden]
        if not new:
            return
        view, filters = self._plan.view, self._plan.filters
        found = units(self._sql, new, view.known_at)
        self._units |= found
        for frame in new:
            unit = found.get(frame)
            self._hidden[frame] = Hidden.UNKNOWN_THEN if unit is None else hidden(unit, view, filters)

    def why_not(self, frame: int) -> Hidden | None:
        """Why a unit may not be shown, None when it may; it must have been looked at."""
        return self._hidden[frame]

    def unit(self, frame: int) -> Unit:
        """A unit that may be shown."""
        return self._units[frame]


@dataclass(frozen=True, slots=True)
class Lot:
    """What a lane brought: its first visible candidates, best first, and the score of everything it found.

    `ranks` says which of the candidates each frame is, counted from 1.
    """

    lane: str
    candidates: tuple[Candidate, ...]
    scores: dict[int, float]
    ranks: dict[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the candidates."""
        object.__setattr__(self, "ranks", {c.frame: rank for rank, c in enumerate(self.candidates, start=1)})


def gather_together(sql: Connection, lanes: Sequence[Lane], sight: Sight, pool: int) -> list[tuple[Lot, Gathered]]:
    """Ask several lanes; what most of them will look at is hydrated at once."""
    found = [lane.find(sql, FIRST_DEPTH * pool) for lane in lanes]
    sight.look(dict.fromkeys(c.frame for own in found for c in own[:pool]))
    return [gather(sql, lane, sight, pool, own) for lane, own in zip(lanes, found, strict=True)]


def gather(
    sql: Connection, lane: Lane, sight: Sight, pool: int, first: Sequence[Candidate] | None = None
) -> tuple[Lot, Gathered]:
    """Ask a lane, deeper each time too few of its candidates may be shown, until enough or exhausted.

    `first` is what it found at the first depth, when it was asked before.
    """
    depth, widened = FIRST_DEPTH * pool, 0
    while True:
        found = lane.find(sql, depth) if first is None or widened else first
        visible, reasons = _visible(found, sight, pool)
        exhausted = len(found) < depth
        if len(visible) >= pool or exhausted or depth >= MAX_DEPTH:
            break
        depth, widened = min(depth * WIDEN, MAX_DEPTH), widened + 1
    record = Gathered(
        lane=lane.name,
        found=tuple((uid_text(sight.unit(c.frame).id), round(c.score, 6)) for c in visible),
        hidden=tuple(sorted(reasons.items())),
        widened=widened,
        exhausted=exhausted,
    )
    return Lot(lane.name, tuple(visible), {c.frame: c.score for c in found}), record


def _visible(found: Sequence[Candidate], sight: Sight, pool: int) -> tuple[list[Candidate], Counter[str]]:
    """The first `pool` candidates that may be shown, and why those before them may not; no more are hydrated."""
    visible: list[Candidate] = []
    reasons: Counter[str] = Counter()
    for start in range(0, len(found), pool):
        part = found[start : start + pool]
        sight.look([c.frame for c in part])
        for candidate in part:
            why = sight.why_not(candidate.frame)
            if why is not None:
                reasons[why.value] += 1
                continue
            visible.append(candidate)
            if len(visible) == pool:
                return visible, reasons
    return visible, reasons
