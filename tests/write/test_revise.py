"""revise replaces a text, append adds to it, branch sets another beside it; what was said stays in the log."""

from datetime import timedelta

import pytest

from noosphere import Appended, Branched, NotFound, Reason, Refused, Revised, Superseded, Turn
from noosphere.write.parse import MAX_TEXT
from observed import rows

CHANGES = {
    "revise": lambda mind, *what, **about: mind.revise(*what, **about),
    "append": lambda mind, *what, **about: mind.append(*what, **about),
    "branch": lambda mind, *what, **about: mind.branch(*what, **about),
}


def texts(mind, node):
    return [text for _, text in mind.history(node).texts]


def test_a_revised_memory_says_the_new_text_and_remembers_the_old(mind, clock):
    stored = mind.remember("Maya works at Zephyrine")
    clock.advance(timedelta(hours=1))
    outcome = mind.revise(stored.id, "Maya works at Quillfeather")
    assert isinstance(outcome, Revised)
    assert (outcome.id, outcome.old) == (stored.id, ())
    memory = mind.get(stored.id)
    assert (memory.text, memory.version, memory.frame) == ("Maya works at Quillfeather", 2, outcome.frame)
    assert texts(mind, stored.id) == ["Maya works at Zephyrine", "Maya works at Quillfeather"]


def test_after_an_edit_the_old_word_finds_nothing_current_and_the_new_one_is_first(thinking):
    """Full text and vectors are both refreshed."""
    stored = thinking.remember("Maya works at Zephyrine")
    thinking.remember_many(["Bob works at Quillon", "Maya likes tea"])
    thinking.flush()
    thinking.revise(stored.id, "Maya works at Quillfeather")
    thinking.flush()
    assert thinking.rank("Quillfeather")[0].text == "Maya works at Quillfeather"
    assert all("Zephyrine" not in h.text for h in thinking.rank("Zephyrine"))
    past = {h.text: h.current for h in thinking.rank("Zephyrine", include_past=True) if "Zephyrine" in h.text}
    assert past == {"Maya works at Zephyrine": False}


def test_a_patch_adds_a_line(mind):
    stored = mind.remember("shopping: milk")
    for text in ("bread", "  two\nlines "):
        assert isinstance(mind.append(stored.id, text), Appended)
    assert mind.get(stored.id).text == "shopping: milk\nbread\ntwo\nlines"
    assert [h.id for h in mind.rank("bread")] == [stored.id]
    assert texts(mind, stored.id) == ["shopping: milk", "shopping: milk\nbread", "shopping: milk\nbread\ntwo\nlines"]


def test_a_revised_memory_starts_without_its_old_patches(mind):
    stored = mind.remember("shopping: milk")
    mind.append(stored.id, "bread")
    mind.revise(stored.id, "shopping: eggs")
    assert mind.get(stored.id).text == "shopping: eggs"
    mind.append(stored.id, "salt")
    assert mind.get(stored.id).text == "shopping: eggs\nsalt"
    assert mind.doctor().healthy


def test_a_patch_after_an_undone_patch_follows_what_stands(mind):
    stored = mind.remember("shopping: milk")
    undone = mind.append(stored.id, "bread")
    mind.undo(undone.journal)
    mind.append(stored.id, "eggs")
    mind.append(stored.id, "salt")
    assert mind.get(stored.id).text == "shopping: milk\neggs\nsalt"
    assert texts(mind, stored.id) == [
        "shopping: milk", "shopping: milk\nbread", "shopping: milk\neggs", "shopping: milk\neggs\nsalt"
    ]  # fmt: skip
    assert mind.doctor().healthy


def test_a_patch_follows_a_patch_that_was_brought_back(mind):
    stored = mind.remember("a")
    taken = mind.undo(mind.append(stored.id, "b").journal)
    mind.undo(mind.append(stored.id, "c").journal)
    mind.undo(taken.journal)
    mind.append(stored.id, "d")
    assert mind.get(stored.id).text == "a\nb\nd"
    assert mind.doctor().healthy


def test_a_branch_stands_beside_a_memory_and_is_labelled(mind):
    stored = mind.remember("the plan is red")
    outcome = mind.branch(stored.id, "the plan is blue", description="what Bob wants")
    assert isinstance(outcome, Branched)
    assert mind.get(stored.id).text == "the plan is red"
    assert {h.text: h.alternative for h in mind.rank("plan")} == {"the plan is red": False, "the plan is blue": True}
    assert "alternative, not what was settled on" in mind.recall("blue plan").text
    assert mind.get(outcome.frame).id == stored.id


