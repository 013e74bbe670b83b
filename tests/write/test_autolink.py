"""Auto-link: what is alike is joined when it is embedded, and parted when its words change; nothing without a model."""

import pytest

from noosphere.testing.clocks import FrozenClock
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from observed import seen

NEAR = ["the kiln in the yard has 2 wide doors", "the kiln in the yard has 3 wide doors", "my aunt sings in a choir"]


def told(mind, texts, **about):
    ids = [mind.remember(text, **about).id for text in texts]
    mind.flush()
    return ids


def linked(mind, one):
    return {c.id for c in mind.connections(one) if c.edge.provenance == "inferred" and c.edge.type == "relates_to"}


@pytest.fixture
def pair(thinking):
    """Two memories that are alike to the model, and not the same to the guard."""
    return told(thinking, NEAR)


def test_the_nearest_are_linked_with_their_likeness_as_weight(thinking, pair):
    one, two, far = pair
    [edge] = [c.edge for c in thinking.connections(one) if c.id == two and c.edge.provenance == "inferred"]
    assert 0.78 <= edge.weight <= 1
    assert (edge.type, edge.claim, edge.evidence) == ("relates_to", "inferred", 1)
    assert linked(thinking, far) == set()
    assert thinking.doctor().healthy


def test_at_most_three_links_are_drawn_from_one(thinking):
    ids = told(thinking, [f"the kiln in the yard has {number} wide doors" for number in range(8)])
    entries = [entry for entry in thinking.journal(100) if entry.verb == "autolink"]
    assert entries
    assert all(len(entry.detail["edges"]) <= 3 for entry in entries)
    assert ids


def test_turns_are_not_linked(thinking):
    from noosphere import Turn

    thinking.record("chat", [Turn(key=str(n), speaker="Ann", text=text) for n, text in enumerate(NEAR)])
    thinking.flush()
    assert all(entry.verb != "autolink" for entry in thinking.journal(100))


def test_a_link_that_new_words_do_not_bear_out_goes_and_comes_back_with_undo(thinking, pair):
    one, two, _ = pair
    thinking.revise(two, "a boat lies in the harbour of the old town")
    thinking.flush()
    assert linked(thinking, one) == set()
    entry = next(entry for entry in thinking.journal(10) if entry.verb == "autolink")
    thinking.undo(entry.id)
    assert two in linked(thinking, one)


@pytest.mark.parametrize("parting", ["unlink", "undo"])
def test_what_somebody_parted_stays_parted(thinking, pair, parting):
    one, two, _ = pair
    if parting == "unlink":
        thinking.unlink(next(c.edge.edge for c in thinking.connections(one) if c.id == two))
    else:
        thinking.undo(next(entry.id for entry in thinking.journal(20) if entry.verb == "autolink"))
    thinking.append(one, "since May")
    thinking.flush()
    assert two not in linked(thinking, one)


def test_a_link_by_hand_is_left_as_it_is(thinking):
    one, two = (thinking.remember(text).id for text in NEAR[:2])
    thinking.link(one, "relates_to", two, weight=0.1)
    thinking.flush()
    assert [(c.edge.type, c.edge.weight) for c in thinking.connections(one) if c.id == two] == [("relates_to", 0.1)]


def test_a_link_by_hand_is_no_trouble_for_what_says_nearly_the_same(thinking):
    one, two = (thinking.remember(f"the kiln in the yard is cold and {word}").id for word in ("wet", "damp"))
    thinking.link(one, "relates_to", two, weight=0.1)
    thinking.flush()
    assert [c.edge.weight for c in thinking.connections(one) if c.id == two] == [0.1]


def test_a_drawn_link_does_not_stand_in_the_way_of_undo(thinking):
    stored = [thinking.remember(text) for text in NEAR[:2]]
    thinking.flush()
    before = seen(thinking.path)
    undone = thinking.undo(stored[1].journal)
    assert stored[1].id not in {hop.id for hop in thinking.hops(stored[0].id)}
    thinking.undo(undone.journal)
    assert seen(thinking.path, before.frames) == before


def test_without_a_model_nothing_is_linked(mind):
    told(mind, NEAR)
    assert all(entry.verb != "autolink" for entry in mind.journal(20))


def test_it_can_be_switched_off(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder(), autolink=False) as mind:
        one, *_ = told(mind, NEAR)
        assert linked(mind, one) == set()


def test_links_are_the_same_each_time(tmp_path):
    drawn = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        with scratch_mind(tmp_path / name, clock=FrozenClock(), embedder=HashedEmbedder()) as mind:
            ids = told(mind, [f"the kiln in the yard has {number} wide doors" for number in range(8)])
            drawn.append([linked(mind, one) for one in ids])
    assert drawn[0] == drawn[1]
    assert any(drawn[0])
