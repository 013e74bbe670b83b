"""Messages of the engine in the words of a door: they name verbs as Python does, `sessions.list()`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from noosphere.serve.verbs.verb import Verb

Wire = Literal["rest", "mcp"]
Door = Literal["cli"] | Wire

VERB = re.compile(r"(?<!['\"])\b([a-z_]+(?:\.[a-z_]+)*)\(\)")
TRUE = re.compile(r"\b([a-z][a-z_]*)=True\b")
NONE = re.compile(r"\b([a-z][a-z_]*)=None\b")


def with_verbs(text: str, door: Door) -> str:
    """A message with its verbs named as one calls them through a door; what is no verb stays as it is."""
    return VERB.sub(lambda found: _called(found.group(1), door) or found.group(), text)


def in_json(text: str, door: Wire) -> str:
    """A message as a caller reads it who sends JSON."""
    text = TRUE.sub(lambda found: f"{found.group(1)}: true", with_verbs(text, door))
    return NONE.sub(lambda found: f"{found.group(1)}: null", text)


def _called(verb: str, door: Door) -> str | None:
    """How a verb is called, without what it is given."""
    from noosphere.serve.verbs.table import VERBS  # noqa: PLC0415  (the whole table, for a message that names one)

    found = (_cell(row, door) for row in VERBS if row.python.partition(".")[2] == verb)
    words = next((cell for cell in found if isinstance(cell, str)), None)
    return None if words is None else f"`{words}`"


def _cell(row: Verb, door: Door) -> str | None:
    cell = {"cli": row.cli, "rest": row.rest, "mcp": row.tool}[door]
    if not isinstance(cell, str):
        return None
    return f"noosphere {cell.partition(' {')[0]}" if door == "cli" else cell
