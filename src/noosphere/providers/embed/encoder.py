"""The encoders: models in int8, run in this process by onnxruntime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from noosphere.errors import InvalidInput, ModelUnavailable
from noosphere.providers.chunking import PIECE
from noosphere.providers.embed import files, projection
from noosphere.providers.embed.neutral import Neutral
from noosphere.providers.embed.pooling import unit
from noosphere.providers.embed.wordpiece import WordPieces
from noosphere.providers.ports import TokenVectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tokenizers import Encoding

    from noosphere.providers.ports import Chunk, Matrix, Packed

WINDOW = 256  # tokens the model was trained to read, the two special ones included
LATE_TOKENS = 128  # of a unit's own for the late interaction; more found nothing more on the dev halves
LATE_CHARACTERS = 2_000  # hold so many tokens in any text worth the name
LATE_CONTEXT = 300  # characters of the text before
LATE_CONTEXT_TOKENS = 100
QUIET = 3  # onnxruntime writes errors only: its warnings on stderr are not the user's business


class Session(Protocol):
    """What is used of an onnxruntime session."""

    def run(self, outputs: Sequence[str] | None, feed: dict[str, Any]) -> list[Any]:
        """Run the model once."""
        ...


class Pooled:
    """A vendored encoder: one vector for a text, the mean of its tokens'.

    Each text is run alone. Activations are quantised by the range of everything in a batch, so in
    batches a vector depends on its neighbours: over 1,500 turns of LoCoMo in batches of 32 sorted by
    length, cosine with the same text alone 0.990 on average and 0.927 at worst, as much as int8 itself
    costs; groups of equal length are hardly better (0.991, 0.962). A batch would save 10 to 20 % of the
    time at 30 tokens a text and nothing at 64. Alone, a vector is a function of its text, memory is
    bounded by the window, and two texts at once on two threads take half the time.

    Args:
        model: which one.
        folder: where its files lie; None for those of its package.
        threads: how many texts are run at once, at least 1.
        neutral: whether what tells the language is taken out, when the model has a file of it.

    Raises:
        ModelUnavailable: a runtime is missing or too old, or a file is missing or damaged.
    """

    def __init__(
        self, model: files.Vendored, folder: Path | None = None, *, threads: int = 1, neutral: bool = True
    ) -> None:
        folder = folder or files.folder(model)
        files.verify(model, folder)
        self.space = files.space(model)
        self._model = model
        self._tokens = WordPieces(model, folder)
        self._session = open_session(model, folder / model.weights)
        self._neutral: Neutral | None = None
        if neutral and model.neutral:
            with files.reading(model, folder / model.neutral):
                self._neutral = Neutral.read(folder / model.neutral)
        self._threads = threads
        self._window = WINDOW + self._tokens.count(model.document)

    def chunk(self, text: str) -> list[Chunk]:
        """Cut a text into chunks the window holds."""
        return self._tokens.chunk(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts that each fit the window: float32 of shape (len(texts), 384).

        Raises:
            InvalidInput: a text has more than 256 tokens; nothing was embedded.
        """
        given = self._model.document
        rows = [self._encode(given + text, f"texts[{number}]").ids for number, text in enumerate(texts)]
        vectors = np.zeros((len(texts), self._model.dim), np.float32)
        for vector, own in zip(vectors, self._each(rows), strict=True):
            vector[:] = own if self._neutral is None else self._neutral.of(own, self._neutral.document)
        return vectors

    def embed_query(self, text: str) -> Matrix:
        """Embed a question; one longer than the window is the mean direction of its chunks."""
        vector = self._asked(text)
        return vector if self._neutral is None else self._neutral.of(vector, self._neutral.query)

    def _asked(self, text: str) -> Matrix:
        if len(text) <= PIECE:
            tokens = self._tokens.ids(self._model.query + text, special=True)
            if len(tokens) <= self._window:
                return self._pooled(tokens)
        given = self._model.query
        rows = [self._encode(given + text[c.start : c.stop], "text").ids for c in self.chunk(text)]
        return unit(np.stack([*self._each(rows)]).sum(axis=0))

    def _encode(self, text: str, field: str) -> Encoding:
        encoding = self._tokens.encode(text, special=True)
        if len(encoding.ids) > self._window:
            problem = f"{len(encoding.ids)} tokens, the window holds {self._window}"
            raise InvalidInput(field, problem, "Cut it with chunk() and embed the chunks")
        return encoding

    def _each(self, rows: Sequence[Sequence[int]]) -> Iterable[Matrix]:
        if self._threads == 1 or len(rows) == 1:
            return map(self._pooled, rows)
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (brings logging, which a question needs not)

        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._pooled, rows))

    def _pooled(self, tokens: Sequence[int]) -> Matrix:
        if all(token == self._tokens.unknown for token in tokens[1:-1]):
            return np.zeros(self._model.dim, np.float32)
        return unit(self._run(tokens).mean(axis=0))

    def _run(self, tokens: Sequence[int]) -> Matrix:
        """Run one text: float32 of shape (tokens, 384)."""
        ids = np.array([tokens], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        if self._model.types:
            feed["token_type_ids"] = np.zeros_like(ids)
        return self._session.run(None, feed)[0][0]


class Encoder(Pooled):
    """The encoder of the package: it can also show the vectors of a text's tokens, and of those for late interaction.

    Args:
        folder: where the model's files lie; None for those of the package.
        threads: how many texts are run at once, at least 1.

    Raises:
        ModelUnavailable: a runtime is missing or too old, or a file is missing or damaged.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 1) -> None:
        super().__init__(files.ENCODER, folder, threads=threads)

    def knows(self, word: str) -> bool:
        """Whether a word is one of its vocabulary."""
        return self._tokens.has(word)

    def token_vectors(self, text: str) -> TokenVectors:
        """Embed the tokens of a text in its context; unknown ones are kept, they have a context too.

        Raises:
            InvalidInput: the text has more than 256 tokens.
        """
        encoding = self._encode(text, "text")
        inner = slice(1, len(encoding.ids) - 1)
        rows = unit(self._run(encoding.ids)[inner])
        return TokenVectors(np.array(encoding.ids[inner], np.int32), rows, encoding.offsets[inner])

    def late_document(self, text: str, before: str) -> Packed:
        """Embed the first tokens of a text, read after the text before it: int8 of shape (n, 96), n at most 128."""
        context = self._tokens.encode(before[:LATE_CONTEXT]).ids[:LATE_CONTEXT_TOKENS] if before else []
        encoding = self._tokens.encode(text[:LATE_CHARACTERS], special=True)
        own = encoding.ids[1:-1][:LATE_TOKENS]
        rows = self._run([encoding.ids[0], *context, *own, encoding.ids[-1]])
        start = 1 + len(context)
        return projection.pack(projection.project(rows[start : start + len(own)]))

    def late_query(self, text: str) -> TokenVectors:
        """Embed the tokens of a question, of the same 96 directions; a long one by its first window."""
        encoding = self._tokens.encode(text[:PIECE], special=True)
        own = encoding.ids[1:-1][: WINDOW - 2]
        rows = self._run([encoding.ids[0], *own, encoding.ids[-1]])[1:-1]
        return TokenVectors(np.array(own, np.int32), projection.project(rows), encoding.offsets[1:-1][: len(own)])


def open_session(model: files.Vendored, path: Path) -> Session:
    """Load the model.

    Raises:
        ModelUnavailable: onnxruntime is missing or too old, or cannot read the file.
    """
    with files.needs(model, "onnxruntime"):
        import onnxruntime  # noqa: PLC0415  (some 50 ms and 20 MB, for whoever loads this model)

        runtime: Any = onnxruntime  # it carries no types
        found = tuple(int(part) for part in runtime.__version__.split(".")[:2])
    if found < files.OLDEST_ONNXRUNTIME:
        problem = f"onnxruntime {runtime.__version__} is too old"
        raise ModelUnavailable(model.name, problem, files.remedy("onnxruntime"))
    with files.reading(model, path):
        return runtime.InferenceSession(str(path), _options(runtime), providers=["CPUExecutionProvider"])


def _options(runtime: Any) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1  # two inside one run gain 1.3 times, two runs at once 2.0; none spins
    options.inter_op_num_threads = 1
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_BASIC  # more gained nothing
    options.enable_cpu_mem_arena = False  # texts differ in length, so an arena keeps memory and saves no time
    options.enable_mem_pattern = False
    options.log_severity_level = QUIET
    return options
