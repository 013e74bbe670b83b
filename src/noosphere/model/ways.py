"""Ways: the alternatives of a pattern, each tried only where a text holds what it needs; whether any matches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.model.late import Late
from noosphere.model.needs import Needs, needs_of
from noosphere.model.pieces import DIGIT, PIECES
from noosphere.model.worded import worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WRAPPED = re.compile(r"\\b\(\?:(.*)\)\\b", re.DOTALL)
SAID = re.compile(r"\\b(\(\?:)?(?P<word>[a-z]+)(?(1)\))\\b")
BEGIN = re.compile("[A-Za-z' ]+")
DEPTH = {"(": 1, ")": -1}
SIGN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)  # what is escaped and classes are one sign each


class Ways:
    """Patterns by their alternatives. They ignore case, and have no groups by number and no flags for the whole."""

    __slots__ = ("_begins", "_needs", "_owners", "_said", "_ways")

    def __init__(self, patterns: Iterable[str]) -> None:
        """Cut each pattern into its alternatives."""
        ways = [(n, way) for n, pattern in enumerate(patterns) for way in alternatives(pattern)]
        self._owners = [n for n, _ in ways]
        self._ways = [Late(way) for _, way in ways]
        self._said = [_said(way) for _, way in ways]
        self._begins = [_begin(way) for _, way in ways]
        self._needs = Needs(needs_of(way) for _, way in ways)

    def matching(self, text: str) -> Iterator[int]:
        """The numbers of the patterns that match somewhere in a text, ascending."""
        last, told = None, worded(text)
        said = told.held if told.plain else 0
        lower = told.lower if told.plain else None
        for n in self._needs.open(told):
            owner = self._owners[n]
            if owner != last and (said & self._said[n] or self._is_said(n, text, lower)):
                last = owner
                yield owner

    def _is_said(self, n: int, text: str, lower: str | None) -> bool:
        return (lower is None or self._begins[n] in lower) and self._ways[n].is_in(text, lower)

    def meets(self, text: str) -> bool:
        """Whether some pattern matches somewhere in a text."""
        return bool(self._needs.open(worded(text))) and next(self.matching(text), None) is not None


def _said(way: str) -> int:
    """The bit of the piece that is all there is to a way, which matches wherever a plain text holds that; else 0."""
    if way == r"\d":
        return PIECES.bits([DIGIT])[DIGIT]
    word = SAID.fullmatch(way)
    return 0 if word is None else PIECES.whole([word["word"]])


def _begin(way: str) -> str:
    """The letters with which a way begins in every plain text in lower case that it matches: to find them is quick."""
    wrapped = WRAPPED.fullmatch(way)
    inner = wrapped[1] if wrapped and not _closes_early(wrapped[1]) and len(_cut(wrapped[1])) == 1 else way
    inner = inner.removeprefix(r"\b").replace("['’]", "'")
    begun = BEGIN.match(inner)
    letters = begun[0] if begun else ""
    return (letters[:-1] if inner[len(letters) :][:1] in tuple("?*{") else letters).lower()


def alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern: those that stand in no group, or in one around which words end."""
    return [way for part in _cut(pattern) for way in _within(part) or [part]]


def _within(pattern: str) -> list[str] | None:
    r"""The alternatives of `\b(?:one|other)\b`, each as such a group; None of another pattern."""
    wrapped = WRAPPED.fullmatch(pattern)
    if wrapped is None or _closes_early(wrapped[1]):
        return None
    return [rf"\b(?:{way})\b" for way in _cut(wrapped[1])]


def _closes_early(inner: str) -> bool:
    """Whether what stands inside of the outer brackets is no whole: `a)(b`."""
    depth = 0
    for sign in SIGN.finditer(inner):
        depth += DEPTH.get(sign[0], 0)
        if depth < 0:
            return True
    return False


def _cut(pattern: str) -> list[str]:
    found: list[str] = []
    depth, start = 0, 0
    for sign in SIGN.finditer(pattern):
        if sign[0] == "|" and depth == 0:
            found.append(pattern[start : sign.start()])
            start = sign.end()
        depth += DEPTH.get(sign[0], 0)
    return [*found, pattern[start:]]
