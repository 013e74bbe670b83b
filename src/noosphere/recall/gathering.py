"""Gathering: every mind is asked through every lane, and what may be shown is measured as one pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.trace import Degraded, Pooled, Searched
from noosphere.recall.confidence import rarities, unknown
from noosphere.recall.gather import Lot, Sight, gather, gather_together
from noosphere.recall.lanes.hops import Hops
from noosphere.recall.lanes.keyword import Keyword
from noosphere.recall.lanes.window import InWindow
from noosphere.recall.languages import level
from noosphere.recall.legible import legible
from noosphere.recall.meaning import meaning
from noosphere.recall.pool import Pool, add_candidates
from noosphere.recall.rerank import Question, ask, rerank
from noosphere.records import dataclass
from noosphere.store import narrow, vectors
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from noosphere.model.trace import Step
    from noosphere.providers.chain import Chain
    from noosphere.providers.ports import Embedder
    from noosphere.providers.rerank.scorer import PairScorer
    from noosphere.recall.lanes.lane import Lane
    from noosphere.recall.made import Made
    from noosphere.recall.plan import Plan
    from noosphere.recall.weights import Grade
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.mind_file import MindFile


REMEDY = "other spellings are missed until `noosphere doctor --fix`"


@dataclass(frozen=True, slots=True)
class Reader:
    """What a recall reads a mind with: its name, its file, the embedders, counts of terms, and tokens made."""

    name: str
    mind: MindFile
    chain: Chain
    frequencies: Frequencies
    made: Made
    scorer: Callable[[], PairScorer]


@dataclass(frozen=True, slots=True)
class Share:
    """What one mind brought beside its candidates.

    Attributes:
        lots: by lane.
        grade: how finely its candidates were measured.
        question: token by token, when the rerank is deep.
        rarity: of each of the plan's content words, in this mind; 0 for those that only say when.
        unknown: the share of them that this mind has never met.
        embedder: what its texts were measured by, None for words alone.
        legible: how much of the question it reads.
        waiting: whether it brought nothing and units wait to be embedded, which may be why.
    """

    lots: list[Lot]
    grade: Grade
    question: Question | None
    rarity: list[float]
    unknown: float
    embedder: Embedder | None
    legible: float
    waiting: bool


@dataclass(frozen=True, slots=True)
class Gathering:
    """What was gathered from all minds: the pool, each mind's share, and how finely the pool was measured."""

    pool: Pool
    shares: tuple[Share, ...]
    grade: Grade


def gather_all(readers: Sequence[Reader], plan: Plan, steps: list[Step]) -> Gathering:
    """Ask every mind through every lane, and measure what may be shown as one pool."""
    pool, zone = Pool(), readers[0].mind.zone
    shares = [_gather_mind(reader, plan, pool, number, steps) for number, reader in enumerate(readers)]
    steps.append(Pooled(len(pool.units), "reciprocal rank fusion"))
    grade = _coarsest([share.grade for share in shares])
    waiting = sum(cosine is None for cosine in pool.cosine) if grade != "keyword" else 0
    if waiting:
        steps.append(Degraded("semantic", f"{waiting} units wait to be embedded", "ordered by the other terms"))
    elif not pool.units and any(share.waiting for share in shares):
        steps.append(Degraded("semantic", "some units wait to be embedded", "found by their words alone"))
    if plan.remark and grade in {"encoder", "multilingual"}:
        return Gathering(pool, tuple(shares), "remark")
    questions = [share.question for share in shares if share.question is not None]
    if questions and len(questions) == len(shares):
        rerank(plan, pool, questions, readers[0].made, zone, steps)
        grade = "interaction"
    return Gathering(pool, tuple(shares), grade)


def _gather_mind(reader: Reader, plan: Plan, pool: Pool, number: int, steps: list[Step]) -> Share:
    steps.append(Searched(reader.name))
    with reader.mind.read() as sql:
        among = narrow.frames(sql, plan.filters, tags_as_now=plan.view.known_at is None)
        meant = meaning(reader.mind, reader.chain, sql, plan, among, steps)
        lanes: list[Lane] = [] if meant is None else [meant.lane]
        if "keyword" in plan.lanes and not reader.mind.is_folded():
            steps.append(Degraded("keyword", "an older version made this mind's full text", REMEDY))
        if "keyword" in plan.lanes:
            lanes.insert(0, Keyword(plan, reader.frequencies, None if among is None else frozenset(among)))
        if plan.window is not None and "window" in plan.lanes:
            lanes.append(InWindow(plan, plan.window, reader.frequencies, None if among is None else frozenset(among)))
        sight = Sight(sql, plan)
        lots: list[Lot] = []
        for lot, record in gather_together(sql, lanes, sight, plan.pool):
            lots.append(lot)
            steps.append(record)
        distance: dict[int, int] = {}
        if "hops" in plan.lanes:
            hops = Hops(plan, sight, lots)
            lot, record = gather(sql, hops, sight, plan.pool)
            distance = hops.distance
            if distance:
                lots.append(lot)
                steps.append(record)
        first = len(pool.units)
        add_candidates(pool, number, sql, lots, None if meant is None else meant.lane, sight)
        if meant is not None:
            level(pool, first, plan.query, meant.embedder.space.across)
        pool.distance += [distance.get(unit.node) for unit in pool.units[first:]]
        told = plan.timeless
        rarity = [
            value if number in told else 0.0
            for number, value in enumerate(rarities(sql, plan.content, reader.frequencies, plan.eras))
        ]
        new = unknown(sql, plan.content, rarity, reader.frequencies, plan.eras)
        asked = None
        if meant is not None and plan.rerank == "deep" and not plan.remark:
            asked = ask(reader.mind, sql, plan, meant, reader.frequencies, pool.units[first:])
        waits = meant is not None and len(pool.units) == first and _waits(reader, sql, meant.embedder)
    if isinstance(asked, Degraded):
        steps.append(asked)
        asked = None
    embedder = None if meant is None else meant.embedder
    read = 1.0 if embedder is None else legible(embedder, plan.content)
    return Share(lots, "keyword" if meant is None else meant.grade, asked, rarity, new, embedder, read, waits)


def _waits(reader: Reader, sql: Connection, embedder: Embedder) -> bool:
    """Whether units of a mind wait for an embedder: they are in no lane of meaning yet."""
    return bool(vectors.waiting(sql, reader.mind.spaces()[embedder.space.name][Era.NOW].id, 1))


def _coarsest(grades: Sequence[Grade]) -> Grade:
    """What all minds were measured by; where they differ, the one that every other can stand in for."""
    return min(grades, key=("keyword", "static", "multilingual", "encoder").index)
