"""What a text must hold for a pattern to match, read off the pattern itself: a rule that cannot match is not tried.

Every condition is necessary and none sufficient, so leaving a pattern out for want of one changes no result.
"""

from __future__ import annotations

import importlib
import json
from collections import defaultdict
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

from noosphere.model.pieces import DIGIT, PIECES, how_common, piece_of_word, pieces_of
from noosphere.model.worded import worded

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from noosphere.model.worded import Worded

Need = frozenset[str]  # pieces of words of which a text holds one, at least
Spelled = frozenset[str]  # every way a stretch of a pattern can be spelled

MOST = 64  # spellings that are followed before a stretch is given up
FEW = 6  # characters of a class that are spelled out
CONDITIONS = 3  # that one stretch of a pattern gives at most: more of its words tell little more
NOTHING: Spelled = frozenset({""})
GAP = "é"  # stands for a character that belongs to no piece and may stand inside a word


def needs_of(pattern: str) -> tuple[Need, ...]:
    """The conditions of a pattern: some piece of each stands in the lower-case words of every text it matches.

    Those of the rules were read off before and stand in a file, which a rule that is new or changed does without: to
    read all of them takes half the time of the first memory of a process.

    Raises:
        re.error: it is no pattern.
    """
    told = _told().get(key_of(pattern))
    return read_off(pattern) if told is None else tuple(map(frozenset, told))


