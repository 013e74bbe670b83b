"""Lists: the rows of a large segment in groups of near ones, so that a search may pass over those that lie far off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

LIST_ROWS = 800  # of a list on average; 512 lists instead of 256 in 200,000 rows brought 0.3 % for twice the work
LEARNT_FROM = 64  # rows for each centre
ROUNDS = 6  # of moving the centres: more change nothing that a search notices
BLOCK = 8192  # rows compared with the centres at a time
ASKED, NEAREST = 64, 10  # questions to a new segment, and how many of its rows each should find
WANTED = 0.99  # of those: doctor asks for 0.97 of two hundred
LEAST_SHARE = 0.1

Stretch = tuple[int, int]  # of the rows as they lie in a file: the first, and the first behind


@dataclass(frozen=True, slots=True)
class Lists:
    """How a segment's int8 rows lie in its file.

    Attributes:
        order: which row of the segment each lying row is, int32, shape (n,).
        starts: where each list begins, and where the last one ends, int32, shape (lists + 1,).
        centres: the direction of each list, float32 of unit length, shape (lists, dim).
        share: of the rows, how many have to be looked at to find nearly all that is near; 0 < share <= 1.
    """

    order: NDArray[np.int32]
    starts: NDArray[np.int32]
    centres: NDArray[np.float32]
    share: float = 1.0

    def is_sound(self, count: int) -> bool:
        """Whether it can be of so many rows: bytes that changed on the disk must not lead out of the arrays."""
        sizes = np.diff(self.starts)
        if self.starts[0] != 0 or self.starts[-1] != count or (sizes < 0).any():
            return False
        return bool(self.order.min() >= 0 and self.order.max() < count and np.isfinite(self.centres).all())


def group(exact: NDArray[np.float16], list_rows: int | None = None) -> Lists:
    """Put rows into lists by the centre they are nearest to; the same rows give the same lists.

    Args:
        exact: the rows, shape (n, dim), n > 0.
        list_rows: how many rows a list has on average, LIST_ROWS when it is not said.
    """
    number = max(1, len(exact) // (list_rows or LIST_ROWS))
    sample = _plain(exact[:: max(1, len(exact) // (LEARNT_FROM * number))])
    centres = _unit(sample[:: max(1, len(sample) // number)][:number])
    for _ in range(ROUNDS):
        centres = _moved(centres, sample)
    nearest = np.concatenate([_nearest(_plain(block), centres) for block in _blocks(exact)])
    order = np.argsort(nearest, kind="stable").astype(np.int32)
    starts = np.zeros(len(centres) + 1, np.int32)
    np.cumsum(np.bincount(nearest, minlength=len(centres)), out=starts[1:])
    return Lists(order, starts, centres, _needed(exact, nearest, np.diff(starts), centres))


def _needed(
    exact: NDArray[np.float16], nearest: NDArray[np.intp], sizes: NDArray[np.int32], centres: NDArray[np.float32]
) -> float:
    """The share of the rows that holds WANTED of the nearest, over questions that lie between rows.

    How well lists part rows depends on the rows: a tenth is enough of some spaces, and half too little of others.
    """
    step = max(1, len(exact) // (2 * ASKED))
    some = _plain(exact[::step][: 2 * ASKED])
    queries = _unit(some[: len(some) // 2] + some[len(some) // 2 : 2 * (len(some) // 2)])
    best_scores = np.full((len(queries), NEAREST), -np.inf, np.float32)
    best_lists = np.zeros((len(queries), NEAREST), np.intp)
    for start in range(0, len(exact), BLOCK):
        scores = np.concatenate([best_scores, queries @ _plain(exact[start : start + BLOCK]).T], axis=1)
        found = np.tile(nearest[start : start + BLOCK], (len(queries), 1))
        top = np.argpartition(-scores, NEAREST - 1, axis=1)[:, :NEAREST]
        best_lists = np.take_along_axis(np.concatenate([best_lists, found], axis=1), top, axis=1)
        best_scores = np.take_along_axis(scores, top, axis=1)
    by_nearness = np.argsort(-(queries @ centres.T), axis=1, kind="stable")
    held = np.empty(by_nearness.shape, np.float64)  # how many rows one has seen when a list was looked at
    np.put_along_axis(held, by_nearness, np.cumsum(sizes[by_nearness], axis=1) / max(1, len(exact)), axis=1)
    needed = np.take_along_axis(held, best_lists, axis=1)[np.isfinite(best_scores)]
    return max(LEAST_SHARE, float(np.sort(needed)[int(WANTED * (len(needed) - 1))])) if len(needed) else 1.0


def near(lists: Sequence[Lists], query: NDArray[np.float32], rows: int) -> list[list[Stretch]]:
    """The stretches of each segment to look at: the lists nearest to a query over all, until they hold so many rows."""
    sizes = np.concatenate([np.diff(each.starts) for each in lists])
    by_nearness = np.argsort(-np.concatenate([each.centres @ query for each in lists]), kind="stable")
    enough = int(np.searchsorted(np.cumsum(sizes[by_nearness]), rows)) + 1
    chosen = np.zeros(len(sizes), np.bool_)
    chosen[by_nearness[:enough]] = True
    ends = np.cumsum([len(each.centres) for each in lists])[:-1]
    return [_stretches(each.starts, mine) for each, mine in zip(lists, np.split(chosen, ends), strict=True)]


def _stretches(starts: NDArray[np.int32], chosen: NDArray[np.bool_]) -> list[Stretch]:
    """Chosen lists that lie side by side are one stretch."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], chosen, [False]))))
    return [(int(starts[first]), int(starts[last])) for first, last in edges.reshape(-1, 2)]


def _moved(centres: NDArray[np.float32], sample: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each centre in the middle of what is nearest to it; one without any stays."""
    nearest = _nearest(sample, centres)
    order = np.argsort(nearest, kind="stable")
    used, first = np.unique(nearest[order], return_index=True)
    moved = centres.copy()
    moved[used] = np.add.reduceat(sample[order], first, axis=0)
    return _unit(moved)


def _nearest(rows: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.intp]:
    return np.argmax(rows @ centres.T, axis=1)


def _plain(exact: NDArray[np.float16]) -> NDArray[np.float32]:
    """As float32; what damage made no number is nothing."""
    return np.nan_to_num(exact.astype(np.float32), posinf=0.0, neginf=0.0)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(sizes > 0, sizes, 1)).astype(np.float32)


def _blocks(exact: NDArray[np.float16]) -> Iterator[NDArray[np.float16]]:
    for start in range(0, len(exact), BLOCK):
        yield exact[start : start + BLOCK]
