"""A linear order fitted to pools: every gold unit against the units of its pool that are not gold, by a softmax.

The problem is convex and solved by Newton steps, so the same data give the same weights. All pools are counted at
once, padded to the largest of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Derivatives = tuple[float, NDArray[np.float64], NDArray[np.float64]]

PENALTY = 0.005  # keeps the weights near 0
NEWTON_STEPS = 30
CLOSE = 1e-7


@dataclass(frozen=True, slots=True)
class Pools:
    """Pools of one set as one block.

    Attributes:
        columns: shape (pools, units, features), 0 where a pool has no unit.
        gold: shape (pools, units), and `others`, which are in the pool and not gold.
    """

    columns: NDArray[np.float64]
    gold: NDArray[np.bool_]
    others: NDArray[np.bool_]

    @classmethod
    def of(cls, pools: Sequence[tuple[NDArray[np.float64], NDArray[np.bool_]]]) -> Pools:
        """Put pools together, each its columns and which of its units are gold; those of one kind tell nothing."""
        kept = [(columns, gold) for columns, gold in pools if gold.any() and not gold.all()]
        most = max(len(gold) for _, gold in kept)
        block = np.zeros((len(kept), most, kept[0][0].shape[1]))
        is_gold, is_other = np.zeros((len(kept), most), bool), np.zeros((len(kept), most), bool)
        for number, (columns, gold) in enumerate(kept):
            block[number, : len(gold)] = columns
            is_gold[number, : len(gold)], is_other[number, : len(gold)] = gold, ~gold
        return cls(block, is_gold, is_other)

    def loss(self, weight: NDArray[np.float64]) -> float:
        """The mean loss of a pool, each the mean of its gold units."""
        score, top = self._scores(weight)
        pool, unit = np.nonzero(self.gold)
        rivals = (np.exp(score - top) * self.others).sum(1)[pool]
        own = score[pool, unit] - top[pool, 0]
        return float(((np.log(rivals + np.exp(own)) - own) / self.gold.sum(1)[pool]).sum() / len(self.gold))

    def derivatives(self, weight: NDArray[np.float64]) -> Derivatives:
        """The mean loss of a pool, its slope and its curve."""
        score, top = self._scores(weight)
        mass = np.exp(score - top)
        weighed = (mass * self.others)[:, :, None] * self.columns
        first, second = weighed.sum(1), np.matmul(self.columns.transpose(0, 2, 1), weighed)
        pool, unit = np.nonzero(self.gold)
        share = 1 / self.gold.sum(1)[pool] / len(self.gold)
        own, gold = mass[pool, unit], self.columns[pool, unit]
        whole = (mass * self.others).sum(1)[pool] + own
        mean = (first[pool] + own[:, None] * gold) / whole[:, None]
        loss = float((share * (np.log(whole) - score[pool, unit] + top[pool, 0])).sum())
        slope = (share[:, None] * (mean - gold)).sum(0)
        portion = np.bincount(pool, share / whole, len(self.gold))
        curve = (portion[:, None, None] * second).sum(0)
        curve += (gold * (share * own / whole)[:, None]).T @ gold - (mean * share[:, None]).T @ mean
        return loss, slope, curve

    def _scores(self, weight: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The score of every unit, as low as any where there is none, and the highest of each pool."""
        score = self.columns @ weight
        score = np.where(self.gold | self.others, score, score.min())
        return score, score.max(1, keepdims=True)


def minimum(sets: Sequence[Pools], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights that make gold likeliest, every set counting the same; a step too far is halved."""
    weight = start.copy()
    loss, slope, curve = _sum(sets, weight)
    for _ in range(NEWTON_STEPS):
        step = np.linalg.solve(curve, slope)
        while PENALTY * float((weight - step) @ (weight - step)) + sum(p.loss(weight - step) for p in sets) > loss:
            step /= 2
            if float(np.abs(step).max()) < CLOSE:
                return weight
        weight -= step
        loss, slope, curve = _sum(sets, weight)
        if float(np.abs(step).max()) < CLOSE:
            break
    return weight


def _sum(sets: Sequence[Pools], weight: NDArray[np.float64]) -> Derivatives:
    """The loss over all sets with the penalty, its slope and its curve."""
    size = len(weight)
    loss, slope, curve = PENALTY * float(weight @ weight), 2 * PENALTY * weight, 2 * PENALTY * np.eye(size)
    for pools in sets:
        value, first, second = pools.derivatives(weight)
        loss, slope, curve = loss + value, slope + first, curve + second
    return loss, slope, curve
