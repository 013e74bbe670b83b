"""What is connected is brought in, and the connected profile puts it first; with no edges nothing changes."""

from noosphere.model.trace import Gathered


def lanes(ranked):
    return {step.lane for step in ranked.trace.steps if isinstance(step, Gathered)}


def test_what_shares_no_word_with_the_question_comes_over_an_edge(mind):
    bridge = mind.remember("The heron project is led by Ines")
    far = mind.remember("Budget review happens in the blue room")
    mind.link(bridge.id, "relates_to", far.id, weight=0.9)
    ranked = mind.ranked("who leads the heron project?")
    hit = next(h for h in ranked.hits if h.id == far.id)
    assert [lane.name for lane in hit.lanes] == ["hops"]


def test_an_entity_the_question_names_is_where_the_walk_starts(mind):
    project = mind.entity("Heron", "project")
    fact = mind.remember("Deadline is the third of June")
    mind.link(fact.id, "part_of_project", project.id)
    assert fact.id in {h.id for h in mind.rank("what is due for Heron?", unsure=True)}


def test_the_connected_profile_puts_what_is_connected_first(mind):
    project = mind.entity("Heron", "project")
    plain = mind.remember("Meeting notes: nests were mapped")
    linked = mind.remember("Meeting notes: nests were counted")
    mind.link(linked.id, "part_of_project", project.id)
    question = "Heron meeting notes about nests"
    assert mind.rank(question)[0].id == plain.id
    assert mind.rank(question, profile="connected")[0].id == linked.id


def test_without_edges_there_is_no_such_lane(mind):
    mind.remember("The heron nests by the weir")
    assert "hops" not in lanes(mind.ranked("heron weir"))


def test_a_retired_edge_leads_nowhere(mind):
    bridge, far = mind.remember("The heron project is led by Ines"), mind.remember("Budget review in the blue room")
    edge = mind.link(bridge.id, "relates_to", far.id)
    mind.unlink(edge.edge)
    assert far.id not in {h.id for h in mind.rank("who leads the heron project?")}
