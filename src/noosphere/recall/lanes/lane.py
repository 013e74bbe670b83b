"""What a lane is: a name, and a way to find units with scores, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from noosphere.store.connection import Connection


class Candidate(NamedTuple):
    """A unit a lane proposes: candidates, never truth.

    Attributes:
        frame: the unit's key.
        score: higher is better, comparable only inside the lane.
        span: where in the unit's text it matched, when the lane knows.
    """

    frame: int
    score: float
    span: tuple[int, int] | None = None


class Lane(Protocol):
    """A source of candidates for one question."""

    @property
    def name(self) -> str:
        """What the trace calls it."""
        ...

    def find(self, sql: Connection, depth: int) -> list[Candidate]:
        """The best candidates, at most `depth`; fewer means there are no more."""
        ...
