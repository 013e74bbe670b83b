"""Learning in a home: each sentence goes to the mind where it belongs, with the turn as evidence."""

import pytest

from noosphere import InvalidInput, NotFound, ReadOnlyMind, open_mind
from noosphere.model.exchange import Exchange

SAID = Exchange(
    user="Let's go with Kafka for the event stream. I prefer short answers. No, that's wrong, the port is 5433.",
    assistant="The root cause was a stale DNS record.",
    key="1",
    session="monday",
)
OWN = {"I prefer short answers.", "No, that's wrong, the port is 5433."}
WORK = {"Let's go with Kafka for the event stream.", "The root cause was a stale DNS record."}


def texts(noosphere, name):
    with noosphere.mind(name) as mind:
        return {hop.text for hop in mind.list_recent(50)}


def test_with_a_workspace_what_is_about_the_user_goes_to_the_personal_mind_and_the_rest_to_the_workspace(noosphere):
    noosphere.workspaces.create("acme")
    report = noosphere.cognify(SAID, mind="acme")
    assert texts(noosphere, "acme") == WORK
    assert texts(noosphere, "personal") == OWN
    assert [one.text for one in report.learnt if one.target == "personal"] == sorted(OWN, key=SAID.user.index)
    with noosphere.mind("acme") as work, noosphere.personal() as own:
        assert {one.mind for one in report.learnt if one.target == "personal"} == {own.uuid}
        assert {one.mind for one in report.learnt if one.target == "workspace"} == {work.uuid}
        assert (work.stats().turns, own.stats().turns) == (2, 0)
        for one in report.learnt:
            holder = own if one.target == "personal" else work
            evidence = holder.get(one.id).evidence[0]
            assert evidence.frame == one.evidence
            assert evidence.mind in ({work.uuid} if holder is own else {None, work.uuid})
            assert one.text in work.get(one.evidence).text


def test_told_again_it_adds_nothing_anywhere(noosphere):
    noosphere.workspaces.create("acme")
    first = noosphere.cognify(SAID, mind="acme")
    again = noosphere.cognify(SAID, mind="acme")
    assert {one.outcome for one in again.learnt} == {"duplicate"}
    assert [one.id for one in again.learnt] == [one.id for one in first.learnt]
    assert (texts(noosphere, "acme"), texts(noosphere, "personal")) == (WORK, OWN)


def test_without_a_workspace_all_belongs_to_the_personal_mind(noosphere):
    report = noosphere.cognify(SAID)
    assert texts(noosphere, "personal") == OWN | WORK
    assert {one.target for one in report.learnt} == {"personal"}
    noosphere.workspaces.create("acme")
    with pytest.raises(InvalidInput, match="Name one of: acme, personal"):
        noosphere.cognify(SAID)


def test_a_workspace_that_says_it_is_not_open_keeps_the_turns_alone(noosphere):
    noosphere.workspaces.create("acme")
    noosphere.cognify({"user": "Let's go with Kafka.", "workspace": False}, mind="acme")
    assert texts(noosphere, "acme") == set()
    assert texts(noosphere, "personal") == {"Let's go with Kafka."}


def test_a_name_that_is_none_or_archived_learns_nothing(noosphere):
    noosphere.workspaces.create("acme")
    noosphere.workspaces.archive("acme")
    for name, error in (("acne", NotFound), ("../x", InvalidInput), ("acme", ReadOnlyMind)):
        with pytest.raises(error):
            noosphere.cognify(SAID, mind=name)
    assert texts(noosphere, "personal") == set()


def test_a_mind_opened_alone_learns_everything_itself(tmp_path):
    with open_mind(tmp_path / "alone.db") as mind:
        mind.cognify(SAID)
        assert {hop.text for hop in mind.list_recent(50)} == OWN | WORK
