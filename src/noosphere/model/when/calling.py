"""Calling: the words of which a text must have one, or it names no time in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.when.token import WORD

if TYPE_CHECKING:
    from collections.abc import Iterable


class Calling:
    """Entries that call for a look at the times of a text: "yesterday", or "later" and "today" together."""

    __slots__ = ("_beside", "_words", "entries")

    def __init__(self, entries: Iterable[str]) -> None:
        """Take words, and rows of words of which each must be there."""
        self.entries = frozenset(entries)
        beside: dict[str, set[frozenset[str]]] = {}
        for entry in self.entries:
            words = [entry] if entry.isalpha() else WORD.findall(entry)
            beside.setdefault(max(words, key=len), set()).add(frozenset(words))
        self._beside = {word: tuple(rows) for word, rows in beside.items()}
        self._words = frozenset(beside)

    def among(self, words: frozenset[str]) -> bool:
        """Whether some entry can stand in a text of these words, in lower case."""
        return any(row <= words for word in words & self._words for row in self._beside[word])
