"""forget: out of every read but get, history and undo."""

from datetime import UTC, datetime, timedelta

import pytest

from noosphere import Forgotten, NotFound, Reason, Refused, Turn

THEN = datetime(2026, 5, 14, 9, 30, tzinfo=UTC)


def everywhere(mind, query):
    """What a question finds in every view."""
    views = [{}, {"include_past": True}, {"as_of": THEN}, {"known_at": THEN}, {"as_of": THEN, "known_at": THEN}]
    return [h.text for view in views for h in mind.rank(query, **view)]


def test_a_forgotten_memory_is_in_no_view_but_stays_readable_by_its_id(mind, clock):
    stored = mind.remember("the password hint is tulip", tags=["hint"])
    clock.advance(timedelta(hours=1))
    assert len(everywhere(mind, "tulip")) == 5
    outcome = mind.forget(stored.id)
    assert isinstance(outcome, Forgotten)
    assert outcome.ids == (stored.id,)
    assert everywhere(mind, "tulip") == []
    assert mind.get(stored.id).text == "the password hint is tulip"
    assert mind.get(stored.id).forgotten_at is not None
    assert not mind.get(stored.id).current
    assert mind.history(stored.id).versions[-1].verb == "forget"
    assert mind.tags() == {}
    assert (mind.stats().memories, mind.stats().forgotten) == (0, 1)


def test_every_text_a_memory_had_is_forgotten_with_it(mind):
    stored = mind.remember("alpha")
    mind.append(stored.id, "beta")
    mind.branch(stored.id, "gamma")
    mind.revise(stored.id, "delta")
    mind.forget(stored.id)
    assert everywhere(mind, "alpha beta gamma delta") == []
    assert mind.doctor().healthy


def test_a_turn_can_be_forgotten_alone(mind):
    recorded = mind.record("chat", [Turn(key=k, speaker="Ann", text=f"secret {k}") for k in "abc"])
    outcome = mind.forget(recorded.added[1])
    assert outcome.ids == (recorded.added[1],)
    assert {h.turn_key for h in mind.rank("secret")} == {"a", "c"}
    assert mind.get(recorded.added[1]).forgotten_at is not None
    assert mind.get(recorded.added[0]).forgotten_at is None


def test_a_conversation_is_forgotten_with_all_its_turns(mind):
    recorded = mind.record("chat", [Turn(key=k, speaker="Ann", text=f"secret {k}") for k in "abc"], tags="t")
    mind.forget(recorded.conversation)
    assert everywhere(mind, "secret") == []
    assert mind.get(recorded.added[0]).forgotten_at is not None
    assert mind.tags() == {}


def test_an_alternative_can_be_forgotten_alone(mind):
    stored = mind.remember("the plan is red")
    branch = mind.branch(stored.id, "the plan is blue")
    mind.forget(branch.frame)
    assert [h.text for h in mind.rank("plan", include_past=True)] == ["the plan is red"]
    assert mind.get(stored.id).forgotten_at is None
    assert mind.doctor().healthy


def test_a_forgotten_value_leaves_its_slot_to_the_others(mind, clock):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    clock.advance(timedelta(days=1))
    second = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome")
    mind.forget(second.id)
    assert mind.get(first.id).current
    assert [h.id for h in mind.rank("Ann lives")] == [first.id]
    assert mind.doctor().healthy


def test_a_forgotten_entity_is_not_found_by_name(mind):
    person = mind.entity("Ann", "person")
    mind.forget(person.id)
    assert mind.entity("Ann") == []
    assert mind.entity("Ann", "person").created


def test_forgetting_twice_changes_nothing(mind):
    recorded = mind.record("chat", [Turn(key="a", speaker="Ann", text="x")])
    stored = mind.remember("x")
    for target in (stored.id, recorded.added[0], recorded.conversation):
        mind.forget(target)
        again = mind.forget(target)
        assert isinstance(again, Refused)
        assert again.reason is Reason.UNCHANGED


def test_a_frame_of_a_memory_stands_for_the_memory(mind):
    stored = mind.remember("a")
    assert mind.forget(stored.frame).ids == (stored.id,)


def test_forgetting_leaves_every_word_in_the_log(mind):
    stored = mind.remember("a")
    mind.forget(stored.id)
    assert mind.stats().frames == 1


def test_an_unknown_id_is_not_found(mind):
    with pytest.raises(NotFound):
        mind.forget("01890a5d-ac96-774b-bcce-b302099a8057")
