"""Pieces of words: which of many a text holds, told by its words, each of which is looked at once.

Rules of every kind ask for pieces, and all of them share one set: a word that was looked at for one is known to all.
Texts share most of their words.
"""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SEPARATORS = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
DIGIT = "\u0660"  # stands for any digit where none is meant
DIGITS = re.compile(r"\d")
REMEMBERED = 65_536  # words of which it is remembered what they hold
LONGEST_WORD = 64  # characters of a word worth remembering
LONGEST_NUMBER = 5  # of one that ends like a number: longer ones hardly come twice
SHORTEST = 2  # characters of a piece, with the spaces at its ends; a digit is one by itself
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
    """A set of pieces that grows, each standing for one bit.

    A piece is lower-case ASCII letters and digits, or letters and DIGIT. A space before it says that a word begins
    with it, one behind that a word ends so.

    Attributes:
        count: how many there are: what was told of a text's words holds until there are more.
    """

    __slots__ = ("_bits", "_growing", "_known", "_spelled", "count")

    def __init__(self) -> None:
        """Begin with none."""
        self._bits: dict[str, int] = {}
        self._spelled: dict[str, int] = {}  # the pieces with their bits, and all their beginnings
        self._growing = Lock()
        self._known = _Known(self._spelled, 0)
        self.count = 0

    def bits(self, pieces: Iterable[str]) -> dict[str, int]:
        """The bit of each of some pieces; those that are new become part of the set."""
        asked = sorted(set(pieces))
        with self._growing:
            for piece in asked:
                if piece not in self._bits:
                    self._add(piece)
            if len(self._bits) > self.count:
                self._known = _Known(self._spelled, self._bits.get(DIGIT, 0))
                self.count = len(self._bits)  # last: what is told from here on is told of all of them
            return {piece: self._bits[piece] for piece in asked}

    def _add(self, piece: str) -> None:
        self._spelled[piece] = self._bits[piece] = 1 << len(self._bits)
        for end in range(SHORTEST, len(piece)):
            self._spelled.setdefault(piece[:end], 0)

    def whole(self, words: Iterable[str]) -> int:
        """The bits of words that stand by themselves: one is held where one of these words is."""
        return sum(self.bits(f" {word} " for word in words).values())

    def held(self, words: Collection[str]) -> int:
        """The bits of the pieces that stand in some of the words."""
        return self._known.held(words)


class _Known:
    """What words hold of a set of pieces, remembered until the set grows."""

    __slots__ = ("_digit", "_held", "_masks", "_spelled")

    def __init__(self, spelled: dict[str, int], digit: int) -> None:
        self._spelled = spelled
        self._digit = digit
        self._held: dict[str, int] = {}
        self._masks: dict[int, int] = {}  # many words hold the same, which then is there once

    def held(self, words: Collection[str]) -> int:
        found, new = 0, False
        for known in map(self._held.get, words):
            if known:
                found |= known
            elif known is None:
                new = True
        if new:
            for word in [word for word in words if word not in self._held]:
                found |= self._look(word)
        return found

    def _look(self, word: str) -> int:
        padded = f" {word} "
        found = self._in(padded)
        if not word.isalpha() and DIGITS.search(word) is not None:
            found |= self._digit | self._in(DIGITS.sub(DIGIT, padded))
        if is_worth_remembering(word):
            self._remember(word, found)
        return found

    def _in(self, padded: str) -> int:
        """The pieces in a word: from each of its characters on as long as some piece goes on so."""
        found, spelled, last = 0, self._spelled.get, len(padded)
        for at in range(last - 1):
            end = at + SHORTEST
            bit = spelled(padded[at:end])
            while bit is not None:
                found |= bit
                end += 1
                bit = spelled(padded[at:end]) if end <= last else None
        return found

    def _remember(self, word: str, found: int) -> None:
        if len(self._held) >= REMEMBERED:
            self._held, self._masks = {}, {}
        self._held[word] = self._masks.setdefault(found, found)


PIECES = Pieces()  # of all rules that are read


def piece_of(literal: str) -> str | None:
    """The rarest piece of a literal: wherever it stands in a text, some word holds that; None when it has none."""
    return min(pieces_of(literal), key=how_common, default=None)


def pieces_of(literal: str) -> list[str]:
    """The pieces of a literal, in order: wherever it stands in a text, words hold all of them."""
    text = literal.translate(SEPARATORS)
    pieces = [FOREIGN.sub("", text[max(0, m.start() - 1) : m.end() + 1]) for m in CHUNK.finditer(text)]
    told = [piece for piece in pieces if len(piece) >= SHORTEST or piece == DIGIT]
    return [DIGITS.sub(DIGIT, piece) if DIGIT in piece else piece for piece in told]


def piece_of_word(word: str) -> str | None:
    """The rarest piece of what stands in a text as a word by itself."""
    return piece_of(f" {word} ")


def how_common(piece: str) -> tuple[bool, int]:
    """Orders pieces by how many texts hold them, as far as it shows: the rarest first."""
    return len(piece) <= SHORTEST or piece.strip() in COMMON, -len(piece)


def is_worth_remembering(word: str) -> bool:
    """Whether a word is likely to come again."""
    return len(word) <= LONGEST_NUMBER or (
        len(word) <= LONGEST_WORD and (word.isalpha() or not any(c.isdigit() for c in word[-2:]))
    )
