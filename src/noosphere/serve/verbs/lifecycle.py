"""The rows of the verbs that end, join or confirm what is stored."""

from __future__ import annotations

from noosphere.serve.verbs.cells import text, texts
from noosphere.serve.verbs.glossary import ID
from noosphere.serve.verbs.verb import Verb

LIFECYCLE = (
    Verb(
        name="archive",
        python="mind.archive",
        help="Put a memory, conversation or entity away: out of the current reads, kept in history.",
        scope="write",
        takes={"id": ID},
        needs=("id",),
        answers=("model.outcome.Retired",),
        rest="POST /api/memories/{id}/archive",
        cli="archive {id}",
        tool="revise",
    ),
    Verb(
        name="retire",
        python="mind.retire",
        help="Deprecate a memory, conversation or entity: it no longer holds, and stays in history.",
        scope="write",
        takes={"id": ID},
        needs=("id",),
        answers=("model.outcome.Retired",),
        rest="POST /api/memories/{id}/retire",
        cli="retire {id}",
        tool="revise",
    ),
    Verb(
        name="merge",
        python="mind.merge",
        help="Make one new memory of several, which are archived, or one entity of several: the first stays.",
        scope="write",
        takes={
            "ids": texts("Two or more, all memories or all entities."),
            "text": text("What the new memory says; without it, what they all said, a line each."),
        },
        needs=("ids",),
        answers=("model.outcome.Merged",),
        rest="POST /api/merge",
        cli="merge {ids}",
        tool="revise",
    ),
    Verb(
        name="check",
        python="mind.check",
        help="Say that memories still hold; what they say is not touched.",
        scope="write",
        takes={"ids": texts("The memories that were looked at.")},
        needs=("ids",),
        answers=("model.outcome.Checked",),
        rest="POST /api/check",
        cli="check {ids}",
        tool="revise",
    ),
)
