"""Messages speak of commands and options to who types, and of verbs and arguments to who programs."""

import pytest

from noosphere.serve.cli.wording import in_commands
from noosphere.serve.verbs.table import VERBS


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("List them with sessions.list()", "List them with `noosphere session list`"),
        ("Look for its name with search_entities()", "Look for its name with `noosphere search-entities`"),
        ("Take one from an outcome or from journal()", "Take one from an outcome or from `noosphere journal`"),
        ("undo them first, or pass cascade=True", "undo them first, or pass --cascade"),
        ("Check it, or open it with create=True", "Check it; a command that stores something makes one"),
        ("Take the slot away too: slot=None", "Take the slot away too: --clear slot"),
        ('Name the slot too: slot="subject.attribute"', "Name the slot too: --slot subject.attribute"),
        ("Say what it is (src_type, dst_type) to make it", "Say what it is (--src-type, --dst-type) to make it"),
        ("lies before valid_from", "lies before --from"),
        ("nothing() knows some_thing", "nothing() knows some_thing"),
        ("/home/ann/src_type/x", "/home/ann/src_type/x"),
    ],
)
def test_verbs_and_arguments_become_commands_and_options(said, shown):
    options = {"src_type": "--src-type", "dst_type": "--dst-type", "valid_from": "--from"}
    assert in_commands(said, options) == shown


def test_every_verb_that_has_a_command_is_told_as_one():
    for verb in VERBS:
        name = verb.python.partition(".")[2]
        if isinstance(verb.cli, str):
            assert in_commands(f"See {name}()").startswith("See `noosphere ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("journal --limit 0", "noosphere: --limit: "),
        ("session close nothing", "`noosphere session list`"),
        ("awareness done 01890a5d-ac96-774b-bcce-b302099a8057", "`noosphere awareness list`"),
        ("relate Ann leads Heron", "--src-type, --dst-type"),
        ("relate Ann leads Heron --src-type person --dst-type project --from 2026 --to 2025", "--to: "),
        ("neighbours nobody", "`noosphere search-entities`"),
        ("remember x --value y", "--slot subject.attribute"),
        ("remember x --valid-from 2026 --valid-to 2025", "lies before --valid-from"),
        ("recall x --as-of yesterdayish", "--as-of: "),
    ],
)
def test_an_error_names_what_was_typed(cli, words, said):
    answer = cli(*words.split())
    assert answer.code in (1, 2)
    assert said in answer.err
    assert "()" not in answer.err


def test_a_mind_that_is_here_already_can_come_in_as_a_fork(cli, tmp_path):
    cli("workspace", "create", "acme")
    cli("remember", "The kettle is blue", "--mind", "acme")
    cli("backup", tmp_path / "acme.db", "--mind", "acme")
    refused = cli("workspace", "import", tmp_path / "acme.db", "again")
    assert "--fork" in refused.err
    assert cli("workspace", "import", tmp_path / "acme.db", "again", "--fork").code == 0


def test_a_mind_that_must_be_named_is_named_by_its_option(cli):
    cli("workspace", "create", "acme")
    assert cli("remember", "The kettle is blue").err.startswith("noosphere: --mind: is needed")
    assert cli("workspace", "archive", "a b").err.startswith("noosphere: id: 'a b' is not a name")


def test_values_are_shown_in_words_and_tables_without_rows_are_not(cli, tmp_path):
    cli("remember", "The kettle is blue")
    told = cli("status").out
    assert "autolink         yes" in told
    assert "cross_model      none" in told
    assert not any(word in told for word in ("None", "True", "False"))
    assert " 0" not in next(
        line for line in cli("export", tmp_path / "m.jsonl").out.splitlines() if line.startswith("  rows")
    )
