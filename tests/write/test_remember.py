"""remember: stored, known already, superseding, or refused; verbatim, once, and with everything that was said of it."""

from datetime import UTC, date, datetime, timedelta

import pytest

from noosphere import Draft, Duplicate, InvalidInput, NotFound, Reason, Refused, Stored, Superseded
from noosphere.testing.minds import scratch_mind
from noosphere.write.parse import MAX_TEXT
from noosphere.write.remember import remember


def test_a_text_is_kept_verbatim_but_for_the_space_around_it(mind):
    stored = mind.remember("  We moved\n\n pricing to  per-seat\t")
    assert isinstance(stored, Stored)
    assert mind.get(stored.id).text == "We moved\n\n pricing to  per-seat"


def test_everything_said_of_a_memory_comes_back(mind):
    stored = mind.remember(
        "We moved pricing to per-seat",
        role="decision", kind="episodic", importance="critical", status="canonical", volatility="state",
        source="tool_verified", claim="verified", confidence=0.75, tags=["#pricing", "money"], title=" Pricing ",
        metadata={"b": [1, 2], "a": None}, trace_id="t-1", said_at="2026-05-10T10:00:00Z", occurred="2026-05",
        valid_from="2026-06-01", valid_to="2027", slot="plan.price", value="per seat",
    )  # fmt: skip
    memory = mind.get(stored.id)
    assert (memory.role, memory.kind, memory.importance, memory.status) == (
        "decision", "episodic", "critical", "canonical"
    )  # fmt: skip
    assert (memory.volatility, memory.source, memory.claim, memory.confidence) == (
        "state", "tool_verified", "verified", 0.75
    )  # fmt: skip
    assert (memory.tags, memory.title, memory.metadata, memory.trace_id) == (
        ("money", "pricing"), "Pricing", {"a": None, "b": [1, 2]}, "t-1"
    )  # fmt: skip
    assert (memory.subject, memory.attribute, memory.value) == ("plan", "price", "per seat")
    assert memory.said_at == datetime(2026, 5, 10, 10, tzinfo=UTC)
    assert memory.occurred == "2026-05"
    assert memory.valid_from == datetime(2026, 6, 1, tzinfo=UTC)
    assert memory.valid_from_basis == "stated"
    assert memory.valid_to == datetime(2027, 1, 1, tzinfo=UTC)
    assert (memory.version, memory.evidence_count, memory.use_count) == (1, 1, 0)
    assert (memory.id, memory.frame, memory.session) == (stored.id, stored.frame, stored.session)


def test_what_is_left_out_has_a_default(mind):
    memory = mind.get(mind.remember("plain").id)
    assert (memory.role, memory.kind, memory.status, memory.importance) == ("note", "semantic", "active", "normal")
    assert (memory.volatility, memory.source, memory.claim) == ("durable", "user_stated", "unknown")
    assert (memory.tags, memory.metadata, memory.title, memory.value, memory.occurred) == ((), {}, None, None, None)


@pytest.mark.parametrize("role", ["event", "decision", "task", "commitment", "correction"])
def test_what_happens_is_episodic(mind, role):
    assert mind.get(mind.remember("x", role=role).id).kind == "episodic"


@pytest.mark.parametrize(
    ("source", "claim"), [("tool_verified", "verified"), ("agent_inferred", "inferred"), ("import", "unknown")]
)
def test_a_claim_follows_from_the_source_when_it_is_not_given(mind, source, claim):
    assert mind.get(mind.remember("x", source=source).id).claim == claim


@pytest.mark.parametrize(
    ("about", "valid_from", "basis"),
    [
        ({}, datetime(2026, 5, 14, 9, tzinfo=UTC), "recorded"),
        ({"said_at": "2026-05-01T08:00:00Z"}, datetime(2026, 5, 1, 8, tzinfo=UTC), "said"),
        ({"said_at": "2026-05-01T08:00:00Z", "occurred": "2026-04"}, datetime(2026, 4, 1, tzinfo=UTC), "occurred"),
        ({"occurred": date(2026, 4, 3), "valid_from": "2025"}, datetime(2025, 1, 1, tzinfo=UTC), "stated"),
        ({"occurred": "2026-06-01"}, datetime(2026, 5, 14, 9, tzinfo=UTC), "recorded"),
        ({"occurred": "2026-06-01", "slot": "x.deadline"}, datetime(2026, 6, 1, tzinfo=UTC), "occurred"),
    ],
)
def test_validity_starts_when_stated_else_occurred_else_said_else_recorded(mind, about, valid_from, basis):
    memory = mind.get(mind.remember("x", **about).id)
    assert (memory.valid_from.replace(microsecond=0), memory.valid_from_basis) == (valid_from, basis)


