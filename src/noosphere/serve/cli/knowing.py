"""Commands about entities: relate, search-entities, neighbours, traverse, distances."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import VIEW, Limit, text_option

commands = typer.Typer()
PAST = {name: VIEW[name] for name in ("as_of", "known_at", "include_past")}
Name = Annotated[str, typer.Argument(metavar="NAME", help="An entity: its exact name, or its id.")]
Relation = Annotated[str, typer.Argument(metavar="RELATION", help="Such as led_by or uses, or an inverse: leads.")]
Other = Annotated[str, typer.Argument(metavar="OTHER", help="The other entity: its exact name, or its id.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME...", help="Entities: exact names, or ids.")]


ABOUT: dict[str, Any] = {
    "src_type": text_option("--src-type", "TEXT", "What the first is, to make it when nothing has the name."),
    "dst_type": text_option("--dst-type", "TEXT", "What the second is, to make it when nothing has the name."),
    "weight": Annotated[float | None, typer.Option("--weight", metavar="SHARE", help="How strongly, 0 to 1.")],
    "claim": text_option("--claim", "TEXT", "How far it is known: verified, inferred or unknown."),
    "evidence": Annotated[
        list[str] | None, typer.Option("--evidence", metavar="ID", help="A frame id or URI that says so; repeatable.")
    ],
    "valid_from": text_option("--from", "TEXT", "When it began to hold."),
    "valid_to": text_option("--to", "TEXT", "When it stopped."),
}


@command(
    commands,
    "relate",
    options=ABOUT,
    examples="""
    noosphere relate "Ana Kos" leads Heron --src-type person --dst-type project
    noosphere relate Heron uses PostgreSQL --dst-type technology --from 2026-05
    """,
)
def relate(call: Call, src: Name, relation: Relation, dst: Other, **about: Any) -> int:
    """Say how one entity bears on another; the inverse of a relation sets the same edge."""
    return call.outcome(call.changing().relate(src, relation, dst, **about))


@command(
    commands,
    "search-entities",
    options={"type": text_option("--type", "TEXT", "Of this type only.")},
    examples="""
    noosphere search-entities postgre
    """,
)
def search_entities(
    call: Call,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A name, or nearly.")],
    limit: Limit = 10,
    **of: Any,
) -> int:
    """Find entities whose names are like a text, the most alike first."""
    from noosphere.serve.cli.knowing_lines import alike_lines

    found = call.reading().search_entities(text, limit=limit, **of)
    return call.answer(found, alike_lines(found), none="no entity has such a name")


@command(
    commands,
    "neighbours",
    options={"relation": text_option("--relation", "TEXT", "Over this relation, or its inverse, only."), **PAST},
    examples="""
    noosphere neighbours Heron
    noosphere neighbours "Ana Kos" --relation leads --as-of 2026-05-01
    """,
)
def neighbours(call: Call, name: Name, limit: Limit = 50, **asked: Any) -> int:
    """List what stands beside an entity, the heaviest edge first."""
    from noosphere.serve.cli.knowing_lines import related_lines

    found = call.reading().neighbours(name, limit=limit, **asked)
    return call.answer(found, related_lines(found), none="nothing stands beside it")


@command(
    commands,
    "traverse",
    options=PAST,
    examples="""
    noosphere traverse "Ben Okoro" reports_to
    """,
)
def traverse(
    call: Call,
    name: Name,
    relation: Relation,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many edges away, 1 to 6.")] = 6,
    **asked: Any,
) -> int:
    """Follow one relation, or its inverse, from an entity."""
    from noosphere.serve.cli.knowing_lines import traversed_lines

    found = call.reading().traverse(name, relation, depth=depth, **asked)
    return call.answer(found, traversed_lines(found), none="nothing is reached that way")


@command(
    commands,
    "distances",
    options=PAST,
    examples="""
    noosphere distances "Ana Kos" Heron --depth 2
    """,
)
def distances(
    call: Call,
    seeds: Names,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many edges away, 1 to 6.")] = 3,
    **asked: Any,
) -> int:
    """Count the edges between entities and the nearest of those named."""
    from noosphere.serve.cli.knowing_lines import distance_lines

    found = call.reading().distances(seeds, depth=depth, **asked)
    return call.answer(found, distance_lines(found), none="nothing is so near")
