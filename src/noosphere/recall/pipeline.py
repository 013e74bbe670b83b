"""The one pipeline behind every door: plan, gather, filter, fuse, order, and for recall fit and render."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.hit import Hit, Recall
from noosphere.model.names import strip_names
from noosphere.model.trace import Degraded, Ordered, Planned, Pooled, Step, Trace
from noosphere.model.when import iso
from noosphere.providers.chain import Chain, Unavailable
from noosphere.recall.fusion import fuse
from noosphere.recall.gather import Lot, Sight, gather
from noosphere.recall.hits import make_hit
from noosphere.recall.lanes.keyword import Keyword
from noosphere.recall.order import RECIPE, Pool, order
from noosphere.recall.render import render
from noosphere.store import narrow, neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.providers.ports import Embedder
    from noosphere.recall.lanes.lane import Lane
    from noosphere.recall.lanes.semantic import Semantic
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.mind_file import MindFile


@dataclass(frozen=True, slots=True)
class Reader:
    """What a recall reads with: the file, the embedders, and the counts of terms."""

    mind: MindFile
    chain: Chain
    frequencies: Frequencies


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranking that recall renders, and how it came to be."""

    hits: tuple[Hit, ...]
    trace: Trace


def rank(reader: Reader, plan: Plan) -> Ranked:
    """Answer a question with hits, best first."""
    started = time.perf_counter()
    steps: list[Step] = []
    with reader.mind.read() as sql:
        among = narrow.frames(sql, plan.filters, tags_as_now=plan.view.known_at is None)
        semantic = _semantic(reader, sql, plan, among, steps)
        lanes: list[Lane] = [] if semantic is None else [semantic]
        if "keyword" in plan.lanes:
            lanes.insert(0, Keyword(plan, reader.frequencies, None if among is None else json.dumps(among)))
        steps.insert(0, _planned(plan, tuple(lane.name for lane in lanes)))
        sight = Sight(sql, plan)
        lots: list[Lot] = []
        for lane in lanes:
            lot, record = gather(sql, lane, sight)
            lots.append(lot)
            steps.append(record)
        pool = _pool(sql, lots, semantic, sight)
        steps.append(Pooled(len(pool.units), "reciprocal rank fusion"))
        waiting = 0 if semantic is None else sum(u.frame not in pool.semantic for u in pool.units)
        if waiting:
            steps.append(Degraded("semantic", f"{waiting} units wait to be embedded", "ordered by the other terms"))
        placed = order(plan, pool, reader.mind.zone)
    steps.append(Ordered(RECIPE, tuple((uid_text(p.unit.id), round(p.score, 6), p.parts) for p in placed)))
    zone, mind = reader.mind.zone, reader.mind.mind
    hits = tuple(make_hit(p, plan, lots, mind=mind, zone=zone) for p in placed)
    return Ranked(hits, Trace(tuple(steps), (time.perf_counter() - started) * 1000))


def recall(reader: Reader, plan: Plan, *, budget: int, name: str) -> Recall:
    """Answer a question with a block of text for a prompt, inside a budget of characters."""
    ranked = rank(reader, plan)
    rendered = render(ranked.hits, budget=budget, mind=name, now=plan.view.now, zone=reader.mind.zone)
    trace = Trace((*ranked.trace.steps, rendered.fitted), ranked.trace.milliseconds)
    return Recall(text=rendered.text, hits=rendered.hits, trace=trace)


def _pool(sql: Connection, lots: Sequence[Lot], semantic: Semantic | None, sight: Sight) -> Pool:
    """Fuse the lanes, and give every unit of the pool the scores of the lanes that did not bring it."""
    frames = list(fuse(lots))
    scores = {lot.lane: lot.scores for lot in lots}
    cosines = scores.get("semantic", {})
    if semantic is not None:
        cosines = cosines | semantic.scores(sql, [f for f in frames if f not in cosines])
    return Pool(
        units=[sight.unit(frame) for frame in frames],
        keyword=scores.get("keyword", {}),
        semantic=cosines,
        before=neighbours.before(sql, frames),
    )


def _planned(plan: Plan, lanes: tuple[str, ...]) -> Planned:
    view = plan.view
    return Planned(plan.query, plan.query_used, lanes, iso(view.as_of), iso(view.known_at), view.include_past)


def _semantic(
    reader: Reader, sql: Connection, plan: Plan, among: list[int] | None, steps: list[Step]
) -> Semantic | None:
    """The meaning lane over the mind's active space, else over the static one; what fails is in the trace."""
    if not plan.query_used or "semantic" not in plan.lanes:
        return None
    active = reader.mind.facts().active_space
    spaces = reader.mind.spaces()
    for arm in (reader.chain.encoder, reader.chain.static):
        embedder = arm()
        if isinstance(embedder, Unavailable):
            steps.append(Degraded(embedder.arm, embedder.reason, "the next embedder of the chain stands in"))
        elif embedder.space.name not in spaces:
            steps.append(Degraded(embedder.space.name, "this mind has no vectors of it", "the next one stands in"))
        else:
            return _lane(reader, sql, plan, among, embedder)
    steps.append(Degraded("semantic", f"no embedder for the space {active}", "keywords only"))
    return None


def _lane(reader: Reader, sql: Connection, plan: Plan, among: list[int] | None, embedder: Embedder) -> Semantic:
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    from noosphere.recall.lanes.semantic import Semantic  # noqa: PLC0415

    pair = reader.mind.spaces()[embedder.space.name]
    names = narrow.only_participants(sql) or tuple(plan.filters.participants | plan.filters.speakers)
    query = embedder.embed_query(strip_names(plan.query_used, names))
    chosen = None if among is None else np.array(among, np.int64)
    return Semantic("semantic", query, [reader.mind.index(pair[era]) for era in plan.eras], chosen)
