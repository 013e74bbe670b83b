"""The table of verbs: one row each. MCP tools and REST routes are made from it, the command line is checked against it.

An empty cell says why. A new verb of `Mind` or `Noosphere` gets a row here, or the parity test fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.serve.verbs.agency import AGENT, WORKSPACES
from noosphere.serve.verbs.knowing import KNOWING
from noosphere.serve.verbs.lifecycle import LIFECYCLE
from noosphere.serve.verbs.map import MAP
from noosphere.serve.verbs.ontology import ONTOLOGY
from noosphere.serve.verbs.passes import PASSES
from noosphere.serve.verbs.practice import PRACTICE
from noosphere.serve.verbs.reading import READING, SESSIONS
from noosphere.serve.verbs.upkeep import HARVEST, UPKEEP
from noosphere.serve.verbs.writing import WRITING

if TYPE_CHECKING:
    from noosphere.serve.verbs.verb import Verb

VERBS: tuple[Verb, ...] = (
    *WRITING, *LIFECYCLE, *READING, *MAP, *KNOWING, *ONTOLOGY, *SESSIONS, *AGENT, *PRACTICE, *HARVEST, *WORKSPACES,
    *UPKEEP, *PASSES,
)  # fmt: skip
BY_NAME = {verb.name: verb for verb in VERBS}

# Public names of Mind and Noosphere that are no verbs of their own.
NOT_VERBS = {
    "mind.cognify": "noosphere.cognify, in a mind that stands alone",
    "mind.remember_many": "remember, for many at once in this process",
    "mind.rank": "noosphere.ranked, whose list it is",
    "mind.ranked": "noosphere.ranked over one mind",
    "mind.recall": "noosphere.recall over one mind",
    "mind.plan": "how several minds answer one question",
    "mind.close": "the end of this process's use",
    "noosphere.awareness": "part of noosphere.context",
    "noosphere.mind": "how a mind is used in this process",
    "noosphere.minds": "how minds are used in this process",
    "noosphere.changing": "how a mind is used in this process",
    "noosphere.personal": "how a mind is used in this process",
    "noosphere.close": "the end of this process's use",
    "noosphere.now": "the clock",
    "noosphere.name_of": "which mind a hit is from",
}
