"""The commands of upkeep's passes: run, due."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Limit
from noosphere.serve.cli.parameters import Group

commands = typer.Typer(name="upkeep", cls=Group, help="Maintain a mind in small, bounded steps that can be undone.")

Pass = Annotated[str, typer.Argument(metavar="NAME", help="Which pass: prune or reembed.")]


@command(
    commands,
    "run",
    examples="""
    noosphere upkeep run prune
    noosphere upkeep run reembed --limit 500 --json
    """,
)
def run(call: Call, name: Pass, limit: Limit = 1000) -> int:
    """Run one pass: prune retires weak inferred edges after a week, reembed embeds what is pending."""
    from noosphere.model.plain import plain
    from noosphere.serve.cli.lines import fields

    ran = call.changing().upkeep(name, limit)
    return call.answer(ran, fields(plain(ran)))


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
