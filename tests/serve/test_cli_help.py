"""Help, version and completion: quick, complete, and with examples that are not out of date."""

import inspect
import re
import resource
import shlex
import statistics
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from shell import COMMAND

from noosphere import Draft, Filters, Mind, __version__
from noosphere.serve.cli.app import make_command
from noosphere.serve.cli.options import ABOUT, CHANGES, DRAFT, EDGE, ENTITY, FILTERS, TEXTS, VIEW
from noosphere.write import classify, entity, link, record

HELP_MILLISECONDS = 150


def walk(group=None, before=()):
    """Every command with the words that call it."""
    for name, found in (group or make_command()).commands.items():
        if hasattr(found, "commands"):
            yield from walk(found, (*before, name))
        else:
            yield (*before, *name.split()), found


COMMANDS = dict(walk())


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_every_command_has_help_with_an_example_of_itself(cli, words):
    answer = cli(*words, "--help")
    assert answer.code == 0
    assert re.search(rf"Examples:\n(.*\n)*.*noosphere {' '.join(words)}\b", answer.out)
    assert all(option in answer.out for option in ("--home", "--mind", "--actor", "--json"))


@pytest.mark.parametrize("words", COMMANDS, ids="-".join)
def test_the_examples_are_understood(words):
    lines = [line.strip() for line in COMMANDS[words].epilog.splitlines() if "noosphere " in line]
    for line in lines:
        for part in re.split(r" [|<] ", line):
            typed = shlex.split(part)
            if typed[0] == "noosphere":
                found = max((known for known in COMMANDS if tuple(typed[1 : len(known) + 1]) == known), key=len)
                COMMANDS[found].make_context("noosphere", typed[len(found) + 1 :])


def test_every_option_has_words_that_explain_it():
    for words, found in COMMANDS.items():
        for param in found.params:
            assert (param.help or "").endswith("."), (words, param.name)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (DRAFT, {f.name for f in fields(Draft)} - {"text"}),
        (FILTERS, {f.name for f in fields(Filters)}),
        (VIEW, set(inspect.signature(Mind.rank).parameters) - {"self", "query", "k", "filters"}),
        (CHANGES, {*classify._READERS, "tags", "add_tags", "remove_tags"}),
        (ABOUT, set(record.ABOUT)),
        (EDGE, set(link.OPTIONS)),
        (ENTITY, set(entity.OPTIONS)),
        (TEXTS, {"said_at", "session"}),
    ],
    ids=["draft", "filters", "view", "changes", "about", "edge", "entity", "texts"],
)
def test_a_table_of_options_offers_all_that_its_verb_takes(table, names):
    assert set(table) == names


def test_the_reference_page_is_what_the_commands_say():
    from noosphere.serve.cli.reference import page

    path = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"
    remedy = "python -m noosphere.serve.cli.reference > docs/reference/commands.md"
    assert path.read_text(encoding="utf-8") == page(), remedy


def test_the_version_is_told(cli):
    assert cli("--version").out == f"noosphere {__version__}\n"


def test_no_words_at_all_show_the_help(cli):
    answer = cli()
    assert answer.code == 0
    assert "Exit codes:" in answer.out


def test_completion_is_there_and_offers_the_words_of_a_vocabulary(cli, monkeypatch, capsys):
    assert "--install-completion" in cli("--help").out
    monkeypatch.setenv("_NOOSPHERE_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "noosphere remember --importance c")
    with pytest.raises(SystemExit) as end:
        make_command().main([], prog_name="noosphere")
    assert not end.value.code
    assert "critical" in capsys.readouterr().out


HEAVY = {"numpy", "apsw", "onnxruntime", "pydantic", "tokenizers", "rich", "ijson", "yaml", "noosphere.mind"}


@pytest.mark.parametrize("words", [["--help"], ["recall", "--help"], ["remember", "--wrong"]], ids=" ".join)
def test_help_imports_nothing_heavy(home, words):
    dump = "import sys; from noosphere.serve.cli.entry import main; main(sys.argv[1:]); print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", dump, *words], capture_output=True, text=True, check=True)
    assert "noosphere.serve.cli.app" in done.stdout
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.slow
def test_help_costs_little(home):
    assert statistics.median(_cpu("--help") for _ in range(11)) < HELP_MILLISECONDS


def _cpu(*words):
    """The CPU of one run, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([COMMAND, *words], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
