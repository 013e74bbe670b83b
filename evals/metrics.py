"""Retrieval metrics, each a pure function of a ranking and the gold; intervals by seeded bootstrap."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

CUTS = (5, 10, 20)
DISCOUNTED = 10
RESAMPLES = 2000
SEED = 7


def recall_any(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """1 when at least one gold item stands in the first k."""
    return float(any(r in gold for r in ranked[:k]))


def recall_all(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """1 when every gold item stands in the first k."""
    return float(gold <= set(ranked[:k]))


def recall(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """The share of the gold in the first k."""
    return len(gold & set(ranked[:k])) / len(gold)


def ndcg(ranked: Sequence[str], gold: frozenset[str], k: int = DISCOUNTED) -> float:
    """Normalised discounted gain with binary gains; the ideal has all of the gold, as far as k reaches."""
    gain = sum(1 / math.log2(n + 2) for n, r in enumerate(ranked[:k]) if r in gold)
    return gain / sum(1 / math.log2(n + 2) for n in range(min(k, len(gold))))


def reciprocal_rank(ranked: Sequence[str], gold: frozenset[str], k: int = DISCOUNTED) -> float:
    """1 over the rank of the first gold item in the first k, else 0."""
    return next((1 / (n + 1) for n, r in enumerate(ranked[:k]) if r in gold), 0.0)


def measure(ranked: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Every metric of one ranking; the gold must not be empty."""
    row = {"hit@1": recall_any(ranked, gold, 1), "ndcg@10": ndcg(ranked, gold), "mrr": reciprocal_rank(ranked, gold)}
    for k in CUTS:
        row[f"any@{k}"] = recall_any(ranked, gold, k)
        row[f"all@{k}"] = recall_all(ranked, gold, k)
        row[f"r@{k}"] = recall(ranked, gold, k)
    return row


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def interval(values: Sequence[float], statistic: Callable[[Sequence[float]], float] = mean) -> tuple[float, float]:
    """The 95 % bootstrap interval of a statistic over questions (percentile method, seeded)."""
    if not values:
        return (0.0, 0.0)
    rng = random.Random(SEED)
    drawn = sorted(statistic(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES) - 1]


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """The mean paired difference over the same questions, with its 95 % interval."""
    pairs = [a - b for a, b in zip(ours, theirs, strict=True)]
    return (mean(pairs), *interval(pairs))


def auc(positive: Iterable[float], negative: Iterable[float]) -> float:
    """How often a positive value is above a negative one, ties as half (the area under the ROC curve)."""
    high, low = np.array(list(positive)), np.sort(np.array(list(negative)))
    below = np.searchsorted(low, high, "left")
    up_to = np.searchsorted(low, high, "right")
    return float(np.mean((below + up_to) / 2) / len(low))
