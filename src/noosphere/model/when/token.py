"""Tokens: the words, numbers and signs of a text with the classes the forms ask for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.model.when.reading import Reading

PIECES = re.compile(r"(\s*)([^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\S)")  # with the space before each
WORD = re.compile(r"[^\W\d_]+")
FIRST_CODE = 0xE000  # the private use area: never a sign of a regular expression
FLAGS = ("cap", "glued", "fresh", "clocked")
NO_VALUES: Mapping[str, int | str] = {}


@dataclass(frozen=True, slots=True)
class Word:
    """What a language knows of a word: its values by class, and its classes as code and as mask."""

    values: Mapping[str, int | str]
    code: str
    mask: int


class Token(NamedTuple):
    """A piece of the text, or a phrase already read.

    Attributes:
        text: in lower case, with plain apostrophes.
        start: offset in the text.
        end: offset after it.
        code: its classes as the forms see them.
        mask: its classes as bits.
        values: by class.
        reading: what the phrase means; None also where it is no time.
    """

    text: str
    start: int
    end: int
    code: str
    mask: int
    values: Mapping[str, int | str] = NO_VALUES
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of a language: each has one character in the code and one bit in the mask."""

    numbers: Mapping[str, int]

    @property
    def flag_mask(self) -> int:
        """The bits of what holds of a place rather than of a word."""
        return self.mask(FLAGS)

    @property
    def flags(self) -> str:
        """The characters of the same."""
        return self.code(FLAGS)

    def code(self, names: Sequence[str]) -> str:
        """The characters of some classes."""
        return "".join(chr(FIRST_CODE + self.numbers[name]) for name in names)

    def mask(self, names: Sequence[str]) -> int:
        """The bits of some classes."""
        return sum({1 << self.numbers[name] for name in names})


def number_classes(digits: str) -> tuple[str, ...]:
    """The classes of a number of at most four digits: what it could count or name."""
    value = int(digits)
    of_two = {"two": len(digits) == 2, "later": len(digits) == 2 and value > 31}  # noqa: PLR2004
    of_short = {"dom": 1 <= value <= 31, "moy": 1 <= value <= 12, "hour": value <= 24, "week53": 1 <= value <= 53}  # noqa: PLR2004
    of_four = {"y4": 1000 <= value < 3000, "yr": 1900 <= value < 2100}  # noqa: PLR2004
    holds = {"num": True, "digits": True}
    if len(digits) <= 2:  # noqa: PLR2004
        holds |= {"short": True} | of_two | of_short
    elif len(digits) == 4:  # noqa: PLR2004
        holds |= of_four
    return tuple(name for name, is_so in holds.items() if is_so)
