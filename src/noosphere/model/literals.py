"""Which of many groups of literals a text holds, told by its words first."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from noosphere.model.pieces import PIECES, piece_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.model.worded import Worded


class Literals:
    """Groups of literals, lower case: a group is open for a text that holds one of them, or when it has none."""

    __slots__ = ("_always", "_called", "_calling", "_groups", "_wordless")

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        """Take the groups, in their order."""
        self._groups = [tuple(group) for group in groups]
        pieces = {literal: piece_of(literal) for group in self._groups for literal in group}
        bits = PIECES.bits(piece for piece in pieces.values() if piece)
        self._always = [n for n, group in enumerate(self._groups) if not group]
        wordless: dict[str, list[tuple[str, int]]] = defaultdict(list)
        called: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for n, group in enumerate(self._groups):
            for literal in group:
                piece = pieces[literal]
                (called[bits[piece].bit_length()] if piece else wordless[literal[0]]).append((literal, n))
        self._called = dict(called)
        self._wordless = list(wordless.items())
        self._calling = sum(1 << place - 1 for place in called)

    def open(self, told: Worded) -> list[int]:
        """The numbers of the groups that are open for a text in lower case, ascending."""
        lower = told.lower
        found = set(self._always)
        for first, literals in self._wordless:
            if first in lower:  # one character is looked for at memory speed, and hardly any text has these
                found.update([n for literal, n in literals if literal in lower])
        calling = told.held & self._calling
        while calling:
            place = calling.bit_length()
            calling ^= 1 << place - 1
            found.update([n for literal, n in self._called[place] if n not in found and literal in lower])
        return sorted(found)
