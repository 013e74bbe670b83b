"""Commands of upkeep: stats, status, flush, doctor, backup, restore, salvage, rekey, export, import."""

from typing import Annotated

import typer

from noosphere.serve.cli import passes
from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command

commands = typer.Typer()


@command(
    commands,
    "stats",
    examples="""
    noosphere stats --mind personal
    """,
)
def stats(call: Call) -> int:
    """Count what the mind knows."""
    from noosphere.model.plain import plain
    from noosphere.serve.cli.lines import stats_lines

    found = call.reading().stats()
    return call.answer(found, stats_lines(found, plain(found)))


@command(
    commands,
    "status",
    examples="""
    noosphere status
    """,
)
def status(call: Call) -> int:
    """Show what is in force and from where, which lanes and embedders work, and what waits."""
    from noosphere.serve.cli.lines import status_lines

    found = call.reading().status()
    return call.answer(found, status_lines(found))


@command(
    commands,
    "flush",
    examples="""
    noosphere flush
    noosphere flush --limit 1000
    """,
)
def flush(
    call: Call,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", help="How many units, at most; all when left out.")
    ] = None,
) -> int:
    """Embed what waits, so that it is found by meaning."""
    from noosphere.errors import InvalidInput
    from noosphere.serve.cli.embedding import embed_all

    if limit is not None and limit < 1:
        raise InvalidInput("limit", f"{limit} units cannot be embedded", "Ask for 1 or more")
    return call.outcome(embed_all(call.changing(), limit))


@command(
    commands,
    "doctor",
    examples="""
    noosphere doctor
    noosphere doctor --fix
    """,
)
def doctor(
    call: Call,
    fix: Annotated[bool, typer.Option("--fix", help="Rebuild what is derived; truth is never touched.")] = False,
) -> int:
    """Check every rule of the mind and look samples up; exit code 1 when something is broken."""
    from noosphere.serve.cli.failures import NOTHING
    from noosphere.serve.cli.lines import diagnosis_lines

    found = call.changing().doctor(fix=fix) if fix else call.reading().doctor()
    return call.answer(found, diagnosis_lines(found), code=0 if found.healthy else NOTHING)


@command(
    commands,
    "backup",
    examples="""
    noosphere backup ~/backups/personal-2026-05-14.db
    noosphere backup ~/backups --keep 14
    """,
)
def backup(
    call: Call,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="The copy's file, never overwritten; with --keep a folder.")
    ],
    keep: Annotated[
        int | None,
        typer.Option("--keep", metavar="N", help="Give it a dated name, and let the newest N of this mind stay."),
    ] = None,
) -> int:
    """Write a consistent copy, while others may write, and check it."""
    return call.outcome(call.reading().backup(path, keep=keep), "backed_up")


@command(
    commands,
    "restore",
    examples="""
    noosphere restore ~/backups/personal-2026-05-14.db ~/minds/personal.db
    noosphere recall "which port?" --mind ~/minds/personal.db
    """,
)
def restore(
    call: Call,
    backup: Annotated[str, typer.Argument(metavar="BACKUP", help="The file that backup wrote.")],
    to: Annotated[str, typer.Argument(metavar="TO_PATH", help="The new mind's file; never overwritten.")],
) -> int:
    """Make a mind of a backup, at a path of its own."""
    from noosphere.minds import restore_mind

    return call.outcome(restore_mind(backup, to, settings=call.settings()), "restored")


@command(
    commands,
    "salvage",
    examples="""
    noosphere salvage ~/minds/damaged.db ~/minds/saved.db
    """,
)
def salvage(
    call: Call,
    damaged: Annotated[str, typer.Argument(metavar="DAMAGED", help="The damaged mind's file; it is only read.")],
    to: Annotated[str, typer.Argument(metavar="TO_PATH", help="The new mind's file; never overwritten.")],
) -> int:
    """Make a new mind of what can be read of a damaged one, and count what cannot; exit code 1 when something is lost.

    Where there is a backup, restore that first and compare.
    """
    from noosphere.minds import salvage as save
    from noosphere.serve.cli.failures import NOTHING
    from noosphere.serve.cli.lines import salvaged_lines

    found = save(damaged, to, settings=call.settings())
    return call.answer(found, salvaged_lines(found), code=0 if found.whole else NOTHING)


@command(
    commands,
    "rekey",
    examples="""
    noosphere rekey
    noosphere rekey --mind ~/minds/personal.db
    noosphere rekey --off
    """,
)
def rekey(
    call: Call, off: Annotated[bool, typer.Option("--off", help="Take the encryption away instead.")] = False
) -> int:
    """Encrypt every mind of the home, or the one of --mind, with a new key.

    The key until now comes from where the setting key_from says. The new one is asked for, or taken from
    NOOSPHERE_NEW_KEY; with key_from = "keyring" it is kept there. Nobody may have a mind open.
    """
    from noosphere.minds import keys
    from noosphere.minds.rekeying import rekey_home

    return call.outcome(rekey_home(call.settings(), None if off else keys.new(), call.said.mind))


@command(
    commands,
    "export",
    examples="""
    noosphere export ~/personal.jsonl
    noosphere export ~/personal-pages --markdown
    """,
)
def export(
    call: Call,
    path: Annotated[str, typer.Argument(metavar="PATH", help="The file or folder to write; never overwritten.")],
    markdown: Annotated[bool, typer.Option("--markdown", help="A folder of pages instead of lines of JSON.")] = False,
) -> int:
    """Write the whole mind as text: lines of JSON, which can be imported again, or pages to read."""
    return call.outcome(call.reading().export(path, "markdown" if markdown else "jsonl"))


@command(
    commands,
    "import",
    examples="""
    noosphere import ~/personal.jsonl ~/minds/personal.db
    """,
)
def import_(
    call: Call,
    export: Annotated[str, typer.Argument(metavar="EXPORT", help="The lines of JSON that export wrote.")],
    to: Annotated[str, typer.Argument(metavar="TO_PATH", help="The new mind's file; never overwritten.")],
) -> int:
    """Make a mind of an export, at a path of its own, with the same ids, graph and history.

    Conversations and notes of other programs come in with `noosphere harvest`.
    """
    from noosphere.minds import import_mind

    return call.outcome(import_mind(export, to, settings=call.settings()), "imported")


commands.add_typer(passes.commands)
commands.add_typer(passes.plain_commands)
