"""A text as the rules read it: folded words in order, also those that were spelled to be overlooked."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from noosphere.guard.fold import OTHER_SCRIPT, lookalike
from noosphere.guard.layers import MARKED
from noosphere.guard.rulebook import PLAIN, RUN, SCRAMBLED, Rulebook, Seen, shape
from noosphere.model.pieces import is_worth_remembering

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORD = re.compile(r"[^\W_]+")
IN_RUN = re.compile(f"[{RUN}]")
BREAKS = frozenset(".!?:;\n\r\"'([{<>*#=|/-%")
LEET = str.maketrans("0134578", "oieastb")
LEET_L = str.maketrans("0134578", "oleastb")
NO_LETTER = re.compile("[269]")  # digits that stand for no letter
TWICE = re.compile(r"(.)\1+")
REMEMBERED = 65_536  # words of which it is remembered what they may be
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
SIGNS = ("\\u00", "\\x", "%2", "&#", "<!--")  # of a text inside a text
SIGNS_IN_WORDS = ("0110", "0111", "0100", *(sign for sign in MARKED if sign[0].isalpha()))
PARTS_OF_SIGNS = re.compile("|".join(re.split(r"\W", sign)[0] for sign in SIGNS_IN_WORDS))
ROW = re.compile(r"(?<![^\W_])[a-z0-9](?:[\W_]+[a-z0-9](?![^\W_])){2}")  # single letters, SPACED of them


class Glance(NamedTuple):
    """What a quick look at a text shows.

    Attributes:
        layered: whether there may be a text inside it.
        turned: whether it may be turned round.
        telling: whether any phrase can be in it: some words that it says, or may be read as, fill all its elements.
    """

    layered: bool
    turned: bool
    telling: bool


def glance(text: str, folded: str, words: frozenset[str], rules: Rulebook) -> Glance:
    """Look at a text quickly: most hold not all the words of any phrase, and need not be read."""
    letters: list[str] = []
    layered = odd = False
    turned = 0
    means: set[str] = set()
    for word in words - rules.plain:
        if len(word) == 1 and word.isascii():
            letters.append(word)
            continue
        seen = rules.seen.get(word) or _see(word, rules)
        layered = layered or seen.layered
        odd = odd or seen.odd
        turned += seen.turned
        means.update(seen.means)
    layered = (layered and _layered(folded, words)) or _is_signed(folded)
    odd = odd or not text.isascii()
    said = words & rules.vocabulary
    telling = _spelled(folded, letters, odd=odd) or rules.may_say(said | means if odd else said)
    return Glance(layered, turned=turned > 1, telling=telling)


def _is_signed(folded: str) -> bool:
    for sign in SIGNS:  # noqa: SIM110  (a generator takes longer than the looking)
        if sign in folded:
            return True
    return False


def _layered(folded: str, words: frozenset[str]) -> bool:
    return (
        max(map(len, words)) >= LONG or not words.isdisjoint(SPACES) or any(sign in folded for sign in SIGNS_IN_WORDS)
    )


def _spelled(folded: str, letters: Sequence[str], *, odd: bool) -> bool:
    """Whether a word may be spelled out in letters that stand alone; `letters` are those that do, each once."""
    if len(letters) > SPELLED or len(frozenset(letters) - COMMON_LETTERS) > 1:
        return True
    return odd and len(letters) > 1 and ROW.search(folded) is not None


def _see(word: str, rules: Rulebook) -> Seen:
    """Look at a word that is not known to be plain, and remember what was seen."""
    known = word in rules.vocabulary
    if not known and _is_simple(word, rules):
        layered, turned = PARTS_OF_SIGNS.search(word) is not None, word in rules.turned
        seen = Seen(layered, turned) if layered or turned else PLAIN
    else:
        seen = _look(word, rules, known=known)
    if not is_worth_remembering(word):
        return seen
    if len(rules.plain) + len(rules.seen) >= REMEMBERED:
        rules.plain.clear()
        rules.seen.clear()
    if seen is PLAIN or seen == PLAIN:
        rules.plain.add(word)
    else:
        rules.seen[word] = seen
    return seen


def _is_simple(word: str, rules: Rulebook) -> bool:
    """Whether a word that is none of ours can be nothing but itself: most are."""
    if len(word) >= GLUED or not word.isascii():
        return False
    if not word.isalpha():
        return word.isdigit() and word not in SPACES and NO_LETTER.search(word) is not None
    return TWICE.search(word) is None and (len(word) < SCRAMBLED or shape(word) not in rules.scrambled)


def _look(word: str, rules: Rulebook, *, known: bool) -> Seen:
    return Seen(
        layered=len(word) >= LONG or word in SPACES or PARTS_OF_SIGNS.search(word) is not None,
        turned=word in rules.turned,
        odd=not known and (LEETED.search(word) is not None or _is_odd(word, rules)),
        means=() if known else tuple(read for read in meant(word, rules) if read in rules.vocabulary),
    )


def _is_odd(word: str, rules: Rulebook) -> bool:
    """Whether a word may stand for others: glued, doubled or scrambled."""
    return (
        len(word) >= GLUED
        or (len(word) >= SCRAMBLED and shape(word) in rules.scrambled)
        or (TWICE.search(word) is not None and TWICE.sub(r"\1", word) in rules.vocabulary)
    )


def meant(word: str, rules: Rulebook) -> Sequence[str]:
    """The words that a word is read as: itself, or what it was spelled to hide."""
    if word in rules.vocabulary:
        return (word,)
    if word.isascii() and word.isalpha() and len(word) < GLUED and not TWICE.search(word):
        return (rules.scrambled.get(shape(word), word) if len(word) >= SCRAMBLED else word,)
    return rules.run.findall(word) if IN_RUN.search(word) else _read(word, rules)


def _read(word: str, rules: Rulebook) -> Sequence[str]:
    """An unknown word as it may be meant: look-alikes, digits for letters, letters doubled, words glued."""
    if OTHER_SCRIPT.search(word):
        word = lookalike(word)
    if not word.isascii():
        return (word,)
    spellings = [word] if word.isalpha() else [word.translate(LEET), word.translate(LEET_L)]
    for spelling in spellings:
        for tried in (spelling, TWICE.sub(r"\1", spelling)):
            if tried in rules.vocabulary:
                return (tried,)
    return _unglue(word, rules) if len(word) >= GLUED and word.isalpha() else (word,)


def _unglue(glued: str, rules: Rulebook) -> list[str]:
    """Cut a word into words of the vocabulary, longest first, if they make up most of it; else it stays whole."""
    known, parts, start, at, covered = rules.vocabulary, list[str](), 0, 0, 0
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
            for part in meant(word, rules):
                self._put(part, at)
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

    def _put(self, word: str, at: int) -> None:
        self.words.append(word)
        self.at.append(at)

    def _letters(self, letters: Sequence[tuple[str, int]]) -> None:
        """A row of single letters: one or more words spelled out, else what it is."""
        if len(letters) < SPACED:
            for letter, at in letters:
                self._put(letter, at)
            return
        for part in _unglue("".join(letter for letter, _ in letters), self._rules):
            self._put(part, letters[0][1])
