"""Phrases over classes of words: a small pattern language that is matched in linear time.

A phrase is read from left to right, one element for each space:

- `word` or `one|other`: one of these words; `@name`: a word of that class of the vocabulary;
- `..4`: up to four words may lie between the elements beside it (none, when nothing is said);
- `<` in front of all: only at the start of a sentence or line, or behind as many words as a gap then allows;
- `~12` in front of all: the elements in any order, no further than 12 words from the marked one;
- `!` before an element: the rarest one, by which the phrase is found. Every phrase has exactly one.

A word of a script without spaces is found inside a run of letters; every other letter of the run is a word.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, parsed.

    Attributes:
        elements: alternatives, each a word or a class.
        gaps: how many words may lie before each element; before the first, how many after the start it must open.
        mark: which element is the marked one.
        window: for any order, how far from the marked element the others may be; else 0.
        opens: whether it must open a sentence.
    """

    elements: tuple[str, ...]
    gaps: tuple[int, ...]
    mark: int
    window: int = 0
    opens: bool = False

    @property
    def key(self) -> str:
        """The marked element."""
        return self.elements[self.mark]

    def find(
        self, places: Callable[[str], Sequence[int]], starts: frozenset[int], barred: Callable[[int], bool] | None
    ) -> Sequence[int]:
        """Where it stands: the number of its last word, or of its marked one when the order is free.

        Args:
            places: where the words that fill an element stand, ascending.
            starts: the words that open a sentence.
            barred: tells whether something stands before a place that takes the meaning back.
        """
        columns = [places(element) for element in self.elements]
        if not all(columns):
            return ()
        if self.window:
            return _near(columns[self.mark], columns, self.window)
        ends: Sequence[int] = columns[0]
        if self.opens:
            lead = range(self.gaps[0] + 1)
            ends = [p for p in ends if any(p - n in starts for n in lead)]
        if barred is not None:
            ends = [p for p in ends if not barred(p)]
        for column, gap in zip(columns[1:], self.gaps[1:], strict=True):
            if not ends:
                return ()
            ends = _after(ends, column, gap)
        return ends


def _after(ends: Sequence[int], column: Sequence[int], gap: int) -> list[int]:
    """The places of the column that follow some end with at most `gap` words between."""
    found: list[int] = []
    for place in column:
        before = bisect_left(ends, place) - 1
        if before >= 0 and place - ends[before] <= gap + 1:
            found.append(place)
    return found


def _near(marked: Sequence[int], columns: Sequence[Sequence[int]], window: int) -> list[int]:
    return [
        place
        for place in marked
        if all(bisect_left(column, place - window) < bisect_right(column, place + window) for column in columns)
    ]


def parse(said: str) -> Phrase:
    """Read a phrase.

    Raises:
        ValueError: it is not well formed.
    """
    elements: list[str] = []
    gaps: list[int] = []
    marks: list[int] = []
    window, opens, gap = 0, False, 0
    for piece in said.split():
        if piece == "<":
            opens = True
        elif piece.startswith("~"):
            window = int(piece[1:])
        elif piece.startswith(".."):
            gap = int(piece[2:])
        else:
            if piece.startswith("!"):
                marks.append(len(elements))
            elements.append(piece.removeprefix("!"))
            gaps.append(gap)
            gap = 0
    if len(marks) != 1:
        raise ValueError(f"{said!r} marks {len(marks)} elements; mark exactly one with '!'")
    return Phrase(tuple(elements), tuple(gaps), marks[0], window, opens)
