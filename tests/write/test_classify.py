"""classify and set_status: what is said of a node changes, what it says stays."""

from datetime import UTC, datetime, timedelta

import pytest

from noosphere import Classified, InvalidInput, NotFound, Reason, Refused, Turn
from noosphere.model.vocabulary import Status

FIELDS = {
    "role": "decision", "kind": "episodic", "volatility": "volatile", "importance": "critical", "source": "import",
    "claim": "verified", "confidence": 0.5, "title": "A title", "metadata": {"a": [1]}, "trace_id": "t",
    "subject": "Ann", "status": "canonical",
}  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_each_field_changes_and_makes_a_version(mind, field):
    stored = mind.remember("tea")
    outcome = mind.classify(stored.id, **{field: FIELDS[field]})
    assert isinstance(outcome, Classified)
    assert outcome.changed == (field,)
    memory = mind.get(stored.id)
    assert getattr(memory, field) == FIELDS[field]
    assert memory.version == 2
    assert mind.history(stored.id).versions[0].known_to == mind.history(stored.id).versions[1].known_from


@pytest.mark.parametrize("field", FIELDS)
def test_saying_what_is_so_already_is_refused_and_leaves_no_entry(mind, field):
    stored = mind.remember("tea", **{field: FIELDS[field]})
    before = mind.stats().journal
    outcome = mind.classify(stored.id, **{field: FIELDS[field]})
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.UNCHANGED
    assert mind.stats().journal == before


def test_several_fields_make_one_version(mind):
    stored = mind.remember("tea")
    outcome = mind.classify(stored.id, importance="critical", title="T", add_tags=["x"])
    assert set(outcome.changed) == {"importance", "title", "tags"}
    assert mind.get(stored.id).version == 2


def test_tags_are_added_removed_or_set(mind):
    stored = mind.remember("tea", tags=["a", "b"])
    mind.classify(stored.id, add_tags=["c"], remove_tags=["a"])
    assert mind.get(stored.id).tags == ("b", "c")
    mind.classify(stored.id, tags=["z"])
    assert mind.get(stored.id).tags == ("z",)
    mind.classify(stored.id, tags=[])
    assert mind.get(stored.id).tags == ()
    assert mind.get(stored.id).version == 1
    assert mind.classify(stored.id, remove_tags=["z"]).reason is Reason.UNCHANGED


def test_tags_are_kept_with_when_they_were_believed(mind, clock):
    stored = mind.remember("tea", tags=["old"])
    then = datetime(2026, 5, 14, 10, tzinfo=UTC)
    clock.advance(timedelta(hours=2))
    mind.classify(stored.id, tags=["new"])
    assert [h.tags for h in mind.rank("tea", known_at=then)] == [("old",)]
    assert [h.tags for h in mind.rank("tea", known_at=then, filters={"tag": "old"})] == [("old",)]
    assert mind.rank("tea", known_at=then, filters={"tag": "new"}) == []


def test_a_title_is_searched_and_metadata_is_not(mind):
    stored = mind.remember("tea")
    mind.classify(stored.id, title="Beverages", metadata={"note": "hidden"})
    assert [h.id for h in mind.rank("beverages")] == [stored.id]
    assert mind.rank("hidden") == []
    mind.classify(stored.id, title=None)
    assert mind.rank("beverages") == []


@pytest.mark.parametrize("status", ["deprecated", "archived"])
def test_what_is_deprecated_or_archived_leaves_every_current_read(mind, status):
    stored = mind.remember("tea")
    assert isinstance(mind.set_status(stored.id, status), Classified)
    assert not mind.get(stored.id).current
    assert mind.rank("tea") == []
    assert [(h.id, h.current) for h in mind.rank("tea", include_past=True)] == [(stored.id, False)]
    assert [h.id for h in mind.rank("tea", filters={"status": status})] == [stored.id]
    mind.set_status(stored.id, "active")
    assert [h.id for h in mind.rank("tea")] == [stored.id]


@pytest.mark.parametrize("before", Status)
@pytest.mark.parametrize("after", Status)
def test_a_memory_moves_freely_through_its_lifecycle(mind, before, after):
    stored = mind.remember("tea", status=before)
    outcome = mind.set_status(stored.id, after)
    assert isinstance(outcome, Refused if before is after else Classified)
    assert mind.get(stored.id).status == after
    assert mind.doctor().healthy


