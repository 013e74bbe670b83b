"""Whether two texts that a model finds alike say the same: numbers, ids, names, dates and negation must agree."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any
from unicodedata import normalize

from noosphere.records import dataclass

MAX_TEXT = 2000  # characters: of longer texts one vector tells too little
WORD = re.compile(
    r"(?:(?<!\w)[-+.](?=\d))?[^\W_]+(?:[.,:/@_'’+-]+[^\W_]+)*[+#]*|[^\w\s.,;:!\"'“”‘’()…–—-]|_"
)  # a sign such as < or ? says something too
OTHER_SCRIPT = re.compile(r"[^\x00-\u024F\u1E00-\u1EFF\u2000-\u20CF\u2190-\u2BFF\U0001F300-\U0001FAFF]")
START = re.compile(r"(?:^|[.!?\n]\s*)[\"'“(*\s-]*$")
END = " \n\t.!。"
POSSESSIVE = re.compile(r"['’]s?$")


class Likeness(StrEnum):
    """How two texts compare."""

    SAME = "same"  # the same words in the same order, but for articles, case and punctuation
    ALIKE = "alike"  # other words, and no detail that differs
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Bars:
    """The least cosine in a space for a merge, and for a flag."""

    merge: float
    flag: float


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is compared: its words, and of them the details."""

    words: tuple[str, ...]
    marked: tuple[tuple[str, bool], ...]  # names, numbers and dates in order; whether only its place gives a capital
    plain: frozenset[str]
    persons: frozenset[str]
    negations: int
    telling: frozenset[str]  # those that are numbers or dates in words


@dataclass(frozen=True, slots=True)
class _Words:
    filler: frozenset[str]
    negation: frozenset[str]
    telling: frozenset[str]
    person: frozenset[str]
    opposites: frozenset[frozenset[str]]
    prefixes: tuple[str, ...]


def bars(space: str) -> Bars:
    """What a space's cosines must reach; a space that was not measured has the default."""
    spaces = data()["spaces"]
    return Bars(**spaces.get(space, spaces["default"]))


def compare(one: str, other: str) -> Likeness:
    """Whether two texts say the same, may, or differ in a detail."""
    if max(len(one), len(other)) > MAX_TEXT:
        return Likeness.DIFFERENT
    one, other = normalize("NFC", one), normalize("NFC", other)
    if OTHER_SCRIPT.search(one + other):  # no lists of words for it
        return Likeness.SAME if one.strip(END) == other.strip(END) else Likeness.DIFFERENT
    a, b = read(one), read(other)
    if not a.words or not b.words or _differ(a, b):
        return Likeness.DIFFERENT
    if a.words == b.words:
        return Likeness.SAME
    return Likeness.DIFFERENT if Counter(a.words) == Counter(b.words) else Likeness.ALIKE


def _differ(a: Text, b: Text) -> bool:
    return (
        _names(a, b) != _names(b, a)
        or a.negations != b.negations
        or a.persons != b.persons
        or opposed(frozenset(a.words), frozenset(b.words))
    )


def _names(text: Text, other: Text) -> list[str]:
    """The details of a text, in order; a first word that the other text writes small is no name."""
    return [word for word, by_place in text.marked if not (by_place and word in other.plain)]


def opposed(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether a word of one text is the opposite of a word of the other."""
    words = _words()
    for x in a - b:
        for y in b - a:
            if frozenset((x, y)) in words.opposites:
                return True
            if any(x == p + y or y == p + x for p in words.prefixes):
                return True
    return False


def read(text: str) -> Text:
    """Read the words of a text, and of them its names, numbers, dates, persons and negations."""
    known = _words()
    words: list[str] = []
    marked: list[tuple[str, bool]] = []
    plain: set[str] = set()
    negations = 0
    for found in WORD.finditer(text):
        shown = found[0] if found[0].isalpha() else POSSESSIVE.sub("", found[0])
        word = shown.casefold().replace("'", "").replace("’", "")
        if not word or word in known.filler:
            continue
        words.append(word)
        if word in known.negation:
            negations += 1
        elif word in known.person:
            continue
        elif word in known.telling or not word.replace("-", "").isalpha():
            marked.append((word, False))
        elif shown != shown.lower():
            by_place = shown[1:] == shown[1:].lower() and START.search(text[: found.start()]) is not None
            marked.append((word, by_place))
        else:
            plain.add(word)
    return Text(
        tuple(words),
        tuple(marked),
        frozenset(plain),
        frozenset(words) & known.person,
        negations,
        frozenset(words) & known.telling,
    )


@cache
def _words() -> _Words:
    lists = {name: frozenset(text.split()) for name, text in data()["words"].items()}
    opposites = data()["opposites"]
    return _Words(
        filler=lists["filler"],
        negation=lists["negation"],
        telling=lists["number"] | lists["date"],
        person=lists["person"],
        opposites=frozenset(frozenset(pair.split("/")) for pair in opposites["pairs"].split()),
        prefixes=tuple(opposites["prefixes"].split()),
    )


def negations() -> frozenset[str]:
    """The words that say that something is not so."""
    return _words().negation


@cache
def data() -> dict[str, Any]:
    """The file of bars, words and examples."""
    return tomllib.loads(resources.files("noosphere.graph").joinpath("likeness.toml").read_text("utf-8"))
