"""merge, retire, archive: several become one, one leaves the current reads, and all of it can be taken back."""

import json

import pytest

from noosphere import InvalidInput, Reason, Refused, Turn, import_mind
from noosphere.ids import uid_text
from noosphere.testing.clocks import SequentialIds
from noosphere.testing.minds import FILE, scratch_mind
from observed import derived, rows, seen


@pytest.fixture
def people(mind):
    """Two names of one person, with memories, edges of every kind between them, and counts."""
    bob = mind.entity("Bob Stone", "person", properties={"age": 40}, tags=["team"]).id
    mind.entity("Bob Stone", "person")
    rob = mind.entity("Robert Stone", "person", properties={"age": 41, "desk": 7}, tags=["lead"], evidence="x:1").id
    kiln, roof = mind.remember("the kiln warms the yard").id, mind.remember("the roof leaks at night").id
    mind.link(kiln, "about_person", bob, weight=0.4)
    mind.link(kiln, "about_person", rob, weight=0.9, evidence="x:2")
    mind.link(roof, "mentions", rob, evidence="x:3")
    mind.link(bob, "relates_to", rob)
    mind.link(rob, "relates_to", roof)
    return bob, rob, kiln, roof


def test_entities_become_one_with_all_that_was_known_of_them(mind, people):
    bob, rob, kiln, roof = people
    merged = mind.merge([bob, rob])
    assert (merged.id, merged.merged) == (bob, (rob,))
    one = mind.get(rob)
    assert (one.id, one.name, one.seen_count) == (bob, "Bob Stone", 3)
    assert one.properties == {"age": 40, "desk": 7}
    assert one.tags == ("lead", "team")
    reached = {(c.id, c.edge.type, c.edge.weight, c.edge.evidence) for c in mind.connections(bob)}
    assert reached == {(kiln, "about_person", 0.9, 1), (roof, "mentions", 1.0, 1), (roof, "relates_to", 1.0, 0)}
    assert mind.doctor().healthy


def test_an_undone_merge_leaves_no_trace_and_can_be_done_again(mind, people):
    bob, rob, *_ = people
    before, kept = seen(mind.path), derived(mind.path)
    counts = rows(mind.path, "SELECT node, seen_count FROM usage")
    merged = mind.merge([bob, rob])
    after = seen(mind.path, before.frames)
    undone = mind.undo(merged.journal)
    assert seen(mind.path, before.frames) == before
    assert derived(mind.path) == kept
    assert sorted(rows(mind.path, "SELECT node, seen_count FROM usage WHERE seen_count > 0")) == sorted(counts)
    mind.undo(undone.journal)
    assert seen(mind.path, before.frames) == after
    assert mind.get(rob).seen_count == 3


def test_a_name_that_was_merged_leads_to_the_one_that_stays(mind, people):
    bob, rob, *_ = people
    mind.merge([bob, rob])
    again = mind.entity("Robert Stone", "person")
    assert (again.id, again.created) == (bob, False)
    assert [e.id for e in mind.entity("robert stone")] == [bob]


def test_memories_become_a_new_one_and_the_old_ones_stay_in_history(mind):
    one = mind.remember(
        "the kiln warms the yard", tags=["a"], importance="critical", claim="verified", evidence="x:1"
    ).id
    two = mind.remember("the kiln hums", tags=["b"], importance="temporary", evidence="x:2").id
    merged = mind.merge([one, two], "The kiln warms the yard and hums")
    new = mind.get(merged.id)
    assert (new.text, new.tags) == ("The kiln warms the yard and hums", ("a", "b"))
    assert (new.importance, new.claim) == ("critical", "unknown")
    assert {e.uri for e in new.evidence} == {None, "x:1", "x:2"}
    assert {(c.id, c.edge.type) for c in mind.connections(new.id)} == {(one, "drawn_from"), (two, "drawn_from")}
    assert [mind.get(m).status for m in (one, two)] == ["archived", "archived"]
    assert [h.id for h in mind.rank("kiln")] == [new.id]
    assert mind.doctor().healthy


def test_without_a_text_the_new_memory_says_what_they_all_said(mind):
    ids = [mind.remember(text).id for text in ("the kiln warms the yard", "the kiln hums", "the roof leaks at night")]
    assert mind.get(mind.merge(ids).id).text == "the kiln warms the yard\nthe kiln hums\nthe roof leaks at night"


def test_a_merge_of_memories_is_undone(mind):
    ids = [mind.remember(text).id for text in ("the kiln warms the yard", "the kiln hums")]
    before = seen(mind.path)
    merged = mind.merge(ids, "the kiln hums")
    mind.undo(merged.journal)
    assert seen(mind.path, before.frames) == before
    assert mind.doctor().healthy


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda m, one: m.set_status(one, "canonical"), Reason.GATE),
        (lambda m, one: m.classify(one, slot="roof.state", value="wet"), Reason.GATE),
        (lambda m, one: m.forget(one), Reason.FORGOTTEN),
        (lambda m, _: m.remember("both in one"), Reason.TAKEN),
    ],
    ids=["canonical", "in a slot", "forgotten", "said already"],
)
def test_what_must_stand_by_itself_is_not_merged(mind, make, reason):
    one = mind.remember("the kiln warms the yard", slot="kiln.use", value="warmth").id
    two = mind.remember("the roof leaks at night").id
    make(mind, two)
    before = rows(mind.path, "SELECT count(*) FROM journal")
    refused = mind.merge([one, two], "both in one")
    assert isinstance(refused, Refused)
    assert refused.reason is reason
    assert rows(mind.path, "SELECT count(*) FROM journal") == before


