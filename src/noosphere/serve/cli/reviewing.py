"""Commands of review: what waits for a decision, settling a conflict, and letting a withheld text be shown."""

from typing import Annotated

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
    """List what contradicts something else, looks like an attack or holds a secret, and why; the oldest first."""
    from noosphere.serve.cli.reviewing_lines import waiting_lines

    found = call.reading().review()
    return call.answer(found, waiting_lines(found), none="nothing waits for a decision")


@command(
    commands,
    "review conflicts",
    examples="""
    noosphere review conflicts
    """,
)
def conflicts(call: Call) -> int:
    """List what contradicts something else: all sides, why no rule settles it, and what can be kept."""
    from noosphere.serve.cli.reviewing_lines import waiting_lines

    found = call.reading().review.conflicts()
    return call.answer(found, waiting_lines(found), none="nothing contradicts anything else")


@command(
    commands,
    "review settle",
    examples="""
    noosphere review settle 01890a5d-ac96-774b-bcce-b302099a8057 --keep new
    noosphere review settle 01890a5d-ac96-774b-bcce-b302099a8057 --keep both
    """,
)
def settle(
    call: Call,
    id: Id,
    keep: Annotated[
        list[str],
        typer.Option("--keep", metavar="ID", help="A side that is right, or both, or new. Repeat it for more."),
    ],
) -> int:
    """Say what is right in a conflict; what was wrong is retired, kept in history, and not asked again."""
    return call.outcome(call.changing().review.settle(id, keep))


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
