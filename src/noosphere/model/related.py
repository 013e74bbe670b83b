"""What questions about entities answer: neighbours, ways along one relation, distances, and names that are alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """An entity at the other end of an edge.

    Attributes:
        id: the entity.
        name, type: what it is called, and what it is.
        relation: the edge as it reads from the entity that was asked about: "leads" where the edge is led_by.
        edge: its id.
        outward: whether it leads away from the entity that was asked about.
        evidence: how many reasons stand behind it.
        valid_from, valid_to: when it holds; None where not stated.
    """

    id: str
    name: str
    type: str
    relation: str
    edge: str
    outward: bool
    weight: float
    provenance: str
    evidence: int
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traversed:
    """An entity reached along one relation.

    Attributes:
        path: the ids passed, from the start to it.
    """

    id: str
    name: str
    type: str
    depth: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How many edges lie between an entity and the nearest of the seeds."""

    id: str
    name: str
    type: str
    distance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """An entity whose name is like what was asked; `score` is 1 for the same name."""

    id: str
    name: str
    type: str
    seen_count: int
    score: float
