"""Which mind a command works on: what changes one names it as soon as there are several."""

import pytest

ID = "01890a5d-ac96-774b-bcce-b302099a8057"
CHANGES = [
    ("remember", "x"),
    ("record", "talk"),
    ("revise", ID, "x"),
    ("append", ID, "x"),
    ("branch", ID, "x"),
    ("classify", ID, "--title", "x"),
    ("set-status", ID, "canonical"),
    ("link", ID, "relates_to", ID),
    ("unlink", ID),
    ("entity", "x", "--type", "person"),
    ("forget", ID),
    ("undo", ID),
    ("purge", ID, "--yes"),
    ("cognify", "--user", "I prefer tea."),
    ("identity", "set", "--name", "x"),
    ("identity", "clear", "name"),
    ("awareness", "add", "x"),
    ("awareness", "done", ID),
    ("mastery", "answer", "x", "--correct"),
    ("signals", "surfaced", ID),
    ("traces", "record", "x", "--step", "y"),
    ("traces", "outcome", ID, "failed"),
    ("procedures", "record", "x", "--step", "y"),
    ("procedures", "outcome", "x", "failed"),
    ("session", "ensure", "x"),
    ("session", "close", "x"),
    ("harvest", "."),
    ("harvest", "dismiss", ID),
    ("review", "release", ID),
    ("flush",),
    ("doctor", "--fix"),
    ("upkeep", "run", "prune"),
    ("model", "reembed"),
]


@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
def test_a_change_that_names_no_mind_is_wrong_usage_when_there_are_several(cli, words):
    cli("workspace", "create", "acme")
    found = cli(*words, "--json", stdin='{"key": "1", "speaker": "Ann", "text": "x"}\n')
    assert found.code == 2
    assert "Name one of: acme, personal" in found.error["message"]
    for mind in ("acme", "personal"):
        assert cli("stats", "--mind", mind, "--json").document["memories"] == 0


def test_a_mind_that_is_named_anywhere_is_enough(cli, monkeypatch):
    cli("workspace", "create", "acme")
    assert cli("remember", "the kiln is hot", "--mind", "acme").code == 0
    monkeypatch.setenv("NOOSPHERE_MIND", "acme")
    assert cli("remember", "the kiln is cold").code == 0
    assert cli("stats", "--json").document["memories"] == 2


def test_reading_needs_no_name(cli):
    cli("remember", "the kiln is hot")
    cli("workspace", "create", "acme")
    assert cli("recall", "kiln", "--json").document["hits"]
    assert cli("journal", "--json").code == 0


def test_a_mistyped_name_is_told_with_the_near_ones(cli):
    cli("workspace", "create", "acme")
    for words in (("remember", "x"), ("recall", "x"), ("cognify", "--user", "x")):
        found = cli(*words, "--mind", "acne", "--json")
        assert found.code in (1, 2)
        assert "Did you mean acme" in found.error["message"]


def test_a_workspace_that_nothing_was_stored_in_reads_as_empty(cli):
    cli("workspace", "create", "acme")
    assert cli("stats", "--mind", "acme", "--json").document["memories"] == 0
    assert cli("recall", "x", "--mind", "acme", "--json").code == 1
