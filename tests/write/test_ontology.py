"""The ontology: what it refuses, and how a mind adds to it."""

import pytest

from noosphere import EntityStored, InvalidInput, Linked, OntologyChanged, Reason, Refused, Undone
from noosphere.graph.ontology import default_ontology


def test_a_mind_begins_with_the_default_ontology(mind):
    assert mind.ontology.relations() == {name: r.inverse for name, r in default_ontology().relations.items()}
    assert set(mind.ontology.types()) == set(default_ontology().requires)


def test_a_type_may_require_properties(mind):
    mind.ontology.add_type("vessel", requires=["flag"])
    refused = mind.entity("Pelagia", "vessel")
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.message) == (Reason.GATE, "'Pelagia': vessel requires flag")
    assert isinstance(mind.entity("Pelagia", "vessel", properties={"flag": "Malta"}), EntityStored)


def test_a_relation_of_ones_own_is_kept_by_its_rule_and_read_both_ways(mind):
    mind.ontology.add_relation("funded_by", inverse="funds", src=["project"], dst=["organization"])
    linked = mind.relate("Kestrel", "funds", "Heron", src_type="organization", dst_type="project")
    assert isinstance(linked, Linked)
    assert [(n.relation, n.name) for n in mind.neighbours("Heron")] == [("funded_by", "Kestrel")]
    assert isinstance(mind.relate("Heron", "funds", "Kestrel"), Refused)


@pytest.mark.parametrize(
    "about",
    [
        {"name": "Funded By", "inverse": "funds"},
        {"name": "mentions", "inverse": "mentioned"},
        {"name": "funded_by", "inverse": "leads"},
        {"name": "funded_by", "inverse": "funds", "src": ["planet"]},
    ],
)
def test_what_cannot_be_a_relation_is_told(mind, about):
    with pytest.raises(InvalidInput):
        mind.ontology.add_relation(about.pop("name"), **about)


@pytest.mark.parametrize("name", ["Phase 1", "Phase", "Monday", "The"])
def test_what_is_never_an_entity_is_refused_unless_a_person_is_called_so(mind, name):
    assert isinstance(mind.entity(name, "concept"), Refused)
    assert isinstance(mind.entity(name, "person"), EntityStored)


def test_a_type_that_is_stated_takes_the_place_of_a_guess(mind):
    mind.remember("Everyone here adores Falcon.")
    mind.entity("Falcon", "project")
    assert [e.type for e in mind.entity("Falcon")] == ["project"]


def test_what_breaks_a_rule_stands_in_the_report(mind):
    mind.ontology.add_type("person", requires=["birthday"])
    report = mind.cognify({"user": "Ana Kos leads Project Heron.", "assistant": ""})
    assert [one.why for one in report.left] == ["the ontology: Ana Kos: person requires birthday"]
    assert mind.entity("Ana Kos") == []
    assert len(mind.entity("Heron")) == 1


def test_a_change_of_the_ontology_is_journalled_undone_and_redone(mind):
    added = mind.ontology.add_type("vessel")
    assert (mind.journal(1)[0].id, mind.journal(1)[0].verb) == (added.journal, "ontology")
    changed = mind.ontology.add_type("vessel", requires=["flag"])
    assert isinstance(mind.undo(added.journal), Refused)
    back = mind.undo(changed.journal)
    assert isinstance(mind.entity("Pelagia", "vessel"), EntityStored)
    assert isinstance(mind.undo(added.journal), Refused), "a vessel rests on it"
    mind.undo(back.journal)
    assert isinstance(mind.entity("Dorada", "vessel"), Refused)
    assert mind.doctor().healthy


def test_a_type_and_a_relation_that_are_taken_back_are_known_no_more(mind):
    vessel = mind.ontology.add_type("vessel")
    funded = mind.ontology.add_relation("funded_by", inverse="funds", src=["project"], dst=["organization"])
    before = {**mind.ontology.relations()}
    taken = [mind.undo(one.journal) for one in (vessel, funded)]
    assert "vessel" not in mind.ontology.types()
    assert mind.ontology.relations() == {k: v for k, v in before.items() if k != "funded_by"}
    with pytest.raises(InvalidInput):
        mind.entity("Pelagia", "vessel")
    for one in taken:
        mind.undo(one.journal)
    assert ("vessel" in mind.ontology.types(), mind.ontology.relations()) == (True, before)


def test_a_cascade_takes_what_rests_on_a_type_with_it(mind):
    vessel = mind.ontology.add_type("vessel")
    mind.entity("Pelagia", "vessel")
    mind.undo(vessel.journal, cascade=True)
    assert (mind.entity("Pelagia"), "vessel" in mind.ontology.types()) == ([], False)
    again = mind.ontology.add_type("vessel", requires=["flag"])
    assert isinstance(mind.entity("Dorada", "vessel"), Refused)
    assert isinstance(mind.undo(again.journal), Undone)


def test_a_rule_of_a_shipped_type_gives_way_to_the_shipped_one(mind):
    changed = mind.ontology.add_type("person", requires=["birthday"])
    assert isinstance(mind.entity("Ana", "person"), Refused)
    mind.undo(changed.journal)
    assert isinstance(mind.entity("Ana", "person"), EntityStored)
    assert isinstance(mind.ontology.add_type("person", requires=["birthday"]), OntologyChanged)
    assert isinstance(mind.ontology.add_type("person", requires=["birthday"]), Refused)
