"""The static embedder: a look-up in a table of token vectors, with numpy and no network to run."""

from __future__ import annotations

import json
import mmap
from typing import TYPE_CHECKING, Any

import numpy as np

from noosphere.providers.embed import files
from noosphere.providers.embed.pooling import unit
from noosphere.providers.embed.wordpiece import WordPieces

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from noosphere.providers.ports import Chunk, Matrix

TENSOR_TYPES = {"I8": np.dtype("i1"), "F16": np.dtype("<f2")}  # the two kinds the vendored file holds
HEADER_AT = 8  # a safetensors file begins with its header's length, 8 bytes little-endian


class Static:
    """The vendored static model; reads texts of any length.

    Raises:
        ModelUnavailable: tokenizers is missing, or a file is missing or damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or files.folder()
        files.verify(files.STATIC, folder)
        self.space = files.space(files.STATIC)
        self._tokens = WordPieces(files.STATIC, folder)
        path = folder / files.STATIC.weights
        with files.reading(files.STATIC, path):
            tensors = read_safetensors(path)
            self._rows: NDArray[np.int8] = tensors["embeddings"]
            self._scales: Matrix = tensors["scale"].astype(np.float32)

    def chunk(self, text: str) -> list[Chunk]:
        """Cut a text as for the encoder, by its own tokens."""
        return self._tokens.chunk(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts of any length: float32 of shape (len(texts), 256)."""
        sums = np.zeros((len(texts), files.STATIC.dim), np.float32)
        for own, text in zip(sums, texts, strict=True):
            own[:] = self._sum(text)
        return unit(sums)

    def embed_query(self, text: str) -> Matrix:
        """Embed a question, the same way as a document."""
        return unit(self._sum(text))

    def knows(self, word: str) -> bool:
        """Whether a word is one of its vocabulary."""
        return self._tokens.has(word)

    def _sum(self, text: str) -> Matrix:
        """Add up the known tokens' vectors, which has the direction of their mean."""
        total = np.zeros(files.STATIC.dim, np.float32)
        for found in self._tokens.ids_of_pieces(text):
            ids = np.array(found, np.int32)
            ids = ids[ids != self._tokens.unknown]
            total += self._scales[ids] @ self._rows[ids].astype(np.float32)
        return total


def read_safetensors(path: Path) -> dict[str, NDArray[Any]]:
    """Map a safetensors file into memory: each tensor by its name, read-only, not copied.

    Raises:
        ValueError: the file is not of this format, or shorter than its header says.
    """
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = HEADER_AT + int.from_bytes(data[:HEADER_AT], "little")
    header: dict[str, Any] = json.loads(data[HEADER_AT:begin])
    header.pop("__metadata__", None)
    return {name: _tensor(data, begin, entry) for name, entry in header.items()}


def _tensor(data: mmap.mmap, begin: int, entry: dict[str, Any]) -> NDArray[Any]:
    kind = TENSOR_TYPES[entry["dtype"]]
    start, stop = entry["data_offsets"]
    return np.frombuffer(data, kind, (stop - start) // kind.itemsize, begin + start).reshape(entry["shape"])
