"""What the engine says of its verbs is said in the words of the door it goes out by."""

import pytest

from noosphere.errors import InvalidInput, NotFound, StorageError
from noosphere.model.outcome import Refused
from noosphere.serve.cli.wording import failure_in_commands
from noosphere.serve.verbs.call import document
from noosphere.serve.verbs.table import VERBS
from noosphere.serve.verbs.wording import failure_in_json, in_json, with_verbs

SAID = "List them with sessions.list(), or pass cascade=True, or slot=None; nothing() knows"


@pytest.mark.parametrize(
    ("door", "told"),
    [
        ("rest", "List them with `GET /api/sessions`, or pass cascade: true, or slot: null; nothing() knows"),
        ("mcp", "List them with `noosphere session list`, or pass cascade: true, or slot: null; nothing() knows"),
    ],
)
def test_verbs_become_routes_or_tools_and_arguments_become_json(door, told):
    assert in_json(SAID, door) == told


@pytest.mark.parametrize("door", ["cli", "rest", "mcp"])
def test_every_verb_that_a_door_offers_is_named_as_it_offers_it(door):
    for verb in VERBS:
        name = verb.python.partition(".")[2]
        cell = {"cli": verb.cli, "rest": verb.rest, "mcp": verb.tool}[door]
        said = with_verbs(f"See {name}()", door)
        reached = isinstance(cell, str) or (door == "mcp" and isinstance(verb.cli, str))
        assert (said != f"See {name}()") is reached, verb.name


def test_a_refusal_goes_out_in_the_words_of_its_door():
    refused = Refused(reason="blocked", message="undo them first, or pass cascade=True")
    assert document(refused, "rest")["message"] == "undo them first, or pass cascade: true"
    assert document(refused)["message"] == "undo them first, or pass cascade=True"


TYPED = ("ask journal() first", "it's journal() or 'forget()'", 'he said "cascade=True"', "dst_type=None", "x " * 200)


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("door", ["cli", "rest", "mcp"])
def test_what_a_message_quotes_stays_word_for_word_whatever_it_looks_like(door, typed):
    def told(error):
        return failure_in_commands(error, {"dst_type": "--dst-type"}) if door == "cli" else failure_in_json(error, door)

    invalid = InvalidInput("when", f"{typed!r:.80} is no time", "List them with journal()")
    assert f"{typed!r:.80}" in told(invalid)
    unknown = NotFound("entity", typed, "Pass cascade=True")
    said = str(unknown).removesuffix("Pass cascade=True")
    assert told(unknown) == said + {"cli": "Pass --cascade"}.get(door, "Pass cascade: true")
    place = StorageError(f"home/{typed}", "is no file", "Pass cascade=True")
    assert told(place).startswith(str(place).removesuffix("Pass cascade=True"))
    assert told(place).endswith("--cascade" if door == "cli" else ": true")


def test_a_refusal_keeps_the_name_that_was_given():
    refused = Refused(reason="gate", message="'journal() notes' has no cascade; see journal()")
    told = document(refused, "rest")["message"]
    assert told == "'journal() notes' has no cascade; see `GET /api/journal`"
