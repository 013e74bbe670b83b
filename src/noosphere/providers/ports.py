"""The ports of the model providers: what an embedder can do, and the values that pass through.

Importing this module loads neither numpy nor a model runtime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Packed = NDArray[np.int8]
    TokenIds = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Space:
    """One model with its dimension; vectors of two spaces are never compared.

    Attributes:
        name: what people and settings call it, such as "minilm-l6-v2.int8".
        fingerprint: changes when the weights, the tokenizer or the way of pooling change.
        dim: numbers in a vector.
        scale: a unit vector times this, rounded and clipped to ±127, is its int8 form.
        across: how many times lower a cosine is when the two texts are in different languages.
    """

    name: str
    fingerprint: str
    dim: int
    scale: float
    across: float = 1.0


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a text, in characters: `text[start:stop]`."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The tokens of one text for late interaction, special tokens left out.

    Attributes:
        ids: the tokenizer's ids, int32 of shape (n,).
        rows: one unit row for each token, float32 of shape (n, dim).
        offsets: where each token lies in the text, in characters.
    """

    ids: TokenIds
    rows: Matrix
    offsets: list[tuple[int, int]]


class Embedder(Protocol):
    """Turns texts into vectors of one space; safe to call from several threads at once.

    A vector is a unit vector, or all zeros for a text with nothing in it the model knows (empty,
    spaces, only unknown symbols): zeros are similar to nothing, so such a text is never found.
    It depends on its text alone, never on what it was embedded together with.
    """

    @property
    def space(self) -> Space:
        """The space its vectors belong to."""
        ...

    def chunk(self, text: str) -> list[Chunk]:
        """Cut a text into stretches that each fit the model; none for a text of spaces."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts that each fit the model, in their order: float32 of shape (len(texts), dim).

        Raises:
            InvalidInput: a text is longer than the model can read; cut it with `chunk` first.
        """
        ...

    def embed_query(self, text: str) -> Matrix:
        """Embed a question of any length: float32 of shape (dim,)."""
        ...


class Meter(Protocol):
    """Counts texts that are sent to hosted models against a quota."""

    def take(self, model: str, texts: int) -> None:
        """Count some texts before they are sent.

        Raises:
            EmbeddingQuotaExceeded: they are more than is left; nothing was counted.
        """
        ...


@runtime_checkable
class LateEmbedder(Embedder, Protocol):
    """An embedder whose tokens can meet a question's one by one (late interaction); test for it with isinstance."""

    def late_document(self, text: str, before: str) -> Packed:
        """Embed the first tokens of a text, read after the text before it: int8 of shape (n, 96), n at most 128."""
        ...

    def late_query(self, text: str) -> TokenVectors:
        """Embed the tokens of a question, of the same 96 directions; a long one by its first window."""
        ...


@runtime_checkable
class KnowsWords(Protocol):
    """An embedder that tells the words it has learned from those it sees as pieces without a sense."""

    def knows(self, word: str) -> bool:
        """Whether a word, folded as the full text folds it, is one of its vocabulary."""
        ...