def test_a_restated_fact_adds_evidence_instead_of_a_second_node(mind):
    first = mind.remember("Maya works at Zephyrine")
    outcomes = [mind.remember(t) for t in ("Maya works at Zephyrine", "  Maya works at Zephyrine\n")]
    assert [type(o) for o in outcomes] == [Duplicate, Duplicate]
    assert {o.id for o in outcomes} == {first.id}
    assert [o.evidence_count for o in outcomes] == [2, 3]
    assert mind.get(first.id).evidence_count == 3
    assert mind.stats().memories == 1


def test_the_same_slot_value_and_spell_is_the_same_node(mind):
    """Other words for the same value of a slot."""
    first = mind.remember("Maya works at Zephyrine", slot="maya.employer", value="Zephyrine")
    again = mind.remember("Zephyrine is where Maya works", slot="Maya.employer", value="zephyrine")
    assert isinstance(again, Duplicate)
    assert (again.id, again.evidence_count) == (first.id, 2)


def test_a_restated_past_fact_is_the_same_node_too(mind):
    about = {"slot": "ann.home_city", "value": "Berlin", "valid_from": "2020", "valid_to": "2022"}
    first = mind.remember("Ann lived in Berlin", **about)
    again = mind.remember("Ann lived in Berlin", **about)
    in_other_words = mind.remember("Berlin was Ann's home", **about)
    assert (again.id, in_other_words.id) == (first.id, first.id)
    assert in_other_words.evidence_count == 3


def test_a_duplicate_unites_tags_and_says_what_it_ignored(mind):
    first = mind.remember("water is wet", tags="one", importance="normal", title="Water")
    again = mind.remember(
        "water is wet", tags=["two", "one"], importance="critical", title="Water", metadata={"a": 1},
        evidence="https://example.org/water", said_at="2026-05-01",
    )  # fmt: skip
    assert isinstance(again, Duplicate)
    assert set(again.ignored) == {"importance", "metadata", "said_at"}
    memory = mind.get(first.id)
    assert (memory.tags, memory.importance, memory.metadata) == (("one", "two"), "normal", {})
    assert [e.uri for e in memory.evidence] == [None, "https://example.org/water"]
    assert memory.version == 1


def test_the_same_words_from_a_captured_source_are_a_duplicate_with_its_id_as_evidence(mind):
    first = mind.remember("water is wet", role="fact")
    again = mind.remember("[hm session:s src:m42] [mind-fact] water is wet")
    assert isinstance(again, Duplicate)
    assert [e.source_id for e in mind.get(first.id).evidence] == [None, "m42"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"role": "fact"}, {"role": "finding"}),
        ({"subject": "Ann"}, {"subject": "Bob"}),
        ({"occurred": "2026-05-01"}, {"occurred": "2026-05-02"}),
        ({"slot": "ann.likes"}, {"slot": "ann.uses"}),
        ({"valid_from": "2020"}, {"valid_from": "2024"}),
        ({"valid_to": "2030"}, {}),
    ],
)
def test_what_differs_in_role_subject_day_slot_or_spell_is_another_memory(mind, one, other):
    first, second = mind.remember("tea", **one), mind.remember("tea", **other)
    assert isinstance(second, Stored)
    assert first.id != second.id
    assert mind.stats().memories == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"subject": "Ann"}, {"subject": " ANN "}),
        ({"occurred": "2026-05-01"}, {"occurred": "2026-05-01T23:00:00Z"}),
        ({"importance": "normal"}, {"importance": "critical"}),
        ({"source": "user_stated"}, {"source": "import"}),
    ],
)
def test_what_differs_in_nothing_of_the_key_is_the_same_memory(mind, one, other):
    assert mind.remember("tea", **one).id == mind.remember("tea", **other).id


