"""The commands of upkeep's passes: run, due, runs, stale; and dedupe-entities."""

from typing import TYPE_CHECKING, Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Limit
from noosphere.serve.cli.parameters import Group

if TYPE_CHECKING:
    from noosphere.model.outcome import Refused
    from noosphere.upkeep.passes import Ran

commands = typer.Typer(name="upkeep", cls=Group, help="Maintain a mind in small, bounded steps that can be undone.")
plain_commands = typer.Typer()

Pass = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="Which pass: staleness, prune, compact, retire, dedupe_entities, reindex, reembed or purge.",
    ),
]


@command(
    commands,
    "run",
    examples="""
    noosphere upkeep run prune
    noosphere upkeep run reembed --limit 500 --json
    """,
)
def run(call: Call, name: Pass, limit: Limit = 1000) -> int:
    """Run one pass, for at most so many things.

    staleness marks what may have changed and nobody checked for 90 days; prune retires weak inferred edges after
    a week; compact merges memories that say the same words; retire archives temporary memories nobody needed for
    a month; dedupe_entities merges entities of one type and name; reindex puts texts in the index they belong in;
    reembed embeds what waits; purge finishes an erasure. Exit code 1 while another process runs the same pass.
    """
    return _told(call, call.changing().upkeep(name, limit))


@command(
    commands,
    "due",
    examples="""
    noosphere upkeep due
    """,
)
def due(call: Call) -> int:
    """Show how much each pass would have to do."""
    from noosphere.serve.cli.lines import count_lines

    found = call.reading().upkeep.due()
    return call.answer(found, count_lines(found))


@command(
    commands,
    "runs",
    examples="""
    noosphere upkeep runs --limit 5
    """,
)
def runs(call: Call, limit: Limit = 20) -> int:
    """List what was run, the newest first, with counts before and after."""
    from noosphere.serve.cli.map_lines import run_lines

    found = call.reading().upkeep.runs(limit)
    return call.answer(found, run_lines(found), none="no pass was run yet: noosphere upkeep due")


@command(
    commands,
    "stale",
    examples="""
    noosphere upkeep stale
    """,
)
def stale(call: Call, limit: Limit = 100) -> int:
    """List what was marked as stale and not looked at since, for check, revise or forget."""
    from noosphere.serve.cli.map_lines import stale_lines

    found = call.reading().upkeep.stale(limit)
    return call.answer(found, stale_lines(found), none="nothing is marked as stale")


@command(
    plain_commands,
    "dedupe-entities",
    examples="""
    noosphere dedupe-entities
    """,
)
def dedupe_entities(call: Call, limit: Limit = 1000) -> int:
    """Merge entities of one type and name: the pass of this name."""
    return _told(call, call.changing().dedupe_entities(limit))


def _told(call: Call, found: "Ran | Refused") -> int:
    from noosphere.model.outcome import Refused
    from noosphere.model.plain import plain
    from noosphere.serve.cli.lines import fields

    return call.outcome(found) if isinstance(found, Refused) else call.answer(found, fields(plain(found)))
