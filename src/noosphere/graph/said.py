"""said: what a text says of the graph: its names, how they bear on each other, and which stand in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph.names import found_names
from noosphere.graph.names.lists import ordinary
from noosphere.graph.names.tokens import MAX_TEXT, cut
from noosphere.graph.normalize import normalize
from noosphere.graph.relations import found_relations
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.graph.names import Mention

MOST_NAMES = 64  # in one text: a list of hundreds is a register, whose entries say nothing of each other
CROWD = 4  # names in one sentence: of more, only neighbours count as standing together
LONGEST = 3  # words of a name that is looked for though it is written small


@dataclass(frozen=True, slots=True)
class Told:
    """A relation between two names, by their keys, and how sure it is."""

    src: str
    type: str
    dst: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says of the graph.

    Attributes:
        names: each name once, by key.
        relations: what it states.
        together: pairs of keys that stand in one sentence and of which nothing is stated.
        small: what is written small and may be the name of something known.
    """

    names: dict[str, Mention]
    relations: tuple[Told, ...]
    together: tuple[tuple[str, str], ...]
    small: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return not self.names and not self.small


def said(text: str) -> Said:
    """Read a text; its first MAX_TEXT characters count."""
    found = found_names(text[:MAX_TEXT])
    relations, typed = found_relations(text, found)
    names: dict[str, Mention] = {}
    for one in typed:
        if one.key in names or len(names) < MOST_NAMES:
            names.setdefault(one.key, one)
    told = [Told(typed[r.src].key, r.type, typed[r.dst].key) for r in relations]
    told = [one for one in told if one.src in names and one.dst in names]
    joined = {frozenset((one.src, one.dst)) for one in told}
    pairs = [p for p in _together(typed) if p[0] in names and p[1] in names and frozenset(p) not in joined]
    return Said(names, tuple(told), tuple(dict.fromkeys(pairs)), _small(text[:MAX_TEXT], names))


def _together(found: Sequence[Mention]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for number in dict.fromkeys(one.sentence for one in found):
        keys = list(dict.fromkeys(one.key for one in found if one.sentence == number))
        near = len(keys) if len(keys) <= CROWD else 2
        for at, key in enumerate(keys):
            pairs += [_pair(key, other) for other in keys[at + 1 : at + near]]
    return pairs


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _small(text: str, names: dict[str, Mention]) -> tuple[str, ...]:
    """Words written small that are no ordinary ones, alone or with those beside them."""
    found: dict[str, None] = {}
    usual = ordinary()
    for sentence in cut(text):
        words = sentence.words
        begin = 0
        for odd, word in enumerate(words):
            if word.low in usual or word.number:
                continue
            for at in range(max(begin, odd - LONGEST + 1), odd + 1):  # what begins earlier holds an earlier odd word
                for end in range(odd + 1, min(at + LONGEST, len(words)) + 1):
                    found[normalize(text[words[at].start : words[end - 1].end])] = None
                    if len(found) > 2 * MOST_NAMES:
                        return tuple(key for key in found if key not in names)
            begin = odd + 1
    return tuple(key for key in found if key not in names)
