"""The Typer app: the options of every command, and the commands in the order of their help."""

from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from noosphere import __version__
from noosphere.serve.cli import (
    agency,
    describing,
    hooks,
    importing,
    knowing,
    learning,
    lifecycle,
    models,
    ontology,
    practice,
    reading,
    reviewing,
    serving,
    sessions,
    undoing,
    upkeep,
    writing,
)
from noosphere.serve.cli.call import Said
from noosphere.serve.cli.options import Actor, Home, Json, MindName
from noosphere.serve.cli.parameters import Group

HELP = """
A local-first memory engine for AI agents: one SQLite file per mind, recall that explains itself, truth that
changes over time.

--home, --mind, --actor and --json may stand before the command or after it. A - in place of a text reads
standard input. Standard input and output are UTF-8, whatever the locale.
"""
EPILOG = """
\b
With --json standard output holds exactly one JSON document, with the field
names of the Python values: the answer (a writing command's has "outcome"),
or {"error": {"type", "message", ...}}. Progress, notes and the message of an
error go to standard error.

\b
Exit codes:
  0  done, or found
  1  refused, nothing found, no such id, or doctor found something broken
  2  wrong usage: an argument, an option, a setting, a mind's name
  3  trouble with a file, a model or an invariant
  130  interrupted

\b
Examples:
  noosphere remember "The staging database listens on port 5433"
  noosphere recall "which port is staging on?"
  noosphere --install-completion
"""


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"noosphere {__version__}")
        raise typer.Exit


def _begin(
    context: typer.Context,
    home: Home = None,
    mind: MindName = None,
    actor: Actor = None,
    json: Json = False,
    version: Annotated[  # noqa: ARG001  (its callback has done the work)
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    context.obj = Said(home=home, mind=mind, actor=actor, json=json)


@cache
def make_command() -> Any:
    """Put the command together, once in a process."""
    # Plain help: rich would double what --help costs (60 ms to 120), and pipes badly.
    app = typer.Typer(name="noosphere", cls=Group, rich_markup_mode=None, help=HELP, epilog=EPILOG, callback=_begin)
    memories = (writing, learning, reading, undoing, reviewing, describing, knowing, lifecycle)
    for part in (*memories, sessions, importing, upkeep, models, serving, hooks):
        app.add_typer(part.commands)
    own_work = (practice.signals, practice.traces, practice.procedures, practice.interactions)
    state = (agency.identity, agency.awareness, agency.mastery)
    for group in (*state, ontology.ontology, *own_work, agency.workspace, hooks.hooks):
        app.add_typer(group)
    return get_command(app)
