"""Valid time and known time: what is true, was true, was believed; and ends that come by themselves."""

from datetime import UTC, datetime, timedelta

import pytest

from noosphere import Superseded
from observed import seen


def day(month, number=1, year=2026):
    return datetime(year, month, number, 12, tzinfo=UTC)


@pytest.fixture
def moved(mind, clock):
    """Berlin in January, Lisbon in March; in April it turned out that the move was in February."""
    clock.set(day(1))
    berlin = mind.remember("I live in Berlin", slot="user.home_city", value="Berlin")
    clock.set(day(3))
    lisbon = mind.remember("I moved to Lisbon", slot="user.home_city", value="Lisbon")
    assert isinstance(lisbon, Superseded)
    clock.set(day(4))
    mind.classify(lisbon.id, valid_from=day(2))
    clock.set(day(5))
    return {berlin.id: "Berlin", lisbon.id: "Lisbon"}


def where(mind, moved, **view):
    return [moved[h.id] for h in mind.rank("where do I live, Berlin or Lisbon", **view)]


def test_the_present_knows_only_the_present(mind, moved):
    assert where(mind, moved) == ["Lisbon"]


def test_the_past_is_shown_with_its_dates_when_it_is_asked_for(mind, moved):
    hits = {moved[h.id]: h for h in mind.rank("where do I live, Berlin or Lisbon", include_past=True)}
    assert {k: h.current for k, h in hits.items()} == {"Berlin": False, "Lisbon": True}
    assert hits["Berlin"].dates.valid_to == day(2)
    assert "no longer true since 2026-02-01" in mind.recall("live in Berlin", include_past=True).text
    assert "no longer true" not in mind.recall("live in Lisbon").text


def test_the_history_of_either_shows_both(mind, moved):
    for node in moved:
        assert [moved[s[0]] for s in mind.history(node).spells] == ["Berlin", "Lisbon"]


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        (day(12, year=2025), []),
        (day(1, 15), ["Berlin"]),
        (day(2, 15), ["Lisbon"]),  # believed now to have been so
        ("2026-01", ["Berlin"]),
        ("2026", ["Lisbon"]),
        (day(3, 15), ["Lisbon"]),
        (day(6, year=2040), ["Lisbon"]),
    ],
)
def test_what_we_believe_now_was_true_then(mind, moved, as_of, expected):
    assert where(mind, moved, as_of=as_of) == expected


@pytest.mark.parametrize(
    ("known_at", "expected"),
    [
        (day(12, year=2025), []),
        (day(1, 15), ["Berlin"]),
        (day(2, 15), ["Berlin"]),  # nobody had told us yet
        (day(3, 15), ["Lisbon"]),
        (day(4, 15), ["Lisbon"]),
    ],
)
def test_what_we_believed_then(mind, moved, known_at, expected):
    assert where(mind, moved, known_at=known_at) == expected


@pytest.mark.parametrize(
    ("as_of", "known_at", "expected"),
    [
        (day(1, 15), day(3, 15), ["Berlin"]),
        (day(2, 15), day(2, 20), ["Berlin"]),
        (day(2, 15), day(3, 15), ["Berlin"]),  # in March we thought that February was still Berlin
        (day(2, 15), day(4, 15), ["Lisbon"]),  # in April we knew better
        (day(3, 15), day(2, 15), ["Berlin"]),  # in February we expected to stay
        (day(3, 15), day(3, 20), ["Lisbon"]),
        (day(1, 15), day(12, year=2025), []),
    ],
)
def test_what_we_believed_then_about_another_time(mind, moved, as_of, known_at, expected):
    assert where(mind, moved, as_of=as_of, known_at=known_at) == expected


