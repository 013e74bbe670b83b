"""The pool: the candidates of a question, of one mind or of several, with all that the order reads of them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from noosphere.model.unit import Unit
from noosphere.recall.fusion import fuse
from noosphere.records import dataclass
from noosphere.store import neighbours
from noosphere.store.neighbours import Neighbour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.recall.gather import Lot, Sight
    from noosphere.recall.lanes.semantic import Semantic
    from noosphere.store.connection import Connection


@dataclass(slots=True, kw_only=True)
class Pool:
    """Candidates as parallel columns, in the order of fusion, mind by mind.

    Attributes:
        units: what may be shown.
        minds: which of the asked minds each is from, counted from 0.
        keyword: the keyword lane's score; 0 where it found nothing.
        cosine: with the question; None while a unit waits to be embedded.
        before: the turn each turn follows in its session, and `after` the one that follows it.
        asked: the keyword score of the turn before.
        next_cosine: of the turn after.
        distance: edges between its node and what the question is about; None where nothing leads there.
        interaction: the late interaction with the question's tokens; None where there is none.
        foreign: whether it is in another language than the question, where the model reads both (see languages.py).
    """

    units: list[Unit] = field(default_factory=list[Unit])
    minds: list[int] = field(default_factory=list[int])
    keyword: list[float] = field(default_factory=list[float])
    cosine: list[float | None] = field(default_factory=list[float | None])
    before: list[Neighbour | None] = field(default_factory=list[Neighbour | None])
    after: list[Neighbour | None] = field(default_factory=list[Neighbour | None])
    asked: list[float] = field(default_factory=list[float])
    next_cosine: list[float | None] = field(default_factory=list[float | None])
    distance: list[int | None] = field(default_factory=list[int | None])
    interaction: list[float | None] = field(default_factory=list[float | None])
    foreign: list[bool] = field(default_factory=list[bool])


def add_candidates(
    pool: Pool, mind: int, sql: Connection, lots: Sequence[Lot], semantic: Semantic | None, sight: Sight
) -> None:
    """Fuse one mind's lanes into the pool; each unit also gets the scores of the lanes that did not bring it."""
    frames = list(fuse(lots))
    scores = {lot.lane: lot.scores for lot in lots}
    words = scores.get("keyword", {})
    before, after = neighbours.before(sql, frames), neighbours.after(sql, frames)
    cosines = _cosines(sql, scores.get("semantic", {}), semantic, [*frames, *(n.frame for n in after.values())])
    asked, following = list(map(before.get, frames)), list(map(after.get, frames))
    pool.units += map(sight.unit, frames)
    pool.minds += [mind] * len(frames)
    pool.keyword += [words.get(frame, 0.0) for frame in frames]
    pool.cosine += map(cosines.get, frames)
    pool.before += asked
    pool.after += following
    pool.asked += [words.get(turn.frame, 0.0) if turn else 0.0 for turn in asked]
    pool.next_cosine += [cosines.get(turn.frame) if turn else None for turn in following]
    pool.interaction += [None] * len(frames)
    pool.foreign += [False] * len(frames)


def _cosines(
    sql: Connection, known: dict[int, float], semantic: Semantic | None, frames: Sequence[int]
) -> dict[int, float]:
    if semantic is None:
        return {}
    return known | semantic.scores(sql, [f for f in dict.fromkeys(frames) if f not in known])