def test_a_branch_names_what_it_refers_to(mind):
    one, other = mind.remember("red"), mind.remember("green")
    turn = mind.record("chat", [Turn(key="a", speaker="Ann", text="blue")]).added[0]
    mind.branch(one.id, "purple", refs=[other.id, turn, other.id], description="a mix")
    assert len(rows(mind.path, "SELECT ref FROM frame_ref WHERE description = 'a mix'")) == 3


def test_a_branch_of_a_turn_is_an_alternative_to_it(mind):
    outcome = mind.record("chat", [Turn(key=k, speaker="Ann", text=f"words {k}") for k in "ab"])
    branch = mind.branch(outcome.added[0], "better words")
    turn = mind.get(branch.frame)
    assert (turn.turn_key, turn.speaker, turn.on_path, turn.text) == ("a", "Ann", False, "better words")
    assert mind.get(outcome.conversation).turns == outcome.added
    assert mind.doctor().healthy


def test_a_branch_of_a_turn_says_something_new(mind):
    turn = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")]).added[0]
    mind.branch(turn, "other words")
    for text in ("words", "other words", "  words\n"):
        outcome = mind.branch(turn, text)
        assert isinstance(outcome, Refused)
        assert outcome.reason is Reason.UNCHANGED


def test_a_branch_of_a_turn_in_a_closed_session_is_kept_elsewhere(mind):
    turn = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")]).added[0]
    session = mind.get(turn).session
    mind.sessions.close(session)
    frame = mind.branch(turn, "other words").frame
    assert mind.get(frame).session != session
    assert {s.id: s.frames for s in mind.sessions.list()}[session] == 2


def test_a_branch_of_an_archived_conversation_is_past_like_the_rest_of_it(mind):
    outcome = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")])
    mind.set_status(outcome.conversation, "archived")
    mind.branch(outcome.added[0], "other words")
    assert mind.rank("words") == []
    assert mind.doctor().healthy


def test_a_revision_keeps_everything_but_the_text(mind):
    stored = mind.remember("a", title="T", tags=["x"], importance="critical", metadata={"k": 1}, valid_from="2020")
    mind.revise(stored.id, "b")
    memory = mind.get(stored.id)
    assert (memory.title, memory.tags, memory.importance, memory.metadata) == ("T", ("x",), "critical", {"k": 1})
    assert memory.valid_from.year == 2020
    assert [h.id for h in mind.rank("T")] == [stored.id]


@pytest.mark.parametrize(
    ("text", "then", "value"),
    [
        ("Maya works at Zephyrine", "Maya works at Quillfeather", "Quillfeather"),
        ("My dentist is Dr. Weber", "My dentist is Dr. Krause", "Dr. Krause"),
        ("Maya works at Zephyrine", "Maya is on leave", None),
        ("Maya works at Zephyrine", "Maya no longer works at Zephyrine", None),
    ],
)
def test_a_value_that_rules_found_is_found_anew_in_the_new_text(mind, text, then, value):
    stored = mind.remember(text)
    assert mind.get(stored.id).value is not None
    mind.revise(stored.id, then)
    assert mind.get(stored.id).value == value
    if value is not None:
        assert mind.remember(then).id == stored.id
    assert mind.doctor().healthy


def test_a_slot_whose_value_was_its_text_takes_the_new_text(mind):
    first = mind.remember("Apollo is planned", slot="apollo.status")
    mind.revise(first.id, "Apollo is done")
    again = mind.remember("Apollo is done", slot="apollo.status")
    assert again.id == first.id


def test_a_revised_value_may_end_a_conflict(mind):
    about = {"slot": "apollo.status", "valid_from": "2026-01-01"}
    one, other = mind.remember("planned", **about), mind.remember("done", **about)
    assert mind.get(one.id).conflict
    mind.revise(other.id, "planned by Ann")
    assert mind.get(one.id).conflict
    mind.forget(other.id)
    assert not mind.get(one.id).conflict


def test_a_revised_memory_in_a_slot_supersedes_as_before(mind, clock):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    clock.advance(timedelta(days=1))
    second = mind.remember("Ann moved to Lisbon", slot="ann.home_city", value="Lisbon")
    assert isinstance(second, Superseded)
    assert isinstance(mind.revise(second.id, "Ann moved to lovely Lisbon"), Revised)
    assert (mind.get(first.id).current, mind.get(second.id).current) == (False, True)


