"""undo: every verb can be taken back and done again without a difference; what rests on it blocks, or goes too."""

from datetime import timedelta

import pytest

from noosphere import InvalidInput, NotFound, Reason, Refused, Turn, Undone
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind
from observed import derived, rows, seen

NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"


def turn(key, text=None, **about):
    return Turn(key=key, speaker="Ann", text=text or f"words of {key}", **about)


def world(mind, clock):
    """A mind with something of every kind in it."""
    made = {
        "plain": mind.remember("plain words", tags=["red"], title="Plain"),
        "berlin": mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin"),
        "patched": mind.remember("patched words"),
        "event": mind.remember("an event", role="event", occurred="2026-05-01"),
        "ending": mind.remember("until Friday", valid_to="2026-05-20"),
        "chat": mind.record("chat", [turn(k) for k in "abc"], participants=["Ann", "Bob"], tags=["talk"]),
        "fork": mind.record("chat", [turn("b2", parent="a"), turn("c2")]),
        "shelved": mind.remember("shelved words"),
        "person": mind.entity("Ann", "person", properties={"age": 40}),
        "session": mind.sessions.ensure("monday"),
    }
    mind.set_status(made["shelved"].id, "archived")
    mind.append(made["patched"].id, "a patch")
    made["edge"] = mind.link(made["plain"].id, "relates_to", made["berlin"].id, weight=0.5)
    clock.advance(timedelta(days=1))
    return made


VERBS = {
    "remember": lambda m, _: m.remember("new words", tags=["blue"], evidence="x:1"),
    "remember in a new session": lambda m, _: m.remember("new words", session="tuesday"),
    "remember again": lambda m, _: m.remember("plain words", tags=["blue", "red"], evidence="x:1"),
    "remember a newer value": lambda m, _: m.remember("Ann moved to Rome", slot="ann.home_city", value="Rome"),
    "remember an older value": lambda m, _: m.remember(
        "Ann was in Oslo", slot="ann.home_city", value="Oslo", valid_from="2001"
    ),
    "remember a disputed value": lambda m, w: m.remember(
        "Ann lives in Bonn", slot="ann.home_city", value="Bonn", valid_from=m.get(w["berlin"].id).valid_from
    ),
    "remember what has ended": lambda m, _: m.remember("long over", valid_from="2001", valid_to="2002"),
    "record a new conversation": lambda m, _: m.record("talk", [turn("x"), turn("y")], tags=["t"]),
    "record more turns": lambda m, _: m.record("chat", [turn("d"), turn("e")]),
    "record a late turn": lambda m, _: m.record("chat", [turn("a"), turn("aa"), turn("b")]),
    "record other words": lambda m, _: m.record("chat", [turn("b", "other words")]),
    "record a branch": lambda m, _: m.record("chat", [turn("c3", parent="b")]),
    "move the head": lambda m, _: m.record("chat", [], head="c2"),
    "revise": lambda m, w: m.revise(w["plain"].id, "other words"),
    "revise a patched one": lambda m, w: m.revise(w["patched"].id, "other words"),
    "append": lambda m, w: m.append(w["plain"].id, "more words"),
    "append a second patch": lambda m, w: m.append(w["patched"].id, "more words"),
    "branch a memory": lambda m, w: m.branch(w["plain"].id, "other words", refs=[w["berlin"].id]),
    "branch a turn": lambda m, w: m.branch(w["chat"].added[1], "other words"),
    "classify": lambda m, w: m.classify(w["plain"].id, importance="critical", metadata={"a": 1}, confidence=0.5),
    "classify a title": lambda m, w: m.classify(w["plain"].id, title="Fancy"),
    "classify tags": lambda m, w: m.classify(w["plain"].id, add_tags=["blue", "green"], remove_tags=["red"]),
    "classify into a slot": lambda m, w: m.classify(w["plain"].id, slot="ann.home_city", value="Here"),
    "classify out of a slot": lambda m, w: m.classify(w["berlin"].id, slot=None),
    "classify an end": lambda m, w: m.classify(w["plain"].id, valid_to="2027"),
    "classify an end away": lambda m, w: m.classify(w["ending"].id, valid_to=None),
    "classify a day": lambda m, w: m.classify(w["event"].id, occurred="2026-04-01"),
    "classify a conversation": lambda m, w: m.classify(w["chat"].conversation, title="Lunch", add_tags=["x"]),
    "classify an entity": lambda m, w: m.classify(w["person"].id, importance="critical"),
    "archive": lambda m, w: m.set_status(w["plain"].id, "archived"),
    "take from the shelf": lambda m, w: m.set_status(w["shelved"].id, "active"),
    "archive a conversation": lambda m, w: m.set_status(w["chat"].conversation, "archived"),
    "make canonical": lambda m, w: m.set_status(w["berlin"].id, "canonical"),
    "forget a memory": lambda m, w: m.forget(w["plain"].id),
    "forget a value": lambda m, w: m.forget(w["berlin"].id),
    "forget a patched one": lambda m, w: m.forget(w["patched"].id),
    "forget a turn": lambda m, w: m.forget(w["chat"].added[1]),
    "forget the last turn": lambda m, w: m.forget(w["chat"].added[2]),
    "forget a conversation": lambda m, w: m.forget(w["chat"].conversation),
    "forget an entity": lambda m, w: m.forget(w["person"].id),
    "link": lambda m, w: m.link(w["plain"].id, "caused_by", w["event"].id, evidence="x:1"),
    "link to a turn": lambda m, w: m.link(w["plain"].id, "drawn_from", w["chat"].added[0]),
    "link with more weight": lambda m, w: m.link(w["plain"].id, "relates_to", w["berlin"].id, weight=0.9),
    "link with more evidence": lambda m, w: m.link(w["plain"].id, "relates_to", w["berlin"].id, evidence="y:1"),
    "unlink": lambda m, w: m.unlink(w["edge"].edge),
    "a new entity": lambda m, _: m.entity("Bob", "person", tags=["b"], properties={"age": 1}),
    "an entity again": lambda m, _: m.entity("Ann", "person", tags=["b"], properties={"age": 41}, evidence="z:1"),
    "close a session": lambda m, _: m.sessions.close("monday"),
    "archive a session": lambda m, _: m.sessions.archive("monday"),
}