def test_the_value_of_a_slot_goes_to_the_new_memory_and_its_timeline_stays(mind):
    mind.remember("Ann lives in Graz", slot="ann.home_city", value="Graz", valid_from="2019")
    one = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", valid_from="2022").id
    two = mind.remember("Ann keeps two cats").id
    mind.flush()
    before = seen(mind.path)
    merged = mind.merge([one, two], "Ann and her two cats live in Rome")
    new = mind.get(merged.id)
    assert (new.attribute, new.value, new.holds_from.year, new.current) == ("home_city", "Rome", 2022, True)
    assert mind.rank("where does Ann live?", as_of="2020", filters={"subject": "ann"})[0].value == "Graz"
    assert [h.id for h in mind.rank("Rome")] == [new.id]
    assert mind.doctor().healthy
    mind.undo(merged.journal)
    assert seen(mind.path, before.frames) == before


def test_only_like_things_are_merged(mind):
    memory, entity = mind.remember("the kiln warms the yard").id, mind.entity("kiln", "tool").id
    turn = mind.record("chat", [Turn(key="1", speaker="Ann", text="hello")]).added[0]
    assert isinstance(mind.merge([memory, entity]), Refused)
    assert isinstance(mind.merge([memory, turn]), Refused)
    for ids in ([memory], [memory, memory], [], "abc"):
        with pytest.raises(InvalidInput):
            mind.merge(ids)
    with pytest.raises(InvalidInput):
        mind.merge([entity, mind.entity("oven", "tool").id], "a text")


def test_what_is_retired_leaves_the_reads_and_comes_back(mind, people):
    bob, _, kiln, _ = people
    before = seen(mind.path)
    gone = mind.retire(bob)
    assert mind.get(bob).status == "deprecated"
    assert mind.entity("Bob Stone") == []
    assert bob not in {hop.id for hop in mind.hops(kiln)}
    assert isinstance(mind.retire(bob), Refused)
    mind.undo(gone.journal)
    assert seen(mind.path) == before
    assert mind.archive(kiln).id == kiln
    assert mind.rank("kiln") == []


def test_what_is_canonical_is_protected(mind):
    one = mind.remember("the kiln warms the yard").id
    mind.set_status(one, "canonical")
    assert isinstance(mind.retire(one), Refused)
    assert isinstance(mind.archive(one), Refused)
    assert mind.get(one).status == "canonical"


def with_old_names(tmp_path, *renamed):
    """A mind in which entities were stored by another rule of names: as an import from an older version brings them."""
    (tmp_path / "old").mkdir()
    with scratch_mind(tmp_path / "old") as mind:
        for name in renamed:
            mind.entity(name, "technology")
        note = mind.remember("we moved to it in May").id
        mind.link(note, "mentions", mind.entity(renamed[-1], "technology").id)
        mind.export(tmp_path / "old.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "old.jsonl").read_text().splitlines()]
    for line in lines:
        if line.get("norm_name"):
            line |= {"norm_name": "postgres" if line["norm_name"] == "kiln" else "pg", "name": line["norm_name"]}
            line["name"] = "Postgres" if line["norm_name"] == "postgres" else "PG"
    (tmp_path / "old.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    import_mind(tmp_path / "old.jsonl", tmp_path / FILE)
    return scratch_mind(tmp_path, ids=SequentialIds(1000))


def test_entities_that_are_one_by_todays_names_are_merged_and_known_by_it(tmp_path):
    with with_old_names(tmp_path, "kiln", "roof") as mind:
        assert mind.upkeep.due()["dedupe_entities"] == 1
        before, kept = seen(mind.path), derived(mind.path)
        ran = mind.dedupe_entities()
        assert (ran.before, ran.changed, ran.after) == (1, 1, 0)
        [one] = mind.entity("PostgreSQL")
        assert (one.name, one.seen_count) == ("PG", 3), "the one with more edges stays"
        assert len(mind.connections(one.id)) == 1
        assert mind.doctor().healthy
        mind.undo(ran.journals[0])
        assert seen(mind.path) == before
        assert derived(mind.path) == kept
        assert mind.dedupe_entities().changed == 1


def test_one_entity_with_an_old_name_gets_todays(tmp_path):
    with with_old_names(tmp_path, "kiln") as mind:
        assert mind.entity("pg") == []
        assert mind.dedupe_entities().changed == 1
        assert len(mind.entity("pg")) == 1


def test_of_entities_the_canonical_one_stays_and_two_are_left_alone(tmp_path):
    with with_old_names(tmp_path, "kiln", "roof") as mind:
        named = "SELECT v.name, n.uid FROM node_version v JOIN node n ON n.id = v.node WHERE v.name IS NOT NULL"
        ids = {name: uid_text(uid) for name, uid in rows(mind.path, named)}
        mind.set_status(ids["Postgres"], "canonical")
        mind.set_status(ids["PG"], "canonical")
        assert mind.dedupe_entities().changed == 0
        mind.set_status(ids["PG"], "active")
        mind.dedupe_entities()
        assert mind.get(ids["PG"]).id == ids["Postgres"]


def test_people_and_projects_of_one_name_stay_two(mind):
    mind.entity("Marko", "person")
    mind.entity("Marko", "project")
    assert mind.dedupe_entities().changed == 0
    assert len(mind.entity("Marko")) == 2
