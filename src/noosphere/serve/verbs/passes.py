"""The rows of upkeep's passes."""

from __future__ import annotations

from noosphere.serve.verbs.cells import RARE
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.verb import Verb
from noosphere.upkeep import passes

TAKEN = Field(kind="whole", help="How many things to take up, at most.", least=1, most=passes.MOST)
LISTED = Field(kind="whole", help="How many, at most.", least=1, most=passes.MAX_RUNS)
PASSES = (
    Verb(
        name="upkeep",
        python="mind.upkeep",
        help="Run one bounded pass of maintenance; what it changes can be undone.",
        scope="admin",
        takes={"name": Field(kind="word", help="Which pass.", words=tuple(passes.PASSES)), "limit": TAKEN},
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
    Verb(
        name="upkeep.runs",
        python="mind.upkeep.runs",
        help="What was run, the newest first, with counts before and after.",
        scope="read",
        takes={"limit": LISTED},
        answers=("upkeep.passes.Ran",),
        many=True,
        rest="GET /api/upkeep/runs",
        cli="upkeep runs",
        tool=RARE,
    ),
    Verb(
        name="upkeep.stale",
        python="mind.upkeep.stale",
        help="What was marked as stale and not looked at since; check it, revise it or forget it.",
        scope="read",
        takes={"limit": LISTED},
        answers=("upkeep.staleness.Stale",),
        many=True,
        rest="GET /api/upkeep/stale",
        cli="upkeep stale",
        tool=RARE,
    ),
    Verb(
        name="dedupe_entities",
        python="mind.dedupe_entities",
        help="Merge entities of one type and name; the pass of this name.",
        scope="admin",
        takes={"limit": TAKEN},
        answers=("upkeep.passes.Ran",),
        rest="POST /api/entities/dedupe",
        cli="dedupe-entities",
        tool=RARE,
    ),
)
