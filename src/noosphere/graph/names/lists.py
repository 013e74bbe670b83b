"""The lists that names are looked up in: ordinary words, given names, places, known names, and hints of a type."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from noosphere.graph.normalize import aliases, normalize
from noosphere.records import dataclass

COMMON = 4015  # words: SCOWL's tier 10, the most usual; those of its tier 20 follow
LETTER = "A-Za-zÀ-ÖØ-öø-ɏͰ-ϿЀ-ӿԱ-Ֆա-ևḀ-ỿ"
TOKEN = re.compile(rf"(?:\.(?=NET\b))?[{LETTER}](?:[{LETTER}\d_]|[.'’&/-](?=[{LETTER}\d]))*[+#]{{0,2}}|\d[\d.,]*\w*|&")


@dataclass(frozen=True, slots=True)
class Known:
    """A name of a list.

    Attributes:
        words: its tokens in lower case.
        exact: the spelling that counts, when its words are also ordinary ones.
        key: the name as entities are identified.
    """

    words: tuple[str, ...]
    name: str
    exact: str | None
    type: str
    key: str


@dataclass(frozen=True, slots=True)
class Hints:
    """Words that tell a type: in a name, first or last; beside it; what it does after it; what stands before it."""

    first: dict[str, str]
    last: dict[str, str]
    beside: dict[str, str]
    titles: frozenset[str]
    does: dict[str, str]
    after: dict[str, str]
    behind: dict[str, str]


@cache
def ordinary() -> frozenset[str]:
    """English words that are usually written small, the most usual tier first in their file (LICENSE-SCOWL.txt)."""
    return _lines("ordinary.txt")


@cache
def common() -> frozenset[str]:
    """The ordinary words that everybody writes often."""
    return frozenset(_text("ordinary.txt").split()[:COMMON])


@cache
def given() -> frozenset[str]:
    """Given names, in lower case."""
    return _lines("given.txt")


@cache
def places() -> frozenset[str]:
    """Places of one word, in lower case."""
    return _lines("places.txt")


@cache
def known() -> dict[str, tuple[Known, ...]]:
    """The known names by their first word, the longest first."""
    found: dict[str, list[Known]] = {}
    for one in _all_known():
        found.setdefault(one.words[0], []).append(one)
    return {word: tuple(sorted(ones, key=lambda k: -len(k.words))) for word, ones in found.items()}


@cache
def hints() -> Hints:
    """Read the hints, once."""
    data = tomllib.loads(_text("hints.toml"))
    return Hints(
        first=_turned(data["first"]),
        last=_turned(data["last"]),
        beside=_turned(data["beside"]),
        titles=frozenset(data["titles"]["words"]),
        does=_turned(data["does"]),
        after=_turned(data["after"]),
        behind=_turned(data["behind"]),
    )


def is_listed(key: str) -> bool:
    """Whether a name, as entities are identified, stands in the list of known names."""
    return key in _keys()


@cache
def _keys() -> dict[str, str]:
    return {one.key: one.type for one in _all_known()}


@cache
def _all_known() -> tuple[Known, ...]:
    data = tomllib.loads(_text("known.toml"))
    listed = [(name, type_) for type_, names in data.items() if type_ != "ambiguous" for name in names]
    types = {normalize(name): type_ for name, type_ in listed}
    names = [(name, type_, False) for name, type_ in listed]
    names += [(alias, types[name], True) for alias, name in aliases().items() if name in types]
    return tuple(made for name, type_, small in names if (made := _known(name, type_, small=small)) is not None)


def _known(name: str, type_: str, *, small: bool) -> Known | None:
    words = tuple(TOKEN.findall(name.lower()))
    usual = all(word in ordinary() or word in _ambiguous() for word in words)
    if small and usual:
        return None
    return Known(words, name, name if usual else None, type_, normalize(name))


@cache
def _ambiguous() -> frozenset[str]:
    return frozenset(tomllib.loads(_text("known.toml"))["ambiguous"])


def _turned(by_type: dict[str, list[str]]) -> dict[str, str]:
    return {word: type_ for type_, words in by_type.items() for word in words}


def _lines(name: str) -> frozenset[str]:
    return frozenset(_text(name).split())


def _text(name: str) -> str:
    return resources.files("noosphere.graph.names").joinpath(name).read_text(encoding="utf-8")
