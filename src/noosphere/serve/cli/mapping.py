"""Commands that read the map: hops, connections, list-recent."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import FILTERS, VIEW, Id, Limit

commands = typer.Typer()
PAST = {name: VIEW[name] for name in ("as_of", "known_at", "include_past")}


@command(
    commands,
    "hops",
    options={**PAST, **FILTERS},
    examples="""
    noosphere hops 01890a5d-ac96-774b-bcce-b302099a8057
    noosphere hops 01890a5d-ac96-774b-bcce-b302099a8057 --depth 3 --class entity --json
    """,
)
def hops(
    call: Call,
    id: Id,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many edges away; 0 to 3.")] = 2,
    limit: Limit = 50,
    **asked: Any,
) -> int:
    """Show what is reached from a thing over edges, the best path first, and who drew them."""
    from noosphere.serve.cli.map_lines import hop_lines

    past = {name: asked.pop(name) for name in PAST if name in asked}
    found = call.reading().hops(id, depth, limit=limit, **past, filters=asked or None)
    return call.answer(found, hop_lines(found), none="nothing is reached from it")


@command(
    commands,
    "connections",
    options=PAST,
    examples="""
    noosphere connections 01890a5d-ac96-774b-bcce-b302099a8057
    noosphere connections 01890a5d-ac96-774b-bcce-b302099a8057 --as-of 2025-03-01
    """,
)
def connections(call: Call, id: Id, limit: Limit = 50, **past: Any) -> int:
    """List the edges at a thing, the heaviest first, and what they lead to, past or current."""
    from noosphere.serve.cli.map_lines import connection_lines

    found = call.reading().connections(id, limit, **past)
    return call.answer(found, connection_lines(found), none="it has no edges")


@command(
    commands,
    "list-recent",
    options={**PAST, **FILTERS},
    examples="""
    noosphere list-recent --limit 5
    noosphere list-recent --known-at 2025-03-01
    noosphere list-recent --tag work --kind semantic
    """,
)
def list_recent(call: Call, limit: Limit = 20, **asked: Any) -> int:
    """List the memories last written, the newest first."""
    from noosphere.serve.cli.map_lines import hop_lines

    past = {name: asked.pop(name) for name in PAST if name in asked}
    found = call.reading().list_recent(limit, **past, filters=asked or None)
    return call.answer(found, hop_lines(found), none="no such memory yet")