def test_a_belief_about_words_goes_back_to_the_words_of_that_time(mind, clock):
    clock.set(day(1))
    stored = mind.remember("the meeting room is Zephyr")
    clock.set(day(2))
    mind.revise(stored.id, "the meeting room is Quill")
    clock.set(day(3))
    assert [h.text for h in mind.rank("meeting room", known_at=day(1, 15))] == ["the meeting room is Zephyr"]
    assert [h.text for h in mind.rank("meeting room", known_at=day(2, 15))] == ["the meeting room is Quill"]
    assert [h.text for h in mind.rank("meeting room", as_of=day(1, 15))] == ["the meeting room is Quill"]
    assert mind.rank("Zephyr", known_at=day(2, 15)) == []


def test_a_belief_about_the_description_goes_back_too(mind, clock):
    clock.set(day(1))
    stored = mind.remember("a plan", importance="normal", title="First")
    clock.set(day(2))
    mind.classify(stored.id, importance="critical", title="Second")
    clock.set(day(3))
    then = mind.rank("plan", known_at=day(1, 15))[0]
    assert (then.importance, then.title) == ("normal", "First")
    assert mind.rank("plan", known_at=day(1, 15), filters={"importance": "critical"}) == []
    assert [h.importance for h in mind.rank("plan", known_at=day(2, 15))] == ["critical"]


def test_what_was_archived_later_was_believed_before(mind, clock):
    clock.set(day(1))
    stored = mind.remember("a plan")
    clock.set(day(2))
    mind.set_status(stored.id, "archived")
    clock.set(day(3))
    assert mind.rank("plan") == []
    assert [h.id for h in mind.rank("plan", known_at=day(1, 15))] == [stored.id]


def test_what_was_undone_was_believed_for_a_while(mind, clock):
    clock.set(day(1))
    stored = mind.remember("the sky is blue")
    clock.set(day(2))
    revised = mind.revise(stored.id, "the sky is green")
    clock.set(day(3))
    mind.undo(revised.journal)
    clock.set(day(4))
    words = {m: [h.text for h in mind.rank("sky", known_at=day(m, 15))] for m in (1, 2, 3)}
    assert words == {1: ["the sky is blue"], 2: ["the sky is green"], 3: ["the sky is blue"]}


def test_turns_after_the_time_asked_about_are_left_out(mind, clock):
    from noosphere import Turn

    clock.set(day(6))
    mind.record("chat", [Turn(key=str(m), speaker="Ann", text=f"topic in month {m}", at=day(m)) for m in (1, 2, 3)])
    assert {h.turn_key for h in mind.rank("topic", as_of=day(2, 15))} == {"1", "2"}
    assert mind.rank("topic", known_at=day(2, 15)) == []


def test_until_friday_passes_by_itself(mind, clock):
    stored = mind.remember("the shop is closed", valid_to="2026-05-15")
    assert [h.id for h in mind.rank("shop")] == [stored.id]
    before = seen(mind.path)
    clock.set(datetime(2026, 5, 15, tzinfo=UTC))
    assert mind.rank("shop") == []
    assert not mind.get(stored.id).current
    assert seen(mind.path) == before, "reads never write"
    assert mind.doctor().healthy, "what the next write will move is not amiss"
    other = mind.remember("another note")
    after = seen(mind.path)
    assert (len(after.now), len(after.past)) == (1, 1)
    assert mind.rank("shop") == []
    assert [h.current for h in mind.rank("shop", include_past=True)] == [False]
    assert mind.get(other.id).current


def test_a_refused_or_empty_write_moves_what_has_ended_too(mind, clock):
    mind.remember("the shop is closed", valid_to="2026-05-15")
    clock.set(datetime(2026, 5, 16, tzinfo=UTC))
    mind.sessions.ensure("s")
    assert len(seen(mind.path).past) == 1


def test_the_end_of_one_value_is_not_the_start_of_the_old_one(mind, clock):
    """ "In Rome until June": afterwards nobody knows where."""
    mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", valid_from="2025")
    mind.remember("Ann is in Rome until June", slot="ann.home_city", value="Rome", valid_from="2026-05-01",
                  valid_to="2026-06-01")  # fmt: skip
    clock.set(day(7))
    assert mind.rank("Ann Berlin Rome") == []
    mind.remember("a write")
    assert mind.rank("Ann Berlin Rome") == []
    assert mind.doctor().healthy


