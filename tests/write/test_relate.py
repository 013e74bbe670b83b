"""relate and the questions about entities: directed, by name, kept by the ontology, at any time."""

from datetime import timedelta

import pytest

from noosphere import InvalidInput, Linked, NotFound, Reason, Refused


@pytest.fixture
def known(mind):
    for name in ("Ana Kos", "Ben Okoro", "Chidi"):
        mind.entity(name, "person")
    mind.entity("Heron", "project")
    mind.entity("PostgreSQL", "technology")
    return mind


def test_a_relation_and_its_inverse_set_one_edge(known):
    one, other = known.relate("Ana Kos", "leads", "Heron"), known.relate("heron", "led_by", "ana kos")
    assert isinstance(one, Linked)
    assert (other.edge, other.existing) == (one.edge, True)
    (beside,) = known.neighbours("Ana Kos")
    assert (beside.relation, beside.name, beside.outward) == ("leads", "Heron", False)
    (beside,) = known.neighbours("Heron", relation="led_by")
    assert (beside.relation, beside.name, beside.outward) == ("led_by", "Ana Kos", True)


def test_what_the_ontology_forbids_is_refused_with_the_rule_named(known):
    refused = known.relate("PostgreSQL", "reports_to", "Ana Kos")
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.message) == (Reason.GATE, "reports_to leads from person, not from technology")


def test_a_type_makes_what_is_not_there_and_without_one_it_is_not_found(known):
    with pytest.raises(NotFound):
        known.relate("Dana", "leads", "Heron")
    assert isinstance(known.relate("Dana", "leads", "Heron", src_type="person"), Linked)
    assert len(known.entity("Dana")) == 1


def test_a_relation_and_the_ends_that_it_makes_are_one_act(known):
    before = len(known.journal(100))
    linked = known.relate("Otto Vance", "leads", "Plover", src_type="person", dst_type="project")
    assert [entry.verb for entry in known.journal(100)][: -before or None] == ["relate"]
    known.undo(linked.journal)
    assert (known.entity("Otto Vance"), known.entity("Plover")) == ([], [])
    assert known.doctor().healthy


def test_of_a_relation_that_is_refused_nothing_stays(known):
    before = known.journal(100)
    refused = known.relate("Otto Vance", "leads", "Monday", src_type="person", dst_type="project")
    assert isinstance(refused, Refused)
    assert (known.entity("Otto Vance"), known.journal(100)) == ([], before)


def test_an_end_that_is_used_since_stays_when_its_relation_is_taken_back(known):
    linked = known.relate("Otto Vance", "leads", "Plover", src_type="person", dst_type="project")
    known.relate("Otto Vance", "uses", "Zig", dst_type="technology")
    known.undo(linked.journal)
    assert [e.name for e in known.entity("Otto Vance")] == ["Otto Vance"]
    assert known.entity("Plover") == []


def test_an_unknown_relation_and_a_name_of_several_things_are_told(known):
    with pytest.raises(InvalidInput):
        known.relate("Ana Kos", "adores", "Heron")
    known.entity("Ana Kos", "organization")
    with pytest.raises(InvalidInput):
        known.relate("Ana Kos", "approved", "Heron")


def test_a_chain_is_followed_along_one_relation_either_way(known):
    known.relate("Chidi", "reports_to", "Ben Okoro")
    known.relate("Ben Okoro", "reports_to", "Ana Kos")
    known.relate("Ana Kos", "leads", "Heron")
    up = known.traverse("Chidi", "reports_to")
    assert [(t.name, t.depth) for t in up] == [("Ben Okoro", 1), ("Ana Kos", 2)]
    assert [t.name for t in known.traverse("Ana Kos", "manages")] == ["Ben Okoro", "Chidi"]
    assert [t.name for t in known.traverse("Chidi", "reports_to", depth=1)] == ["Ben Okoro"]


def test_distances_count_edges_from_the_nearest_seed(known):
    known.relate("Chidi", "reports_to", "Ben Okoro")
    known.relate("Ben Okoro", "reports_to", "Ana Kos")
    known.relate("Ana Kos", "leads", "Heron")
    far = {d.name: d.distance for d in known.distances(["Chidi", "Heron"])}
    assert far == {"Chidi": 0, "Heron": 0, "Ben Okoro": 1, "Ana Kos": 1}


def test_relations_are_read_as_they_were(known, clock):
    known.relate("Heron", "led_by", "Ben Okoro", valid_from="2024", valid_to="2025")
    known.relate("Heron", "led_by", "Ana Kos", valid_from="2025")
    leads = lambda **past: [r.name for r in known.neighbours("Heron", relation="led_by", **past)]  # noqa: E731
    assert leads() == ["Ana Kos"]
    assert leads(as_of="2024-06-01") == ["Ben Okoro"]
    assert set(leads(include_past=True)) == {"Ana Kos", "Ben Okoro"}
    clock.advance(timedelta(days=1))
    edge = known.neighbours("Heron", relation="led_by")[0].edge
    known.unlink(edge)
    assert leads() == []
    assert leads(known_at="2026-05-14") == ["Ana Kos"]


def test_ways_and_distances_are_read_as_they_were(known, clock):
    known.relate("Chidi", "reports_to", "Ben Okoro", valid_from="2024", valid_to="2025")
    known.relate("Chidi", "reports_to", "Ana Kos", valid_from="2025")
    up = lambda **past: [t.name for t in known.traverse("Chidi", "reports_to", **past)]  # noqa: E731
    far = lambda **past: {d.name for d in known.distances(["Chidi"], **past) if d.distance}  # noqa: E731
    assert (up(), far()) == (["Ana Kos"], {"Ana Kos"})
    assert (up(as_of="2024-06-01"), far(as_of="2024-06-01")) == (["Ben Okoro"], {"Ben Okoro"})
    assert set(up(include_past=True)) == far(include_past=True) == {"Ana Kos", "Ben Okoro"}
    clock.advance(timedelta(days=1))
    known.unlink(known.neighbours("Chidi", relation="reports_to")[0].edge)
    assert (up(), far()) == ([], set())
    assert (up(known_at="2026-05-14"), far(known_at="2026-05-14")) == (["Ana Kos"], {"Ana Kos"})


def test_names_that_are_alike_are_found_and_the_exact_one_comes_first(known):
    known.entity("PostgREST", "tool")
    assert [a.name for a in known.search_entities("postgres")][:2] == ["PostgreSQL", "PostgREST"]
    assert [a.name for a in known.search_entities("the PostgreSQL", type="technology")] == ["PostgreSQL"]
    assert known.search_entities("zzzz") == []
    assert known.entity("postgre sq") == []


def test_bad_questions_are_told(known):
    for ask in (
        lambda: known.neighbours("Ana Kos", relation="adores"),
        lambda: known.traverse("Ana Kos", "adores"),
        lambda: known.traverse("Ana Kos", "leads", depth=0),
        lambda: known.distances([]),
        lambda: known.search_entities("a", type="planet"),
    ):
        with pytest.raises(InvalidInput):
            ask()
    with pytest.raises(NotFound):
        known.neighbours("Nobody")
