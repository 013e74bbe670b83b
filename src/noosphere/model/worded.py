"""A text in lower case and its words: what rules of every kind look at before they look closer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

SEPARATORS = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
WORD = re.compile(r"[^\W_]+")
SHARED = 16  # texts whose words are remembered: one text is looked at by several sets of rules, one after another
SHORT = 20_000  # characters of a text worth remembering


class Worded(NamedTuple):
    """A text as rules look at it first: in lower case, and its words, each once."""

    lower: str
    words: frozenset[str]


def worded(text: str) -> Worded:
    """A text as rules look at it."""
    return _remembered(text) if len(text) <= SHORT else _read(text)


def words_of(lower: str) -> frozenset[str]:
    """The words of a text in lower case: runs of letters and digits."""
    return frozenset(lower.translate(SEPARATORS).split() if lower.isascii() else WORD.findall(lower))


def _read(text: str) -> Worded:
    lower = text.lower()
    return Worded(lower, words_of(lower))


_remembered = lru_cache(maxsize=SHARED)(_read)
