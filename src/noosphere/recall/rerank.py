"""The deep rerank: late interaction over the pool, from stored tokens, or from tokens made for its best units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.trace import Degraded, Reranked
from noosphere.providers.ports import LateEmbedder
from noosphere.recall.order import totals
from noosphere.records import dataclass
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    import numpy as np
    from numpy.typing import NDArray

    from noosphere.model.trace import Step
    from noosphere.model.unit import Unit
    from noosphere.providers.ports import Packed, TokenVectors
    from noosphere.recall.made import Made
    from noosphere.recall.meaning import Meaning
    from noosphere.recall.plan import Plan
    from noosphere.recall.pool import Pool
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.mind_file import MindFile


@dataclass(frozen=True, slots=True)
class Question:
    """A question's tokens for one mind: the model, the tokens, and how rare each one's word is there."""

    embedder: LateEmbedder
    tokens: TokenVectors
    weights: NDArray[np.float32]
    stored: dict[int, Packed]


def ask(
    mind: MindFile, sql: Connection, plan: Plan, meaning: Meaning, frequencies: Frequencies, units: Sequence[Unit]
) -> Question | Degraded:
    """Read the question token by token, and fetch the stored tokens of a mind's candidates."""
    from noosphere.recall.interaction import stored, word_weights  # noqa: PLC0415  (brings numpy)

    name = meaning.embedder.space.name
    if not isinstance(meaning.embedder, LateEmbedder):
        return Degraded("deep", f"{name} shows no tokens", "ordered without the late interaction")
    tokens = meaning.embedder.late_query(meaning.text)
    size = frequencies.size(sql)
    weights = word_weights(sql, tokens, meaning.text, frequencies, plan.eras, size)
    return Question(meaning.embedder, tokens, weights, stored(sql, mind.spaces()[name][Era.NOW].id, units))


def rerank(plan: Plan, pool: Pool, questions: Sequence[Question], made: Made, zone: tzinfo, steps: list[Step]) -> None:
    """Give the units of the pool their interaction; those without stored tokens only when they are among the best."""
    from noosphere.recall.interaction import COMPUTED, scores  # noqa: PLC0415  (brings numpy)

    columns = totals(plan, pool, "encoder", zone)
    best = set(sorted(range(len(pool.units)), key=lambda n: (-columns[n], pool.units[n].frame_uid))[:COMPUTED])
    from_store = computed = 0
    for mind, question in enumerate(questions):
        chosen: list[int] = []
        rows: list[Packed] = []
        for number, unit in enumerate(pool.units):
            if pool.minds[number] != mind:
                continue
            packed = question.stored.get(unit.frame)
            from_store += packed is not None
            if packed is None and number in best:
                packed = made.rows(question.embedder, unit, pool.before[number])
                computed += 1
            if packed is not None:
                chosen.append(number)
                rows.append(packed)
        for number, score in zip(chosen, scores(question.tokens.rows, question.weights, rows), strict=True):
            pool.interaction[number] = score
    steps.append(Reranked("late interaction", from_store, computed, len(pool.units) - from_store - computed))
