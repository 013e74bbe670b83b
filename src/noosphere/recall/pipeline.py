"""The one pipeline behind every door: plan, gather, filter, fuse, order, and for recall fit and render.

It asks one mind or several: each mind brings its candidates to one pool, which is measured and ordered as a whole.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.hit import Hit, Recall
from noosphere.model.trace import Degraded, Ordered, Planned, Pooled, Searched, Step, Trace
from noosphere.model.when import iso
from noosphere.recall.gather import Lot, Sight, gather
from noosphere.recall.hits import make_hit
from noosphere.recall.lanes.keyword import Keyword
from noosphere.recall.meaning import meaning
from noosphere.recall.order import order
from noosphere.recall.pool import Pool, add_candidates
from noosphere.recall.render import render
from noosphere.recall.rerank import Question, ask, rerank
from noosphere.store import narrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.providers.chain import Chain
    from noosphere.recall.lanes.lane import Lane
    from noosphere.recall.made import Made
    from noosphere.recall.plan import Plan
    from noosphere.recall.weights import Grade
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.mind_file import MindFile


@dataclass(frozen=True, slots=True)
class Reader:
    """What a recall reads a mind with: its name, its file, the embedders, counts of terms, and tokens made."""

    name: str
    mind: MindFile
    chain: Chain
    frequencies: Frequencies
    made: Made


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranking that recall renders, and how it came to be."""

    hits: tuple[Hit, ...]
    trace: Trace


@dataclass(frozen=True, slots=True)
class Gathering:
    """What was gathered from all minds: the pool, each mind's lots, and how finely the pool was measured."""

    pool: Pool
    lots: tuple[list[Lot], ...]
    grade: Grade


@dataclass(frozen=True, slots=True)
class Share:
    """What one mind brought beside its candidates: the lots, the grade, and the question token by token."""

    lots: list[Lot]
    grade: Grade
    question: Question | None


def rank(readers: Sequence[Reader], plan: Plan) -> Ranked:
    """Answer a question with hits from these minds, best first."""
    started = time.perf_counter()
    steps: list[Step] = [_planned(plan)]
    gathering = gather_all(readers, plan, steps)
    pool, zone = gathering.pool, readers[0].mind.zone
    placed = order(plan, pool, gathering.grade, zone)
    steps.append(Ordered(gathering.grade, tuple((uid_text(p.unit.id), round(p.score, 6), p.parts) for p in placed)))
    hits = tuple(
        make_hit(p, plan, gathering.lots[number], mind=readers[number].mind.mind, zone=zone)
        for p in placed
        for number in (pool.minds[p.at],)
    )
    return Ranked(hits, Trace(tuple(steps), (time.perf_counter() - started) * 1000))


def recall(readers: Sequence[Reader], plan: Plan, *, budget: int) -> Recall:
    """Answer a question with a block of text for a prompt, inside a budget of characters."""
    ranked = rank(readers, plan)
    name, zone = ", ".join(reader.name for reader in readers), readers[0].mind.zone
    rendered = render(ranked.hits, budget=budget, mind=name, now=plan.view.now, zone=zone)
    trace = Trace((*ranked.trace.steps, rendered.fitted), ranked.trace.milliseconds)
    return Recall(text=rendered.text, hits=rendered.hits, trace=trace)


def gather_all(readers: Sequence[Reader], plan: Plan, steps: list[Step]) -> Gathering:
    """Ask every mind through every lane, and measure what may be shown as one pool."""
    pool, zone = Pool(), readers[0].mind.zone
    shares = [_gather_mind(reader, plan, pool, number, steps) for number, reader in enumerate(readers)]
    steps.append(Pooled(len(pool.units), "reciprocal rank fusion"))
    grade = _coarsest([share.grade for share in shares])
    waiting = sum(cosine is None for cosine in pool.cosine) if grade != "keyword" else 0
    if waiting:
        steps.append(Degraded("semantic", f"{waiting} units wait to be embedded", "ordered by the other terms"))
    questions = [share.question for share in shares if share.question is not None]
    if questions and len(questions) == len(shares):
        rerank(plan, pool, questions, readers[0].made, zone, steps)
        grade = "interaction"
    return Gathering(pool, tuple(share.lots for share in shares), grade)


def _gather_mind(reader: Reader, plan: Plan, pool: Pool, number: int, steps: list[Step]) -> Share:
    steps.append(Searched(reader.name))
    with reader.mind.read() as sql:
        among = narrow.frames(sql, plan.filters, tags_as_now=plan.view.known_at is None)
        meant = meaning(reader.mind, reader.chain, sql, plan, among, steps)
        lanes: list[Lane] = [] if meant is None else [meant.lane]
        if "keyword" in plan.lanes:
            lanes.insert(0, Keyword(plan, reader.frequencies, None if among is None else frozenset(among)))
        sight = Sight(sql, plan)
        lots: list[Lot] = []
        for lane in lanes:
            lot, record = gather(sql, lane, sight)
            lots.append(lot)
            steps.append(record)
        first = len(pool.units)
        add_candidates(pool, number, sql, lots, None if meant is None else meant.lane, sight)
        asked = None
        if meant is not None and plan.rerank == "deep":
            asked = ask(reader.mind, sql, plan, meant, reader.frequencies, pool.units[first:])
    if isinstance(asked, Degraded):
        steps.append(asked)
        asked = None
    return Share(lots, "keyword" if meant is None else meant.grade, asked)


def _coarsest(grades: Sequence[Grade]) -> Grade:
    """What all minds were measured by; where they differ, the one that every other can stand in for."""
    return min(grades, key=("keyword", "static", "encoder").index)


def _planned(plan: Plan) -> Planned:
    view = plan.view
    return Planned(plan.query, plan.query_used, plan.lanes, iso(view.as_of), iso(view.known_at), view.include_past)
