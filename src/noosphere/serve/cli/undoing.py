"""Commands that take back, and what tells of every change: forget, purge, undo, journal."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Id, Limit

commands = typer.Typer()


@command(
    commands,
    "forget",
    examples="""
    noosphere forget 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def forget(call: Call, id: Id) -> int:
    """Take a memory, a turn or a conversation out of every read; undo brings it back."""
    return call.outcome(call.changing().forget(id))


@command(
    commands,
    "purge",
    examples="""
    noosphere purge 01890a5d-ac96-774b-bcce-b302099a8057 --yes
    noosphere purge 01890a5d-ac96-774b-bcce-b302099a8057 --yes --drawn --backup ~/backups
    """,
)
def purge(
    call: Call,
    id: Id,
    yes: Annotated[bool, typer.Option("--yes", help="Do it: no undo brings it back.")] = False,
    drawn: Annotated[bool, typer.Option("--drawn", help="Also the memories that were drawn from it.")] = False,
    backup: Annotated[
        list[str] | None,
        typer.Option("--backup", metavar="PATH", help="A file or folder to look in for copies. Repeat it for more."),
    ] = None,
) -> int:
    """Erase a memory, a turn or a branch for good, and prove it by a search of the files' bytes.

    Answers with the files that still hold it: backups beside the mind and in the places given. Exit code 1
    when something keeps the files from being cleaned; run it again then.
    """
    from noosphere.errors import InvalidInput
    from noosphere.model.outcome import PurgePending

    if not yes:
        raise InvalidInput("--yes", "was not given, and a purge cannot be undone", "Add it, or use forget")
    outcome = call.changing().purge(id, drawn=drawn, backups=backup or ())
    code = call.outcome(outcome)
    return 1 if isinstance(outcome, PurgePending) else code


@command(
    commands,
    "undo",
    examples="""
    noosphere undo 01890a5d-ac99-7d10-b2c3-4d5e6f708192
    noosphere journal --limit 1 --json | jq -r '.[0].id' | xargs noosphere undo
    """,
)
def undo(
    call: Call,
    journal: Annotated[str, typer.Argument(metavar="JOURNAL", help="The entry, as outcomes and journal show it.")],
    cascade: Annotated[bool, typer.Option("--cascade", help="Also what rests on it, newest first.")] = False,
) -> int:
    """Take back what one journal entry wrote."""
    from noosphere.serve.cli.embedding import embed_some

    mind = call.changing()
    code = call.outcome(mind.undo(journal, cascade=cascade))
    embed_some(mind)
    return code


@command(
    commands,
    "journal",
    examples="""
    noosphere journal --limit 10
    noosphere journal --target 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def journal(
    call: Call,
    limit: Limit = 50,
    target: Annotated[str | None, typer.Option("--target", metavar="ID", help="Only changes of this one.")] = None,
) -> int:
    """List changes, the newest first: who made them, through which door, to what."""
    from noosphere.serve.cli.lines import journal_lines

    entries = call.reading().journal(limit, target=target)
    return call.answer(entries, journal_lines(entries), none="no such change")
