"""An injected embedder: vectors that cluster by topic words, made without a model, in the real one's place."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from noosphere.providers.embed import files, projection
from noosphere.providers.embed.encoder import LATE_TOKENS
from noosphere.providers.ports import Chunk, Space, TokenVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.corpus import Corpus
    from noosphere.providers.ports import LateEmbedder, Matrix, Packed

DIM = 384
TOKENS_A_WORD = 1.3
NOISE = 1.2  # as much as the topic itself: neighbours overlap as those of real text do


class TopicEmbedder:
    """A text's vector is its topic's, with noise of its own."""

    def __init__(self, corpus: Corpus) -> None:
        rng = np.random.default_rng(5)
        centres = rng.standard_normal((len(corpus.topics), DIM)).astype(np.float32) / np.sqrt(DIM)
        self._centres = {word: centres[n] for n, words in enumerate(corpus.topics) for word in words}
        self._known: dict[str, Matrix] = {}

    def know(self, questions: Sequence[str]) -> None:
        """Embed questions now, so that what is timed later pays for none of it."""
        self._known = {question: self.embed_query(question) for question in questions}

    @property
    def space(self) -> Space:
        """The real encoder's, so that a process with the real encoder can ask the same mind."""
        return files.space(files.ENCODER)

    def chunk(self, text: str) -> list[Chunk]:
        """Whole texts."""
        return [Chunk(0, len(text))]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """One row for each text."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Matrix:
        """Sum the topics of the words, add noise seeded by the text, take unit length."""
        if (known := self._known.get(text)) is not None:
            return known
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        row = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32) * (NOISE / np.sqrt(DIM))
        found = [self._centres[word] for word in text.rstrip("?").split() if word in self._centres]
        if found:
            row += np.mean(found, axis=0) * np.sqrt(len(found))
        return row / np.linalg.norm(row)

    def late_document(self, text: str, before: str) -> Packed:
        """As many token rows as the real encoder would keep, of noise seeded by the text."""
        seed = int.from_bytes(blake2b(before.encode() + text.encode(), digest_size=8).digest())
        shape = (min(LATE_TOKENS, round(len(text.split()) * TOKENS_A_WORD)), projection.DIM)
        return np.random.default_rng(seed).integers(-127, 128, shape, np.int8)

    def late_query(self, text: str) -> TokenVectors:
        """Rows of noise for every word."""
        words = text.split()
        rows = projection.unpack(self.late_document(text, "")[: len(words)])
        starts = [text.index(word) for word in words][: len(rows)]
        spans = [(start, start + len(word)) for start, word in zip(starts, words, strict=False)]
        return TokenVectors(np.zeros(len(rows), np.int32), rows, spans)


class WithRealQuery(TopicEmbedder):
    """The same, but a question also pays for the real encoder."""

    def __init__(self, corpus: Corpus, encoder: LateEmbedder) -> None:
        super().__init__(corpus)
        self._encoder = encoder

    def embed_query(self, text: str) -> Matrix:
        """Run the real encoder, and answer with the topic's vector."""
        self._encoder.embed_query(text)
        return super().embed_query(text)

    def late_query(self, text: str) -> TokenVectors:
        """Run the real encoder for the question's tokens."""
        return self._encoder.late_query(text)
