"""Commands that read: recall, get, history, tags."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli import mapping
from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import FILTERS, VIEW, Id

commands = typer.Typer()


@command(
    commands,
    "recall",
    options={**VIEW, **FILTERS},
    examples="""
    noosphere recall "which port is staging on?"
    noosphere recall "where did I live?" --as-of 2024 --tag home
    noosphere recall deploy --rank --k 5 --explain
    noosphere recall "what did Ann say?" --speaker Ann --since 2026-05 --json
    """,
)
def recall(
    call: Call,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Any text; - reads standard input.")],
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="How many characters the block may have.")
    ] = 12000,
    tokens: Annotated[
        int | None, typer.Option("--tokens", metavar="N", help="How many tokens it may have besides.")
    ] = None,
    k: Annotated[int, typer.Option("--k", metavar="N", help="How many hits, at most; 1 to 1000.")] = 20,
    rank: Annotated[bool, typer.Option("--rank", help="List the hits instead of the block.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell what every step did.")] = False,
    **asked: Any,
) -> int:
    """Answer a question with evidence.

    A terminal shows each hit with its date, its source and why it is here; a pipe gets the block for a
    prompt, fenced and inside the budget. Nothing found is exit code 1.
    """
    from noosphere.serve.cli.answering import answer_with_block, answer_with_hits
    from noosphere.serve.cli.inputs import read_text

    words = read_text(query)
    options = {name: asked.pop(name) for name in VIEW if name in asked} | {"filters": asked or None}
    mind = call.reading()
    if rank:
        return answer_with_hits(call, mind, mind.ranked(words, k, **options), explain=explain)
    return answer_with_block(call, mind, mind.recall(words, budget, tokens=tokens, k=k, **options), explain=explain)


@command(
    commands,
    "get",
    examples="""
    noosphere get 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def get(call: Call, id: Id) -> int:
    """Show one memory, turn, conversation or entity in full, forgotten or not."""
    from noosphere.model.plain import plain
    from noosphere.serve.cli.lines import thing_lines

    thing = call.reading().get(id)
    return call.answer(thing, thing_lines(plain(thing)))


@command(
    commands,
    "history",
    examples="""
    noosphere history 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def history(call: Call, id: Id) -> int:
    """Show every version and text that something had, and when the values of its slot held."""
    from noosphere.serve.cli.lines import history_lines

    found = call.reading().history(id)
    return call.answer(found, history_lines(found))


@command(
    commands,
    "tags",
    examples="""
    noosphere tags
    """,
)
def tags(call: Call) -> int:
    """List every tag in use, with how many carry it."""
    from noosphere.serve.cli.lines import count_lines

    counts = call.reading().tags()
    return call.answer(counts, count_lines(counts), none="no tag is in use")


commands.add_typer(mapping.commands)
