"""The tokenizer of a vendored model, made safe for any text and shared by both embedders."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from noosphere.forking import Lock
from noosphere.providers.chunking import cut, legible, pieces, words_of
from noosphere.providers.embed import files
from noosphere.providers.embed.plain import PlainPieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenizers import Encoding, Tokenizer

    from noosphere.providers.chunking import Word
    from noosphere.providers.ports import Chunk

FIRST, LAST = "[CLS]", "[SEP]"  # the marks at the two ends
LONGEST = 120  # tokens of a word before it is cut: half a chunk


class WordPieces:
    """A tokenizer read from a vendored file; it is loaded when a text needs more than the ids of plain ASCII.

    Texts are encoded one by one: the package's batches run on threads of their own, which warn
    after a fork, and are no quicker on one core (45 µs against 46 µs a text of 30 tokens).

    Raises:
        ModelUnavailable: tokenizers is missing, or the file is not a tokenizer.
    """

    def __init__(self, model: files.Vendored, folder: Path) -> None:
        self._model = model
        self._path = folder / model.tokenizer
        self._lock = Lock()
        self._loaded: Tokenizer | None = None
        self._plain: PlainPieces | None = None
        if model.plain:
            with files.needs(model, "tokenizers"):
                if find_spec("tokenizers") is None:
                    raise ImportError("it is not installed")
            with files.reading(model, self._path):
                self._plain = PlainPieces(self._path)
            self.unknown = self._plain.unknown
        else:
            self.unknown = self._tokenizer.token_to_id(model.unknown)

    def encode(self, text: str, *, special: bool = False) -> Encoding:
        """Tokenise a text, with the marks at its two ends when `special`."""
        return self._tokenizer.encode(legible(text), add_special_tokens=special)

    def ids(self, text: str, *, special: bool = False) -> list[int]:
        """The tokens of a text alone."""
        plain = self._plain
        if plain is None or self._loaded is not None or not text.isascii():
            return self.encode(text, special=special).ids
        found = plain.of(text)
        return [plain.mark(FIRST), *found, plain.mark(LAST)] if special else found

    def count(self, text: str) -> int:
        """How many tokens a text has, marks left out."""
        return len(self.ids(text))

    def has(self, word: str) -> bool:
        """Whether a word is one token."""
        ids = self.ids(word)
        return len(ids) == 1 and ids[0] != self.unknown

    @property
    def _tokenizer(self) -> Tokenizer:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
                self._plain = None
            return self._loaded

    def _load(self) -> Tokenizer:
        with files.needs(self._model, "tokenizers"):
            from tokenizers import Tokenizer  # noqa: PLC0415  (a failed import must become a reason)
        with files.reading(self._model, self._path):
            found = Tokenizer.from_file(str(self._path))
        found.no_padding()  # the file asks for 128 tokens: a query would cost 15 ms, not 1.3 ms
        found.no_truncation()  # the file asks for a silent cut
        found.encode_special_tokens = True  # "[SEP]" typed by somebody is text
        return found

    def ids_of_pieces(self, text: str) -> Iterator[list[int]]:
        """The tokens of a text of any length, one piece at a time."""
        return (self.ids(text[slice(*piece)]) for piece in pieces(text))

    def encode_pieces(self, text: str) -> Iterator[tuple[tuple[int, int], Encoding]]:
        """Tokenise a text of any length, one piece at a time; offsets count from the piece's start."""
        return ((piece, self.encode(text[slice(*piece)])) for piece in pieces(text))

    def chunk(self, text: str) -> list[Chunk]:
        """Cut a text into chunks of this tokenizer's tokens."""
        return list(cut(text, self._words(text)))

    def _words(self, text: str) -> Iterator[Word]:
        for piece, encoding in self.encode_pieces(text):
            yield from words_of(text, piece, encoding.offsets, _parts(encoding.word_ids))


def _parts(words: Sequence[int | None]) -> list[int | None]:
    """Number the words, and the parts of one too long for a chunk, as some tokenizers make of noise."""
    parts: list[int | None] = []
    word, size, number = None, 0, 0
    for own in words:
        if own is None or own != word or size == LONGEST:
            word, size, number = own, 0, number + 1
        parts.append(None if own is None else number)
        size += 1
    return parts
