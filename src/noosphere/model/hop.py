"""What hops answer: things reached over edges, each with the path that led there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """One edge of a path, in the direction in which it was walked.

    Attributes:
        edge: its id.
        src, dst: what it joins, as it is directed: nodes, or the turns it is anchored in.
        outward: whether it was walked from src to dst.
        linked_by: the actor who set it.
        evidence: how many reasons stand behind it.
    """

    edge: str
    src: str
    type: str
    dst: str
    outward: bool
    weight: float
    provenance: str
    claim: str
    linked_by: str
    evidence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """A thing that was reached.

    Attributes:
        id: the node, or the turn.
        node_class: memory, conversation (also of a turn) or entity.
        text: a memory's or turn's beginning, an entity's name, a conversation's title; None when withheld.
        score: the seed's 1.0 times 0.6 and the edge's weight for each edge of the best path.
        seed: the id it was reached from.
        path: the edges from the seed to it.
        withheld: why its text is not shown: it looks like an attack, or holds a secret.
        stale_since: when it was last changed or checked, if it may have changed and that is more than 90 days ago.
    """

    id: str
    node_class: str
    text: str | None
    claim: str
    evidence: int
    score: float
    depth: int
    seed: str
    path: tuple[Crossed, ...]
    withheld: str | None = None
    stale_since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """One edge at a thing, and what it leads to.

    Attributes:
        id: the node at the other end, or the turn.
        text: as of a hop; None also when it was forgotten.
        current: whether the other end is shown unasked.
        stale_since: as of a hop.
    """

    edge: Crossed
    id: str
    node_class: str
    text: str | None
    current: bool
    stale_since: datetime | None = None
