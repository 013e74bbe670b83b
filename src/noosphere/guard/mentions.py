"""Mentions: an attack that a text tells of, by quoting it or by saying what somebody was told, is no attack."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.guard.reading import Reading
    from noosphere.guard.rulebook import Rulebook

QUOTED = re.compile(  # in quotation marks, which are straight once folded; a quoted line; a block of code
    r"(?<!\w)([\"'`])(?=[^\s\"'`])[^\n\"]{3,200}?(?<=\S)\1(?!\w)|^[ \t]*>[^\n]*|([`'])\2\2[^`']{3,1000}\2{3}",
    re.MULTILINE,
)
REPORTED = 12  # words behind "tells the model to" in which what it tells may lie


def mentioned(folded: str, reading: Reading, rules: Rulebook) -> Callable[[int], bool] | None:
    """Tells whether the word of a number is only told of; None when the text does not speak of attacks."""
    quotes = [found.span() for found in QUOTED.finditer(folded)]
    begins = [start for start, _ in quotes]

    def quoted(number: int) -> bool:
        before = bisect_right(begins, reading.at[number]) - 1
        return before >= 0 and reading.at[number] < quotes[before][1]

    spoken = {word for n, word in enumerate(reading.words) if word in rules.attacks and not quoted(n)}
    if not spoken:
        return None
    if rules.threats.isdisjoint(spoken):
        return quoted

    def reported(number: int) -> bool:
        for n in range(number, max(-1, number - REPORTED), -1):
            if reading.words[n] in rules.reports:
                return True
            if n in reading.starts or reading.words[n] in rules.addressed:
                return False
        return False

    return lambda number: quoted(number) or reported(number)
