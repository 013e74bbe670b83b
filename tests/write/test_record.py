"""record: turns of conversations; known ones add nothing, changed ones stand beside, late ones find their place."""

from datetime import UTC, datetime, timedelta

import apsw
import pytest

from noosphere import InvalidInput, NotFound, Reason, Recorded, Refused, Turn
from noosphere.store.sessions import STEP
from noosphere.write.parse import MAX_TEXT
from observed import rows

START = datetime(2026, 5, 14, 9, tzinfo=UTC)


def turns(*keys, **about):
    return [Turn(key=k, speaker="Ann" if n % 2 else "Bob", text=f"words of {k}", **about) for n, k in enumerate(keys)]


def keys(mind, ids):
    return [mind.get(i).turn_key for i in ids]


def path(mind, conversation):
    """The keys of the turns on the path, and of those beside it."""
    found = mind.get(conversation)
    return keys(mind, found.turns), keys(mind, found.alternatives)


def test_turns_follow_each_other_in_the_order_given(mind):
    outcome = mind.record("chat", turns("a", "b", "c"), title="Lunch", participants=["Ann", "Bob"], tags="food")
    assert isinstance(outcome, Recorded)
    assert (len(outcome.added), outcome.known, outcome.changed, outcome.refused) == (3, 0, (), ())
    conversation = mind.get(outcome.conversation)
    assert (conversation.key, conversation.title, conversation.tags) == ("chat", "Lunch", ("food",))
    assert conversation.turns == outcome.added
    assert conversation.head == outcome.added[-1]
    middle = mind.get(outcome.added[1])
    assert (middle.previous, middle.next) == (outcome.added[0], outcome.added[2])
    assert (middle.speaker, middle.text, middle.participants) == ("Ann", "words of b", ("Ann", "Bob"))
    assert (middle.conversation_key, middle.turn_key, middle.on_path) == ("chat", "b", True)


def test_a_turn_is_kept_verbatim(mind):
    outcome = mind.record(
        "chat",
        [Turn(key="a", speaker=" Ann ", text="  two\n\n lines ", speaker_role="user", at="2026-05-01T08:00:00Z")],
    )
    turn = mind.get(outcome.added[0])
    assert (turn.text, turn.speaker, turn.speaker_role) == ("  two\n\n lines ", "Ann", "user")
    assert turn.said_at == datetime(2026, 5, 1, 8, tzinfo=UTC)


def test_recording_again_adds_nothing(mind):
    first = mind.record("chat", turns("a", "b"))
    again = mind.record("chat", turns("a", "b"))
    assert (again.added, again.known, again.changed, again.journal, again.journals) == ((), 2, (), None, ())
    assert again.conversation == first.conversation
    assert mind.stats().turns == 2


def test_only_what_is_new_is_added(mind):
    mind.record("chat", turns("a", "b"))
    outcome = mind.record("chat", turns("a", "b", "c"))
    assert (len(outcome.added), outcome.known) == (1, 2)
    assert path(mind, outcome.conversation) == (["a", "b", "c"], [])


def test_recording_what_is_known_writes_nothing_to_the_file(mind):
    mind.record("chat", turns("a", "b"))
    watcher = apsw.Connection(str(mind.path))
    version = watcher.pragma("data_version")
    assert mind.record("chat", turns("a", "b")).known == 2
    assert watcher.pragma("data_version") == version
    mind.record("chat", turns("c"))
    assert watcher.pragma("data_version") != version
    watcher.close()


def test_other_text_under_a_known_key_is_an_alternative_beside_it(mind):
    first = mind.record("chat", turns("a", "b"))
    again = mind.record("chat", [Turn(key="b", speaker="Ann", text="other words")])
    assert (again.added, again.known, len(again.changed)) == ((), 0, 1)
    conversation = mind.get(first.conversation)
    assert conversation.turns == first.added
    assert conversation.alternatives == again.changed
    assert not mind.get(again.changed[0]).on_path
    assert mind.record("chat", [Turn(key="b", speaker="Ann", text="other words")]).known == 1
    shown = {h.text: h.alternative for h in mind.rank("words")}
    assert shown == {"words of a": False, "words of b": False, "other words": True}


def test_a_conversation_is_found_by_its_key_or_its_id(mind):
    first = mind.record("chat", turns("a"))
    second = mind.record(first.conversation, turns("a", "b"))
    assert second.conversation == first.conversation
    assert mind.stats().conversations == 1


def test_a_conversation_whose_key_is_a_uuid_is_its_own(mind):
    key = "01890a5d-ac96-774b-bcce-b302099a8057"
    outcome = mind.record(key, turns("a"))
    assert mind.get(outcome.conversation).key == key
    assert mind.record(key, turns("a")).known == 1


