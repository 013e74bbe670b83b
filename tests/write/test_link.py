"""link and unlink: gates, one edge between two ends, the larger weight, canonical order, and nothing deleted."""

import pytest

from noosphere import InvalidInput, Linked, NotFound, Reason, Refused, Turn, Unlinked
from observed import rows

FIELDS = "hex(uid), weight, provenance, claim, known_to IS NULL"


def edges(mind):
    return rows(mind.path, f"SELECT {FIELDS} FROM edge ORDER BY id")


@pytest.fixture
def ends(mind):
    recorded = mind.record("chat", [Turn(key=k, speaker="Ann", text=f"turn {k}") for k in "ab"])
    return {
        "fact": mind.remember("a fact").id,
        "other": mind.remember("another fact").id,
        "event": mind.remember("an event", role="event").id,
        "person": mind.entity("Ann", "person").id,
        "project": mind.entity("Apollo", "project").id,
        "tool": mind.entity("Hammer", "tool").id,
        "chat": recorded.conversation,
        "turn": recorded.added[0],
        "next": recorded.added[1],
    }


ALLOWED = [
    ("fact", "relates_to", "other"), ("fact", "relates_to", "chat"), ("fact", "supersedes", "other"),
    ("event", "caused_by", "fact"), ("event", "decided", "fact"), ("chat", "decided", "fact"),
    ("turn", "decided", "fact"), ("fact", "about_person", "person"), ("event", "part_of_project", "project"),
    ("event", "follows", "event2"), ("fact", "drawn_from", "turn"), ("fact", "mentions", "tool"),
    ("turn", "mentions", "person"), ("person", "co_occurs_with", "tool"), ("turn", "relates_to", "next"),
]  # fmt: skip
REFUSED = [
    ("fact", "decided", "event"), ("fact", "follows", "event"), ("person", "decided", "fact"),
    ("fact", "about_person", "project"), ("fact", "about_person", "other"), ("fact", "part_of_project", "person"),
    ("fact", "mentions", "other"), ("fact", "co_occurs_with", "tool"), ("fact", "relates_to", "fact"),
    ("turn", "relates_to", "turn"),
]  # fmt: skip


@pytest.mark.parametrize(("src", "type", "dst"), ALLOWED)
def test_an_edge_that_passes_its_gate_stands(mind, ends, src, type, dst):
    ends["event2"] = mind.remember("a later event", role="event").id
    outcome = mind.link(ends[src], type, ends[dst])
    assert isinstance(outcome, Linked)
    assert not outcome.existing
    assert edges(mind)[-1][1:] == (1.0, "explicit", "unknown", 1)
    assert mind.doctor().healthy


@pytest.mark.parametrize(("src", "type", "dst"), REFUSED)
def test_an_edge_that_a_gate_forbids_is_refused_with_the_rule(mind, ends, src, type, dst):
    outcome = mind.link(ends[src], type, ends[dst])
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.GATE
    assert outcome.message
    assert edges(mind) == []


def test_linking_again_with_less_weight_changes_nothing(mind, ends):
    first = mind.link(ends["fact"], "relates_to", ends["other"], weight=0.5)
    again = mind.link(ends["fact"], "relates_to", ends["other"], weight=0.4)
    assert (again.edge, again.existing, again.journal) == (first.edge, True, first.journal)
    assert [e[1] for e in edges(mind)] == [0.5]


def test_the_larger_weight_stays(mind, ends):
    first = mind.link(ends["fact"], "caused_by", ends["other"], weight=0.5)
    again = mind.link(ends["fact"], "caused_by", ends["other"], weight=0.9)
    assert (again.edge, again.existing) == (first.edge, True)
    assert [(e[1], e[4]) for e in edges(mind)] == [(0.5, 0), (0.9, 1)]


def test_a_symmetric_edge_is_one_whichever_way_it_is_named(mind, ends):
    first = mind.link(ends["other"], "relates_to", ends["fact"])
    again = mind.link(ends["fact"], "relates_to", ends["other"])
    assert again.edge == first.edge
    src, dst = rows(mind.path, "SELECT s.uid, d.uid FROM edge, node AS s, node AS d WHERE s.id = src AND d.id = dst")[0]
    assert src < dst


def test_a_directed_edge_is_two_when_it_goes_both_ways(mind, ends):
    first = mind.link(ends["fact"], "caused_by", ends["other"])
    again = mind.link(ends["other"], "caused_by", ends["fact"])
    assert again.edge != first.edge


