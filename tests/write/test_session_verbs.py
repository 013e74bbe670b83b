"""The verbs of sessions: ensure, ensure_active, close, archive, list."""

from datetime import UTC, datetime, timedelta

import pytest

from noosphere import InvalidInput, NotFound, Reason, Refused, SessionChanged, Turn


def test_a_session_is_started_once(mind):
    first = mind.sessions.ensure("monday", project="apollo", title="Stand-up")
    again = mind.sessions.ensure("monday", project="other", title="other")
    assert first == again
    assert (first.key, first.project, first.title, first.status, first.frames) == (
        "monday", "apollo", "Stand-up", "active", 0
    )  # fmt: skip
    assert first.started_at == datetime(2026, 5, 14, 9, tzinfo=UTC)
    assert mind.stats().sessions == 1


def test_the_ongoing_session_is_kept_for_six_hours(mind, clock):
    first = mind.sessions.ensure_active()
    clock.advance(timedelta(hours=5))
    stored = mind.remember("x")
    assert stored.session == first.id
    clock.advance(timedelta(hours=5))
    assert mind.sessions.ensure_active().id == first.id
    clock.advance(timedelta(hours=2))
    assert mind.sessions.ensure_active().id != first.id


@pytest.mark.parametrize(("verb", "status"), [("close", "closed"), ("archive", "archived")])
def test_a_session_ends_by_key_or_by_id(mind, verb, status):
    for name in ("key", "id"):
        session = mind.sessions.ensure(f"s-{name}")
        outcome = getattr(mind.sessions, verb)(getattr(session, name))
        assert isinstance(outcome, SessionChanged)
        assert (outcome.session, outcome.status) == (session.id, status)
        assert mind.journal(1)[0].target == session.id


def test_ending_a_session_twice_changes_nothing(mind):
    mind.sessions.ensure("s")
    mind.sessions.close("s")
    again = mind.sessions.close("s")
    assert isinstance(again, Refused)
    assert again.reason is Reason.UNCHANGED
    assert isinstance(mind.sessions.archive("s"), SessionChanged)


def test_a_closed_session_is_not_the_ongoing_one(mind):
    first = mind.remember("x")
    mind.sessions.close(first.session)
    assert mind.remember("y").session != first.session


def test_the_newest_sessions_are_listed_first_with_their_counts(mind, clock):
    for day in range(3):
        clock.advance(timedelta(days=1))
        mind.remember(f"note {day}", session=f"day {day}")
        mind.remember(f"more {day}", session=f"day {day}")
    found = mind.sessions.list()
    assert [(s.key, s.frames) for s in found] == [("day 2", 2), ("day 1", 2), ("day 0", 2)]
    assert all(s.last_at >= s.started_at for s in found)
    assert [s.key for s in mind.sessions.list(limit=1)] == ["day 2"]


def test_an_imported_session_began_when_it_was_said(mind):
    mind.record("chat", [Turn(key="a", speaker="Ann", text="x", at="2020-02-02T08:00:00Z", session="old")])
    assert mind.sessions.list()[0].started_at == datetime(2020, 2, 2, 8, tzinfo=UTC)


def test_an_unknown_session_is_not_found(mind):
    for verb in (mind.sessions.close, mind.sessions.archive):
        for name in ("nobody", "01890a5d-ac96-774b-bcce-b302099a8057"):
            with pytest.raises(NotFound, match="session"):
                verb(name)


@pytest.mark.parametrize("key", ["", "  ", None, 5, b"x", []])
def test_a_session_needs_a_key(mind, key):
    with pytest.raises(InvalidInput, match="session"):
        mind.sessions.ensure(key)


@pytest.mark.parametrize("limit", [0, -1, 10_001, "3", 1.5, None, True])
def test_a_list_has_a_sensible_length(mind, limit):
    with pytest.raises(InvalidInput, match="limit"):
        mind.sessions.list(limit)
