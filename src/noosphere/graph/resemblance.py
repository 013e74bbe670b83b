"""Whether of two short texts one repeats the other, or contradicts it in a detail, told by letters and words alone.

A share of letters only brings candidates, as a cosine does; numbers, ids, names, dates and negation decide. A detail
tells of a contradiction only where all else is the same and something is said before it: "widget 7 is in bin 12" and
"widget 8 is in bin 12" speak of two widgets. What says the same in other words is for `paraphrase` to tell.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.likeness import OTHER_SCRIPT, WORD, Text, data, negations, opposed, read
from noosphere.graph.paraphrase import MAX_TEXT, kin

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST = 0.4  # of the letters in threes, from which one text may contradict another
REPEATED = 0.75  # from which it may say the other again
BLOCK = 4  # words of one detail: "the 3rd of May 2026"
GRAM = 3


class Detail(StrEnum):
    """In what two texts differ that are the same but for it."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    OPPOSITE = "opposite"


class _Lists(NamedTuple):
    loose: frozenset[str]
    limiting: frozenset[str]
    stating: frozenset[str]
    dated: frozenset[str]
    opposed: frozenset[str]


class _Change(NamedTuple):
    """What one text has where the other has something else; where in the first one it stands."""

    at: int
    mine: tuple[str, ...]
    theirs: tuple[str, ...]


def similarity(one: str, other: str) -> float:
    """How much two texts have in common of their words' letters in threes: 0 to 1, whatever the order of the words."""
    a, b = _grams(one), _grams(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def repeats(said: str, known: str) -> bool:
    """Whether a text says nothing that a known one does not say in nearly the same words."""
    read_both = _both(said, known, REPEATED)
    if read_both is None:
        return False
    a, b = read_both
    if a.names != b.names or a.text.negations != b.text.negations or opposed(a.whole, b.whole):
        return False
    limits = _lists().limiting
    return (a.whole & limits) == (b.whole & limits) and all(not change.mine for change in _changes(a, b))


def differing(one: str, other: str) -> Detail | None:
    """The detail in which two texts contradict each other, when they are the same but for that."""
    if other < one:  # the order of two texts must not matter to what is aligned with what
        one, other = other, one
    read_both = _both(one, other, LEAST)
    if read_both is None:
        return None
    a, b = read_both
    changes = list(_changes(a, b))
    if len(changes) != 1 or not a.limits(b, changes[0]):
        return None
    (change,) = changes
    mine, theirs = frozenset(change.mine), frozenset(change.theirs)
    if mine | theirs <= negations() and {a.text.negations, b.text.negations} == {0, 1}:
        return Detail.NEGATION
    if len(change.mine) == len(change.theirs) == 1 and opposed(mine, theirs):
        return Detail.OPPOSITE
    kinds = {_kind(a, change.mine), _kind(b, change.theirs)}
    stated = not _lists().stating.isdisjoint(a.words[: change.at])
    return kinds.pop() if len(kinds) == 1 and stated else None


def telling(text: str) -> list[str]:
    """The words by which what a text repeats or contradicts is found, the longest first: no details, none denied."""
    found = _read(text)
    out = found.sure | negations() | _lists().opposed | _lists().stating
    return sorted({word for word in found.words if word not in out and not _is_loose(word)}, key=lambda w: (-len(w), w))


class _Read(NamedTuple):
    """A text as it is compared here: all its words in order, and of them what tells it from others."""

    text: Text
    words: tuple[str, ...]
    whole: frozenset[str]
    sure: frozenset[str]  # details that no mere place makes one
    names: tuple[str, ...]

    def limits(self, other: _Read, change: _Change) -> bool:
        """Whether both are limited alike, but for what changes: "only on Friday" is not "on Friday"."""
        limits = _lists().limiting
        return (self.whole - {*change.mine}) & limits == (other.whole - {*change.theirs}) & limits


def _both(one: str, other: str, least: float) -> tuple[_Read, _Read] | None:
    """Both texts, when they can be compared and are near enough."""
    if max(len(one), len(other)) > MAX_TEXT or OTHER_SCRIPT.search(one + other) or similarity(one, other) < least:
        return None
    a, b = _read(one), _read(other)
    if a.text.persons != b.text.persons or one.rstrip().endswith("?") or other.rstrip().endswith("?"):
        return None
    return _named(a, b), _named(b, a)


def _read(text: str) -> _Read:
    found = read(text)
    sure = frozenset(word for word, by_place in found.marked if not by_place)
    return _Read(found, found.words, frozenset(found.words), sure, ())


def _named(one: _Read, other: _Read) -> _Read:
    """A text with its details in order; a first word is one only where the other text has it as one too."""
    names = tuple(word for word, by_place in one.text.marked if not by_place or word in other.sure)
    return one._replace(names=names)


def _changes(a: _Read, b: _Read) -> Iterator[_Change]:
    """Where the words of two texts differ by more than their forms and words that carry nothing."""
    matcher = SequenceMatcher(None, a.words, b.words, autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        mine = tuple(word for word in a.words[i:i_end] if not _is_loose(word))
        theirs = tuple(word for word in b.words[j:j_end] if not _is_loose(word))
        forms = len(mine) == len(theirs) and all(kin(x, y) for x, y in zip(mine, theirs, strict=True))
        if not forms:
            yield _Change(i, mine, theirs)


def _kind(found: _Read, words: tuple[str, ...]) -> Detail | None:
    """What kind of detail some words are; None when they are more than one detail, or none."""
    details = [word for word in words if word in found.names]
    if not details or len(words) > BLOCK:
        return None
    if any(word in _lists().dated or word.count("-") > 1 for word in details):
        return Detail.DATE
    if any(not word.isalpha() or word in found.text.telling for word in details):
        return Detail.NUMBER
    return Detail.NAME if len(details) == len(words) else None


def _is_loose(word: str) -> bool:
    return word in _lists().loose


def _grams(text: str) -> frozenset[str]:
    words = (f"  {found[0].casefold()} " for found in WORD.finditer(text))
    return frozenset(word[n : n + GRAM] for word in words for n in range(len(word) - GRAM + 1))


@cache
def _lists() -> _Lists:
    given, words = data()["resemblance"], data()["words"]
    idle = frozenset(data()["paraphrase"]["idle"].split())
    copula = frozenset(data()["paraphrase"]["copula"].split())
    limiting = frozenset(given["limiting"].split())
    pairs = (pair.split("/") for pair in data()["opposites"]["pairs"].split())
    return _Lists(
        loose=(idle | frozenset(given["soft"].split())) - limiting,
        limiting=limiting,
        stating=copula | frozenset(given["stating"].split()),
        dated=frozenset(words["date"].split()),
        opposed=frozenset(word for pair in pairs for word in pair),
    )
