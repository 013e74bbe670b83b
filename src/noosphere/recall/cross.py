"""The cross rerank: a model of somebody's own reads the question with each of the best units, and orders those."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.errors import ModelUnavailable
from noosphere.model.trace import Degraded, Reranked

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.model.trace import Step
    from noosphere.providers.rerank.scorer import PairScorer
    from noosphere.recall.order import Placed
    from noosphere.recall.plan import Plan
    from noosphere.recall.pool import Pool

READ = 50  # units that are read with the question
CONTEXT = 200  # characters of the turn before


def crossed(
    plan: Plan, pool: Pool, placed: list[Placed], scorer: Callable[[], PairScorer], steps: list[Step]
) -> list[Placed]:
    """The best units in the model's order, the others behind them as they were; as they were when it does not work."""
    best, others = placed[:READ], placed[READ:]
    try:
        model = scorer()
        scores = model.scores(plan.query_used, [_text(pool, one) for one in best])
    except ModelUnavailable as problem:
        steps.append(Degraded("cross", str(problem), "ordered without it"))
        return placed
    steps.append(Reranked(model.name, 0, len(best), len(others)))
    order = sorted(range(len(best)), key=lambda n: (-scores[n], n))
    lowest = min(scores, default=0.0)
    behind = max((one.score for one in others), default=0.0)
    return [replace(best[n], score=scores[n], parts=(("cross", scores[n]),)) for n in order] + [
        replace(one, score=lowest - 1 + one.score - behind) for one in others
    ]


def _text(pool: Pool, placed: Placed) -> str:
    """A unit as the model reads it: who said it, after the turn before it."""
    unit, before = placed.unit, pool.before[placed.at]
    own = f"{unit.speaker}: {unit.text}" if unit.speaker else unit.text
    return own if before is None else f"{before.speaker}: {before.text[:CONTEXT]}\n{own}"