def test_a_late_turn_joins_the_path_where_it_belongs(mind):
    first = mind.record("chat", turns("a", "b", "d"))
    late = mind.record("chat", turns("a", "b", "c", "d"))
    assert (len(late.added), late.known) == (1, 3)
    assert path(mind, first.conversation) == (["a", "b", "c", "d"], [])
    t = [t for (t,) in rows(mind.path, "SELECT t FROM frame WHERE turn_key IS NOT NULL ORDER BY t")]
    assert [x % STEP == 0 for x in t] == [True, True, False, True]
    assert mind.get(late.added[0]).previous == first.added[1]
    assert mind.get(late.added[0]).next == first.added[2]


def test_several_late_turns_keep_their_order(mind):
    mind.record("chat", turns("a", "f"))
    outcome = mind.record("chat", turns("a", "b", "c", "d", "e", "f"))
    assert path(mind, outcome.conversation) == (list("abcdef"), [])


def test_late_turns_may_come_one_by_one_between_the_same_two(mind):
    conversation = mind.record("chat", turns("a", "z")).conversation
    order = ["a", "z"]
    for key in "bcdef":
        order.insert(-1, key)
        mind.record("chat", turns(*order))
    assert path(mind, conversation) == (list("abcdefz"), [])


def test_a_turn_that_answers_an_earlier_one_stands_beside_the_path(mind):
    first = mind.record("chat", turns("a", "b", "c"))
    other = mind.record("chat", [Turn(key="b2", speaker="Ann", text="instead", parent="a")])
    assert path(mind, first.conversation) == (["a", "b", "c"], ["b2"])
    assert mind.rank("instead")[0].alternative
    assert mind.get(other.added[0]).on_path is False


def test_a_branch_may_go_on_and_become_the_path_by_a_move_of_the_head(mind):
    first = mind.record("chat", turns("a", "b", "c"))
    branch = [
        Turn(key="b2", speaker="Ann", text="instead", parent="a"),
        Turn(key="c2", speaker="Bob", text="fine"),
    ]
    outcome = mind.record("chat", branch, head="c2")
    assert path(mind, first.conversation) == (["a", "b2", "c2"], ["b", "c"])
    assert len(outcome.journals) == 2
    assert mind.journal(1)[0].verb == "head"
    assert {h.turn_key: h.alternative for h in mind.rank("instead words")} == {
        "a": False, "b": True, "c": True, "b2": False, "c2": False
    }  # fmt: skip


def test_what_is_said_next_follows_the_head_that_was_chosen(mind):
    conversation = mind.record("chat", turns("a", "b", "c")).conversation
    mind.record("chat", [Turn(key="b2", speaker="Ann", text="instead", parent="a")], head="b2")
    mind.record("chat", [Turn(key="d", speaker="Bob", text="and on")])
    assert path(mind, conversation) == (["a", "b2", "d"], ["b", "c"])
    mind.record("chat", [], head="c")
    assert path(mind, conversation) == (["a", "b", "c"], ["b2", "d"])


def test_moving_the_head_to_where_it_is_changes_nothing(mind):
    mind.record("chat", turns("a", "b"))
    assert mind.record("chat", [], head="b").journals == ()


def test_the_head_cannot_move_to_a_turn_that_is_not_there_or_was_forgotten(mind):
    outcome = mind.record("chat", turns("a", "b"))
    with pytest.raises(NotFound, match="Record it first"):
        mind.record("chat", [], head="z")
    mind.forget(outcome.added[0])
    with pytest.raises(NotFound, match="forgotten"):
        mind.record("chat", [], head="a")


def test_a_head_that_nobody_has_is_found_out_before_anything_is_written(mind):
    for conversation in ("chat", "01890a5d-ac96-774b-bcce-b302099a8057"):
        with pytest.raises(NotFound, match="Record it first"):
            mind.record(conversation, turns("a", "b"), head="z")
    assert mind.stats().frames == 0


def test_a_turn_may_open_the_conversation_anew(mind):
    conversation = mind.record("chat", turns("a", "b")).conversation
    mind.record("chat", [Turn(key="x", speaker="Ann", text="from the top", parent="")])
    assert path(mind, conversation) == (["a", "b"], ["x"])


def test_a_silence_of_more_than_six_hours_opens_a_session(mind):
    at = [START, START + timedelta(hours=6), START + timedelta(hours=12, seconds=1), START + timedelta(hours=13)]
    outcome = mind.record("chat", [Turn(key=str(n), speaker="Ann", text=f"turn {n}", at=t) for n, t in enumerate(at)])
    rooms = [mind.get(i).session for i in outcome.added]
    assert rooms[0] == rooms[1] != rooms[2] == rooms[3]
    assert mind.get(outcome.conversation).sessions == (rooms[0], rooms[2])
    assert path(mind, outcome.conversation) == (["0", "1", "2", "3"], [])


