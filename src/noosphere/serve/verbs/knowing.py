"""The rows of the verbs about entities and how they bear on each other."""

from __future__ import annotations

from noosphere.insight.related import DEEPEST
from noosphere.serve.verbs.cells import RARE, text, texts
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.glossary import PAST
from noosphere.serve.verbs.verb import Verb
from noosphere.store.surroundings import LOOKED_AT

NAME = text("An entity: its exact name, or its id.")
RELATION = text("A relation, such as led_by or uses, or its inverse, such as leads or used_by.")
DEPTH = Field(kind="whole", help="How many edges away, at most.", least=1, most=DEEPEST)

KNOWING = (
    Verb(
        name="relate",
        python="mind.relate",
        help="Say how one entity bears on another, by name; the inverse of a relation sets the same edge.",
        scope="write",
        takes={
            "src": NAME,
            "relation": RELATION,
            "dst": NAME,
            "src_type": text("What the first is, to make it when nothing has the name."),
            "dst_type": text("What the second is, to make it when nothing has the name."),
            "weight": Field(kind="share", help="How strongly, 0 to 1."),
            "claim": Field(kind="word", help="How far it is known.", words=("verified", "inferred", "unknown")),
            "evidence": texts("Frame ids or URIs that say so."),
            "valid_from": text("When it began to hold."),
            "valid_to": text("When it stopped."),
        },
        needs=("src", "relation", "dst"),
        answers=("model.outcome.Linked",),
        rest="POST /api/relations",
        cli="relate {src} {relation} {dst}",
        tool="entity",
    ),
    Verb(
        name="search_entities",
        python="mind.search_entities",
        help="Entities whose names are like a text, the most alike first.",
        scope="read",
        takes={
            "text": text("A name, or nearly."),
            "type": text("Of this type only."),
            "limit": Field(kind="whole", help="How many, at most.", least=1, most=100),
        },
        needs=("text",),
        answers=("model.related.Alike",),
        many=True,
        rest="GET /api/entities/search",
        cli="search-entities {text}",
        tool="entity",
    ),
    Verb(
        name="neighbours",
        python="mind.neighbours",
        help="What stands beside an entity, the heaviest edge first, and how.",
        scope="read",
        takes={
            "name": NAME,
            "relation": RELATION,
            "limit": Field(kind="whole", help="How many, at most.", least=1, most=LOOKED_AT),
            **PAST,
        },
        needs=("name",),
        answers=("model.related.Related",),
        many=True,
        rest="GET /api/entities/neighbours",
        cli="neighbours {name}",
        tool=RARE,
    ),
    Verb(
        name="traverse",
        python="mind.traverse",
        help="What is reached by following one relation, or its inverse, from an entity.",
        scope="read",
        takes={"name": NAME, "relation": RELATION, "depth": DEPTH, **PAST},
        needs=("name", "relation"),
        answers=("model.related.Traversed",),
        many=True,
        rest="GET /api/entities/traverse",
        cli="traverse {name} {relation}",
        tool=RARE,
    ),
    Verb(
        name="distances",
        python="mind.distances",
        help="How many edges lie between entities and the nearest of the seeds.",
        scope="read",
        takes={"seeds": texts("Entities: exact names, or ids."), "depth": DEPTH, **PAST},
        needs=("seeds",),
        answers=("model.related.Distance",),
        many=True,
        rest="GET /api/entities/distances",
        cli="distances {seeds}",
        tool=RARE,
    ),
)