def test_the_day_of_an_event_is_a_day_of_the_minds_zone(tmp_path):
    with scratch_mind(tmp_path, zone="Asia/Tokyo") as mind:
        first = mind.remember("earthquake", role="event", occurred="2026-05-14T20:00:00Z")
        assert mind.remember("earthquake", role="event", occurred="2026-05-15").id == first.id
        assert mind.remember("earthquake", role="event", occurred="2026-05-14").id != first.id


def test_a_hundred_lines_that_differ_in_a_number_are_a_hundred_memories(mind):
    """A peer kept 13 of them."""
    lines = [f"widget {n} is in bin {m}" for n in range(10) for m in range(10)]
    outcomes = mind.remember_many(lines)
    assert {type(o) for o in outcomes} == {Stored}
    assert mind.stats().memories == 100


def test_an_exact_id_ranks_its_own_line_first(mind):
    """PROJ-8841 and PROJ-8814."""
    numbers = ("PROJ-8841", "PROJ-8814", "PROJ-8481", "PROJ-1884")
    mind.remember_many([f"{n} is about the login page and its other tickets" for n in numbers])
    for number in numbers:
        assert mind.rank(number)[0].text.startswith(number)


def test_near_facts_stay_current_side_by_side(mind):
    texts = [
        "benchmark ran with model A 3b", "benchmark ran with model A 7b", "Ann likes tea", "Bob likes coffee",
    ]  # fmt: skip
    outcomes = mind.remember_many(texts)
    assert {type(o) for o in outcomes} == {Stored}
    assert all(mind.get(o.id).current for o in outcomes)
    assert {h.text for h in mind.rank("benchmark model likes", k=20)} == set(texts)


def test_a_newer_value_supersedes_and_names_what_it_ended(mind, clock):
    first = mind.remember("I live in Berlin", slot="user.home_city", value="Berlin")
    clock.advance(timedelta(days=60))
    second = mind.remember("I moved to Lisbon", slot="user.home_city", value="Lisbon")
    assert isinstance(second, Superseded)
    assert second.old == (first.id,)
    old, new = mind.get(first.id), mind.get(second.id)
    assert (old.current, new.current) == (False, True)
    assert old.holds_to == new.holds_from == new.valid_from


def test_a_value_that_was_true_before_ends_nothing_that_holds_now(mind):
    now = mind.remember("I live in Lisbon", slot="user.home_city", value="Lisbon", valid_from="2024")
    before = mind.remember("I lived in Berlin", slot="user.home_city", value="Berlin", valid_from="2019")
    assert isinstance(before, Stored)
    assert mind.get(now.id).current
    assert mind.get(before.id).holds_to == datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("weak", [{"source": "agent_inferred"}, {"source": "import"}, {"status": "draft"}])
def test_a_weaker_word_retires_nothing_and_is_not_shown_beside_the_stronger_one(mind, weak):
    strong = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    other = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", **weak)
    assert isinstance(other, Stored)
    assert (mind.get(strong.id).current, mind.get(other.id).current) == (True, False)
    for past in (False, True):
        assert [h.id for h in mind.rank("where Ann lives", include_past=past)] == [strong.id]


def test_canonical_survives_contradiction(mind):
    fixed = mind.remember("Ann was born on 4 May", slot="ann.birthday", value="4 May", status="canonical")
    other = mind.remember("Ann was born on 5 May", slot="ann.birthday", value="5 May")
    assert isinstance(other, Stored)
    assert (mind.get(fixed.id).current, mind.get(other.id).current) == (True, False)


def test_equal_starts_with_different_values_are_kept_and_marked(mind):
    one = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", valid_from="2026-01-01")
    other = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", valid_from="2026-01-01")
    assert isinstance(other, Stored)
    assert mind.get(one.id).conflict
    assert mind.get(other.id).conflict
    assert {(h.id, h.conflict) for h in mind.rank("Ann lives")} == {(one.id, True), (other.id, True)}


