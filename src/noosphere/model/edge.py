"""The closed registry of edge types and the gates that guard them."""

from __future__ import annotations

from enum import StrEnum

from noosphere.model.vocabulary import Kind, NodeClass
from noosphere.records import dataclass


class EdgeType(StrEnum):
    """How one node bears on another."""

    RELATES_TO = "relates_to"
    SUPERSEDES = "supersedes"
    CAUSED_BY = "caused_by"
    DECIDED = "decided"
    ABOUT_PERSON = "about_person"
    PART_OF_PROJECT = "part_of_project"
    FOLLOWS = "follows"
    DRAWN_FROM = "drawn_from"
    MENTIONS = "mentions"
    CO_OCCURS_WITH = "co_occurs_with"


SYMMETRIC = frozenset({EdgeType.RELATES_TO, EdgeType.CO_OCCURS_WITH})
FROM_EPISODIC = frozenset({EdgeType.DECIDED, EdgeType.FOLLOWS})
TO_ENTITY = {EdgeType.ABOUT_PERSON: "person", EdgeType.PART_OF_PROJECT: "project"}


@dataclass(frozen=True, slots=True)
class End:
    """What a gate may look at in an endpoint."""

    node_class: NodeClass
    kind: Kind | None
    entity_type: str | None


def gate(edge: EdgeType, src: End, dst: End) -> str | None:
    """Name the rule that forbids this edge, or None when it may stand."""
    if edge in FROM_EPISODIC and src.kind is not Kind.EPISODIC:
        return f"{edge} starts only from an episodic memory"
    wanted = TO_ENTITY.get(edge)
    if wanted and dst.entity_type != wanted:
        return f"{edge} leads only to an entity of type {wanted}"
    if edge is EdgeType.MENTIONS and dst.node_class is not NodeClass.ENTITY:
        return "mentions leads only to an entity"
    if edge is EdgeType.CO_OCCURS_WITH and not src.node_class == dst.node_class == NodeClass.ENTITY:
        return "co_occurs_with joins only entities"
    return None
