"""The rows of the verbs that read the map."""

from __future__ import annotations

from noosphere.graph.hops import DEEPEST, MOST
from noosphere.insight.map import MAX_RECENT
from noosphere.serve.verbs import shapes
from noosphere.serve.verbs.cells import RARE
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.glossary import FILTERS, ID, PAST
from noosphere.serve.verbs.verb import Verb
from noosphere.store.surroundings import LOOKED_AT


def _most(most: int) -> Field:
    return Field(kind="whole", help="How many, at most.", least=1, most=most)


MAP = (
    Verb(
        name="hops",
        python="mind.hops",
        help="What is reached from a thing over the map's edges, the best path first, and who linked it.",
        scope="read",
        takes={
            "id": ID,
            "depth": Field(kind="whole", help="How many edges away, at most.", least=0, most=DEEPEST),
            "limit": _most(MOST),
            **PAST,
            **FILTERS,
        },
        needs=("id",),
        answers=("model.hop.Hop",),
        many=True,
        rest="GET /api/memories/{id}/hops",
        cli="hops {id}",
        tool="hops",
        shape=shapes.question,
    ),
    Verb(
        name="connections",
        python="mind.connections",
        help="The edges at a thing, the heaviest first, and what they lead to.",
        scope="read",
        takes={"id": ID, "limit": _most(LOOKED_AT), **PAST},
        needs=("id",),
        answers=("model.hop.Connected",),
        many=True,
        rest="GET /api/memories/{id}/connections",
        cli="connections {id}",
        tool=RARE,
    ),
    Verb(
        name="list_recent",
        python="mind.list_recent",
        help="The memories last written, the newest first.",
        scope="read",
        takes={"limit": _most(MAX_RECENT), **PAST, **FILTERS},
        answers=("model.hop.Hop",),
        many=True,
        rest="GET /api/memories",
        cli="list-recent",
        tool=RARE,
        shape=shapes.question,
    ),
)