def test_a_memory_can_be_put_into_a_slot_and_taken_out(mind, clock):
    first = mind.remember("Berlin it is")
    mind.classify(first.id, slot="ann.home_city", value="Berlin")
    clock.advance(timedelta(days=1))
    second = mind.remember("Rome it is")
    outcome = mind.classify(second.id, slot="ann.home_city", value="Rome")
    assert outcome.old == (first.id,)
    assert not mind.get(first.id).current
    mind.classify(second.id, slot=None)
    assert mind.get(first.id).current
    assert (mind.get(second.id).attribute, mind.get(second.id).value) == (None, None)
    assert mind.doctor().healthy


def test_value_and_slot_may_come_in_either_order(mind):
    one, other = mind.remember("a"), mind.remember("b")
    mind.classify(one.id, slot="x.status", value="v")
    mind.classify(other.id, value="v", slot="x.status")
    assert [mind.get(m.id).value for m in (one, other)] == ["v", "v"]


def test_a_moved_start_moves_the_timeline(mind):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", valid_from="2024")
    second = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", valid_from="2025")
    mind.classify(second.id, valid_from="2023")
    assert (mind.get(first.id).current, mind.get(second.id).current) == (True, False)
    assert mind.get(second.id).holds_to == datetime(2024, 1, 1, tzinfo=UTC)


def test_an_end_can_be_stated_later_and_taken_back(mind):
    stored = mind.remember("the shop is open", valid_from="2020")
    mind.classify(stored.id, valid_to="2025")
    assert not mind.get(stored.id).current
    assert mind.rank("shop") == []
    mind.classify(stored.id, valid_to=None)
    assert mind.get(stored.id).current
    assert [h.id for h in mind.rank("shop")] == [stored.id]


def test_a_start_that_is_known_more_exactly_is_a_change(mind):
    stored = mind.remember("x", valid_from="2026")
    outcome = mind.classify(stored.id, valid_from="2026-01-01")
    assert isinstance(outcome, Classified)
    assert mind.get(stored.id).version == 2


def test_when_something_happened_can_be_corrected(mind):
    stored = mind.remember("we met", role="event", occurred="2026-04")
    mind.classify(stored.id, occurred="2026-03-03")
    memory = mind.get(stored.id)
    assert (memory.occurred, memory.valid_from) == ("2026-03-03", datetime(2026, 3, 3, tzinfo=UTC))
    mind.classify(stored.id, occurred=None)
    assert mind.get(stored.id).occurred is None


def test_a_stronger_source_takes_the_slot(mind, clock):
    weak = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", source="agent_inferred")
    clock.advance(timedelta(days=1))
    strong = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", source="agent_inferred")
    mind.classify(weak.id, status="canonical")
    assert (mind.get(weak.id).current, mind.get(strong.id).current) == (True, False)


def test_a_conversation_and_an_entity_can_be_described_too(mind):
    conversation = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")]).conversation
    person = mind.entity("Ann", "person").id
    for node in (conversation, person):
        assert isinstance(mind.classify(node, add_tags=["t"], importance="critical", title="T"), Classified)
        assert mind.get(node).tags == ("t",)
    assert mind.get(conversation).title == "T"
    assert {h.importance for h in mind.rank("words")} == {"critical"}


@pytest.mark.parametrize("field", ["slot", "value", "functional", "valid_from", "valid_to", "occurred"])
def test_only_a_memory_has_a_slot_and_times(mind, field):
    given = {"slot": "x.y", "value": "v", "functional": True}.get(field, "2026")
    conversation = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")]).conversation
    for node in (conversation, mind.entity("Ann", "person").id):
        outcome = mind.classify(node, **({"slot": "x.y"} if field in {"value", "functional"} else {}), **{field: given})
        assert isinstance(outcome, Refused)
        assert outcome.reason is Reason.NOT_A_MEMORY
    assert mind.doctor().healthy


def test_a_turn_is_as_it_was_said(mind):
    turn = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")]).added[0]
    assert mind.classify(turn, importance="critical").reason is Reason.NOT_A_MEMORY


def test_what_was_forgotten_is_left_alone(mind):
    stored = mind.remember("tea")
    mind.forget(stored.id)
    assert mind.classify(stored.id, importance="critical").reason is Reason.FORGOTTEN


@pytest.mark.parametrize(
    ("first", "second", "change"),
    [
        ({"role": "fact"}, {"role": "note"}, {"role": "fact"}),
        ({"subject": "Ann"}, {"subject": "Bob"}, {"subject": "ann"}),
        ({}, {"occurred": "2026-05-01"}, {"occurred": None}),
        ({"valid_from": "2020"}, {"valid_from": "2021"}, {"valid_from": "2020"}),
        ({}, {"slot": "ann.likes"}, {"slot": None, "subject": None}),
    ],
)
def test_no_change_makes_two_memories_of_one(mind, first, second, change):
    one, other = mind.remember("tea", **first), mind.remember("tea", **second)
    outcome = mind.classify(other.id, **change)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.TAKEN
    assert one.id in outcome.message
    assert mind.doctor().healthy


