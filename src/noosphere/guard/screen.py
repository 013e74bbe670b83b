"""Screening: how much a text looks like an attempt to give orders to whoever reads it.

Every rule that is met adds its weight once, where the rules lie close together; a sum of 1 is a score of one half,
and each further 1 halves what is missing to 1.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from noosphere.guard.fold import BIDI, INVISIBLE, fold
from noosphere.guard.layers import layers, turned
from noosphere.guard.mentions import mentioned
from noosphere.guard.reading import Reading, glance
from noosphere.guard.rulebook import Rule, Rulebook, rulebook
from noosphere.model.worded import Worded, worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Origin = Literal["user", "tool", "import", "memory"]
THRESHOLDS: dict[str, float] = {"user": 0.6, "memory": 0.5, "import": 0.5, "tool": 0.45}
WINDOW = 200  # words: rules further apart than this have nothing to do with each other
DEPTH = 2  # layers inside layers that are opened
BLOCK = 240  # characters in which a flood is looked for
FLOODED = 0.14  # a block that shrinks to less says the same over and over; prose shrinks to two thirds
SUSPECT = 0.5  # the weight from which a hidden text is counted, and its hiding with it
DRAWN = r"[-=_|*#.+~\s:]"
RULED = re.compile(DRAWN + DRAWN + "{2,}")  # lines that are drawn, which repeat themselves by right
QUICK, USUAL = 4, 8  # memory levels of zlib: the places it remembers, in 4 KB or in 64 KB that are cleared each time
DOUBT = 2  # the quick look at 20,000 blocks that repeat themselves was never off by more than 1.02 times
SMALL = 11  # bits of a window that holds any block: sizes are those of the usual one, which takes 250 KB each time
UNSEEN = 6  # invisible characters that no keyboard, emoji or script needs


@dataclass(frozen=True, slots=True)
class Screening:
    """What screening found.

    Attributes:
        score: 0 for nothing, towards 1 for a plain attack.
        hits: the rules that were met.
        version: of the rules.
        hostile: whether the score reaches the threshold of the text's origin.
    """

    score: float
    hits: tuple[str, ...]
    version: str
    hostile: bool


def screen(text: str, origin: Origin = "memory") -> Screening:
    """Screen a text."""
    known = rulebook()
    total, hits = _weigh(text, known, DEPTH)
    score = 1 - 2**-total
    return Screening(score, tuple(sorted(hits)), known.version, score >= THRESHOLDS[origin])


def _weigh(text: str, known: Rulebook, depth: int) -> tuple[float, set[str]]:
    folded = fold(text)
    told = worded(text) if text.isascii() else Worded(folded)
    seen = glance(text, folded, told.words, known)
    said = _said(folded, known) if seen.telling else ()
    found = [*said, *_formed(text, folded, told, known), *_measured(text, known)]
    total, hits = _densest(found) if found else 0.0, {rule.id for rule, _ in found}
    if depth and (seen.layered or seen.turned):
        inner = [*(layers(text) if seen.layered else ()), *(turned(folded) if seen.turned else ())]
        for how, hidden in inner:
            weight, met = _weigh(hidden, known, depth - 1)
            if weight >= SUSPECT:
                hits |= met | {how}
                total = max(total, weight) + known.rules[how].weight
    return total, hits


def _said(folded: str, known: Rulebook) -> list[tuple[Rule, int]]:
    reading = Reading(folded, known)
    found = [
        (rule, place)
        for key in reading.keys
        for rule, phrase in known.keyed[key]
        for place in phrase.find(reading.places, reading.starts, reading.denial(rule.unless) if rule.unless else None)
    ]
    told = mentioned(folded, reading, known) if found else None
    return found if told is None else [(rule, place) for rule, place in found if not told(place)]


def _formed(text: str, folded: str, told: Worded, known: Rulebook) -> Iterator[tuple[Rule, int]]:
    for number in known.literals.open(told):
        rule, form = known.forms[number]
        read, words = (text, worded(text)) if form.cased else (folded, told)
        for found in form.compiled.pattern.finditer(read) if form.compiled.may_match(words) else ():
            yield rule, found.start() // LETTERS


LETTERS = 6  # characters of a word, with the space behind it: turns places in a text into word numbers


def _measured(text: str, known: Rulebook) -> Iterator[tuple[Rule, int]]:
    bare = RULED.sub(" ", text) if len(text) >= BLOCK else ""
    for start in range(0, len(bare), BLOCK):
        block = bare[start : start + BLOCK].encode("utf-8", "replace")
        if len(block) >= BLOCK and _repeats(block):
            yield known.rules["flood.repeat"], start // LETTERS
    if not text.isascii() and (BIDI.search(text) or len(INVISIBLE.findall(text)) >= UNSEEN):
        yield known.rules["hidden.unseen"], 0


def _repeats(block: bytes) -> bool:
    """Whether a block says the same over and over; most are told by a quick look, which finds a little less in it."""
    most = FLOODED * len(block)
    return _shrunk(block, QUICK) < DOUBT * most and _shrunk(block, USUAL) < most


def _shrunk(block: bytes, memory: int) -> int:
    """How many bytes a block can be said in."""
    shrinking = zlib.compressobj(1, zlib.DEFLATED, SMALL, memory)
    return len(shrinking.compress(block)) + len(shrinking.flush())


def _densest(found: Iterable[tuple[Rule, int]]) -> float:
    """The largest sum of weights inside one window, each rule once."""
    events = sorted(((place, rule) for rule, place in found), key=lambda e: (e[0], e[1].id))
    counts: dict[str, int] = {}
    total = best = 0.0
    start = 0
    for place, rule in events:
        counts[rule.id] = counts.get(rule.id, 0) + 1
        if counts[rule.id] == 1:
            total += rule.weight
        while events[start][0] < place - WINDOW:
            old = events[start][1]
            counts[old.id] -= 1
            if not counts[old.id]:
                total -= old.weight
            start += 1
        best = max(best, total)
    return best
