"""The int8 scan: dot products of one query with many rows, by numkong where it is sound, else by numpy."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BLOCK = 8192  # rows the numpy kernel widens at a time: stays in the cache
GROUP = 512  # rows per group when the best k are looked for: one pass of maxima, then a few groups
SMALL = 4096  # below this a plain partition is quickest
SPREAD = 127
SCATTER = 2654435761  # odd, and far from a power of two: neighbours fall far apart


def quantize(rows: NDArray[np.float32], scale: float) -> NDArray[np.int8]:
    """Round unit rows to int8 by the space's one global scale; the rare larger component is clipped."""
    return np.clip(np.rint(rows * np.float32(scale)), -SPREAD, SPREAD).astype(np.int8)


def dots(query: NDArray[np.int8], rows: NDArray[np.int8]) -> NDArray[np.float32]:
    """Dot products of an int8 query (dim,) with int8 rows (n, dim), shape (n,)."""
    return kernel()(query, rows)


@cache
def kernel() -> Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.float32]]:
    """The quickest kernel that agrees with numpy on this machine."""
    fast = _numkong()
    return fast if fast is not None and agrees(fast) else numpy_dots


def numpy_dots(query: NDArray[np.int8], rows: NDArray[np.int8]) -> NDArray[np.float32]:
    """The plain kernel: exact, since int8 products of a row sum far below 2^24."""
    wide = query.astype(np.float32)
    out = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), BLOCK):
        out[start : start + BLOCK] = rows[start : start + BLOCK].astype(np.float32) @ wide
    return out


def agrees(candidate: Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.float32]]) -> bool:
    """Test a kernel against numpy on rows of several lengths, extremes included.

    A kernel of this family once returned wrong counts silently, so none is trusted untested.
    """
    for dim in (8, 63, 256, 384, 1024):
        # Scattered by multiplication: to import numpy.random cost every cold recall 6 ms.
        scattered = np.arange(33 * dim, dtype=np.uint32) * np.uint32(SCATTER) >> np.uint32(8)
        rows = (scattered % (2 * SPREAD + 1)).astype(np.int16).reshape(33, dim) - SPREAD
        rows = rows.astype(np.int8)
        rows[0], rows[1] = SPREAD, -SPREAD
        query = rows[2].copy()
        try:
            if not np.array_equal(candidate(query, rows), numpy_dots(query, rows)):
                return False
        except Exception:  # noqa: BLE001  (whatever it raises, numpy takes over)
            return False
    return True


def _numkong() -> Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.float32]] | None:
    try:
        import numkong  # noqa: PLC0415  (optional at run time)
    except Exception:  # noqa: BLE001  (missing, or built for another machine or another numpy)
        return None

    def numkong_dots(query: NDArray[np.int8], rows: NDArray[np.int8]) -> NDArray[np.float32]:
        return np.asarray(numkong.dot(query[None], rows, out_dtype="float32"), np.float32).reshape(-1)  # pyright: ignore[reportUnknownMemberType]

    return numkong_dots


def best(scores: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    """Positions of the k largest scores, best first; equal scores in order of position."""
    count = len(scores)
    if k >= count:
        found = np.arange(count)
    elif count <= SMALL:
        found = np.flatnonzero(scores >= np.partition(scores, count - k)[count - k])
    else:
        found = np.flatnonzero(scores >= _floor(scores, k))
    order = np.lexsort((found, -scores[found]))
    return found[order][:k]


def _floor(scores: NDArray[np.float32], k: int) -> np.float32:
    """A value that at least k scores reach: the k-th best of the groups' maxima bounds it from below."""
    groups = len(scores) // GROUP
    maxima = scores[: groups * GROUP].reshape(groups, GROUP).max(axis=1)
    if groups <= k:
        return np.partition(scores, len(scores) - k)[len(scores) - k]
    return np.partition(maxima, groups - k)[groups - k]
