"""Plain text to tokens without the tokenizer: what a BERT WordPiece model makes of ASCII, from its vocabulary alone.

A process that reads one question ends before a tokenizer is worth loading: 25 ms of CPU, the vocabulary 6.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])  # dropped; tab, line feed and return are spaces
WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+|[!-/:-@\[-`{-~]", re.ASCII)  # a run of letters and digits, or one sign
LONGEST = 100  # characters of a word; a longer one is unknown as a whole
KIND = {
    "model": {"type": "WordPiece", "continuing_subword_prefix": "##", "max_input_chars_per_word": LONGEST},
    "normalizer": {"type": "BertNormalizer", "clean_text": True, "lowercase": True},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
}  # the tokenizers that this stands in for


class PlainPieces:
    """The tokens of ASCII texts.

    Raises:
        ValueError: the file is no tokenizer, or of another kind.
    """

    def __init__(self, path: Path) -> None:
        given: Any = json.loads(path.read_bytes())
        for part, wanted in KIND.items():
            if any(given[part][name] != value for name, value in wanted.items()):
                raise ValueError(f"its {part} is of another kind")
        self._ids: dict[str, int] = given["model"]["vocab"]
        self.unknown = self._ids[given["model"]["unk_token"]]

    def of(self, text: str) -> list[int]:
        """The tokens of an ASCII text, without the marks at its ends."""
        found: list[int] = []
        for word in WORD.findall(text.translate(CONTROLS).lower()):
            found += self._pieces(word)
        return found

    def mark(self, name: str) -> int:
        """The token of a mark that stands at an end."""
        return self._ids[name]

    def _pieces(self, word: str) -> list[int]:
        """The longest pieces from the left; unknown when a rest is none."""
        whole = self._ids.get(word)
        if whole is not None:
            return [whole]
        if len(word) > LONGEST:
            return [self.unknown]
        found: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            for stop in range(len(word), start, -1):
                piece = self._ids.get(prefix + word[start:stop])
                if piece is not None:
                    break
            else:
                return [self.unknown]
            found.append(piece)
            start, prefix = stop, "##"
        return found
