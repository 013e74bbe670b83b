"""The rows of upkeep's passes."""

from __future__ import annotations

from noosphere.serve.verbs.cells import RARE
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.verb import Verb
from noosphere.upkeep.passes import MOST

PASSES = (
    Verb(
        name="upkeep",
        python="mind.upkeep",
        help="Run one bounded pass of maintenance; what it changes can be undone.",
        scope="admin",
        takes={
            "name": Field(kind="word", help="Which pass.", words=("prune", "reembed")),
            "limit": Field(kind="whole", help="How many changes, at most.", least=1, most=MOST),
        },
        needs=("name",),
        answers=("upkeep.passes.Ran",),
        rest="POST /api/upkeep",
        cli="upkeep run {name}",
        tool=RARE,
    ),
    Verb(
        name="upkeep.due",
        python="mind.upkeep.due",
        help="How much each pass would have to do.",
        scope="read",
        rest="GET /api/upkeep",
        cli="upkeep due",
        tool=RARE,
    ),
)
