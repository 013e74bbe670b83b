"""Commands about types of entities and relations: ontology types, relations, add-type, add-relation."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.parameters import Group

ontology = typer.Typer(name="ontology", cls=Group, help="See and widen what entities and relations may be.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A lower-case word of a-z, digits and _.")]
Required = Annotated[
    list[str] | None,
    typer.Option("--require", metavar="NAME", help="A property that every entity of it must have; repeatable."),
]
Inverse = Annotated[str, typer.Argument(metavar="INVERSE", help="The same relation, read from the other end.")]
Src = Annotated[list[str] | None, typer.Option("--src", metavar="TYPE", help="What it may go out from; repeatable.")]
Dst = Annotated[list[str] | None, typer.Option("--dst", metavar="TYPE", help="What it may lead to; repeatable.")]


@command(ontology, "types", examples="noosphere ontology types")
def types(call: Call) -> int:
    """List the types of entities that this mind knows of."""
    found = call.reading().ontology.types()
    return call.answer(found, (((name, "strong"),) for name in found))


@command(ontology, "relations", examples="noosphere ontology relations --json")
def relations(call: Call) -> int:
    """List the relations that this mind knows of, each with its inverse."""
    found = call.reading().ontology.relations()
    return call.answer(found, (((name, "strong"), (f"  {inverse}", "faint")) for name, inverse in found.items()))


@command(
    ontology,
    "add-type",
    examples="""
    noosphere ontology add-type vessel
    noosphere ontology add-type vessel --require flag
    """,
)
def add_type(call: Call, name: Name, require: Required = None) -> int:
    """Add a type of entities, or say anew what properties one requires; undo takes that back."""
    return call.outcome(call.creating().ontology.add_type(name, requires=require or ()))


@command(
    ontology,
    "add-relation",
    examples="noosphere ontology add-relation commanded_by commands --src project --dst person",
)
def add_relation(call: Call, name: Name, inverse: Inverse, src: Src = None, dst: Dst = None) -> int:
    """Add a relation with its inverse, or say anew which types it joins; undo takes that back."""
    return call.outcome(call.creating().ontology.add_relation(name, inverse=inverse, src=src or (), dst=dst or ()))