@pytest.fixture
def embedded(tmp_path, clock, ids):
    """A mind that wants vectors, without embedding anything: what waits is where vectors would be."""
    with scratch_mind(tmp_path, clock=clock, ids=ids, embedder=HashedEmbedder(16)) as opened:
        yield opened


def carried_out(mind, clock, verb):
    """The state of a small world, what a verb does in it, and the state after."""
    made = world(mind, clock)
    mind.stats()  # no name waits to be tied
    before = seen(mind.path)
    done = VERBS[verb](mind, made)
    mind.stats()
    return before, done, seen(mind.path)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_undone_redone_and_undone_again_leaves_no_difference(embedded, clock, verb):
    mind = embedded
    before, done, after = carried_out(mind, clock, verb)
    assert {n for n in vars(after) if n != "frames" and getattr(after, n) != getattr(before, n)}, "it did nothing"
    journal = done.journal
    for _ in range(2):
        undone = mind.undo(journal)
        assert isinstance(undone, Undone)
        assert undone.undone == (journal,)
        assert without_new_sessions(seen(mind.path, before.frames), before) == before
        redone = mind.undo(undone.journal)
        assert isinstance(redone, Undone)
        assert seen(mind.path) == after
        journal = redone.journal  # undoing what was done again is undoing it
        undone = mind.undo(journal)
        assert without_new_sessions(seen(mind.path, before.frames), before) == before
        journal = mind.undo(undone.journal).journal
    assert mind.doctor().healthy


@pytest.mark.parametrize("verb", VERBS)
def test_undos_that_are_taken_back_newest_first_leave_no_difference(embedded, clock, verb):
    mind = embedded
    before, done, after = carried_out(mind, clock, verb)
    first = mind.undo(done.journal)
    second = mind.undo(first.journal)
    mind.undo(second.journal)  # the first stands again
    assert without_new_sessions(seen(mind.path, before.frames), before) == before
    mind.undo(first.journal)
    assert seen(mind.path) == after
    mind.undo(done.journal)
    assert without_new_sessions(seen(mind.path, before.frames), before) == before
    assert mind.doctor().healthy


def without_new_sessions(now, before):
    """Sessions stay when the entry that opened them is undone: frames never leave the log, nor do their containers."""
    for key in now.sessions.keys() - before.sessions.keys():
        del now.sessions[key]
    return now


@pytest.mark.parametrize("verb", ["remember", "revise", "forget a memory", "record more turns", "archive"])
def test_vectors_come_back_without_being_embedded_again(thinking, clock, verb):
    mind = thinking
    made = world(mind, clock)
    mind.flush()
    before = derived(mind.path)["vectors"]
    done = VERBS[verb](mind, made)
    mind.flush()
    after = derived(mind.path)["vectors"]
    undone = mind.undo(done.journal)
    mind.flush()
    assert {v[1:] for v in before} <= {v[1:] for v in derived(mind.path)["vectors"]}
    mind.undo(undone.journal)
    mind.flush()
    assert derived(mind.path)["vectors"] == after
    assert mind.doctor().healthy


