"""Corrections: sentences that say an earlier statement was wrong, not that the world has changed since."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from noosphere.graph.facts.rulebook import data
from noosphere.model.late import Late
from noosphere.model.needs import Needs, needs_of
from noosphere.model.pieces import PIECES
from noosphere.model.worded import worded, words_of
from noosphere.records import dataclass


@dataclass(frozen=True, slots=True)
class Correction:
    """That an earlier statement was wrong.

    Attributes:
        takes_back: whether it only takes a statement back ("scrap that").
        wrong: the words that were wrong, when it names them ("not Thursday").
        right: the words in their place, when it names them so ("I meant 40").
    """

    takes_back: bool
    wrong: str | None = None
    right: str | None = None


class _Cue(NamedTuple):
    """A way to correct: whether it only takes back, how it is said, and a quick sign that stands wherever that does."""

    takes_back: bool
    form: Late
    sign: Late | None


def found_correction(text: str) -> Correction | None:
    """Whether a text corrects what was said before; only its first sentences can."""
    head = text[:READ]
    cues, needs = _cues()
    told = worded(text if text.isascii() else head)
    lower = told.lower[:READ] if told.plain else None
    called = needs.among(told.held | _held_by_last(head)) if text.isascii() else needs.open(told)
    for n in called:
        takes_back, form, sign = cues[n]
        if (sign is not None and not sign.is_in(head, lower)) or not form.is_in(head, lower):
            continue
        if (match := form.compiled.search(head)) is not None:
            said = match.groupdict()
            return Correction(takes_back, _clean(said.get("wrong")), _clean(said.get("right")))
    return None


FILLER = re.compile(
    r"^(?:(?:sorry|no|actually|wait|well|oops|i meant(?: to say)?|it['’]s|it is|it was|that['’]s|"
    r"that is|on|at|make that)\b[,: ]*)+",
    re.IGNORECASE,
)
READ = 240  # characters: a correction says early that it is one


def _held_by_last(head: str) -> int:
    """The pieces of what may be cut off in the middle at the end of the beginning of a text."""
    return PIECES.held(words_of(head[head.rfind(" ") + 1 :].lower())) if len(head) == READ else 0


def _clean(words: str | None) -> str | None:
    return None if words is None else FILLER.sub("", words.strip(" .,;!'\"")) or None


@cache
def _cues() -> tuple[tuple[_Cue, ...], Needs]:
    """Every cue, in order; and what a text must hold for each."""
    given = data()["correction"]
    return tuple(_cue(cue) for cue in given), Needs(needs_of(cue["form"]) for cue in given)


def _cue(given: dict[str, Any]) -> _Cue:
    sign = Late(given["sign"]) if "sign" in given else None
    return _Cue(bool(given["takes_back"]), Late(given["form"]), sign)
