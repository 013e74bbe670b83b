"""Late interaction: every token of the question looks for its best match among a unit's tokens (MaxSim).

The score is the mean of those matches, weighted by how rare the question's words are, in the best window of a unit:
a long turn must not win by having something for every word somewhere (Khattab and Zaharia 2020, windows of our own).
"""

from __future__ import annotations

import re
from math import log
from typing import TYPE_CHECKING

import numpy as np

from noosphere.providers.embed.projection import DIM, unpack
from noosphere.store import tokens
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from noosphere.model.unit import Unit
    from noosphere.providers.ports import Packed, TokenVectors
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.fulltext import Era

BLOCK = 16  # tokens; a window is two blocks in a row
SIGN_WEIGHT = 0.1  # of a token that is no word, such as a question mark
COMPUTED = 50  # units whose tokens are made for one question when the store has none: about a quarter of a second


def word_weights(
    sql: Connection, query: TokenVectors, text: str, frequencies: Frequencies, eras: Sequence[Era], size: int
) -> NDArray[np.float32]:
    """How rare the word of each of the question's tokens is among `size` units (idf), shape (n,)."""
    found = [_rarity(sql, word, frequencies, eras, size) for word in _words_around(text, query.offsets)]
    return np.array(found, np.float32)


def _rarity(sql: Connection, word: str, frequencies: Frequencies, eras: Sequence[Era], size: int) -> float:
    terms = query_terms(word) if re.match(r"\w", word) else ()
    if not terms:
        return SIGN_WEIGHT
    count = min(frequencies.of_all(sql, terms, eras))
    return log(1 + (max(size - count, 0) + 0.5) / (count + 0.5))


def _words_around(text: str, offsets: Sequence[tuple[int, int]]) -> list[str]:
    """The whole word each token is a piece of."""
    found: list[str] = []
    for start, stop in offsets:
        while start > 0 and text[start - 1].isalnum():
            start -= 1  # noqa: PLW2901  (the token grows to its word)
        while stop < len(text) and text[stop].isalnum():
            stop += 1  # noqa: PLW2901
        found.append(text[start:stop])
    return found


def stored(sql: Connection, space: int, units: Sequence[Unit]) -> dict[int, Packed]:
    """The stored token rows of units, by frame."""
    found = tokens.read(sql, space, [u.frame for u in units])
    return {frame: np.frombuffer(rows, np.int8).reshape(-1, DIM) for frame, rows in found.items()}


def scores(query: NDArray[np.float32], weights: NDArray[np.float32], units: Sequence[Packed]) -> list[float | None]:
    """The interaction of a question, shape (n, 96), with each unit's tokens; None for a unit of no tokens."""
    filled = [number for number, rows in enumerate(units) if len(rows)]
    found: list[float | None] = [None] * len(units)
    if not filled or not weights.sum():
        return found
    lengths = [len(units[n]) for n in filled]
    similarity = query @ unpack(np.concatenate([units[n] for n in filled])).T
    starts = np.cumsum([0, *lengths[:-1]])
    blocks = [-(-length // BLOCK) for length in lengths]
    block_starts = np.concatenate(
        [start + BLOCK * np.arange(count) for start, count in zip(starts, blocks, strict=True)]
    )
    best = np.maximum.reduceat(similarity, block_starts, axis=1)
    single = weights @ best / weights.sum()
    paired = weights @ np.maximum(best[:, :-1], best[:, 1:]) / weights.sum()
    first = 0
    for number, count in zip(filled, blocks, strict=True):
        found[number] = float(single[first] if count == 1 else paired[first : first + count - 1].max())
        first += count
    return found
