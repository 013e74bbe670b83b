"""Commands that say what things are and how they hang together: classify, set-status, link, unlink, entity."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import CHANGES, EDGE, ENTITY, Id, StatusWord

commands = typer.Typer()


@command(
    commands,
    "classify",
    options=CHANGES,
    examples="""
    noosphere classify 01890a5d-ac96-774b-bcce-b302099a8057 --add-tag ops --importance important
    noosphere classify 01890a5d-ac96-774b-bcce-b302099a8057 --clear title --clear valid_to
    """,
)
def classify(
    call: Call,
    id: Id,
    clear: Annotated[
        list[str] | None, typer.Option("--clear", metavar="FIELD", help="A field to empty. Repeat it for more.")
    ] = None,
    **changes: Any,
) -> int:
    """Change what is said of a memory, a conversation or an entity: tags, importance, slot, times and the like."""
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_options

    wanted = {**dict.fromkeys(clear or ()), **read_options(changes)}
    mind = call.changing()
    code = call.outcome(mind.classify(id, **wanted))
    embed_some(mind)
    return code


@command(
    commands,
    "set-status",
    examples="""
    noosphere set-status 01890a5d-ac96-774b-bcce-b302099a8057 canonical
    """,
)
def set_status(call: Call, id: Id, status: StatusWord) -> int:
    """Move something through its life: draft, active, canonical, deprecated, archived."""
    return call.outcome(call.changing().set_status(id, status))


@command(
    commands,
    "link",
    options=EDGE,
    examples="""
    noosphere link 01890a5d-ac96-774b-bcce-b302099a8057 caused_by 01890a5d-ac97-7b01-9a3e-0d5f1c2e3b4a
    """,
)
def link(
    call: Call,
    src: Annotated[str, typer.Argument(metavar="A", help="The id the edge goes out from.")],
    type: Annotated[str, typer.Argument(metavar="TYPE", help="The edge's type, such as relates_to or caused_by.")],
    dst: Annotated[str, typer.Argument(metavar="B", help="The id the edge goes to.")],
    **about: Any,
) -> int:
    """Set an edge from one thing to another."""
    from noosphere.serve.cli.inputs import read_options

    options = read_options(about)
    return call.outcome(call.changing().link(src, type, dst, **options))


@command(
    commands,
    "unlink",
    examples="""
    noosphere unlink 01890a5d-ac98-7c22-8f10-2b3c4d5e6f70
    """,
)
def unlink(
    call: Call, edge: Annotated[str, typer.Argument(metavar="EDGE", help="The edge's id, as link shows it.")]
) -> int:
    """Retire an edge; its past stays."""
    return call.outcome(call.changing().unlink(edge))


@command(
    commands,
    "entity",
    options=ENTITY,
    examples="""
    noosphere entity "Maya Lindqvist" --type person --properties '{"team": "search"}'
    noosphere entity "maya lindqvist"
    """,
)
def entity(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name; case and spacing do not matter.")],
    type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="Its type, such as person or project: store it.")
    ] = None,
    **about: Any,
) -> int:
    """With --type, store a person, a project, a place or a thing once; without, look the exact name up."""
    from noosphere.errors import InvalidInput
    from noosphere.serve.cli.inputs import read_options

    options = read_options(about)
    if type is not None:
        return call.outcome(call.creating().entity(name, type, **options))
    if options:
        raise InvalidInput("type", f"is needed with {', '.join(options)}", "Add --type person, or another type")
    return _look_up(call, name)


def _look_up(call: Call, name: str) -> int:
    import shlex

    from noosphere.model.plain import plain
    from noosphere.serve.cli.failures import NOTHING
    from noosphere.serve.cli.lines import thing_lines

    found: Any = call.reading().entity(name)
    lines = (line for one in plain(found) for line in thing_lines(one))
    none = f"no entity has this name: noosphere search-entities {shlex.quote(name)}"
    return call.answer(found, lines, code=0 if found else NOTHING, none=none)
