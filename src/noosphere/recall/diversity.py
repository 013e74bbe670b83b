"""Diversity: what says nearly the same as a better hit steps back behind what says something else (MMR).

Maximal marginal relevance (Carbonell and Goldstein 1998) over the words of the units. Only near repeats count as
similar: facts on one topic share many words, and each of them may be the answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LAMBDA = 0.7
LEAST_SPAN = 1.0  # a standard deviation: scores that hardly differ are not told apart
ALIKE = 0.8  # share of words in common from which two texts say the same
WORD = re.compile(r"\w+")


def diversify(texts: Sequence[str], scores: Sequence[float]) -> list[int]:
    """The order of the hits, as indexes: `scores` are in descending order, and the first stays first."""
    if not scores:
        return []
    low, span = scores[-1], max(scores[0] - scores[-1], LEAST_SPAN)
    bags = [frozenset(WORD.findall(text.casefold())) for text in texts]
    worth = [LAMBDA * (score - low) / span for score in scores]
    chosen: list[int] = []
    for number, bag in enumerate(bags):
        repeats = any(_alike(bag, bags[other]) for other in chosen)
        worth[number] -= (1 - LAMBDA) * repeats
        chosen.append(number)
    return sorted(range(len(texts)), key=lambda n: (-worth[n], n))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer, more = sorted((len(one), len(other)))
    if not more or fewer < ALIKE * more:
        return False
    shared = len(one & other)
    return shared >= ALIKE * (fewer + more - shared)
