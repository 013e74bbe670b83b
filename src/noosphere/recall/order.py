"""The order inside the pool: a linear recipe over z-scores and features. It orders the pool and never leaves it.

Who is speaking decides which features count: between people, the speaker the question names and answers rather
than questions; between a user and an assistant, the user's own words, unless the question is about the assistant's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import TYPE_CHECKING

from noosphere.model.window import falls_in, named_months
from noosphere.recall.cues import says
from noosphere.recall.weights import WEIGHTS
from noosphere.store.words.spans import matched_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from noosphere.model.unit import Unit
    from noosphere.recall.plan import Plan
    from noosphere.store.neighbours import Neighbour

RECIPE = "two modes by who is speaking, 2"


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit with its place in the order: the score and the terms it is the sum of."""

    unit: Unit
    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The units to order, with what the lanes and the conversation say of each.

    Attributes:
        units: in the order of fusion.
        keyword: the keyword lane's score by frame, beyond the pool too.
        semantic: the cosine by frame.
        before: the turn each turn follows.
    """

    units: Sequence[Unit]
    keyword: Mapping[int, float]
    semantic: Mapping[int, float]
    before: Mapping[int, Neighbour]


def order(plan: Plan, pool: Pool, zone: tzinfo) -> list[Placed]:
    """Order the pool and give the k best, best first; ties break by id."""
    columns = {
        name: [WEIGHTS[name] * value for value in column]
        for name, column in features(plan, pool, zone).items()
        if any(column)
    }
    totals = [sum(values) for values in zip(*columns.values(), strict=True)] or [0.0] * len(pool.units)
    best = sorted(range(len(pool.units)), key=lambda n: (-totals[n], pool.units[n].frame_uid))
    return [
        Placed(pool.units[n], totals[n], tuple((name, column[n]) for name, column in columns.items() if column[n]))
        for n in best[: plan.k]
    ]


def features(plan: Plan, pool: Pool, zone: tzinfo) -> dict[str, list[float]]:
    """Every feature of every unit, before its weight."""
    words = plan.words
    months = named_months(plan.query_used)
    units = pool.units
    wanted_role = "assistant" if _asks_assistant(plan, units) else "user"
    return {
        "keyword": zscores([pool.keyword.get(u.frame, 0.0) for u in units]),
        "semantic": zscores([pool.semantic.get(u.frame) for u in units]),
        "exact": _exact_shares(plan, units),
        "speaker": _each(units, lambda u: _among_people(u) and _is_named(u.speaker, words)),
        "asks": _each(units, lambda u: _among_people(u) and _asks(u.text)),
        "answers": _answers(pool),
        "month": _each(units, lambda u: bool(months) and falls_in(u.happened_at, months, zone)),
        "role": _each(units, lambda u: u.speaker_role == wanted_role),
        "standing": _each(units, lambda u: u.speaker_role == "user" and says("standing", u.text)),
        "length": zscores([log(1 + len(u.text)) if u.speaker_role else None for u in units]),
    }


def zscores(values: Sequence[float | None]) -> list[float]:
    """Standard scores; 0 for what has no value (a unit not embedded yet), and for all where they do not differ."""
    known = [v for v in values if v is not None]
    mean = sum(known) / len(known) if known else 0.0
    spread = _spread(known, mean)
    return [0.0 if v is None or spread == 0 else (v - mean) / spread for v in values]


def _spread(values: Sequence[float], mean: float) -> float:
    return sqrt(sum((v - mean) ** 2 for v in values) / len(values)) if values else 0.0


def _asks_assistant(plan: Plan, units: Sequence[Unit]) -> bool:
    """Whether the question is about what the assistant said: it says so, or names it."""
    named = any(u.speaker_role == "assistant" and _is_named(u.speaker, plan.words) for u in units)
    return named or says("asks_assistant", plan.query_used)


def _each(units: Sequence[Unit], holds: Callable[[Unit], bool]) -> list[float]:
    return [float(holds(unit)) for unit in units]


def _among_people(unit: Unit) -> bool:
    """Whether a unit was said between people, not between a user and an assistant."""
    return unit.speaker is not None and unit.speaker_role is None


def _is_named(speaker: str | None, words: frozenset[str]) -> bool:
    """Whether the question names a speaker, by the first of their names."""
    names = (speaker or "").casefold().split()
    return bool(names) and names[0] in words


def _asks(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "؟"))


def _answers(pool: Pool) -> list[float]:
    """What the question a turn answers is worth by keywords, in standard deviations: its answer shares it."""
    scores = [pool.keyword.get(u.frame, 0.0) for u in pool.units]
    spread = _spread(scores, sum(scores) / len(scores)) if scores else 0.0
    found: list[float] = []
    for unit in pool.units:
        asked = pool.before.get(unit.frame)
        shares = spread > 0 and asked is not None and _among_people(unit) and _asks(asked.text)
        found.append(pool.keyword.get(asked.frame, 0.0) / spread if shares and asked is not None else 0.0)
    return found


def _exact_shares(plan: Plan, units: Sequence[Unit]) -> list[float]:
    """The share of the query's ids that stand in each unit."""
    ids = plan.exact
    if not ids:
        return [0.0] * len(units)
    return [len(matched_terms(u.text, ids)) / len(ids) for u in units]
