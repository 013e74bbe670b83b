"""What could be done better stands before a prompt until a turn succeeded that had it there."""

import pytest

from noosphere.testing.minds import scratch_noosphere

WISH = "I wish you could export this to PDF."
WRONG = "No, that's wrong: the port is 5433."
THANKS = {"user": "Thanks.", "assistant": "You are welcome."}


def waiting(noosphere, name="personal"):
    with noosphere.mind(name) as mind:
        return [one.text for one in mind.signals()]


def test_a_signal_stands_in_the_context_until_a_turn_succeeds(noosphere):
    noosphere.cognify({"user": WISH})
    for _ in range(2):
        found = noosphere.context("pdf")
        assert f"What could be done better:\n- [capability gap] {WISH}" in found.text
        assert [one.text for one in found.signals] == [WISH]
    noosphere.cognify(THANKS)
    assert "could be done better" not in noosphere.context("pdf").text
    with noosphere.mind() as mind:
        assert [one.surfaced_at is None for one in mind.signals(everything=True)] == [False]


def test_a_turn_that_was_refused_or_failed_surfaces_nothing(tmp_path):
    with scratch_noosphere(tmp_path / "home", secrets="refuse") as noosphere:
        noosphere.cognify({"user": WISH})
        noosphere.context()
        with pytest.raises(ValueError, match="says nothing"):
            noosphere.cognify({"user": " "})
        assert waiting(noosphere) == [WISH]


def test_what_no_context_showed_is_not_surfaced(noosphere):
    noosphere.cognify({"user": WISH})
    noosphere.cognify(THANKS)
    noosphere.context("pdf", recall=False)
    noosphere.cognify(THANKS)
    assert waiting(noosphere) == [WISH]


def test_what_is_heard_in_the_turn_itself_waits_for_the_next(noosphere):
    noosphere.context()
    noosphere.cognify({"user": WISH})
    assert waiting(noosphere) == [WISH]


def test_signals_of_a_workspace_are_kept_and_surfaced_there(noosphere):
    noosphere.workspaces.create("acme")
    noosphere.cognify({"user": f"{WRONG} {WISH}"}, mind="acme")
    assert waiting(noosphere) == []
    assert sorted(waiting(noosphere, "acme")) == [WISH, WRONG]
    noosphere.context(minds=["acme", "personal"])
    noosphere.cognify(THANKS, mind="personal")
    assert waiting(noosphere, "acme") == []


def test_what_was_purged_archived_or_deleted_since_hinders_no_turn(noosphere):
    for name in ("acme", "zenith"):
        noosphere.workspaces.create(name)
        noosphere.cognify({"user": WISH}, mind=name)
    turn = noosphere.cognify({"user": WRONG}, mind="personal").turns[0]
    assert len(noosphere.context(minds="all").signals) == 3
    with noosphere.changing("personal") as mind:
        mind.purge(turn)
    noosphere.workspaces.archive("acme")
    noosphere.workspaces.delete("zenith")
    noosphere.cognify(THANKS, mind="personal")
    assert waiting(noosphere, "acme") == [WISH]


def test_a_mind_of_its_own_file_surfaces_its_own(tmp_path):
    with scratch_noosphere(tmp_path / "home", mind=str(tmp_path / "own.db")) as noosphere:
        noosphere.cognify({"user": WISH})
        with noosphere.mind() as mind:
            assert len(noosphere.context(minds=None).signals) == 1
            noosphere.cognify(THANKS)
            assert mind.signals() == []


def test_only_what_had_room_is_surfaced(noosphere):
    for number in range(4):
        noosphere.cognify({"user": f"I wish you could export drawing {number} {'x' * 300} to PDF."})
    found = noosphere.context(budget=600)
    assert 0 < len(found.signals) < 4
    assert found.left_out["signals"] == 4 - len(found.signals)
    noosphere.cognify(THANKS)
    assert len(waiting(noosphere)) == 4 - len(found.signals)
