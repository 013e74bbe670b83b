"""The command that imports: harvest."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command

if TYPE_CHECKING:
    from noosphere.harvest.pipeline import Harvested
    from noosphere.mind import Flushed, Mind

commands = typer.Typer()


@command(
    commands,
    "harvest",
    examples="""
    noosphere harvest ~/Downloads/chatgpt-export.zip
    noosphere harvest ~/notes ~/journal.md --no-embed
    """,
)
def harvest(
    call: Call,
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders or zips of an export.")],
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave embedding for later.")] = False,
) -> int:
    """Import conversations and notes; a second run adds nothing.

    What cannot be read is listed and the rest comes in, so rejects alone are no failure.
    """
    from noosphere.serve.cli.embedding import embed_all, waiting
    from noosphere.serve.cli.lines import harvest_lines
    from noosphere.serve.cli.output import write_lines

    mind = call.creating()
    found = _import(mind, paths)
    if not call.said.json:
        write_lines(harvest_lines(found))
    flushed = embed_all(mind) if not no_embed and waiting(mind) else None
    return call.answer(_document(found, flushed), _embedded(flushed))


def _import(mind: "Mind", paths: list[str]) -> "Harvested":
    from noosphere.serve.cli.progress import Progress

    with Progress(sys.stderr, "reading") as progress:

        def tell(*, item: str, items: int, added: int) -> None:
            progress.tell(f"{items} read, {added} turns and notes added: {item}", items)

        return mind.harvest(*paths, watcher=tell)


def _document(found: "Harvested", flushed: "Flushed | None") -> dict[str, Any]:
    from noosphere.model.plain import plain

    return {"outcome": "harvested", **plain(found), "flushed": plain(flushed)}


def _embedded(flushed: "Flushed | None") -> Any:
    from noosphere.serve.cli.lines import field

    if flushed is not None:
        yield field("embedded", flushed.embedded)
