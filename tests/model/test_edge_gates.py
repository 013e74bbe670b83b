"""Gates: which edges may stand between which nodes, each rule with a case on both sides of it."""

import pytest

from noosphere.model.edge import SYMMETRIC, EdgeType, End, gate
from noosphere.model.vocabulary import Kind, NodeClass

EVENT = End(NodeClass.MEMORY, Kind.EPISODIC, None)
FACT = End(NodeClass.MEMORY, Kind.SEMANTIC, None)
TALK = End(NodeClass.CONVERSATION, Kind.EPISODIC, None)
PERSON = End(NodeClass.ENTITY, None, "person")
PROJECT = End(NodeClass.ENTITY, None, "project")
TOOL = End(NodeClass.ENTITY, None, "tool")
ENDS = (EVENT, FACT, TALK, PERSON, PROJECT, TOOL)


@pytest.mark.parametrize(
    ("edge", "src", "dst", "rule"),
    [
        (EdgeType.DECIDED, EVENT, FACT, None),
        (EdgeType.DECIDED, TALK, FACT, None),
        (EdgeType.DECIDED, FACT, EVENT, "decided starts only from an episodic memory"),
        (EdgeType.DECIDED, PERSON, FACT, "decided starts only from an episodic memory"),
        (EdgeType.FOLLOWS, EVENT, EVENT, None),
        (EdgeType.FOLLOWS, FACT, EVENT, "follows starts only from an episodic memory"),
        (EdgeType.ABOUT_PERSON, FACT, PERSON, None),
        (EdgeType.ABOUT_PERSON, FACT, PROJECT, "about_person leads only to an entity of type person"),
        (EdgeType.ABOUT_PERSON, PERSON, FACT, "about_person leads only to an entity of type person"),
        (EdgeType.PART_OF_PROJECT, EVENT, PROJECT, None),
        (EdgeType.PART_OF_PROJECT, EVENT, PERSON, "part_of_project leads only to an entity of type project"),
        (EdgeType.PART_OF_PROJECT, EVENT, FACT, "part_of_project leads only to an entity of type project"),
        (EdgeType.MENTIONS, FACT, TOOL, None),
        (EdgeType.MENTIONS, FACT, EVENT, "mentions leads only to an entity"),
        (EdgeType.CO_OCCURS_WITH, PERSON, TOOL, None),
        (EdgeType.CO_OCCURS_WITH, FACT, TOOL, "co_occurs_with joins only entities"),
        (EdgeType.CO_OCCURS_WITH, TOOL, FACT, "co_occurs_with joins only entities"),
    ],
)
def test_a_gate_lets_pass_or_names_its_rule(edge, src, dst, rule):
    assert gate(edge, src, dst) == rule


@pytest.mark.parametrize("edge", [EdgeType.RELATES_TO, EdgeType.SUPERSEDES, EdgeType.CAUSED_BY, EdgeType.DRAWN_FROM])
def test_the_other_edges_stand_between_any_two_nodes(edge):
    assert {gate(edge, a, b) for a in ENDS for b in ENDS} == {None}


def test_only_relations_without_direction_are_symmetric():
    assert {EdgeType.RELATES_TO, EdgeType.CO_OCCURS_WITH} == SYMMETRIC