def test_edges_of_two_types_or_two_turns_are_apart(mind, ends):
    made = {
        mind.link(ends["fact"], "caused_by", ends["other"]).edge,
        mind.link(ends["fact"], "supersedes", ends["other"]).edge,
        mind.link(ends["fact"], "drawn_from", ends["turn"]).edge,
        mind.link(ends["fact"], "drawn_from", ends["next"]).edge,
        mind.link(ends["fact"], "drawn_from", ends["chat"]).edge,
    }
    assert len(made) == 5


def test_an_edge_to_a_turn_is_anchored_in_its_conversation(mind, ends):
    mind.link(ends["fact"], "drawn_from", ends["turn"])
    found = rows(
        mind.path,
        "SELECT n.class, f.turn_key FROM edge AS e, node AS n, frame AS f WHERE n.id = e.dst AND f.id = e.dst_frame",
    )
    assert found == [("conversation", "a")]


def test_what_is_known_of_an_edge_is_kept(mind, ends):
    mind.link(ends["fact"], "caused_by", ends["other"], weight=0.25, provenance="inferred", claim="verified",
              valid_from="2026-01-01", valid_to="2027", evidence=["https://example.org"])  # fmt: skip
    assert edges(mind)[0][1:] == (0.25, "inferred", "verified", 1)
    start, end = rows(mind.path, "SELECT valid_from, valid_to FROM edge")[0]
    assert start < end
    assert rows(mind.path, "SELECT count(*) FROM evidence WHERE uri = 'https://example.org'") == [(1,)]


def test_more_evidence_is_added_to_the_edge_that_stands(mind, ends):
    first = mind.link(ends["fact"], "caused_by", ends["other"], evidence="a:1")
    again = mind.link(ends["fact"], "caused_by", ends["other"], weight=0.1, evidence="b:2")
    assert again.existing
    assert again.journal != first.journal
    assert [u for (u,) in rows(mind.path, "SELECT uri FROM evidence WHERE uri IS NOT NULL ORDER BY n")] == [
        "a:1",
        "b:2",
    ]
    assert edges(mind)[0][1] == 1.0


def test_an_unlinked_edge_is_retired_and_can_be_set_anew(mind, ends):
    first = mind.link(ends["fact"], "caused_by", ends["other"])
    outcome = mind.unlink(first.edge)
    assert isinstance(outcome, Unlinked)
    assert [e[4] for e in edges(mind)] == [0]
    with pytest.raises(NotFound, match="edge"):
        mind.unlink(first.edge)
    again = mind.link(ends["fact"], "caused_by", ends["other"])
    assert again.edge != first.edge
    assert [e[4] for e in edges(mind)] == [0, 1]


def test_what_was_forgotten_cannot_be_linked(mind, ends):
    mind.forget(ends["fact"])
    mind.forget(ends["turn"])
    for src, dst in (("fact", "other"), ("other", "fact"), ("turn", "other"), ("other", "turn")):
        assert mind.link(ends[src], "relates_to", ends[dst]).reason is Reason.FORGOTTEN


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"weight": 1.5}, "weight"),
        ({"weight": -0.1}, "weight"),
        ({"weight": "heavy"}, "weight"),
        ({"weight": True}, "weight"),
        ({"provenance": "explicitly"}, "Did you mean explicit"),
        ({"claim": "verifiedd"}, "Did you mean verified"),
        ({"valid_from": "2026", "valid_to": "2025"}, "valid_to"),
        ({"evidence": [5]}, "evidence"),
        ({"weightt": 1}, "Did you mean weight"),
    ],
)
def test_an_edge_that_cannot_be_meant_is_refused(mind, ends, about, message):
    with pytest.raises(InvalidInput, match=message):
        mind.link(ends["fact"], "caused_by", ends["other"], **about)
    assert edges(mind) == []


def test_an_unknown_type_is_refused_with_near_words(mind, ends):
    with pytest.raises(InvalidInput, match="Did you mean relates_to"):
        mind.link(ends["fact"], "relate_to", ends["other"])


def test_an_unknown_end_is_not_found(mind, ends):
    for src, dst in (
        (ends["fact"], "01890a5d-ac96-774b-bcce-b302099a8057"),
        ("01890a5d-ac96-774b-bcce-b302099a8057", ends["fact"]),
    ):
        with pytest.raises(NotFound):
            mind.link(src, "caused_by", dst)
