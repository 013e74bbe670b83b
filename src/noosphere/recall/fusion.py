"""Reciprocal rank fusion: the pool is what the lanes agree on, whatever their scores mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.recall.weights import RRF_K

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.recall.gather import Lot


def fuse(lots: Iterable[Lot]) -> dict[int, float]:
    """Sum 1 / (k + rank) over the lanes (Cormack, Clarke and Büttcher 2009).

    Returns:
        Frame to score, best first; ties break by frame.
    """
    scores: dict[int, float] = {}
    for lot in lots:
        for frame, rank in lot.ranks.items():
            scores[frame] = scores.get(frame, 0.0) + 1 / (RRF_K + rank)
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
