"""Sketches: one bit for each number of a row, by which a search passes over the rows of a segment that lie far off.

A bit says whether the number is above the middle of the segment's rows. The more bits of a row differ from those of
a question, the farther it lies; counting them reads an eighth of the bytes of an int8 row. Which rows are near is
decided by their numbers, of as many rows as the sketch was measured to need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

WORD = 64  # bits of a word
BLOCK = 65_536  # rows compared at a time: what is between stays in the cache
LEARNT = 8192  # rows widened to float32 at a time
ASKED, NEAREST = 64, 10  # questions to a new segment, and how many of its rows each should find
WANTED = 0.99  # of those
MARGIN = 2  # times as many: questions of people lie farther off than what lies between two rows
LEAST_SHARE = 0.03  # of 100,000 vectors of chat: of real questions 99.7 % of the fifty nearest, 97.8 with 0.01
MOST_SHARE = 0.25  # from here on rows that lie apart cost as much as all of them side by side


@dataclass(frozen=True, slots=True)
class Sketch:
    """The bits of a segment's rows.

    Attributes:
        bits: uint64, shape (words, n): the first words of all rows, then the second, and so on.
        middle: the mean of the rows, float32, shape (dim,).
        share: of the rows, how many have to be looked at to find nearly all that is near; 0 < share <= 1.
    """

    bits: NDArray[np.uint64]
    middle: NDArray[np.float32]
    share: float = 1.0

    def is_sound(self) -> bool:
        """Whether it can be one: bytes that changed on the disk must not warn or raise."""
        return bool(np.isfinite(self.middle).all())

    def holds(self, at: NDArray[np.intp], exact: NDArray[np.float16]) -> bool:
        """Whether these are the bits of the rows in these places."""
        return np.array_equal(self.bits[:, at], bits(plain(exact), self.middle))

    def near(self, query: NDArray[np.float32], least: int) -> NDArray[np.intp] | None:
        """Where the nearest rows lie, in their order: at least `least`, and the share; None means all of them."""
        count = self.bits.shape[1]
        wanted = max(least, round(self.share * count))
        if wanted > MOST_SHARE * count:
            return None
        apart = self.apart(query)
        return np.flatnonzero(apart <= np.partition(apart, wanted - 1)[wanted - 1])

    def apart(self, query: NDArray[np.float32]) -> NDArray[np.uint16]:
        """In how many bits each row differs from a query, shape (n,)."""
        asked = bits(query[None], self.middle)[:, 0]
        found = np.zeros(self.bits.shape[1], np.uint16)
        differ, ones = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint8)
        for start in range(0, len(found), BLOCK):
            own = found[start : start + BLOCK]
            size = len(own)
            for word, rows in zip(asked, self.bits, strict=True):
                np.bitwise_xor(rows[start : start + size], word, out=differ[:size])
                np.bitwise_count(differ[:size], out=ones[:size])
                np.add(own, ones[:size], out=own)
        return found


def words(dim: int) -> int:
    """How many words hold the bits of a row."""
    return -(-dim // WORD)


def draw(exact: NDArray[np.float16]) -> Sketch:
    """Sketch rows, shape (n, dim), n > 0; the same rows give the same sketch."""
    blocks = [plain(block).sum(axis=0, dtype=np.float64) for block in _blocks(exact)]
    middle = (np.sum(blocks, axis=0) / len(exact)).astype(np.float32)
    drawn = np.concatenate([bits(plain(block), middle) for block in _blocks(exact)], axis=1)
    return Sketch(drawn, middle, _needed(exact, Sketch(drawn, middle)))


def bits(rows: NDArray[np.float32], middle: NDArray[np.float32]) -> NDArray[np.uint64]:
    """The bits of rows, shape (words, n)."""
    packed = np.zeros((len(rows), words(len(middle)) * WORD // 8), np.uint8)
    own = np.packbits(rows > middle, axis=1)
    packed[:, : own.shape[1]] = own
    return np.ascontiguousarray(packed.view(np.uint64).T)


def plain(exact: NDArray[np.float16]) -> NDArray[np.float32]:
    """As float32; what damage made no number is nothing."""
    return np.nan_to_num(exact.astype(np.float32), posinf=0.0, neginf=0.0)


def _needed(exact: NDArray[np.float16], sketch: Sketch) -> float:
    """The share of the rows that holds WANTED of the nearest, over questions that lie between rows, and the margin.

    How well bits tell what is near depends on the rows: a hundredth is enough of some spaces, and half too little of
    others.
    """
    step = max(1, len(exact) // (2 * ASKED))
    some = plain(exact[::step][: 2 * ASKED])
    half = len(some) // 2
    if not half:
        return 1.0
    queries = some[:half] + some[half : 2 * half]
    queries /= _lengths(queries)
    scores = np.concatenate([queries @ plain(block).T for block in _blocks(exact)], axis=1)
    seen: list[NDArray[np.intp]] = []
    for query, own in zip(queries, scores, strict=True):
        apart, best = sketch.apart(query), np.argpartition(own, -min(NEAREST, len(own)))[-NEAREST:]
        seen.append(np.searchsorted(np.sort(apart), apart[best], "right"))
    needed = np.sort(np.concatenate(seen))
    share = MARGIN * float(needed[int(WANTED * (len(needed) - 1))]) / len(exact)
    return min(1.0, max(LEAST_SHARE, share))


def _lengths(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The length of each row, 1 for one of no length, shape (n, 1)."""
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(sizes > 0, sizes, 1).astype(np.float32)


def _blocks(exact: NDArray[np.float16]) -> Iterator[NDArray[np.float16]]:
    for start in range(0, len(exact), LEARNT):
        yield exact[start : start + LEARNT]