def key_of(pattern: str) -> str:
    """By what the conditions of a pattern stand in the file."""
    return blake2b(pattern.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@cache
def _told() -> dict[str, list[list[str]]]:
    return json.loads(resources.files("noosphere.model").joinpath("needs.json").read_text(encoding="utf-8"))


def read_off(pattern: str) -> tuple[Need, ...]:
    """The conditions of a pattern, read off the pattern itself.

    A Python whose parser of patterns has moved or has another form gives none, so that every pattern is tried.

    Raises:
        re.error: it is no pattern.
    """
    reader = _Reader()
    try:
        parser: Any = importlib.import_module("re._parser")
        reader.read(list(parser.parse(pattern)))
    except (ImportError, AttributeError, TypeError, ValueError):
        return ()
    reader.end()
    return tuple(dict.fromkeys(reader.needs))


def need_of_words(words: Iterable[str]) -> tuple[Need, ...]:
    """The condition that one of some words stands in a text by itself; none when a word has no piece."""
    pieces = [piece_of_word(word) for word in words]
    return (frozenset(piece for piece in pieces if piece),) if all(pieces) else ()


class Needs:
    """The conditions of many patterns."""

    __slots__ = ("_always", "_called", "_calling", "count")

    def __init__(self, needs: Iterable[Iterable[Need]]) -> None:
        """Take the conditions of each pattern, in the order of the patterns."""
        told = [sorted(one, key=_rarity) for one in needs]
        bits = PIECES.bits(piece for one in told for need in one for piece in need)
        called: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for n, one in enumerate(told):
            beside = tuple(sum(bits[piece] for piece in need) for need in one[1:])
            for piece in one[0] if one else ():
                called[bits[piece].bit_length()].append((n, beside))
        self.count = len(told)
        self._always = [n for n, one in enumerate(told) if not one]
        self._called = dict(called)
        self._calling = sum(1 << place - 1 for place in called)

    def open(self, told: Worded) -> Sequence[int]:
        """The numbers of the patterns that a text can match, ascending."""
        found = told.opened.get(self)
        if found is None:
            found = told.opened[self] = range(self.count) if told.unlike else self.among(told.held)
        return found

    def among(self, held: int) -> Sequence[int]:
        """The same for a text that holds these pieces, and no letter of other case than it shows."""
        calling = held & self._calling
        if not calling:
            return self._always
        left = list(self._always)
        while calling:
            place = calling.bit_length()  # from above: what is left grows shorter
            calling ^= 1 << place - 1
            for n, beside in self._called[place]:
                for mask in beside:
                    if not held & mask:
                        break
                else:
                    left.append(n)
        return left if len(left) <= 1 else sorted(set(left))


class Sought:
    """A pattern that is looked for only where a text holds what it needs."""

    __slots__ = ("_masks", "pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        """Take a compiled pattern."""
        self.pattern = pattern
        needs = needs_of(pattern.pattern)
        bits = PIECES.bits(piece for need in needs for piece in need)
        self._masks = [sum(bits[piece] for piece in need) for need in sorted(needs, key=_rarity)]

    def may_match(self, told: Worded) -> bool:
        """Whether a text holds what the pattern needs."""
        return told.unlike or self.fits(told.held)

    def fits(self, held: int) -> bool:
        """The same of one that holds these pieces, and no letter of other case than it shows."""
        for mask in self._masks:  # noqa: SIM110  (a generator takes three times as long, for each pattern of each text)
            if not held & mask:
                return False
        return True

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, if there is one."""
        return self.pattern.search(text) if self.may_match(worded(text)) else None


class _Reader:
    """Reads a parsed pattern from left to right."""

    def __init__(self) -> None:
        self.needs: list[Need] = []
        self._run: Spelled = NOTHING

    def read(self, ops: Iterable[tuple[Any, Any]]) -> None:
        literal = ""
        for op, argument in ops:
            name = op.name
            if name == "LITERAL":
                literal += _lower(argument)
                continue
            if literal:
                self._spell(frozenset({literal}))
                literal = ""
            self._one(name, argument)
        if literal:
            self._spell(frozenset({literal}))

    def end(self) -> None:
        """Close the stretch that was followed: it is a condition, if all its spellings hold a piece."""
        self._need(self._run)
        self._run = NOTHING

    def _need(self, spelled: Spelled) -> None:
        """Take the rarest piece of every spelling for a condition, the second of every one for another, and so on."""
        told: list[list[str]] = []
        for spelling in spelled:
            pieces = _rarest_first(spelling)
            if not pieces:
                return
            told.append(pieces)
        self.needs += map(frozenset, islice(zip(*told, strict=False), CONDITIONS))
        shared = set(told[0]).intersection(*told[1:])
        if shared and len(told) > 1:
            self.needs.append(frozenset([min(sorted(shared), key=how_common)]))

    def _one(self, op: str, argument: Any) -> None:
        match op:
            case "IN":
                self._class(argument)
            case "SUBPATTERN":
                self.read(argument[-1])
            case "ATOMIC_GROUP":
                self.read(argument)
            case "BRANCH":
                self._branch(argument[1])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                self._repeat(*argument)
            case "AT" if str(argument) == "AT_BOUNDARY":
                self._spell(frozenset({" "}))  # a piece beside it begins or ends its word
            case "AT" | "ASSERT" | "ASSERT_NOT":
                pass  # stand between characters
            case _:
                self.end()

    def _spell(self, spellings: Spelled) -> None:
        run = self._run
        longer = spellings if run == NOTHING else frozenset([before + after for before in run for after in spellings])
        if len(longer) > MOST:
            self.end()
            longer = spellings
        if len(longer) > MOST:
            self._need(longer)
            longer = NOTHING
        self._run = longer

    def _class(self, members: Sequence[tuple[Any, Any]]) -> None:
        told = {str(argument) if str(op) == "CATEGORY" else str(op) for op, argument in members}
        if told in ({"CATEGORY_SPACE"}, {"CATEGORY_DIGIT"}):
            self._spell(frozenset({" " if told == {"CATEGORY_SPACE"} else DIGIT}))
        elif told == {"LITERAL"} and len(members) <= FEW:
            self._spell(frozenset(_lower(code) for _, code in members))
        else:
            self.end()

    def _branch(self, branches: Sequence[Any]) -> None:
        read = [_read(branch) for branch in branches]
        if all(spelled is not None for _, spelled in read):
            spellings = frozenset(one for _, spelled in read if spelled for one in spelled)
            self._need(spellings)  # also what may stand before them has words, which are no condition by themselves
            self._spell(spellings)
            return
        self.end()
        ranked = [sorted(dict.fromkeys(needs), key=_rarity) for needs, _ in read]
        self.needs += (frozenset().union(*chosen) for chosen in islice(zip(*ranked, strict=False), CONDITIONS))

    def _repeat(self, least: int, most: int, ops: Any) -> None:
        needs, spelled = _read(ops)
        if spelled is not None and most == 1:
            self._spell(spelled if least else spelled | {""})
            return
        self.end()
        if spelled is not None and least:
            self._spell(_times(spelled, min(least, FEW)))
            self.end()
        elif least:
            self.needs += needs


class _Part(_Reader):
    """Reads a part of a pattern, and notes whether it could be spelled out from end to end."""

    def __init__(self) -> None:
        super().__init__()
        self.spelled: Spelled | None = NOTHING

    def read(self, ops: Iterable[tuple[Any, Any]]) -> None:
        super().read(ops)
        if self.spelled is not None:
            self.spelled = self._run

    def end(self) -> None:
        self.spelled = None
        super().end()


def _read(ops: Any) -> tuple[list[Need], Spelled | None]:
    """The conditions of a part of a pattern, and its spellings when these can be told."""
    part = _Part()
    part.read(list(ops))
    spelled = part.spelled
    part.end()
    return part.needs, spelled


def _times(spelled: Spelled, count: int) -> Spelled:
    """The spellings of a stretch that is said several times over; of fewer times, when they are too many."""
    longer = spelled
    for _ in range(count - 1):
        if len(longer) * len(spelled) > MOST:
            break
        longer = frozenset(before + after for before in longer for after in spelled)
    return longer


def _rarity(need: Need) -> tuple[int, int]:
    """Orders conditions by how many texts meet them, as far as it shows: the rarest first."""
    return sum(how_common(piece)[0] for piece in need), len(need)


@lru_cache(maxsize=4096)
def _rarest_first(spelling: str) -> list[str]:
    """The pieces of a literal; patterns share many of their words."""
    return sorted(set(pieces_of(spelling)), key=lambda piece: (how_common(piece), piece))


def _lower(code: int) -> str:
    """A character as pieces spell it."""
    char = chr(code)
    return char.lower() if char.isascii() else GAP
