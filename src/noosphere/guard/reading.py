"""A text as the rules read it: folded words in order, also those that were spelled to be overlooked."""

from __future__ import annotations

import re
import string
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.guard.fold import OTHER_SCRIPT, lookalike
from noosphere.guard.layers import MARKED
from noosphere.guard.rulebook import RUN, SCRAMBLED, Rulebook, shape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SPLIT = str.maketrans(dict.fromkeys(string.punctuation + string.whitespace, " "))
WORD = re.compile(r"[^\W_]+")
IN_RUN = re.compile(f"[{RUN}]")
BREAKS = frozenset(".!?:;\n\r\"'([{<>*#=|/-%")
LEET = str.maketrans("0134578", "oieastb")
LEET_L = str.maketrans("0134578", "oleastb")
TWICE = re.compile(r"(.)\1+")
REMEMBERED = 20_000  # words of which it is remembered whether they are odd
LONGEST = 16  # letters of the longest word that is looked for in a glued one
MOSTLY = 0.8  # of a glued word must be words that are known
GLUED = 15  # letters from which a word may be several written together
SPACED = 3  # single letters in a row from which they are one word spelled out
PASSING = 2  # words before a phrase in which a denial counts


LEETED = re.compile(r"[a-z][0134578]+[a-z]")
COMMON_LETTERS = frozenset("aismtdeouynbcxk0123456789")  # stand alone in ordinary text
SPELLED = 3  # different letters that stand alone, from which a word may be spelled out
SPACES = frozenset(("32", "20"))  # how codes of characters write the space
LONG = 20  # letters from which a word may be a text in code
LAYERED = ("\\u00", "\\x", "%2", "&#", "0110", "0111", "0100", *MARKED)


@dataclass(frozen=True, slots=True)
class Glance:
    """What a quick look at a text shows.

    Attributes:
        layered: whether there may be a text inside it.
        turned: whether it may be turned round.
        telling: whether any phrase can be in it: all its words are there, or some word may be more than it seems.
    """

    layered: bool
    turned: bool
    telling: bool


def glance(text: str, folded: str, rules: Rulebook) -> Glance:
    """Look at a text quickly: most hold not all the words of any phrase, and need not be read."""
    if not folded.isascii():
        words = set(WORD.findall(folded))
        return Glance(_layered(folded, words), turned=_turned(words, rules), telling=True)
    words = set(folded.translate(SPLIT).split())
    telling = not text.isascii() or LEETED.search(folded) is not None or _odd(words, rules) or rules.may_say(words)
    return Glance(_layered(folded, words), turned=_turned(words, rules), telling=telling)


def _layered(folded: str, words: set[str]) -> bool:
    return (
        max(map(len, words), default=0) >= LONG
        or not words.isdisjoint(SPACES)
        or any(sign in folded for sign in LAYERED)
    )


def _turned(words: set[str], rules: Rulebook) -> bool:
    return len(words & rules.turned) > 1


def _odd(words: set[str], rules: Rulebook) -> bool:
    """Whether some word may stand for others: glued, doubled, scrambled, or spelled out in single letters."""
    letters = {word for word in words if len(word) == 1}
    if len(letters) > SPELLED or len(letters - COMMON_LETTERS) > 1:
        return True
    odd = rules.odd
    for word in words - rules.vocabulary:
        known = odd.get(word)
        if known is None:
            if len(odd) >= REMEMBERED:
                odd.clear()
            known = odd[word] = _is_odd(word, rules)
        if known:
            return True
    return False


def _is_odd(word: str, rules: Rulebook) -> bool:
    return (
        len(word) >= GLUED
        or (len(word) >= SCRAMBLED and shape(word) in rules.scrambled)
        or (TWICE.search(word) is not None and TWICE.sub(r"\1", word) in rules.vocabulary)
    )


