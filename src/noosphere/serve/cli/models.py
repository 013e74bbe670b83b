"""The commands of embedding models: list, use, reembed."""

from dataclasses import replace
from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.parameters import Group

commands = typer.Typer(name="model", cls=Group, help="Choose the embedding model that finds things by their meaning.")

Later = Annotated[bool, typer.Option("--later", help="Do not embed now; `noosphere flush` or an open mind goes on.")]


@command(
    commands,
    "list",
    examples="""
    noosphere model list
    """,
)
def list_models(call: Call) -> int:
    """List the models, which one serves, and why one cannot run."""
    from noosphere.serve.cli.lines import model_lines

    found = call.reading().models.list()
    return call.answer(found, model_lines(found))


@command(
    commands,
    "use",
    examples="""
    noosphere model use multilingual
    noosphere model use minilm --later
    """,
)
def use(
    call: Call,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="minilm, multilingual, static, or a provider:model.")],
    *,
    later: Later = False,
) -> int:
    """Find by meaning with another model; the present one serves until all is embedded with the new one."""
    from noosphere.serve.cli.embedding import embed_all

    mind = call.changing()
    chosen = mind.models.use(model)
    if not later and not chosen.active:
        embed_all(mind)
        chosen = replace(mind.models.chosen(chosen.model), journal=chosen.journal)
    return call.outcome(chosen)


@command(
    commands,
    "reembed",
    examples="""
    noosphere model reembed
    """,
)
def reembed(
    call: Call,
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="The one that serves, when left out.")] = None,
    *,
    later: Later = False,
) -> int:
    """Embed everything again; the vectors that are there serve until their successors are."""
    from noosphere.serve.cli.embedding import embed_all

    mind = call.changing()
    chosen = mind.models.reembed(model)
    if not later:
        embed_all(mind)
        chosen = mind.models.chosen(chosen.model)
    return call.outcome(chosen)
