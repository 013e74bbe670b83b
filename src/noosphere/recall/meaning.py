"""Which embedder a mind is asked by meaning with: that of its active space, else the static one; failures are told."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from noosphere.errors import ModelUnavailable
from noosphere.model.names import strip_names
from noosphere.model.trace import Degraded
from noosphere.providers.chain import Unavailable
from noosphere.providers.embed import files
from noosphere.records import dataclass
from noosphere.store import narrow
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.model.trace import Step
    from noosphere.providers.chain import Chain
    from noosphere.providers.ports import Embedder
    from noosphere.recall.lanes.semantic import Semantic
    from noosphere.recall.plan import Plan
    from noosphere.recall.weights import Grade
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vectors import SpaceRow


GRADES: dict[str, Grade] = {files.MULTILINGUAL.name: "multilingual"}  # of the spaces that are weighed by themselves
READ = 2_000  # characters of a question that a model reads: two or three of its windows


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question by meaning: the lane, the grade of what it measures, the model, and the text that it read."""

    lane: Semantic
    grade: Grade
    embedder: Embedder
    text: str


def meaning(
    mind: MindFile, chain: Chain, sql: Connection, plan: Plan, among: list[int] | None, steps: list[Step]
) -> Meaning | None:
    """How this mind is asked by meaning; None when that was not asked for or no embedder works."""
    if not plan.query_used or "semantic" not in plan.lanes:
        return None
    spaces, active = mind.spaces(), mind.facts().active_space
    arms: list[tuple[Grade, Callable[[], Embedder | Unavailable]]] = [("static", chain.static)]
    if active != files.STATIC.name:  # a model is loaded only when its turn comes
        arms.insert(0, ("encoder", chain.encoder if active is None else partial(chain.of_space, active)))
    for grade, arm in arms:
        embedder = arm()
        if isinstance(embedder, Unavailable):
            steps.append(Degraded(embedder.arm, embedder.reason, "the next embedder of the chain stands in"))
        elif embedder.space.name not in spaces:
            steps.append(Degraded(embedder.space.name, "this mind has no vectors of it", "the next one stands in"))
        elif spaces[embedder.space.name][Era.NOW].fingerprint != embedder.space.fingerprint:
            reason = "this mind's vectors are of another model of this name"
            steps.append(Degraded(embedder.space.name, reason, "the next one stands in"))
        else:
            try:
                return _asked(mind, sql, plan, among, embedder, spaces[embedder.space.name], grade)
            except ModelUnavailable as problem:
                steps.append(Degraded(embedder.space.name, problem.problem, "the next embedder stands in"))
    steps.append(Degraded("semantic", f"no embedder for the space {active}", "keywords only"))
    return None


def _asked(
    mind: MindFile,
    sql: Connection,
    plan: Plan,
    among: list[int] | None,
    embedder: Embedder,
    pair: dict[Era, SpaceRow],
    grade: Grade,
) -> Meaning:
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    from noosphere.recall.lanes.semantic import Semantic  # noqa: PLC0415

    names = narrow.only_participants(sql) or tuple(plan.filters.participants | plan.filters.speakers)
    text = _ends(strip_names(plan.query_used, names))
    chosen = None if among is None else np.array(among, np.int64)
    indexes = [mind.index(pair[era]) for era in plan.eras]
    lane = Semantic("semantic", embedder.embed_query(text), indexes, chosen)
    return Meaning(lane, GRADES.get(embedder.space.name, grade), embedder, text)


def _ends(text: str) -> str:
    """Both ends of a long text: people ask before or after what they paste, and every window costs a run."""
    half = READ // 2
    return text if len(text) <= READ else f"{text[:half]} {text[-half:]}"