def test_an_archived_twin_cannot_become_current_beside_the_other(mind):
    one = mind.remember("tea")
    mind.set_status(one.id, "archived")
    other = mind.remember("tea")
    assert mind.set_status(one.id, "active").reason is Reason.TAKEN
    mind.forget(other.id)
    assert isinstance(mind.set_status(one.id, "active"), Classified)


def test_an_archived_entity_cannot_become_active_beside_its_namesake(mind):
    one = mind.entity("Ann", "person")
    mind.set_status(one.id, "archived")
    mind.entity("ann", "person")
    outcome = mind.set_status(one.id, "active")
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.TAKEN


def test_a_twin_that_has_ended_is_in_nobodys_way(mind, clock):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    clock.advance(timedelta(days=1))
    mind.remember("Ann moved to Rome", slot="ann.home_city", value="Rome")
    clock.advance(timedelta(days=1))
    back = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    assert back.id != first.id
    assert isinstance(mind.classify(first.id, importance="critical"), Classified)
    forgotten = mind.forget(first.id)
    mind.undo(forgotten.journal)
    assert mind.get(first.id).forgotten_at is None
    assert mind.doctor().healthy


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"importanc": "critical"}, "Did you mean importance"),
        ({"text": "other"}, "classify"),
        ({"importance": "criticl"}, "Did you mean critical"),
        ({"status": None}, "Leave it out"),
        ({"valid_from": None}, "Leave it out"),
        ({"valid_from": "someday"}, "valid_from"),
        ({"valid_to": "2026-05-14T09:00"}, "zone"),
        ({"value": "v"}, "belongs to a slot"),
        ({"slot": "no dot"}, "subject.attribute"),
        ({"confidence": 2}, "confidence"),
        ({"metadata": {"a": object()}}, "metadata"),
        ({"tags": [""]}, "tags"),
    ],
)
def test_a_change_that_cannot_be_meant_is_refused_before_anything_is_written(mind, change, message):
    stored = mind.remember("tea")
    with pytest.raises(InvalidInput, match=message):
        mind.classify(stored.id, **change)
    assert (mind.get(stored.id).version, mind.stats().journal) == (1, 1)


def test_an_end_before_its_start_is_refused(mind):
    stored = mind.remember("tea", valid_from="2026")
    with pytest.raises(InvalidInput, match="before valid_from"):
        mind.classify(stored.id, valid_to="2025")


def test_a_slot_and_a_subject_that_contradict_each_other_are_refused(mind):
    stored = mind.remember("tea")
    with pytest.raises(InvalidInput, match="contradicts"):
        mind.classify(stored.id, slot="ann.likes", subject="Bob")


def test_a_slot_cannot_lose_its_subject_alone(mind):
    stored = mind.remember("tea", slot="ann.likes")
    with pytest.raises(InvalidInput, match="subject"):
        mind.classify(stored.id, subject=None)


def test_an_unknown_id_is_not_found(mind):
    with pytest.raises(NotFound):
        mind.set_status("01890a5d-ac96-774b-bcce-b302099a8057", "archived")


@pytest.mark.parametrize("slot", ["ann.employer", "user.home_city", "zoe.employer"])
def test_a_memory_that_moves_to_another_slot_holds_there(mind, slot):
    stays = mind.remember("She works at Acme", slot="mia.employer", value="Acme", valid_from="2024-01-01")
    moves = mind.remember("She works at Globex", slot="mia.employer", value="Globex", valid_from="2025-01-01")
    mind.classify(moves.id, slot=slot)
    mind.remember("She works at Initech", slot="mia.employer", value="Initech", valid_from="2026-01-01")
    assert mind.get(moves.id).holds_from is not None
    assert mind.get(moves.id).holds_to is None
    assert mind.get(stays.id).holds_to == datetime(2026, 1, 1, tzinfo=UTC)
    assert mind.doctor().healthy


def test_what_was_said_of_one_slot_is_not_said_of_another(mind):
    first = mind.remember("I like tea", slot="user.likes", value="tea")
    other = mind.remember("I live in Bor", slot="user.home_city", value="Bor", functional=True)
    mind.classify(other.id, slot="user.likes", value="Bor")
    assert mind.get(first.id).current
    assert mind.doctor().healthy
