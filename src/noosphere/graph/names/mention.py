"""A name where it stands in a text."""

from __future__ import annotations

from noosphere.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name as it is written, and what it names.

    Attributes:
        name: as the text writes it at its longest, without titles and possessives.
        key: the name as entities are identified.
        type: what it names.
        sure: whether something tells the type; else it is a guess, which a hint elsewhere overrules.
        known: whether it stands in a list of names.
        span: where it stands in the text.
        sentence: the number of its sentence.
    """

    name: str
    key: str
    type: str
    sure: bool
    known: bool
    span: tuple[int, int]
    sentence: int
