"""How much a text asks: what asks seldom answers."""

from __future__ import annotations

import re
from functools import lru_cache

READ = 1500  # characters of a text
_MARKS = ("?", "？", "؟")
_SENTENCE = re.compile(r"[^.!?。？！؟\n]+[.!?。？！؟]*[\"”»)\]]*")


def asks(text: str) -> bool:
    """Whether a text ends with a question."""
    return text.rstrip().endswith(_MARKS)


def asking(text: str) -> float:
    """The share of a text that is questions, 0 to 1, by the length of its sentences."""
    return _asking(text[:READ])


@lru_cache(maxsize=4096)
def _asking(head: str) -> float:
    if not any(mark in head for mark in _MARKS):
        return 0.0
    sentences = [found for found in _SENTENCE.findall(head) if found.strip()]
    whole = sum(map(len, sentences))
    return sum(len(each) for each in sentences if any(mark in each for mark in _MARKS)) / whole if whole else 0.0
