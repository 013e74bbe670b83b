"""The one pipeline behind every door: plan, gather, filter, fuse, order, and for recall fit and render.

It asks one mind or several: each mind brings its candidates to one pool, which is measured and ordered as a whole.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.hit import Hit, Recall
from noosphere.model.trace import Nothing, Ordered, Planned, Step, Trace
from noosphere.model.when import iso
from noosphere.recall.catching_up import caught_up, important
from noosphere.recall.confidence import LOOKED_AT
from noosphere.recall.cross import READ, crossed
from noosphere.recall.diversity import diversify
from noosphere.recall.fitting import fit
from noosphere.recall.gathering import Reader, gather_all
from noosphere.recall.hits import make_hit
from noosphere.recall.later import later_first
from noosphere.recall.once import SPARE, of_unit, shown_once
from noosphere.recall.order import order
from noosphere.recall.outlived import outlived_last
from noosphere.recall.render import Answer
from noosphere.recall.screen import screen
from noosphere.recall.spelled import spelled
from noosphere.recall.waiting import waiting_last
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.recall.plan import Plan

__all__ = ["Ranked", "Reader", "rank", "recall"]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranking that recall renders, and how it came to be."""

    hits: tuple[Hit, ...]
    trace: Trace


def rank(readers: Sequence[Reader], plan: Plan) -> Ranked:
    """Answer a question with hits from these minds, best first."""
    started = time.perf_counter()
    steps: list[Step] = [_planned(plan)]
    found = caught_up(readers, plan, steps) if plan.catch_up else _found(readers, plan, steps)
    hits = screen(found, plan.suspects, steps)
    return Ranked(hits, Trace(tuple(steps), (time.perf_counter() - started) * 1000))


def recall(
    readers: Sequence[Reader], plan: Plan, *, budget: int, tokens: int | None = None, beside: Sequence[str] = ()
) -> Recall:
    """Answer a question with a block of text for a prompt, inside a budget of characters, and of tokens when given."""
    ranked, also = rank(readers, plan), list[Step]()
    answer = Answer(
        hits=ranked.hits,
        important=screen(important(readers, plan), plan.suspects, also),
        names={reader.mind.mind: reader.name for reader in readers},
        window=None if plan.window is None else plan.window.words,
        beside=beside,
        now=plan.view.now,
        zone=readers[0].mind.zone,
    )
    rendered = fit(answer, budget=budget, tokens=tokens, steps=also)
    trace = Trace((*ranked.trace.steps, *also, rendered.fitted), ranked.trace.milliseconds)
    return Recall(text=rendered.text, hits=rendered.hits, trace=trace)


def _found(readers: Sequence[Reader], plan: Plan, steps: list[Step]) -> tuple[Hit, ...]:
    """Gather, order, diversify, and put what was told later first.

    None when not one of the best is sure and only sure matches are wanted.
    """
    plan = spelled(readers, plan)
    gathering = gather_all(readers, plan, steps)
    pool, zone = gathering.pool, readers[0].mind.zone
    wanted = plan.k + SPARE
    placed = order(plan, pool, gathering.grade, zone, max(wanted, READ) if plan.rerank == "cross" else wanted)
    if plan.rerank == "cross":
        placed = crossed(plan, pool, placed, readers[0].scorer, steps)
    once = shown_once(placed, lambda p: of_unit(p.unit, uid_text(p.unit.id)), steps)
    minds = [reader.mind.mind for reader in readers]
    looked_at = [
        (place, make_hit(place, plan, gathering, mind=minds[pool.minds[place.at]], zone=zone, also=also))
        for place, also in (once if plan.sure else once[: max(plan.k, LOOKED_AT)])
    ]
    none_sure = not any(hit.sure for _, hit in looked_at[:LOOKED_AT])
    sure = [(place, hit) for place, hit in looked_at if hit.sure] if plan.sure else []
    found = sure or looked_at
    best = found[: plan.k]
    best = [best[n] for n in diversify([hit.text for _, hit in best], [place.score for place, _ in best])]
    if plan.asks and not plan.view.include_past:
        best += found[plan.k :]
        best = waiting_last(later_first(plan.query, best, steps), steps)
        best = outlived_last(best, readers, pool.minds, plan.view.at, steps)[: plan.k]
    steps.append(Ordered(gathering.grade, tuple((hit.id, round(p.score, 6), p.parts) for p, hit in best)))
    hits = tuple(hit for _, hit in best)
    if hits and none_sure and not plan.unsure and plan.filters.ask_nothing:
        steps.append(Nothing(max(hit.p or 0.0 for hit in hits), len(hits)))
        return ()
    return hits


def _planned(plan: Plan) -> Planned:
    view = plan.view
    return Planned(plan.query, plan.query_used, plan.lanes, iso(view.as_of), iso(view.known_at), view.include_past)
