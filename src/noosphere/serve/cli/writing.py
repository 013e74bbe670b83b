"""Commands that write: remember, record, revise, append, branch."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.failures import NOTHING
from noosphere.serve.cli.options import ABOUT, DRAFT, TEXTS, Id, Text

commands = typer.Typer()

Wait = Annotated[bool, typer.Option("--wait", help="Embed all of it before returning, whatever it costs.")]


@command(
    commands,
    "remember",
    options=DRAFT,
    examples="""
    noosphere remember "The staging database listens on port 5433" --tag ops
    noosphere remember "I live in Lisbon" --slot user.home_city --value Lisbon
    pbpaste | noosphere remember - --role note --json
    """,
)
def remember(call: Call, text: Text, wait: Wait = False, **about: Any) -> int:
    """Store a memory, word for word, once.

    Said again it adds evidence; a newer value of a slot ends the older one.
    """
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_options, read_text

    words, options = read_text(text), read_options(about)
    mind = call.creating()
    code = call.outcome(mind.remember(words, wait=wait, **options))
    embed_some(mind)
    return code
