"""How sure a match is: p, a logistic over what is absolute about a hit, never over its place among the others."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from math import exp, log
from typing import TYPE_CHECKING

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.recall.weights import Grade
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.fulltext import Era
    from noosphere.store.words.query import Term

EXACT = 4.0  # an id that matches as itself is hardly chance; by judgement, no set has questions with ids
LEAST_UNITS = 1_000  # with three memories every unknown word would weigh four times as much as a known one
LOOKED_AT = 5  # hits from which it is told whether anything is relevant


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is absolute about a hit.

    Attributes:
        coverage: the share of the question's words that it holds, by their rarity.
        cosine: with the question, None when not embedded.
        interaction: of its tokens with those of the question, None when not measured.
        exact: whether it holds an id of the question.
    """

    coverage: float
    cosine: float | None
    interaction: float | None
    exact: bool = False


def rarities(sql: Connection, terms: Sequence[Term], frequencies: Frequencies, eras: Sequence[Era]) -> list[float]:
    """How rare each term is in a mind (idf); a small mind is taken for a sample of a larger one."""
    size = max(frequencies.size(sql), LEAST_UNITS)
    counts = [frequencies.of(sql, term, eras) for term in terms]
    return [log(1 + (max(size - count, 0) + 0.5) / (count + 0.5)) for count in counts]


def coverage(held: Iterable[int], rarity: Sequence[float]) -> float:
    """The share of the terms' rarity that is held, 0 to 1."""
    whole = sum(rarity)
    return sum(rarity[n] for n in set(held)) / whole if whole else 0.0


def p(evidence: Evidence, grade: Grade) -> float:
    """How likely it is that a hit is about what was asked, 0 to 1."""
    by = scale(grade)
    total = by["base"] + by["coverage"] * evidence.coverage
    total += by.get("cosine", 0.0) * (evidence.cosine or 0.0)
    total += by.get("interaction", 0.0) * (evidence.interaction or 0.0)
    total += EXACT * evidence.exact
    return 1 / (1 + exp(-total))


def is_sure(sureness: float, grade: Grade) -> bool:
    """Whether a match counts as one."""
    return sureness >= scale(grade)["least"]


@cache
def scale(grade: Grade) -> dict[str, float]:
    """The logistic of a grade, and the least p."""
    return tomllib.loads(resources.files("noosphere.recall").joinpath("confidence.toml").read_text(encoding="utf-8"))[
        grade
    ]
