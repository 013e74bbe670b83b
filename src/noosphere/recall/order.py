"""The order inside the pool: a linear recipe over z-scored features. It orders the pool and never leaves it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from noosphere.recall.weights import EXACT, KEYWORD, SEMANTIC
from noosphere.store.terms import matched_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.model.unit import Unit
    from noosphere.recall.plan import Plan

RECIPE = "z(keyword) + z(semantic) + exact ids"


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit with its place in the order: the score and the terms it is the sum of."""

    unit: Unit
    score: float
    parts: tuple[tuple[str, float], ...]


def order(plan: Plan, pool: Sequence[Unit], scores: Mapping[str, Mapping[int, float]]) -> list[Placed]:
    """Order the pool, best first; ties break by id.

    Args:
        plan: the question.
        pool: the units to order.
        scores: each lane's raw score by frame; a unit the lane did not score counts as 0.
    """
    weights = {"keyword": KEYWORD, "semantic": SEMANTIC}
    columns = {
        name: [weights[name] * z for z in zscores([raw.get(u.frame, 0.0) for u in pool])]
        for name, raw in scores.items()
    }
    columns["exact"] = [EXACT * share for share in _exact_shares(plan, pool)]
    placed: list[Placed] = []
    for n, unit in enumerate(pool):
        parts = tuple((name, column[n]) for name, column in columns.items())
        placed.append(Placed(unit, sum(value for _, value in parts), parts))
    return sorted(placed, key=lambda p: (-p.score, p.unit.frame_uid))


def zscores(values: Sequence[float]) -> list[float]:
    """Standard scores; all 0 where the values do not differ."""
    if not values:
        return []
    mean = sum(values) / len(values)
    spread = sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    return [0.0] * len(values) if spread == 0 else [(v - mean) / spread for v in values]


def _exact_shares(plan: Plan, pool: Sequence[Unit]) -> list[float]:
    """The share of the query's ids that stand in each unit."""
    ids = plan.exact
    if not ids:
        return [0.0] * len(pool)
    return [len(matched_terms(u.text, ids)) / len(ids) for u in pool]
