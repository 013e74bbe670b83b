"""Identity and awareness: out of band, few, and in order."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import InvalidInput, NotFound, Refused
from noosphere.model.awareness import MOST
from noosphere.model.identity import FIELDS
from noosphere.testing.minds import scratch_mind


def test_an_identity_that_was_never_told_is_empty(mind):
    assert mind.identity.get().lines() == []
    assert mind.identity.get().updated_at is None


def test_a_partial_update_never_blanks_a_field(mind):
    mind.identity.set(name="Iris", role="archivist", personality="dry")
    changed = mind.identity.set(role="keeper", name=None, personality="  ")
    assert changed.changed == ("role",)
    assert mind.identity.get().lines() == ["name: Iris", "role: keeper", "personality: dry"]
    assert mind.identity.clear("personality").changed == ("personality",)
    assert mind.identity.get().personality is None
    assert isinstance(mind.identity.set(name="Iris"), Refused)


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(["a", "b", "", None])), max_size=5))
def test_the_identity_is_the_last_thing_said_of_each_field(tmp_path_factory, changes):
    expected = dict.fromkeys(FIELDS)
    with scratch_mind(tmp_path_factory.mktemp("mind")) as mind:
        for change in changes:
            mind.identity.set(**change)
            expected.update({name: value for name, value in change.items() if value})
        found = mind.identity.get()
    assert {name: getattr(found, name) for name in FIELDS} == expected


def test_an_unknown_field_is_refused_with_the_near_one(mind):
    with pytest.raises(InvalidInput, match="Did you mean role"):
        mind.identity.set(rol="x")
    with pytest.raises(InvalidInput):
        mind.identity.clear("everything")


def test_awareness_is_in_order_of_priority_then_of_recency(mind, clock):
    for text, priority in (("low", 1), ("first", 5), ("high", 9), ("second", 5)):
        mind.awareness.add(text, priority=priority)
        clock.advance(timedelta(seconds=1))
    assert [item.text for item in mind.awareness.list()] == ["high", "second", "first", "low"]


def test_what_expired_is_not_shown(mind, clock):
    mind.awareness.add("today", expires="2026-05-14")
    mind.awareness.add("soon", expires="2026-05-14T09:30:00Z")
    clock.advance(timedelta(hours=1))
    assert [item.text for item in mind.awareness.list()] == ["today"]
    clock.advance(timedelta(days=1))
    assert mind.awareness.list() == []
    with pytest.raises(InvalidInput, match="past"):
        mind.awareness.add("late", expires="2026-05-14")


def test_the_eleventh_pushes_out_the_least_important_and_says_so(mind, clock):
    for number in range(MOST):
        mind.awareness.add(f"item {number}", priority=3 + number % 2)
        clock.advance(timedelta(seconds=1))
    noted = mind.awareness.add("eleventh", priority=3)
    assert [item.text for item in noted.pushed_out] == ["item 0"]
    assert len(mind.awareness.list()) == MOST
    refused = mind.awareness.add("unimportant", priority=1)
    assert isinstance(refused, Refused)
    assert refused.reason == "full"
    assert "unimportant" not in [item.text for item in mind.awareness.list()]


@given(st.lists(st.integers(0, 10), min_size=1, max_size=25))
def test_the_live_ones_are_the_most_important_of_those_that_were_let_in(tmp_path_factory, priorities):
    with scratch_mind(tmp_path_factory.mktemp("mind")) as mind:
        live = []
        for number, priority in enumerate(priorities):
            noted = mind.awareness.add(f"n{number}", priority=priority)
            least = min(live) if len(live) == MOST else None
            if least is not None and least[0] > priority:
                assert isinstance(noted, Refused)
                continue
            assert [i.text for i in noted.pushed_out] == ([f"n{least[1]}"] if least else [])
            live = [*(i for i in live if i != least), (priority, number)]
        shown = [(item.priority, int(item.text[1:])) for item in mind.awareness.list()]
    assert shown == sorted(live, reverse=True)


def test_an_item_is_changed_and_done_with(mind):
    noted = mind.awareness.add("draft", metadata={"a": 1})
    mind.awareness.update(noted.id, text="final", priority=9, metadata={"b": 2})
    (item,) = mind.awareness.list()
    assert (item.text, item.priority, item.metadata, item.category) == ("final", 9, {"a": 1, "b": 2}, "task")
    mind.awareness.done(noted.id)
    assert mind.awareness.list() == []
    for ask in (mind.awareness.done, lambda item: mind.awareness.update(item, text="x")):
        with pytest.raises(NotFound):
            ask(noted.id)


@pytest.mark.parametrize(
    "wrong", [{"category": "chore"}, {"priority": 11}, {"priority": -1}, {"expires": "soon"}, {"metadata": 5}]
)
def test_a_wrong_argument_is_refused_and_nothing_noted(mind, wrong):
    with pytest.raises((InvalidInput, TypeError)):
        mind.awareness.add("x", **wrong)
    assert mind.awareness.list() == []


def test_they_are_in_the_journal_without_a_word_and_never_memories(mind):
    journal = [
        mind.identity.set(name="Iris").journal,
        (noted := mind.awareness.add("zebra")).journal,
        mind.awareness.done(noted.id).journal,
    ]
    assert [e.verb for e in mind.journal()] == ["awareness.done", "awareness.add", "identity.set"]
    assert mind.rank("zebra Iris") == []
    assert all(mind.undo(one).reason == "nothing_to_undo" for one in journal)
