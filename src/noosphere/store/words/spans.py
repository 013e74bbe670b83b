"""Terms in a text: which it holds, and where; exactly those FTS5 finds it by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from noosphere.store.words.pieces import pieces
from noosphere.store.words.porter import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.store.words.pieces import Token
    from noosphere.store.words.query import Term


WORTH = 200  # characters; a shorter text is read whole
BEFORE, AFTER = 1, 1  # words of context a window keeps, for what is read by its neighbours (asp .net)
SIGNED = frozenset({"cplusplu", "csharp", "fsharp", "dotnet", "plusplu"})  # typed otherwise: C++, .NET
CHANGED = "eil"  # a stem's last letter when it is not its word's: hoping → hope, happy → happi, ability → abl
NEVER = re.compile(r"(?!)")

_Wanted = dict[str, list[tuple[int, list[str], bool]]]


def matched_terms(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Which terms a text holds, as shown, in the order of the terms: exactly those FTS5 finds it by."""
    held = {index for _, _, index in find_spans(text, terms)}
    return tuple(dict.fromkeys(terms[index].shown for index in sorted(held)))


def find_spans(text: str, terms: Sequence[Term]) -> list[tuple[int, int, int]]:
    """Where a text holds the terms: (start, stop, index of the term), by start; spans may overlap."""
    if not terms:
        return []
    wanted = _wanted(tuple(terms))
    spans: list[tuple[int, int, int]] = []
    for start, stop in _windows(text, wanted):
        spans += _spans(text[start:stop], start, wanted)
    return spans


def _spans(text: str, offset: int, wanted: _Wanted) -> Iterator[tuple[int, int, int]]:
    tokens = [token for _, found in pieces(text) for token in found]
    for at, (word, start, _) in enumerate(tokens):
        for index, stems, open_ended in wanted.get(word[0], ()):
            found = tokens[at : at + len(stems)]
            if _agrees(found, stems, open_ended=open_ended):
                yield offset + start, offset + max(stop for _, _, stop in found), index


def _windows(text: str, wanted: _Wanted) -> list[tuple[int, int]]:
    """The parts of a text in which a term can lie: all of it, or where the beginning of a term is typed.

    Plain ASCII is nearly all text and nearly never holds a term, so a search for beginnings spares the work:
    a stem differs from its word only at the end, by CHANGED.
    """
    heads = frozenset(stems[0] for entries in wanted.values() for _, stems, _ in entries)
    if len(text) < WORTH or not text.isascii() or heads & SIGNED or "+" in text or "#" in text:
        return [(0, len(text))]
    longest = max(len(stems) for entries in wanted.values() for _, stems, _ in entries)
    windows: list[tuple[int, int]] = []
    for match in _beginnings(heads).finditer(text):
        start = match.start()
        for _ in range(1 + BEFORE):
            start = max(text.rfind(" ", 0, max(0, start)), 0)
        stop = match.end()
        for _ in range(longest + AFTER):
            stop = text.find(" ", stop + 1)
            if stop < 0:
                stop = len(text)
                break
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(stop, windows[-1][1]))
        else:
            windows.append((start, stop))
    return windows


@lru_cache(maxsize=256)
def _beginnings(heads: frozenset[str]) -> re.Pattern[str]:
    """Finds the typed beginnings of stems; an apostrophe may stand inside (don't, O'Brien)."""
    kept = sorted(head[:-1] if len(head) > 1 and head[-1] in CHANGED else head for head in heads if head.isascii())
    spelled = ["'?".join(re.escape(letter) for letter in beginning) for beginning in dict.fromkeys(kept)]
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(spelled)})", re.IGNORECASE) if spelled else NEVER


@lru_cache(maxsize=64)
def _wanted(terms: tuple[Term, ...]) -> _Wanted:
    """Each term's stems, under the first letter of the first word: stemming leaves that letter alone."""
    wanted: dict[str, list[tuple[int, list[str], bool]]] = {}
    for index, term in enumerate(terms):
        words = term.match.strip('"*').split()
        stems = [stem(word) for word in words]
        wanted.setdefault(words[0][0], []).append((index, stems, term.match.endswith("*")))
    return wanted


def _agrees(tokens: list[Token], stems: list[str], *, open_ended: bool) -> bool:
    found = [stem(word) for word, _, _ in tokens]
    if open_ended and len(found) == len(stems) and found[-1].startswith(stems[-1]):
        found[-1] = stems[-1]
    return found == stems
