"""Terms in a text: which it holds, and where; exactly those FTS5 finds it by."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

from noosphere.records import dataclass
from noosphere.store.words.pieces import pieces
from noosphere.store.words.porter import stem
from noosphere.store.words.spellings import spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from noosphere.store.words.pieces import Token
    from noosphere.store.words.query import Term


WORTH = 80  # characters; a shorter text is read whole
BEFORE, AFTER = 1, 1  # words of context a window keeps, for what is read by its neighbours (asp .net)
SIGNED = frozenset({"cplusplu", "csharp", "fsharp", "dotnet", "plusplu"})  # typed otherwise: C++, .NET
CHANGED = "eil"  # a stem's last letter when it is not its word's: hoping → hope, happy → happi, ability → abl
APOSTROPHE = re.compile("'")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is looked for.

    Attributes:
        terms: each term's index, stems and whether it is open-ended, under the first letter of its first word:
            stemming leaves that letter alone.
        beginnings: how the first words of the terms are typed, as far as all their forms agree; without apostrophes.
        signed: whether a term may be typed with signs, so that no beginning tells where.
        longest: of the terms, in words.
    """

    terms: dict[str, list[tuple[int, list[str], bool]]]
    beginnings: tuple[str, ...]
    signed: bool
    longest: int


def matched_terms(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Which terms a text holds, as shown, in the order of the terms: exactly those FTS5 finds it by."""
    held = {index for _, _, index in find_spans(text, terms)}
    return tuple(dict.fromkeys(terms[index].shown for index in sorted(held)))


def find_spans(text: str, terms: Sequence[Term]) -> list[tuple[int, int, int]]:
    """Where a text holds the terms, in whatever spelling: (start, stop, index of the term), by start; may overlap."""
    if not terms:
        return []
    wanted = _wanted(tuple(terms))
    spans = _in_windows(text, wanted)
    others = spellings(text)
    if others:
        tokens = [(word, each.start, each.stop) for each in others for word in each.words]
        spans += _beside(spans, _spans(tokens, 0, wanted))
        spans.sort(key=itemgetter(0))
    return spans


def _beside(
    spans: Iterable[tuple[int, int, int]], others: Iterable[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    """The other spans but those within which a term is seen more closely: the term of long-term, also longterm."""
    closely: dict[int, list[tuple[int, int]]] = {}
    for start, stop, index in spans:
        closely.setdefault(index, []).append((start, stop))
    found: list[tuple[int, int, int]] = []
    for start, stop, index in others:
        close = closely.get(index, [])
        at = bisect_left(close, (start, 0))
        if at == len(close) or close[at][1] > stop:
            found.append((start, stop, index))
    return found


def _in_windows(text: str, wanted: _Wanted) -> list[tuple[int, int, int]]:
    spans: list[tuple[int, int, int]] = []
    for start, stop in _windows(text, wanted):
        spans += _spans([token for _, found in pieces(text[start:stop]) for token in found], start, wanted)
    return spans


def _spans(tokens: Sequence[Token], offset: int, wanted: _Wanted) -> Iterator[tuple[int, int, int]]:
    for at, (word, start, _) in enumerate(tokens):
        for index, stems, open_ended in wanted.terms.get(word[0], ()):
            found = tokens[at : at + len(stems)]
            if _agrees(found, stems, open_ended=open_ended):
                yield offset + start, offset + max(stop for _, _, stop in found), index


def _windows(text: str, wanted: _Wanted) -> list[tuple[int, int]]:
    """The parts of a text in which a term can lie: all of it, or where the beginning of a term is typed.

    Plain ASCII is nearly all text and nearly never holds a term, so a search for beginnings spares the work:
    a stem differs from its word only at the end, by CHANGED.
    """
    if len(text) < WORTH or not text.isascii() or wanted.signed or "+" in text or "#" in text:
        return [(0, len(text))]
    windows: list[tuple[int, int]] = []
    for begin, end in _typed(text, wanted.beginnings):
        start, stop = _leftward(text, begin, 1 + BEFORE), _rightward(text, end, wanted.longest + AFTER)
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(stop, windows[-1][1]))
        else:
            windows.append((start, stop))
    return windows


def _leftward(text: str, at: int, words: int) -> int:
    for _ in range(words):
        at = max(text.rfind(" ", 0, max(0, at)), 0)
    return at


def _rightward(text: str, at: int, words: int) -> int:
    for _ in range(words):
        at = text.find(" ", at + 1)
        if at < 0:
            return len(text)
    return at


def _typed(text: str, beginnings: Sequence[str]) -> list[tuple[int, int]]:
    """Where words of ASCII text begin so, in its order; an apostrophe may stand inside (don't, O'Brien).

    A search for each is quicker than one pattern for all, which would have to be compiled for every question.
    """
    plain = text.lower()
    marks = [match.start() - number for number, match in enumerate(APOSTROPHE.finditer(plain))]
    bare = plain.replace("'", "") if marks else plain
    found: list[tuple[int, int]] = []
    for beginning in beginnings:
        at = bare.find(beginning)
        while at >= 0:
            end = at + len(beginning)
            start, stop = at + bisect_right(marks, at), end + bisect_right(marks, end - 1)
            if start == 0 or not plain[start - 1].isalnum():
                found.append((start, stop))
            at = bare.find(beginning, at + 1)
    found.sort()
    return found


@lru_cache(maxsize=64)
def _wanted(terms: tuple[Term, ...]) -> _Wanted:
    by_letter: dict[str, list[tuple[int, list[str], bool]]] = {}
    for index, term in enumerate(terms):
        for match in term.matches:
            words = match.strip('"*').split()
            by_letter.setdefault(words[0][0], []).append((index, [stem(word) for word in words], match.endswith("*")))
    wanted = [stems for entries in by_letter.values() for _, stems, _ in entries]
    heads = {stems[0] for stems in wanted}
    beginnings = {head[:-1] if len(head) > 1 and head[-1] in CHANGED else head for head in heads if head.isascii()}
    return _Wanted(
        by_letter,
        tuple(sorted(beginnings)),
        signed=not heads.isdisjoint(SIGNED),
        longest=max(len(stems) for stems in wanted),
    )


def _agrees(tokens: Sequence[Token], stems: list[str], *, open_ended: bool) -> bool:
    found = [stem(word) for word, _, _ in tokens]
    if open_ended and len(found) == len(stems) and found[-1].startswith(stems[-1]):
        found[-1] = stems[-1]
    return found == stems