def test_the_previous_turn_never_lies_in_another_session(mind):
    at = [START, START + timedelta(hours=7)]
    outcome = mind.record("chat", [Turn(key=str(n), speaker="Ann", text=f"topic{n}", at=t) for n, t in enumerate(at)])
    second = mind.get(outcome.added[1])
    assert (second.previous, mind.get(outcome.added[0]).next) == (None, None)
    assert [h.turn_key for h in mind.rank("topic0")] == ["0"]


def test_the_words_of_the_previous_turn_help_to_find_the_next(mind):
    mind.record("chat", [
        Turn(key="q", speaker="Ann", text="which restaurant did you choose"),
        Turn(key="a", speaker="Bob", text="the little one by the harbour"),
    ])  # fmt: skip
    assert {h.turn_key for h in mind.rank("restaurant")} == {"q", "a"}


def test_a_named_session_takes_the_turn(mind):
    outcome = mind.record("chat", [
        Turn(key="a", speaker="Ann", text="one", session="s1"),
        Turn(key="b", speaker="Ann", text="two", session="s2"),
        Turn(key="c", speaker="Ann", text="three", session="s1"),
    ], project="apollo")  # fmt: skip
    found = {s.key: s for s in mind.sessions.list()}
    assert {k: s.project for k, s in found.items()} == {"s1": "apollo", "s2": "apollo"}
    assert [mind.get(i).session for i in outcome.added] == [found["s1"].id, found["s2"].id, found["s1"].id]


def test_a_closed_session_takes_no_turn_of_a_known_conversation(mind):
    conversation = mind.record("chat", turns("a", session="s")).conversation
    mind.sessions.close("s")
    outcome = mind.record("chat", turns("b", session="s"))
    assert outcome.added == ()
    assert outcome.refused == (("b", "session s is closed"),)
    assert path(mind, conversation) == (["a"], [])


def test_a_closed_session_opens_no_conversation(mind):
    mind.sessions.ensure("s")
    mind.sessions.close("s")
    for outcome in (mind.record("chat", turns("a", session="s")), mind.record("chat", turns("a"), session="s"),
                    mind.record("chat", [], session="s")):  # fmt: skip
        assert isinstance(outcome, Refused)
        assert outcome.reason is Reason.SESSION_CLOSED
    assert mind.stats().frames == 0


def test_a_new_conversation_begins_in_the_session_of_the_first_turn_it_can_take(mind):
    mind.sessions.ensure("shut")
    mind.sessions.close("shut")
    outcome = mind.record("chat", [
        Turn(key="a", speaker="Ann", text="one", session="shut"),
        Turn(key="b", speaker="Ann", text="two", session="open"),
    ])  # fmt: skip
    assert [k for k, _ in outcome.refused] == ["a"]
    assert path(mind, outcome.conversation) == (["b"], [])
    assert {s.key: s.frames for s in mind.sessions.list()} == {"shut": 0, "open": 2}


def test_what_comes_after_a_closed_session_is_said_in_a_new_one(mind):
    first = mind.record("chat", turns("a"))
    mind.sessions.close(mind.get(first.added[0]).session)
    second = mind.record("chat", turns("b"))
    assert mind.get(second.added[0]).session != mind.get(first.added[0]).session
    assert path(mind, first.conversation) == (["a", "b"], [])


def test_a_late_turn_does_not_get_into_a_closed_session(mind):
    first = mind.record("chat", turns("a", "c"))
    mind.sessions.close(mind.get(first.added[0]).session)
    outcome = mind.record("chat", turns("a", "b", "c"))
    assert (outcome.added, outcome.known) == ((), 2)
    assert [k for k, _ in outcome.refused] == ["b"]


def test_a_set_of_participants_is_kept_once_and_stays_with_its_turns(mind):
    mind.record("chat", turns("a", "b"), participants=["Bob", "Ann"])
    later = mind.record("chat", turns("c"))
    other = mind.record("chat", turns("d"), participants=["Ann", "Bob", "Cy"])
    mind.record("talk", turns("x"), participants=["Ann", "Bob"])
    assert mind.get(later.added[0]).participants == ("Ann", "Bob")
    assert mind.get(other.added[0]).participants == ("Ann", "Bob", "Cy")
    assert len(rows(mind.path, "SELECT * FROM participants")) == 2


def test_turns_without_text_are_listed_and_what_follows_closes_the_gap(mind):
    outcome = mind.record("chat", [
        *turns("a"), Turn(key="b", speaker="Ann", text=" \n "), Turn(key="c", speaker="Ann", text="x" * (MAX_TEXT + 1)),
        *turns("d"),
    ])  # fmt: skip
    assert [k for k, _ in outcome.refused] == ["b", "c"]
    assert path(mind, outcome.conversation) == (["a", "d"], [])
    assert mind.get(outcome.added[1]).previous == outcome.added[0]


