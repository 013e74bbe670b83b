"""Commands that end, join or confirm what is stored: archive, retire, merge, check."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Id

commands = typer.Typer()
Many = Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, as hits, get or the journal show them.")]


@command(
    commands,
    "archive",
    examples="""
    noosphere archive 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def archive(call: Call, id: Id) -> int:
    """Put a memory, conversation or entity away: out of the current reads, kept in history."""
    return call.outcome(call.changing().archive(id))


@command(
    commands,
    "retire",
    examples="""
    noosphere retire 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def retire(call: Call, id: Id) -> int:
    """Deprecate a memory, conversation or entity: it no longer holds, and stays in history."""
    return call.outcome(call.changing().retire(id))


@command(
    commands,
    "merge",
    examples="""
    noosphere merge 01890a5d-ac96-774b-bcce-b302099a8057 01890a5d-ac97-7b01-9a3e-0d5f1c2e3b4a --text "Both in one"
    """,
)
def merge(
    call: Call,
    ids: Many,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="TEXT", help="What the new memory says; else what they all said, a line each."),
    ] = None,
) -> int:
    """Make one new memory of several, which are archived, or one entity of several: the first stays."""
    from noosphere.serve.cli.embedding import embed_some

    mind = call.changing()
    code = call.outcome(mind.merge(ids, text))
    embed_some(mind)
    return code


@command(
    commands,
    "check",
    examples="""
    noosphere check 01890a5d-ac96-774b-bcce-b302099a8057
    noosphere upkeep stale --json | jq -r '.[].id' | xargs noosphere check
    """,
)
def check(call: Call, ids: Many) -> int:
    """Say that memories were looked at and still hold; what they say is not touched."""
    return call.outcome(call.changing().check(ids))
