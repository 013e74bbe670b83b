"""Caught: the tokens a form caught by name, and the numbers and values they spell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.model.when.stretch import Unfit

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from noosphere.model.when.reading import Reading
    from noosphere.model.when.token import Token

SHORT_YEAR = 40  # '39 is 2039, '40 is 1940: people tell of births more than of the day after tomorrow
HUNDRED, THOUSAND = 100, 1000


class Caught:
    """What a form caught."""

    def __init__(
        self,
        found: Sequence[Token],
        match: re.Match[str],
        labels: Mapping[str, tuple[str, ...]],
        places: Mapping[int, int],
        options: Mapping[str, Any],
    ) -> None:
        self._found, self._match, self._labels, self._places = found, match, labels, places
        self.options = options

    def tokens(self, label: str) -> Sequence[Token]:
        """The tokens caught under a name."""
        for group in self._labels.get(label, ()):
            first, after = self._match.span(group)
            if first >= 0:
                return self._found[self._places[first] : self._places[after]]
        return ()

    def all_of(self, label: str) -> list[Sequence[Token]]:
        """Every group of a name that caught something, in the order of the form."""
        spans = [self._match.span(group) for group in self._labels.get(label, ())]
        return [self._found[self._places[a] : self._places[b]] for a, b in spans if a >= 0]

    def has(self, label: str) -> bool:
        """Whether something was caught under a name."""
        return bool(self.tokens(label))

    def value(self, label: str, of: str | None = None) -> Any:
        """The value a word has by its class; None when nothing was caught."""
        for token in self.tokens(label):
            if (of or label) in token.values:
                return token.values[of or label]
        return None

    def word(self, label: str, of: str | None = None) -> Any:
        """The value a word has by its class.

        Raises:
            Unfit: nothing was caught.
        """
        value = self.value(label, of)
        if value is None:
            raise Unfit(label)
        return value

    def number(self, label: str) -> int:
        """The number that digits or words spell.

        Raises:
            Unfit: none does.
        """
        return spelled(self.tokens(label))

    def year(self, label: str = "year") -> int | None:
        """The year that digits or words spell; two digits are a year near ours. None when nothing was caught."""
        found = self.tokens(label)
        if not found:
            return None
        digits = [t for t in found if t.text.isdecimal()]
        if digits:
            return full_year(int(digits[0].text), len(digits[0].text))
        return spelled_year([v for t in found for v in _numbers(t)])

    def reading(self, label: str) -> Reading:
        """The phrase caught under a name.

        Raises:
            Unfit: there is none.
        """
        for token in self.tokens(label):
            if token.reading is not None:
                return token.reading
        raise Unfit(label)


def full_year(value: int, digits: int) -> int:
    """A year of two digits in full."""
    if digits > 2:  # noqa: PLR2004  (a year in full)
        return value
    return value + (1900 if value >= SHORT_YEAR else 2000)


def spelled(tokens: Sequence[Token]) -> int:
    """A number in digits or words: 21, twenty-first, one hundred.

    Raises:
        Unfit: no token is a number.
    """
    values = [v for token in tokens for v in _numbers(token)]
    if not values:
        raise Unfit
    return _sum(values)


def spelled_year(values: Sequence[int]) -> int:
    """A year in words: nineteen ninety six, two thousand and five.

    Raises:
        Unfit: it is none.
    """
    if THOUSAND in values or HUNDRED in values:
        return _sum(values)
    if len(values) < 2 or not 10 <= values[0] < HUNDRED or (len(values) == 2 and values[1] < 10):  # noqa: PLR2004
        raise Unfit  # "twenty two" is no year, "twenty oh two" is
    return values[0] * HUNDRED + _sum(values[1:])


def _numbers(token: Token) -> list[int]:
    return [int(v) for name, v in token.values.items() if name in ("num", "ordinal", "tens", "magnitude")][:1]


def _sum(values: Sequence[int]) -> int:
    total = part = 0
    for value in values:
        if value in (HUNDRED, THOUSAND):
            total, part = total + max(part, 1) * value, 0
        else:
            part += value
    return total + part