@pytest.mark.parametrize("text", ["", "   \n\t ", "[mind-fact] ", "[hm session:s src:m]", "\0\0"])
def test_no_text_is_refused(mind, text):
    outcome = mind.remember(text)
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.EMPTY
    assert mind.stats().frames == 0


def test_too_large_a_text_is_refused_and_the_largest_is_stored(mind):
    outcome = mind.remember("x" * (MAX_TEXT + 1))
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.TOO_LARGE
    assert str(MAX_TEXT) in outcome.message
    assert mind.stats().frames == 0


@pytest.mark.parametrize("end", ["close", "archive"])
def test_a_closed_session_takes_nothing_more(mind, end):
    mind.sessions.ensure("monday")
    getattr(mind.sessions, end)("monday")
    outcome = mind.remember("late", session="monday")
    assert isinstance(outcome, Refused)
    assert outcome.reason is Reason.SESSION_CLOSED
    assert mind.stats().frames == 0


def test_a_duplicate_needs_no_open_session(mind):
    first = mind.remember("known", session="monday")
    mind.sessions.close("monday")
    assert mind.remember("known", session="monday").id == first.id


def test_a_named_session_is_started_when_it_is_not_there(mind):
    mind.remember("one", session="monday")
    mind.remember("two", session="monday")
    assert [(s.key, s.frames) for s in mind.sessions.list()] == [("monday", 2)]


def test_an_unknown_session_id_is_not_found(mind):
    with pytest.raises(NotFound, match="session"):
        mind.remember("x", session="01890a5d-ac96-774b-bcce-b302099a8057")


def test_what_is_said_within_six_hours_is_one_sitting(mind, clock):
    sessions = []
    for pause in (0, 5, 5, 7):
        clock.advance(timedelta(hours=pause))
        sessions.append(mind.remember(f"after {pause} and {len(sessions)}").session)
    assert len(set(sessions)) == 2
    assert sessions[0] == sessions[1] == sessions[2] != sessions[3]


def test_the_ongoing_session_is_the_newest_with_a_young_frame(mind, clock):
    mind.remember("1", session="older")
    mind.remember("2", session="newer")
    clock.advance(timedelta(hours=7))
    fresh = mind.remember("3", session="older")
    assert mind.remember("4").session == fresh.session


def test_each_actor_and_door_has_a_session_of_its_own(tmp_path, clock, ids):
    with (
        scratch_mind(tmp_path, clock=clock, ids=ids) as python,
        scratch_mind(tmp_path, clock=clock, ids=ids, channel="cli") as cli,
        scratch_mind(tmp_path, clock=clock, ids=ids, actor="robot") as robot,
    ):
        places = [m.remember(f"said by {n}").session for n, m in enumerate((python, cli, robot, python))]
    assert len(set(places)) == 3
    assert places[0] == places[3]


def test_another_process_writing_between_changes_nothing_of_ones_own_session(tmp_path, clock, ids):
    with scratch_mind(tmp_path, clock=clock, ids=ids) as one, scratch_mind(tmp_path, clock=clock, ids=ids) as other:
        first = one.remember("a")
        other.sessions.close(first.session)
        assert one.remember("b").session != first.session


def test_a_capture_prefix_is_parsed_into_columns(mind):
    stored = mind.remember("[hm session:talk src:m42] [mind-event] [2026-05-01] we met Ann")
    memory = mind.get(stored.id)
    assert (memory.text, memory.role, memory.occurred) == ("we met Ann", "event", "2026-05-01")
    assert [e.source_id for e in memory.evidence] == ["m42"]
    assert mind.sessions.list()[0].key == "talk"


def test_what_the_caller_says_wins_over_the_prefix(mind):
    stored = mind.remember("[mind-profile Bob] likes tea", role="fact", subject="Ann", occurred="2026-05-02")
    memory = mind.get(stored.id)
    assert (memory.role, memory.subject, memory.occurred) == ("fact", "Ann", "2026-05-02")


