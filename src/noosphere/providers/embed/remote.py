"""An embedder that runs elsewhere: Ollama, Voyage, whatever speaks OpenAI's protocol, or a LiteLLM proxy."""

from __future__ import annotations

import re
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from noosphere.errors import ModelDown, ModelUnavailable
from noosphere.providers.chunking import LIMIT, OVERLAP, Word, cut, legible
from noosphere.providers.embed.dialects import DIALECTS
from noosphere.providers.embed.pooling import unit
from noosphere.providers.endpoint import Endpoint, TooSlow
from noosphere.providers.hosted import UNKNOWN_CHARACTERS
from noosphere.providers.ports import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.providers.embed.dialects import Purpose
    from noosphere.providers.hosted import Hosted
    from noosphere.providers.ports import Chunk, Matrix, Meter

STRETCH = re.compile(r"\S{1,64}")  # what a text is cut between; longer runs are cut themselves
ASCII_PER_TOKEN = 3  # few texts have shorter tokens on average; of other scripts each character counts as one
MARGIN = 8  # tokens left for the marks that a model puts around a text
TRIED = "a text that tells the dimension"
WAIT = "The texts stay pending and are tried again with the next write or flush"
INT8 = 127
SPREAD = 6.5  # the largest component of a unit vector, in parts of its mean one; measured on MiniLM: 6.2


class Remote:
    """A hosted model; safe from several threads, as far as its server is.

    Args:
        hosted: which model, and what is known of it.
        endpoint: where it is asked.
        meter: counts texts against a quota; None counts nothing.

    Raises:
        ModelDown: its dimension must be asked, and it does not answer.
    """

    def __init__(self, hosted: Hosted, endpoint: Endpoint, meter: Meter | None = None) -> None:
        self._hosted = hosted
        self._endpoint = endpoint
        self._meter = meter
        _, self._request, self._answer = DIALECTS[hosted.provider]
        dim = hosted.dim or len(self._rows([TRIED], "document")[0])
        self.space = space_of(hosted, dim)

    def chunk(self, text: str) -> list[Chunk]:
        """Cut a text into stretches that surely fit the model; short ones: one vector tells little of a long text."""
        tokens = self._hosted.tokens
        if tokens is None:
            words = (Word(*found.span(), found.end() - found.start() + 1) for found in STRETCH.finditer(text))
            return list(cut(text, words, limit=UNKNOWN_CHARACTERS, overlap=OVERLAP * ASCII_PER_TOKEN))
        words = (Word(*found.span(), _tokens(found.group())) for found in STRETCH.finditer(text))
        return list(cut(text, words, limit=min(tokens - self._marks(), LIMIT), overlap=OVERLAP))

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts: float32 of shape (len(texts), dim).

        Raises:
            ModelDown: it does not work now.
            ModelUnavailable: it refuses one of the texts; embed them one by one to learn which.
        """
        marked = [self._hosted.document + legible(text) for text in texts]
        starts = range(0, len(marked), self._hosted.batch)
        rows = [self._embed(marked[start : start + self._hosted.batch], "document") for start in starts]
        return unit(np.concatenate([np.zeros((0, self.space.dim), np.float32), *rows]))

    def embed_query(self, text: str) -> Matrix:
        """Embed a question; a long one is the mean direction of its chunks.

        Raises:
            ModelUnavailable: it does not work now, or refuses the text.
        """
        chunks = self.chunk(text)
        if not chunks:
            return np.zeros(self.space.dim, np.float32)
        marked = [self._hosted.query + legible(text[c.start : c.stop]) for c in chunks[: self._hosted.batch]]
        return unit(unit(self._embed(marked, "query")).sum(axis=0))

    def _embed(self, texts: list[str], purpose: Purpose) -> Matrix:
        """Embed one batch; of one that took too long the halves, for a slow server is not a dead one."""
        try:
            rows = self._rows(texts, purpose)
        except TooSlow:
            if len(texts) == 1 or purpose == "query":
                raise
            half = len(texts) // 2
            return np.concatenate([self._embed(texts[:half], purpose), self._embed(texts[half:], purpose)])
        return self._matrix(rows)

    def _rows(self, texts: list[str], purpose: Purpose) -> list[list[float]]:
        if self._meter is not None:
            self._meter.take(self._hosted.name, len(texts))
        answer = self._endpoint.post(self._request(self._hosted.model, texts, purpose))
        try:
            rows = self._answer(answer)
            if len(rows) == len(texts) and all(rows):
                return rows
        except (LookupError, TypeError, ValueError, AttributeError) as problem:
            raise ModelDown(self._hosted.name, "its answer has another form", WAIT) from problem
        raise ModelUnavailable(self._hosted.name, f"it gave {len(rows)} vectors for {len(texts)} texts", WAIT)

    def _matrix(self, rows: list[list[float]]) -> Matrix:
        sizes = {len(row) for row in rows}
        if sizes != {self.space.dim}:
            raise ModelDown(self._hosted.name, f"it gave vectors of {sizes} numbers, not {self.space.dim}", WAIT)
        try:
            matrix = np.array(rows, np.float32)
        except (TypeError, ValueError) as problem:
            raise ModelUnavailable(self._hosted.name, "its vectors hold what is no number", WAIT) from problem
        if not np.isfinite(matrix).all():
            raise ModelUnavailable(self._hosted.name, "its vectors hold what is no number", WAIT)
        return matrix

    def _marks(self) -> int:
        return MARGIN + max(_tokens(self._hosted.query), _tokens(self._hosted.document))


def space_of(hosted: Hosted, dim: int) -> Space:
    """The space of a hosted model."""
    return Space(hosted.name, hosted.fingerprint(dim), dim, round(INT8 * sqrt(dim) / SPREAD))


def _tokens(text: str) -> int:
    """No fewer tokens than any tokenizer in use makes of a text, as far as that can be said without it."""
    narrow = sum(character.isascii() for character in text)
    return -(-narrow // ASCII_PER_TOKEN) + len(text) - narrow
