"""entity: one node for each type and name, told apart by exact names, joined by aliases."""

import pytest

from noosphere import EntityStored, InvalidInput, Reason, Refused


def test_an_entity_is_stored_once_and_counted_each_time(mind):
    first = mind.entity("Ann Smith", "person")
    assert isinstance(first, EntityStored)
    assert (first.created, first.seen_count) == (True, 1)
    again = mind.entity("  ann   SMITH ", "person")
    assert (again.id, again.created, again.seen_count) == (first.id, False, 2)
    found = mind.get(first.id)
    assert (found.name, found.norm_name, found.type, found.seen_count) == ("Ann Smith", "ann smith", "person", 2)
    assert found.version == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Postgres", "PostgreSQL"), ("pg", "psql"), ("NYC", "New York City"), ("k8s", "Kubernetes"), ("Ann's", "Ann"),
        ("node_js", "Node.js"), ('"Apollo"', "Apollo"), ("ＡＢＣ", "abc"), ("JS", "javascript"),
    ],
)  # fmt: skip
def test_other_names_of_one_thing_are_one_entity(mind, one, other):
    assert mind.entity(one, "tool").id == mind.entity(other, "tool").id
    assert [e.id for e in mind.entity(one)] == [e.id for e in mind.entity(other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anne"), ("C", "C++"), ("C#", "C++"), ("Ann Smith", "Ann"), ("react", "redact"), ("München", "Munchen")],
)
def test_near_names_are_different_things(mind, one, other):
    assert mind.entity(one, "tool").id != mind.entity(other, "tool").id
    assert len(mind.entity(one)) == 1


def test_types_are_told_apart_and_a_name_finds_them_all_oldest_first(mind):
    person, project = mind.entity("Apollo", "person"), mind.entity("Apollo", "project")
    assert person.id != project.id
    assert [e.id for e in mind.entity("apollo")] == [person.id, project.id]


def test_a_name_nobody_has_finds_nothing(mind):
    mind.entity("Ann", "person")
    assert mind.entity("An") == []
    assert mind.entity("") == []


def test_properties_are_merged_and_a_change_makes_a_version(mind):
    first = mind.entity("Ann", "person", properties={"city": "Berlin", "age": 40})
    mind.entity("Ann", "person", properties={"city": "Lisbon"})
    mind.entity("Ann", "person", properties={"city": "Lisbon"})
    found = mind.get(first.id)
    assert found.properties == {"age": 40, "city": "Lisbon"}
    assert found.version == 2


def test_tags_and_evidence_are_added(mind):
    first = mind.entity("Ann", "person", tags=["a"], evidence="x:1", source="import")
    mind.entity("Ann", "person", tags=["b"], evidence="x:2")
    assert mind.get(first.id).tags == ("a", "b")
    assert mind.tags() == {"a": 1, "b": 1}


def test_entities_are_no_units_of_recall(mind):
    mind.entity("Ann", "person", properties={"bio": "writes"})
    assert mind.rank("Ann writes") == []
    assert mind.stats().entities == 1


@pytest.mark.parametrize("name", ["", "   ", "...", "'s", "_"])
def test_a_name_without_a_letter_is_refused(mind, name):
    outcome = mind.entity(name, "person")
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.EMPTY
    assert mind.stats().entities == 0


@pytest.mark.parametrize(
    ("type", "about", "message"),
    [
        ("persn", {}, "Did you mean person"),
        ("person", {"properties": 5}, "metadata|properties"),
        ("person", {"properties": {"a": object()}}, "JSON"),
        ("person", {"tags": [""]}, "tags"),
        ("person", {"source": "hearsay"}, "source"),
        ("person", {"evidence": 5}, "evidence"),
        ("person", {"property": {}}, "Did you mean properties"),
    ],
)
def test_an_entity_that_cannot_be_meant_is_refused(mind, type, about, message):
    with pytest.raises(InvalidInput, match=message):
        mind.entity("Ann", type, **about)
    assert mind.stats().entities == 0