def test_a_value_of_the_future_waits_and_comes_by_itself(mind, clock):
    now = mind.remember("Ann works at Zephyrine", slot="ann.employer", value="Zephyrine")
    later = mind.remember("Ann joins Quill in June", slot="ann.employer", value="Quill", valid_from="2026-06-01")
    assert [h.id for h in mind.rank("Ann works joins")] == [now.id]
    assert [h.id for h in mind.rank("Ann works joins", as_of="2026-07")] == [later.id]
    clock.set(day(6, 2))
    assert [h.id for h in mind.rank("Ann works joins")] == [later.id]
    mind.remember("a write")
    assert [h.id for h in mind.rank("Ann works joins")] == [later.id]
    assert mind.doctor().healthy


def test_an_event_of_the_future_is_visible_as_a_plan(mind):
    stored = mind.remember("the dentist is on 3 June", role="event", occurred="2026-06-03")
    assert [h.id for h in mind.rank("dentist")] == [stored.id]


def test_a_statement_for_later_is_not_true_yet(mind, clock):
    stored = mind.remember("the new rules hold", valid_from="2026-06-01")
    assert mind.rank("rules") == []
    clock.set(day(6, 2))
    assert [h.id for h in mind.rank("rules")] == [stored.id]


def test_a_clock_set_back_hides_nothing_and_reorders_nothing(mind, clock):
    first = mind.remember("first note")
    clock.advance(timedelta(days=-10))
    second = mind.remember("second note")
    revised = mind.revise(first.id, "first note again")
    assert {h.id for h in mind.rank("note")} == {first.id, second.id}
    versions = mind.history(first.id).versions
    assert versions[0].known_from < versions[1].known_from
    at = [e.at for e in mind.journal()]
    assert at == sorted(at, reverse=True)
    assert len(set(at)) == 3
    assert mind.journal(1)[0].id == revised.journal
    assert mind.doctor().healthy


def test_a_clock_set_back_does_not_revive_what_has_ended(mind, clock):
    mind.remember("the shop is closed", valid_to="2026-05-15")
    clock.set(datetime(2026, 5, 16, tzinfo=UTC))
    mind.remember("a write")
    clock.set(datetime(2026, 5, 14, 12, tzinfo=UTC))
    assert mind.rank("shop") == []
    assert mind.doctor().healthy
    mind.remember("another write")
    assert mind.doctor(fix=True).healthy
    assert mind.rank("shop") == []


def test_the_reader_may_have_a_present_of_its_own(mind):
    stored = mind.remember("the sale", valid_from="2026-06-01", valid_to="2026-07-01")
    assert mind.rank("sale") == []
    assert [h.id for h in mind.rank("sale", now="2026-06-10")] == [stored.id]
    assert mind.rank("sale", now="2026-08-01") == []


def test_spells_meet_without_gap_or_overlap(mind, clock):
    for month, city in enumerate(("Berlin", "Lisbon", "Rome", "Oslo"), start=1):
        clock.set(day(month))
        mind.remember(f"I live in {city}", slot="user.home_city", value=city)
    spells = mind.history(mind.rank("I live in")[0].id).spells
    assert [s[1] for s in spells] == [day(m) for m in (1, 2, 3, 4)]
    assert [s[2] for s in spells] == [day(m) for m in (2, 3, 4)] + [None]


def test_a_value_can_come_back_after_another(mind, clock):
    for month, city in enumerate(("Berlin", "Lisbon", "Berlin"), start=1):
        clock.set(day(month))
        mind.remember(f"I live in {city}", slot="user.home_city", value=city)
    assert mind.stats().memories == 3
    assert [h.value for h in mind.rank("I live in")] == ["Berlin"]
    assert [h.value for h in mind.rank("I live in", as_of=day(2, 15))] == ["Lisbon"]