def test_repairs_of_a_call_are_said_once(mind):
    outcome = mind.record("chat", [Turn(key=k, speaker="Ann", text=f"{k}\0") for k in "ab"])
    assert outcome.repairs == ("removed 1 NUL character",)
    assert [mind.get(i).text for i in outcome.added] == ["a", "b"]


def test_a_long_call_has_a_journal_entry_for_each_thousand_turns(mind):
    outcome = mind.record("chat", turns(*(str(n) for n in range(2500))))
    assert (len(outcome.added), len(outcome.journals), outcome.journal) == (2500, 3, outcome.journals[-1])
    assert mind.get(outcome.conversation).turns == outcome.added
    assert len({t for (t,) in rows(mind.path, "SELECT t FROM frame")}) == 2501


def test_a_parent_in_an_earlier_thousand_is_found(mind):
    many = turns(*(str(n) for n in range(1000)))
    outcome = mind.record("chat", [*many, Turn(key="x", speaker="Ann", text="aside", parent="5")])
    assert path(mind, outcome.conversation)[1] == ["x"]


def test_an_unknown_parent_is_not_found(mind):
    with pytest.raises(NotFound, match="Record a parent before its children"):
        mind.record("chat", [Turn(key="a", speaker="Ann", text="x", parent="nobody")])
    assert mind.stats().conversations == 0


def test_two_turns_of_a_call_cannot_share_a_key(mind):
    with pytest.raises(InvalidInput, match="two turns"):
        mind.record("chat", [*turns("a"), *turns("a")])
    assert mind.stats().frames == 0


def test_a_conversation_without_turns_can_be_opened(mind):
    outcome = mind.record("chat", [], title="Empty")
    found = mind.get(outcome.conversation)
    assert (found.title, found.turns, found.head) == ("Empty", (), None)
    assert mind.record("chat", []).journal is None


def test_a_forgotten_conversation_takes_no_turns(mind):
    conversation = mind.record("chat", turns("a")).conversation
    forgotten = mind.forget(conversation)
    outcome = mind.record("chat", turns("a", "b"))
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.FORGOTTEN
    mind.undo(forgotten.journal)
    assert mind.record("chat", turns("a", "b")).known == 1


def test_a_forgotten_turn_is_not_revived_by_recording_it_again(mind):
    outcome = mind.record("chat", turns("a", "b"))
    mind.forget(outcome.added[1])
    assert mind.record("chat", turns("a", "b")).known == 2
    assert [h.turn_key for h in mind.rank("words")] == ["a"]


def test_a_forgotten_end_gives_way_to_the_turn_before_it(mind):
    outcome = mind.record("chat", turns("a", "b", "c"))
    mind.forget(outcome.added[2])
    assert mind.get(outcome.conversation).head == outcome.added[1]
    mind.record("chat", turns("d"))
    assert path(mind, outcome.conversation) == (["a", "b", "d"], [])


def test_a_forgotten_turn_is_no_neighbour_and_no_context(mind):
    outcome = mind.record("chat", [
        Turn(key="a", speaker="Ann", text="start"),
        Turn(key="b", speaker="Bob", text="the unspeakable word"),
        Turn(key="c", speaker="Ann", text="and then"),
    ])  # fmt: skip
    assert {h.turn_key for h in mind.rank("unspeakable")} == {"a", "b", "c"}
    mind.forget(outcome.added[1])
    assert mind.rank("unspeakable") == []
    assert mind.get(outcome.conversation).turns == (outcome.added[0], outcome.added[2])
    assert mind.get(outcome.added[0]).next == outcome.added[2]
    assert mind.get(outcome.added[2]).previous == outcome.added[0]
    assert mind.get(outcome.added[1]).text == "the unspeakable word"


def test_a_turn_said_by_an_assistant_is_never_stated_by_the_user(mind):
    mind.record("chat", [
        Turn(key="a", speaker="me", speaker_role="user", text="what is the capital"),
        Turn(key="b", speaker="it", speaker_role="assistant", text="the capital is Lisbon"),
    ])  # fmt: skip
    assert {h.turn_key: h.source for h in mind.rank("capital")} == {"a": "user_stated", "b": "agent_inferred"}


def test_an_archived_conversation_goes_on_out_of_the_current_index(mind):
    conversation = mind.record("chat", turns("a")).conversation
    mind.set_status(conversation, "archived")
    mind.record("chat", turns("b"))
    assert mind.rank("words") == []
    assert {h.turn_key for h in mind.rank("words", include_past=True)} == {"a", "b"}
    assert mind.doctor().healthy
