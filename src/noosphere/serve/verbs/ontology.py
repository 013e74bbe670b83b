"""The rows about types of entities and relations: what a mind knows of, and what is added to it."""

from __future__ import annotations

from noosphere.serve.verbs.cells import text, texts
from noosphere.serve.verbs.verb import Empty, Verb

BY_PEOPLE = Empty("what may be said of entities is for people to widen")
WORD = text("Its name: a lower-case word of a-z, digits and _.")

ONTOLOGY = (
    Verb(
        name="ontology.types",
        python="mind.ontology.types",
        help="The types of entities that this mind knows of.",
        scope="read",
        rest="GET /api/ontology/types",
        cli="ontology types",
        tool="status",
    ),
    Verb(
        name="ontology.relations",
        python="mind.ontology.relations",
        help="Every relation that this mind knows of, with its inverse.",
        scope="read",
        rest="GET /api/ontology/relations",
        cli="ontology relations",
        tool="status",
    ),
    Verb(
        name="ontology.add_type",
        python="mind.ontology.add_type",
        help="Add a type of entities, or say anew what properties one requires.",
        scope="write",
        takes={"name": WORD, "requires": texts("Properties that every entity of it must have.")},
        needs=("name",),
        answers=("model.outcome.OntologyChanged",),
        rest="POST /api/ontology/types",
        cli="ontology add-type {name}",
        tool=BY_PEOPLE,
    ),
    Verb(
        name="ontology.add_relation",
        python="mind.ontology.add_relation",
        help="Add a relation with its inverse, or say anew which types it joins.",
        scope="write",
        takes={
            "name": WORD,
            "inverse": text("The name of the same relation, read from the other end."),
            "src": texts("Types it may go out from; any when left out."),
            "dst": texts("Types it may lead to; any when left out."),
        },
        needs=("name", "inverse"),
        answers=("model.outcome.OntologyChanged",),
        rest="POST /api/ontology/relations",
        cli="ontology add-relation {name} {inverse}",
        tool=BY_PEOPLE,
    ),
)
