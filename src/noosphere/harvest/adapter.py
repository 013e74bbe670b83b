"""What every format's adapter is: a name, a judgement of a member's first bytes, and a reader.

An adapter is a module of `noosphere.harvest.adapters` with these three names; it keeps no state.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.items import Found
    from noosphere.harvest.members import Member


class Match(IntEnum):
    """How sure an adapter is that a member is its own; the surest one reads it."""

    NO = 0
    ANY_TEXT = 10  # it is text, and nobody else may want it
    BY_NAME = 20  # plain prose: only the suffix tells Markdown from text
    LIKELY = 60  # the marks of the format are there
    STRUCTURE = 70  # the whole text has the format's shape
    SURE = 90  # fields or an opening that no other format has


class Adapter(Protocol):
    """One export format."""

    @property
    def NAME(self) -> str:  # noqa: N802  (a module's constant)
        """The adapter's name, which its items carry as their source."""
        ...

    def matches(self, member: Member, head: bytes) -> Match:
        """Judge by content whether this member is of this format."""
        ...

    def read(self, member: Member) -> Iterator[Found]:
        """Yield everything in the member: items, rejects, and counts of what was left out."""
        ...
