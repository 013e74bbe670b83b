"""Embedders for tests: no model and no files, the same vectors on every machine."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from noosphere.providers.chunking import Word, cut
from noosphere.providers.ports import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.providers.ports import Chunk, Matrix

WORD = re.compile(r"\w+")
STRETCH = re.compile(r"\S{1,100}")  # what chunks are made of; longer runs are cut
SCALE = 127.0  # a text of one word has a single value of 1


class HashedEmbedder:
    """A bag of words, hashed into a few signed dimensions.

    It stands in for a model where a test needs vectors: texts that share words are similar, texts that
    share none are not, but for collisions. It knows no meaning: "car" and "automobile" are strangers, and
    so are "car" and "cars". Nothing about the quality of recall can be learnt from it.

    Args:
        dim: numbers in a vector; fewer means more collisions.
    """

    def __init__(self, dim: int = 64) -> None:
        self.space = Space(f"hashed-{dim}", f"hashed.1.{dim}", dim, SCALE)

    def chunk(self, text: str) -> list[Chunk]:
        """Cut a text by the rule of the models, counting every run of letters as one token."""
        return list(cut(text, (Word(*found.span(), 1) for found in STRETCH.finditer(text))))

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts of any length: float32 of shape (len(texts), dim)."""
        vectors = np.zeros((len(texts), self.space.dim), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[:] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> Matrix:
        """Embed a question, the same way as a document."""
        vector = np.zeros(self.space.dim, np.float32)
        for word in WORD.findall(text.casefold()):
            place, sign = _place(word, self.space.dim)
            vector[place] += sign
        return vector / max(float(np.linalg.norm(vector)), 1.0)


def _place(word: str, dim: int) -> tuple[int, float]:
    """Where a word counts, and with which sign, so that collisions cancel as often as they add."""
    number = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest())
    return (number >> 1) % dim, 1.0 if number & 1 else -1.0
