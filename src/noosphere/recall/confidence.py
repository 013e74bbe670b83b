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

FIELDS = ("coverage", "density", "words", "unknown", "cosine", "interaction")
EXACT = 4.0  # an id that matches as itself is hardly chance; by judgement, no set has questions with ids
LEAST_UNITS = 1_000  # with three memories every unknown word would weigh four times as much as a known one
TELLING_UNITS = 200  # from so many on it says something that a mind has never met a word; in a small one most are new
USUAL = 100  # characters: a text so much longer holds a word of any question more easily
LENGTH = 0.3  # power of the length by which what a text holds is discounted (dev halves: AUC of BEAM .85 to .93)
LOOKED_AT = 5  # hits from which it is told whether anything is relevant


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is absolute about a hit.

    Attributes:
        coverage: the share of the question's words that it holds, by their rarity.
        density: the same, discounted by its length.
        words: how many of them, on a log scale.
        unknown: the share of the question's words that the mind has never met.
        cosine: with the question, None when not embedded.
        interaction: of its tokens with those of the question, None when not measured.
        exact: whether it holds an id of the question.
    """

    coverage: float
    density: float
    words: float
    unknown: float
    cosine: float | None
    interaction: float | None
    exact: bool = False


def rarities(sql: Connection, terms: Sequence[Term], frequencies: Frequencies, eras: Sequence[Era]) -> list[float]:
    """How rare each term is in a mind (idf); a small mind is taken for a sample of a larger one."""
    size = max(frequencies.size(sql), LEAST_UNITS)
    counts = frequencies.of_all(sql, terms, eras)
    return [log(1 + (max(size - count, 0) + 0.5) / (count + 0.5)) for count in counts]


def unknown(
    sql: Connection, terms: Sequence[Term], rarity: Sequence[float], frequencies: Frequencies, eras: Sequence[Era]
) -> float:
    """The share of the terms' rarity that no unit of a mind holds, 0 to 1; less in a small mind."""
    never = [number for number, count in enumerate(frequencies.of_all(sql, terms, eras)) if not count]
    return coverage(never, rarity) * min(1.0, frequencies.size(sql) / TELLING_UNITS)


def discounted(covered: float, length: int) -> float:
    """What a text covers, less for a long one, which holds much by chance."""
    return covered * (USUAL / (USUAL + length)) ** LENGTH


def coverage(held: Iterable[int], rarity: Sequence[float]) -> float:
    """The share of the terms' rarity that is held, 0 to 1."""
    whole = sum(rarity)
    return sum(rarity[n] for n in set(held)) / whole if whole else 0.0


def p(evidence: Evidence, grade: Grade) -> float:
    """How likely it is that a hit is about what was asked, 0 to 1."""
    by = scale(grade)
    total = by["base"] + EXACT * evidence.exact
    total += sum(by.get(name, 0.0) * (getattr(evidence, name) or 0.0) for name in FIELDS)
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
