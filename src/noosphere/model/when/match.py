"""Matching: patterns over the tokens of a text, level by level; the longest phrase wins, then the earlier pattern."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from noosphere.model.when.caught import Caught
from noosphere.model.when.making import MAKERS
from noosphere.model.when.stretch import Unfit
from noosphere.model.when.token import Token
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.when.language import Language, Pattern
    from noosphere.model.when.reading import Reading, Standpoint
    from noosphere.model.when.token import Classes


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch of tokens that a pattern reads; without a reading it is no time, nor is anything in it."""

    first: int
    after: int
    reading: Reading | None
    rank: int
    dropped: bool = False


def all_classes(found: Sequence[Token]) -> int:
    """The classes of some tokens, as bits."""
    seen = 0
    for token in found:
        seen |= token.mask
    return seen


def read(found: list[Token], seen: int, spoken: Language, at: Standpoint) -> list[Token]:
    """Read all phrases: the tokens, with one token for each phrase; `seen` are the classes of the tokens."""
    for level in spoken.levels:
        fitting = level.fitting(seen)
        candidates = _candidates(found, fitting, at) if fitting else []
        if not candidates:
            continue
        found = _replace(found, candidates, spoken.lexicon.classes)
        seen = all_classes(found)
    return found


def _candidates(found: Sequence[Token], patterns: Sequence[Pattern], at: Standpoint) -> list[Candidate]:
    code = "".join([f"{token.code};" for token in found])
    offsets, places = list[int](), dict[int, int]()
    candidates: list[Candidate] = []
    for rank, pattern in enumerate(patterns):
        regex = compiled(pattern.form.source)
        match = regex.search(code)
        if match is not None and not offsets:
            offsets, places = _places(found)
        while match is not None:
            first, after = places[match.start("phrase")], places[match.end("phrase")]
            candidate = _candidate(found, pattern, match, places, at)
            if candidate is not None:
                candidates.append(Candidate(first, after, candidate[0], rank, pattern.makes == "clock"))
            match = regex.search(code, offsets[places[match.start()] + 1])
    return candidates


def _candidate(
    found: Sequence[Token], pattern: Pattern, match: re.Match[str], places: dict[int, int], at: Standpoint
) -> tuple[Reading | None] | None:
    """What a pattern makes of a match: a reading, none where the words are no time; None where it does not fit."""
    caught = Caught(found, match, pattern.form.labels, places, pattern.options)
    try:
        reading = MAKERS[pattern.makes](caught, at)
    except Unfit:
        return None
    except (ValueError, OverflowError):
        return (None,)
    return (None if reading is None else reading.with_kind(pattern.kind, asks=pattern.asks),)


def _replace(found: Sequence[Token], candidates: list[Candidate], classes: Classes) -> list[Token]:
    """Put the best candidates in place of their tokens."""
    taken: dict[int, Candidate] = {}
    used: set[int] = set()
    for candidate in sorted(candidates, key=lambda c: (c.first - c.after, c.rank, c.first)):
        places = range(candidate.first, candidate.after)
        if used.isdisjoint(places):
            used.update(places)
            taken[candidate.first] = candidate
    result: list[Token] = []
    at, clocked = 0, False
    while at < len(found):
        chosen = taken.get(at)
        if chosen is None:
            result.append(_clocked(found[at], classes) if clocked else found[at])
            at, clocked = at + 1, False
        elif chosen.dropped:
            at = chosen.after
            clocked = True
        else:
            result.append(_phrase(found[at], found[chosen.after - 1], chosen.reading, classes))
            at = chosen.after
    return result


def _clocked(token: Token, classes: Classes) -> Token:
    """What follows a time of day that was left out of the row, so that "after 6 pm today" is not "after today"."""
    return token._replace(code=token.code + classes.code(("clocked",)), mask=token.mask | classes.mask(("clocked",)))


def _phrase(first: Token, last: Token, reading: Reading | None, classes: Classes) -> Token:
    names = ("Tvoid",) if reading is None else reading.classes
    code = classes.code(names) + "".join(c for c in first.code if c in classes.flags)
    mask = classes.mask(names) | first.mask & classes.flag_mask
    return Token(" ", first.start, last.end, code, mask, reading=reading)


def _places(found: Sequence[Token]) -> tuple[list[int], dict[int, int]]:
    """Where each token begins in the code of all, and which token begins at an offset."""
    offsets = [0]
    for token in found:
        offsets.append(offsets[-1] + len(token.code) + 1)
    return offsets, {offset: place for place, offset in enumerate(offsets)}


@cache
def compiled(source: str) -> re.Pattern[str]:
    """A form's regular expression, compiled when a text first needs it."""
    return re.compile(source)
