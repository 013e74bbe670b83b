"""Commands of review: what recall withholds until somebody decides, and letting one be shown."""

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Id

commands = typer.Typer()


@command(
    commands,
    "review",
    examples="""
    noosphere review
    noosphere review --json | jq -r '.[].id'
    """,
)
def review(call: Call) -> int:
    """List what looks like an attack or holds a secret, and why; the longest known first."""
    from noosphere.serve.cli.lines import flagged_lines

    found = call.reading().review()
    return call.answer(found, flagged_lines(found))


@command(
    commands,
    "review release",
    examples="""
    noosphere review release 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def release(call: Call, id: Id) -> int:
    """Let a text be shown like any other; forget takes it away instead."""
    return call.outcome(call.changing().review.release(id))
