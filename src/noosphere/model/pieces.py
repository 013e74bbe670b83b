"""Pieces of words: which of many a text holds, told by its words, each of which is looked at once.

Texts share most of their words, so that a set difference decides nearly all of a text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from noosphere.model.worded import DIGIT, DIGITS, SEPARATORS, is_worth_remembering

if TYPE_CHECKING:
    from collections.abc import Iterable

REMEMBERED = 65_536  # words of which it is remembered what they hold
SHORTEST = 2  # characters of a piece, with the spaces at its ends
CHUNK = re.compile(f"[a-z0-9{DIGIT}]+")
FOREIGN = re.compile(f"[^a-z0-9{DIGIT} ]")
# Words that stand in most texts, and so tell little; what this list lacks costs time alone.
COMMON = frozenset(
    """
a i is are was were be been am to in on at for of from with by and or not no the my our his her their it its that this
has have had will so as me he she we they you your do don does now new back get got go all an
""".split()  # noqa: SIM905  (a text reads better than a hundred quotes)
)


class Pieces:
    """A set of pieces, each standing for one bit.

    A piece is lower-case ASCII letters and digits, or letters and DIGIT. A space before it says that a word begins
    with it, one behind that a word ends so.
    """

    __slots__ = ("_bare", "_begun", "_held", "_shaped", "bits")

    def __init__(self, pieces: Iterable[str]) -> None:
        """Give each piece its bit."""
        self.bits = {piece: 1 << n for n, piece in enumerate(sorted(set(pieces)))}
        begun: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for piece, bit in self.bits.items():
            begun[piece[:SHORTEST]].append((piece, bit))
        self._begun = dict(begun)
        self._shaped = any(DIGIT in piece for piece in self.bits)
        self._bare: set[str] = set()
        self._held: dict[str, int] = {}

    def held(self, words: frozenset[str]) -> int:
        """The bits of the pieces that stand in some of the words."""
        found = 0
        for word in words - self._bare:
            known = self._held.get(word)
            found |= self._look(word) if known is None else known
        return found

    def _look(self, word: str) -> int:
        padded = f" {word} "
        found = self._in(padded)
        if self._shaped and DIGITS.search(word) is not None:
            found |= self._in(DIGITS.sub(DIGIT, padded))
        if is_worth_remembering(word):
            self._remember(word, found)
        return found

    def _in(self, padded: str) -> int:
        found, begun = 0, self._begun
        for at in range(len(padded) - 1):
            for piece, bit in begun.get(padded[at : at + SHORTEST], ()):
                if padded.startswith(piece, at):
                    found |= bit
        return found

    def _remember(self, word: str, found: int) -> None:
        if found:
            if len(self._held) >= REMEMBERED:
                self._held = {}
            self._held[word] = found
        else:
            if len(self._bare) >= REMEMBERED:
                self._bare = set()
            self._bare.add(word)


def piece_of(literal: str) -> str | None:
    """The rarest piece of a literal: wherever it stands in a text, some word holds that; None when it has none."""
    return min(pieces_of(literal), key=how_common, default=None)


def pieces_of(literal: str) -> list[str]:
    """The pieces of a literal, in order: wherever it stands in a text, words hold all of them."""
    text = literal.translate(SEPARATORS)
    pieces = [text[max(0, m.start() - 1) : m.end() + 1] for m in CHUNK.finditer(text)]
    told = [kept for piece in pieces if len(kept := FOREIGN.sub("", piece)) >= SHORTEST]
    return [DIGITS.sub(DIGIT, piece) if DIGIT in piece else piece for piece in told]


def piece_of_word(word: str) -> str | None:
    """The rarest piece of what stands in a text as a word by itself."""
    return piece_of(f" {word} ")


def how_common(piece: str) -> tuple[bool, int]:
    """Orders pieces by how many texts hold them, as far as it shows: the rarest first."""
    return len(piece) <= SHORTEST or piece.strip() in COMMON, -len(piece)
