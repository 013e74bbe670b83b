"""A text in lower case and its words: what rules of every kind look at before they look closer."""

from __future__ import annotations

import re
from functools import lru_cache

SEPARATORS = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
WORD = re.compile(r"[^\W_]+")
DIGIT = "\u0660"  # stands for any digit where none is meant
DIGITS = re.compile(r"\d")
SHARED = 256  # texts whose words are remembered: sets of rules look at a text, or at all of a talk, one after another
LONGEST_WORD = 64  # characters of a word worth remembering
LONGEST_NUMBER = 5  # of one that ends like a number: longer ones hardly come twice
SHORT = 4000  # characters of a text worth remembering


class Worded:
    """A text as rules look at it first.

    Attributes:
        lower: in lower case.
        words: its words, each once.
    """

    __slots__ = ("_line", "_shape", "lower", "words")

    def __init__(self, text: str) -> None:
        """Read the words of a text."""
        self.lower = text.lower()
        self.words = words_of(self.lower)
        self._line: str | None = None
        self._shape: str | None = None

    @property
    def line(self) -> str:
        """The words in any order, with a space before and behind each."""
        if self._line is None:
            self._line = f" {' '.join(self.words)} "
        return self._line

    @property
    def shape(self) -> str:
        """The same, with DIGIT in place of every digit."""
        if self._shape is None:
            self._shape = DIGITS.sub(DIGIT, self.line)
        return self._shape


def worded(text: str) -> Worded:
    """A text as rules look at it."""
    return _remembered(text) if len(text) <= SHORT else Worded(text)


def words_of(lower: str) -> frozenset[str]:
    """The words of a text in lower case: runs of letters and digits."""
    return frozenset(lower.translate(SEPARATORS).split() if lower.isascii() else WORD.findall(lower))


def is_worth_remembering(word: str) -> bool:
    """Whether a word is likely to come again."""
    return len(word) <= LONGEST_NUMBER or (len(word) <= LONGEST_WORD and not any(c.isdigit() for c in word[-2:]))


_remembered = lru_cache(maxsize=SHARED)(Worded)