class Reading:
    """The words of a folded text, in order.

    Attributes:
        words: as the vocabulary spells them where they can be so read.
        at: where each stands in the folded text.
        starts: the numbers of words that open a sentence.
    """

    def __init__(self, folded: str, rules: Rulebook) -> None:
        self._rules = rules
        self.words: list[str] = []
        self.at: list[int] = []
        starts: list[int] = []
        last = 0
        letters: list[tuple[str, int]] = []
        for found in WORD.finditer(folded):
            word, at = found.group(), found.start()
            if not last or not BREAKS.isdisjoint(folded[last:at]):
                starts.append(len(self.words))
            last = found.end()
            if len(word) == 1 and word.isascii():
                letters.append((word, at))
                continue
            if letters:
                self._letters(letters)
                letters = []
            self._add(word, at)
        self._letters(letters)
        self.starts = frozenset(starts)
        self._where: dict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self.words):
            self._where[word].append(number)
        self._places: dict[str, Sequence[int]] = {}

    def places(self, element: str) -> Sequence[int]:
        """Where the words that fill an element stand, ascending."""
        known = self._places.get(element)
        if known is None:
            there = [self._where[word] for word in self._rules.fills[element] & self._where.keys()]
            known = there[0] if len(there) == 1 else sorted(n for numbers in there for n in numbers)
            self._places[element] = known
        return known

    @property
    def keys(self) -> list[str]:
        """The marked elements that some word fills."""
        keys = self._rules.keys
        return sorted({key for word in keys.keys() & self._where.keys() for key in keys[word]})

    def denial(self, words: frozenset[str]) -> Callable[[int], bool]:
        """Tells whether one of these words stands right before a place."""
        return lambda place: not words.isdisjoint(self.words[max(0, place - PASSING) : place])

    def _add(self, word: str, at: int) -> None:
        known = self._rules.vocabulary
        if word in known:
            self._put(word, at)
        elif word.isascii() and word.isalpha() and len(word) < GLUED and not TWICE.search(word):
            self._put(self._rules.scrambled.get(shape(word), word) if len(word) >= SCRAMBLED else word, at)
        elif IN_RUN.search(word):
            for part in self._rules.run.findall(word):
                self._put(part, at)
        else:
            for part in self._read(word):
                self._put(part, at)

    def _put(self, word: str, at: int) -> None:
        self.words.append(word)
        self.at.append(at)

    def _read(self, word: str) -> Sequence[str]:
        """An unknown word as it may be meant: look-alikes, digits for letters, letters doubled, words glued."""
        known = self._rules.vocabulary
        if OTHER_SCRIPT.search(word):
            word = lookalike(word)
        if not word.isascii():
            return (word,)
        spellings = [word] if word.isalpha() else [word.translate(LEET), word.translate(LEET_L)]
        for spelling in spellings:
            for tried in (spelling, TWICE.sub(r"\1", spelling)):
                if tried in known:
                    return (tried,)
        return self._unglue(word) if len(word) >= GLUED and word.isalpha() else (word,)

    def _letters(self, letters: Sequence[tuple[str, int]]) -> None:
        """A row of single letters: one or more words spelled out, else what it is."""
        if len(letters) < SPACED:
            for letter, at in letters:
                self._put(letter, at)
            return
        for part in self._unglue("".join(letter for letter, _ in letters)):
            self._put(part, letters[0][1])

    def _unglue(self, glued: str) -> list[str]:
        """Cut a word into words of the vocabulary, longest first, if they make up most of it; else it stays whole."""
        known, parts, start, at, covered = self._rules.vocabulary, list[str](), 0, 0, 0
        while at < len(glued):
            length = next((n for n in range(min(LONGEST, len(glued) - at), 2, -1) if glued[at : at + n] in known), 0)
            if not length:
                at += 1
                continue
            parts += [glued[start:at], glued[at : at + length]]
            start = at = at + length
            covered += length
        parts.append(glued[start:])
        return [part for part in parts if part] if covered >= MOSTLY * len(glued) else [glued]
