"""What a client may read without a tool: identity, awareness, stats, one workspace; and the prompt for catching up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.errors import NotFound
from noosphere.model.text import clean
from noosphere.serve.verbs.call import document

if TYPE_CHECKING:
    from noosphere.minds.noosphere import Noosphere

RESOURCES = {
    "memory://identity": ("identity", "Who the agent is."),
    "memory://awareness": ("awareness", "What the agent is at just now."),
    "memory://stats": ("stats", "How much the active mind knows."),
}
WORKSPACE = "memory://workspace/"
TEMPLATE = (f"{WORKSPACE}{{id}}", "workspace", "How much one workspace knows, and what is in force there.")
CATCH_UP = "catch_up"
CATCH_UP_HELP = "Bring the agent up to date: who it is, what it is at, and what bears on a topic."


def read(noosphere: Noosphere, uri: str) -> str:
    """A resource as JSON text.

    Raises:
        NotFound: there is no such resource.
    """
    return json.dumps(document(_value(noosphere, uri)), ensure_ascii=False)


def catch_up(noosphere: Noosphere, topic: str) -> str:
    """The text of the prompt."""
    block = noosphere.context(topic).text
    topic = clean(topic).text
    asked = f"Catch me up on {topic}" if topic.strip() else "Catch me up"
    return f"{block}\n\n{asked}: what was decided, what is open, what changed last. Cite dates; say what is uncertain."


def _value(noosphere: Noosphere, uri: str) -> Any:
    match uri:
        case "memory://identity":
            with noosphere.personal() as mind:
                return mind.identity.get()
        case "memory://awareness":
            return noosphere.awareness()
        case "memory://stats":
            with noosphere.mind() as mind:
                return mind.stats()
        case _ if uri.startswith(WORKSPACE):
            with noosphere.mind(uri.removeprefix(WORKSPACE)) as mind:
                return {"status": document(mind.status()), "stats": document(mind.stats())}
        case _:
            raise NotFound("resource", uri, f"There are: {', '.join([*RESOURCES, TEMPLATE[0]])}")