def test_an_undo_is_a_new_entry_that_names_what_it_undid(mind):
    stored = mind.remember("x")
    undone = mind.undo(stored.journal)
    newest, first = mind.journal()
    assert (newest.id, newest.verb, newest.undoes) == (undone.journal, "undo", stored.journal)
    assert first.undone_by == undone.journal
    redone = mind.undo(undone.journal)
    assert [(e.id, e.undone_by) for e in mind.journal()] == [
        (redone.journal, None), (undone.journal, redone.journal), (stored.journal, None)
    ]  # fmt: skip


def test_the_journal_knows_what_stands_however_often_it_was_turned_over(mind):
    stored = mind.remember("x")
    journal = stored.journal
    for turn_over in range(1, 12):
        journal = mind.undo(journal).journal
        entries = {e.id: e for e in mind.journal()}
        gone = mind.get(stored.id).forgotten_at is not None
        assert gone is bool(turn_over % 2)
        assert (entries[stored.journal].undone_by is not None) is gone


def test_what_was_undone_cannot_be_undone_again(mind):
    stored = mind.remember("x")
    undone = mind.undo(stored.journal)
    again = mind.undo(stored.journal)
    assert isinstance(again, Refused)
    assert again.reason is Reason.NOTHING_TO_UNDO
    assert undone.journal in again.message


def test_an_unknown_entry_is_not_found(mind):
    with pytest.raises(NotFound, match="journal"):
        mind.undo(NOBODY)
    with pytest.raises(InvalidInput, match="journal"):
        mind.undo("yesterday")


RESTING = {
    "a revision": lambda m, w: [m.revise(w.id, "b")],
    "a patch and a patch on it": lambda m, w: [m.append(w.id, "b"), m.append(w.id, "c")],
    "a branch": lambda m, w: [m.branch(w.id, "b")],
    "a classification": lambda m, w: [m.classify(w.id, importance="critical")],
    "a tag": lambda m, w: [m.classify(w.id, add_tags=["t"])],
    "more evidence": lambda m, _: [m.remember("a")],
    "an edge": lambda m, w: [m.link(w.id, "relates_to", m.remember("other").id)],
    "an edge towards it": lambda m, w: [m.link(m.remember("other").id, "caused_by", w.id)],
    "evidence for another": lambda m, w: [m.remember("other", evidence=w.frame)],
    "it was forgotten": lambda m, w: [m.forget(w.id)],
}


@pytest.mark.parametrize("what", RESTING)
def test_what_rests_on_an_entry_blocks_it_newest_first_and_goes_with_it_by_cascade(mind, what):
    before = seen(mind.path)
    stored = mind.remember("a")
    resting = RESTING[what](mind, stored)
    blocked = mind.undo(stored.journal)
    assert isinstance(blocked, Refused)
    assert blocked.reason is Reason.BLOCKED
    assert blocked.blocked_by == tuple(r.journal for r in reversed(resting))
    assert mind.history(stored.id).versions[-1].verb != "undo"
    undone = mind.undo(stored.journal, cascade=True)
    assert isinstance(undone, Undone)
    assert undone.undone == (*blocked.blocked_by, stored.journal)
    others = {i for i, n in seen(mind.path, before.frames).nodes.items() if n[0] == "memory"}
    assert len(others) == (1 if what in {"an edge", "an edge towards it"} else 0)
    assert mind.doctor().healthy


def test_turns_that_follow_block_the_turns_they_follow(mind):
    first = mind.record("chat", [turn("a")])
    second = mind.record("chat", [turn("b")])
    third = mind.record("chat", [turn("c")])
    assert mind.undo(first.journal).blocked_by == (third.journal, second.journal)
    assert mind.undo(second.journal).blocked_by == (third.journal,)
    assert mind.undo(second.journal, cascade=True).undone == (third.journal, second.journal)
    assert mind.get(first.conversation).turns == first.added


def test_a_late_turn_rests_on_the_turn_it_was_put_before(mind):
    mind.record("chat", [turn("a")])
    second = mind.record("chat", [turn("c")])
    late = mind.record("chat", [turn("a"), turn("b"), turn("c")])
    assert mind.undo(second.journal).blocked_by == (late.journal,)


def test_links_and_sessions_rest_on_their_earlier_states(mind):
    one, other = mind.remember("a"), mind.remember("b")
    light = mind.link(one.id, "relates_to", other.id, weight=0.2)
    heavy = mind.link(one.id, "relates_to", other.id, weight=0.8)
    assert mind.undo(light.journal).blocked_by == (heavy.journal,)
    mind.sessions.ensure("s")
    closed = mind.sessions.close("s")
    archived = mind.sessions.archive("s")
    assert mind.undo(closed.journal).blocked_by == (archived.journal,)