@pytest.mark.parametrize(
    ("given", "kept", "repair"),
    [
        ("a\0b", "ab", "removed 1 NUL character"),
        ("x\ud800y", "x\ufffdy", "replaced 1 lone surrogate by U+FFFD"),
        ("\ud83d\ude00", "😀", "joined 1 surrogate pair into the character meant"),
        ("👩🏽‍💻 שלום \u202babc\u202c", "👩🏽‍💻 שלום \u202babc\u202c", None),
    ],
)
def test_any_string_is_stored_and_repairs_are_said(mind, given, kept, repair):
    stored = mind.remember(given)
    assert mind.get(stored.id).text == kept
    assert stored.repairs == ((repair,) if repair else ())
    assert isinstance(mind.remember("the next call works"), Stored)


def test_a_line_of_a_megabyte_is_stored_and_found(mind):
    stored = mind.remember("needle " + "x" * 1_000_000)
    assert [h.id for h in mind.rank("needle")] == [stored.id]


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ("https://example.org/a", [("uri", "https://example.org/a")]),
        ("message-42", [("source_id", "message-42")]),
        ("01890a5d-ac96-774b-bcce-b302099a8057", [("frame", "01890a5d-ac96-774b-bcce-b302099a8057")]),
        ({"uri": "file:///x", "source_id": "7"}, [("uri", "file:///x")]),
        (["a:b", "c"], [("uri", "a:b"), ("source_id", "c")]),
    ],
)
def test_evidence_may_be_a_frame_a_uri_or_an_id_of_a_source(mind, evidence, expected):
    found = mind.get(mind.remember("x", evidence=evidence).id).evidence
    assert [(name, getattr(e, name)) for e, (name, _) in zip(found, expected, strict=True)] == expected


def test_without_evidence_a_memorys_own_frame_is_its_first_evidence(mind):
    stored = mind.remember("x")
    assert [e.frame for e in mind.get(stored.id).evidence] == [stored.frame]


def test_forgotten_words_that_are_said_again_are_a_new_memory(mind):
    first = mind.remember("secret plan")
    mind.forget(first.id)
    again = mind.remember("secret plan")
    assert isinstance(again, Stored)
    assert again.id != first.id


def test_an_import_never_revives_what_was_forgotten(mind):
    first = mind.remember("secret plan")
    mind.forget(first.id)
    again = remember(mind._file, [Draft(text="secret plan", source="import"), Draft(text="other")], importing=True)
    assert [type(o) for o in again] == [Refused, Stored]
    assert again[0].reason is Reason.FORGOTTEN
    said = mind.remember("secret plan")
    assert remember(mind._file, [Draft(text="secret plan")], importing=True)[0].id == said.id


def test_archived_words_that_are_said_again_are_a_new_memory(mind):
    first = mind.remember("old plan")
    mind.set_status(first.id, "archived")
    assert isinstance(mind.remember("old plan"), Stored)


def test_many_drafts_are_all_checked_before_any_is_written(mind):
    with pytest.raises(InvalidInput, match="importance"):
        mind.remember_many(["fine", Draft(text="also fine"), Draft(text="bad", importance="huge")])
    assert mind.stats().frames == 0


def test_many_drafts_keep_their_order_and_each_its_outcome(mind):
    outcomes = mind.remember_many(["one", "", "two", "one", Draft(text="three", tags=["t"])])
    assert [type(o) for o in outcomes] == [Stored, Refused, Stored, Duplicate, Stored]
    assert outcomes[3].id == outcomes[0].id


def test_more_than_a_batch_goes_into_several_transactions(mind):
    outcomes = mind.remember_many(f"line {n}" for n in range(2100))
    assert {type(o) for o in outcomes} == {Stored}
    assert mind.stats().memories == 2100
    assert len({o.journal for o in outcomes}) == 2100


def test_an_end_that_passes_while_it_is_written_is_an_end_all_the_same(mind, clock):
    mind.remember("first", said_at="2026-01-01")
    clock.set(datetime(2026, 5, 14, 8, tzinfo=UTC))
    stored = mind.remember("over", valid_to="2026-05-14T08:30:00Z")
    assert isinstance(stored, Stored)
    assert not mind.get(stored.id).current


def test_waiting_makes_a_memory_found_by_meaning_at_once(thinking):
    thinking.remember("the quick fox", wait=True)
    assert thinking.stats().pending == {}
    assert "semantic" in {lane.name for lane in thinking.rank("fox")[0].lanes}