@pytest.mark.parametrize("change", ["revise", "append"])
def test_a_change_keeps_when_it_was_said(mind, change):
    stored = mind.remember("a")
    CHANGES[change](mind, stored.id, "b", said_at="2026-05-01T08:00:00Z")
    assert mind.get(stored.id).said_at.isoformat() == "2026-05-01T08:00:00+00:00"


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("text", "reason"), [("  \n", Reason.EMPTY), ("\0", Reason.EMPTY), ("x" * (MAX_TEXT + 1), Reason.TOO_LARGE)]
)
def test_a_change_to_nothing_or_too_much_is_refused(mind, change, text, reason):
    stored = mind.remember("a")
    outcome = CHANGES[change](mind, stored.id, text)
    assert isinstance(outcome, Refused)
    assert outcome.reason is reason
    assert mind.get(stored.id).version == 1


@pytest.mark.parametrize("change", ["revise", "append"])
@pytest.mark.parametrize("kind", ["turn", "conversation", "entity"])
def test_what_was_said_in_a_conversation_and_an_entity_cannot_be_rewritten(mind, change, kind):
    recorded = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")])
    ids = {"turn": recorded.added[0], "conversation": recorded.conversation, "entity": mind.entity("Ann", "person").id}
    outcome = CHANGES[change](mind, ids[kind], "other")
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.NOT_A_MEMORY


@pytest.mark.parametrize("kind", ["conversation", "entity"])
def test_only_a_memory_or_a_turn_has_alternatives(mind, kind):
    recorded = mind.record("chat", [Turn(key="a", speaker="Ann", text="words")])
    ids = {"conversation": recorded.conversation, "entity": mind.entity("Ann", "person").id}
    assert mind.branch(ids[kind], "other").reason is Reason.NOT_A_MEMORY


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_forgotten_cannot_be_changed(mind, change):
    stored = mind.remember("a")
    mind.forget(stored.id)
    assert CHANGES[change](mind, stored.id, "b").reason is Reason.FORGOTTEN


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_a_closed_session_is_refused(mind, change):
    stored = mind.remember("a")
    mind.sessions.ensure("s")
    mind.sessions.close("s")
    assert CHANGES[change](mind, stored.id, "b", session="s").reason is Reason.SESSION_CLOSED
    assert mind.stats().frames == 1


def test_saying_the_same_again_is_no_revision(mind):
    stored = mind.remember("a")
    outcome = mind.revise(stored.id, "  a ")
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.UNCHANGED


def test_no_change_of_text_makes_two_memories_of_one(mind):
    one, other = mind.remember("a\nb"), mind.remember("a")
    for outcome in (mind.revise(other.id, "a\nb"), mind.append(other.id, "b")):
        assert isinstance(outcome, Refused)
        assert outcome.reason is Reason.TAKEN
        assert one.id in outcome.message
    assert mind.get(other.id).text == "a"
    assert mind.doctor().healthy


def test_a_text_that_is_only_in_use_elsewhere_in_another_role_is_free(mind):
    mind.remember("a", role="fact")
    other = mind.remember("b", role="note")
    assert isinstance(mind.revise(other.id, "a"), Revised)


def test_a_text_that_was_forgotten_or_archived_elsewhere_is_free(mind):
    gone, shelved, third = (mind.remember(t) for t in "abc")
    mind.forget(gone.id)
    mind.set_status(shelved.id, "archived")
    assert isinstance(mind.revise(third.id, "a"), Revised)
    assert isinstance(mind.revise(third.id, "b"), Revised)
    assert mind.doctor().healthy


@pytest.mark.parametrize("change", CHANGES)
def test_an_unknown_id_is_not_found(mind, change):
    with pytest.raises(NotFound):
        CHANGES[change](mind, "01890a5d-ac96-774b-bcce-b302099a8057", "b")


def test_an_unknown_reference_is_not_found_and_nothing_is_written(mind):
    stored = mind.remember("a")
    with pytest.raises(NotFound):
        mind.branch(stored.id, "b", refs=["01890a5d-ac96-774b-bcce-b302099a8057"])
    assert mind.stats().frames == 1


@pytest.mark.parametrize("change", CHANGES)
def test_a_frame_of_a_memory_stands_for_the_memory(mind, change):
    stored = mind.remember("a")
    mind.revise(stored.id, "b")
    assert CHANGES[change](mind, stored.frame, "c").id == stored.id


def test_repairs_of_a_change_are_said(mind):
    stored = mind.remember("a")
    assert mind.revise(stored.id, "b\0").repairs == ("removed 1 NUL character",)
    assert mind.append(stored.id, "c\0").repairs == ("removed 1 NUL character",)
    assert mind.branch(stored.id, "d\0").repairs == ("removed 1 NUL character",)