def test_what_was_undone_no_longer_blocks(mind):
    stored = mind.remember("a")
    mind.undo(mind.revise(stored.id, "b").journal)
    assert isinstance(mind.undo(stored.journal), Undone)


def test_what_was_done_again_blocks_again(mind):
    stored = mind.remember("a")
    revised = mind.revise(stored.id, "b")
    mind.undo(mind.undo(revised.journal).journal)
    assert mind.undo(stored.journal).blocked_by == (revised.journal,)


def test_a_newer_value_does_not_block_the_older_one(mind, clock):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    clock.advance(timedelta(days=1))
    second = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome")
    assert isinstance(mind.undo(first.journal), Undone)
    assert mind.get(second.id).current
    assert mind.history(second.id).spells[0][0] == second.id


def test_redoing_waits_for_what_was_undone_after_it(mind):
    """Done again alone, the tag-like change would bring the other one back with it."""
    stored = mind.remember("a")
    first = mind.classify(stored.id, importance="critical")
    second = mind.classify(stored.id, title="T")
    undone_second = mind.undo(second.journal)
    undone_first = mind.undo(first.journal)
    blocked = mind.undo(undone_second.journal)
    assert isinstance(blocked, Refused)
    assert blocked.blocked_by == (undone_first.journal,)
    assert (mind.get(stored.id).importance, mind.get(stored.id).title) == ("normal", None)
    mind.undo(undone_second.journal, cascade=True)
    assert (mind.get(stored.id).importance, mind.get(stored.id).title) == ("critical", "T")


@pytest.mark.parametrize("what", ["a branch", "more evidence"])
def test_what_was_done_again_since_rests_on_what_was_done_again_before(mind, what):
    stored = mind.remember("a")
    resting = RESTING[what](mind, stored)[0]
    mind.undo(stored.journal, cascade=True)
    taken = {e.undoes: e.id for e in mind.journal()}
    back = mind.undo(taken[stored.journal])
    again = mind.undo(taken[resting.journal])
    assert mind.undo(back.journal).blocked_by == (again.journal,)
    assert mind.undo(back.journal, cascade=True).undone == (again.journal, back.journal)
    assert {e.undone_by is None for e in mind.journal() if e.id in (stored.journal, resting.journal)} == {False}


def test_bringing_back_a_memory_whose_place_was_taken_is_refused(mind):
    first = mind.remember("a")
    forgotten = mind.forget(first.id)
    second = mind.remember("a")
    outcome = mind.undo(forgotten.journal)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.TAKEN
    assert second.id in outcome.message
    mind.forget(second.id)
    assert isinstance(mind.undo(forgotten.journal), Undone)
    assert mind.doctor().healthy


def test_taking_back_a_revision_whose_old_words_were_said_elsewhere_is_refused(mind):
    first = mind.remember("a")
    revised = mind.revise(first.id, "b")
    mind.remember("a")
    assert mind.undo(revised.journal).reason is Reason.TAKEN
    assert mind.get(first.id).text == "b"


def test_bringing_back_an_entity_whose_name_was_taken_is_refused(mind):
    first = mind.entity("Ann", "person")
    forgotten = mind.forget(first.id)
    second = mind.entity("Ann", "person")
    outcome = mind.undo(forgotten.journal)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.TAKEN
    assert second.id in outcome.message


def test_an_undo_that_is_refused_writes_nothing(mind):
    stored = mind.remember("a")
    mind.revise(stored.id, "b")
    before = rows(mind.path, "SELECT count(*), max(at) FROM journal")
    mind.undo(stored.journal)
    assert rows(mind.path, "SELECT count(*), max(at) FROM journal") == before


def test_a_hundred_changes_undone_newest_first_leave_the_first_state(mind, clock):
    stored = mind.remember("a")
    before = seen(mind.path)
    journals = []
    for n in range(25):
        clock.advance(timedelta(minutes=1))
        journals += [
            mind.revise(stored.id, f"a{n}").journal, mind.append(stored.id, f"b{n}").journal,
            mind.classify(stored.id, title=f"t{n}").journal, mind.classify(stored.id, add_tags=[f"g{n}"]).journal,
        ]  # fmt: skip
    for journal in reversed(journals):
        assert isinstance(mind.undo(journal), Undone)
    assert seen(mind.path, before.frames) == before
    assert mind.doctor().healthy


def test_a_long_recording_is_undone_in_time(mind):
    conversation = mind.record("chat", [turn("a")]).conversation
    recorded = mind.record("chat", [turn(str(n)) for n in range(1000)])
    assert isinstance(mind.undo(recorded.journal), Undone)
    assert len(mind.get(conversation).turns) == 1
    assert mind.doctor().healthy
