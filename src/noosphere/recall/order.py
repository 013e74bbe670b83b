"""The order inside the pool: a weighted sum of features. It orders the pool and never leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.recall.company import company
from noosphere.recall.features import features
from noosphere.recall.lead import MATCH, lead, turns_before
from noosphere.recall.relevance import DEFAULT
from noosphere.recall.weights import weights
from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.model.unit import Unit
    from noosphere.recall.plan import Plan
    from noosphere.recall.pool import Pool
    from noosphere.recall.weights import Grade

CHOSEN_PROFILE = 2.0  # of the relevance when a profile was asked for: as much as two standard deviations of the match


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit with its place in the order: where it is in the pool, its score, and the terms it is the sum of."""

    unit: Unit
    at: int
    score: float
    parts: tuple[tuple[str, float], ...]


def order(plan: Plan, pool: Pool, grade: Grade, zone: tzinfo, most: int | None = None) -> list[Placed]:
    """Order the pool, best first, and give the first `most`, as many as the plan wants when None; ties break by id."""
    columns = _weighed(plan, pool, grade, zone)
    total = _sums(columns, len(pool.units))
    best = sorted(range(len(pool.units)), key=lambda n: (-total[n], pool.units[n].frame_uid))
    return [
        Placed(pool.units[n], n, total[n], tuple((name, column[n]) for name, column in columns.items() if column[n]))
        for n in best[: plan.k if most is None else most]
    ]


def totals(plan: Plan, pool: Pool, grade: Grade, zone: tzinfo) -> list[float]:
    """The score of every unit of the pool, in its order."""
    return _sums(_weighed(plan, pool, grade, zone), len(pool.units))


def _weighed(plan: Plan, pool: Pool, grade: Grade, zone: tzinfo) -> dict[str, list[float]]:
    weight = {name: value for name, value in weights(grade).items() if value}
    if plan.profile != DEFAULT:
        weight["relevance"] = CHOSEN_PROFILE
    columns = features(plan, pool, zone, weight.keys())
    weighed = {name: [weight[name] * value for value in column] for name, column in columns.items() if any(column)}
    size = len(pool.units)
    if "lead" in weight:
        matches = _sums({name: weighed[name] for name in MATCH if name in weighed}, size)
        weighed["lead"] = [weight["lead"] * value for value in lead(turns_before(pool), matches)]
    if "company" in weight:
        weighed["company"] = [weight["company"] * value for value in company(pool.units, _sums(weighed, size))]
    return weighed


def _sums(columns: dict[str, list[float]], size: int) -> list[float]:
    return [sum(values) for values in zip(*columns.values(), strict=True)] or [0.0] * size
