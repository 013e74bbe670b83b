"""Messages of the engine in the words of a door: they name verbs as Python does, `sessions.list()`.

What a message quotes is somebody's own words: they stay as they were written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from noosphere.errors import InvalidInput, StorageError, cut

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.errors import NoosphereError
    from noosphere.serve.verbs.verb import Verb

Wire = Literal["rest", "mcp"]
Door = Literal["cli"] | Wire

# From the first quote to the last, for what is quoted may hold quotes, and to the end where the last was cut off.
QUOTED = re.compile(r"(?<![\w=])(['\"])(?:.*\1(?!\w)|.*)", re.DOTALL)
VERB = re.compile(r"(?<!['\"])\b([a-z_]+(?:\.[a-z_]+)*)\(\)")
TRUE = re.compile(r"\b([a-z][a-z_]*)=True\b")
NONE = re.compile(r"\b([a-z][a-z_]*)=None\b")


def with_verbs(text: str, door: Door) -> str:
    """A message with its verbs named as one calls them through a door; what is no verb stays as it is."""
    return VERB.sub(lambda found: _called(found.group(1), door) or found.group(), text)


def in_json(text: str, door: Wire) -> str:
    """A message as a caller reads it who sends JSON."""
    return outside_quotes(text, lambda words: _in_json(words, door))


def failure_in_json(error: NoosphereError, door: Wire) -> str:
    """What an error says, as a caller reads it who sends JSON."""
    return parts_of(error, lambda words: in_json(words, door))


def outside_quotes(text: str, reword: Callable[[str], str]) -> str:
    """A text reworded but for what it quotes."""
    found = QUOTED.search(text)
    if found is None:
        return reword(text)
    return reword(text[: found.start()]) + found.group() + reword(text[found.end() :])


def parts_of(error: NoosphereError, reword: Callable[[str], str]) -> str:
    """What an error says, with what happened and what to do reworded each by itself; where it was stays as it is."""
    told = str(error).removesuffix(error.remedy)
    place = _place(error)
    return place + reword(told.removeprefix(place)) + reword(error.remedy)


def _place(error: NoosphereError) -> str:
    match error:
        case StorageError():
            return cut(error.path)
        case InvalidInput():
            return error.field
        case _:
            return ""


def _in_json(text: str, door: Wire) -> str:
    text = TRUE.sub(lambda found: f"{found.group(1)}: true", with_verbs(text, door))
    return NONE.sub(lambda found: f"{found.group(1)}: null", text)


def _called(verb: str, door: Door) -> str | None:
    """How a verb is called, without what it is given."""
    from noosphere.serve.verbs.table import VERBS  # noqa: PLC0415  (the whole table, for a message that names one)

    rows = [row for row in VERBS if row.python.partition(".")[2] == verb]
    doors = ("mcp", "cli") if door == "mcp" else (door,)  # what no tool does, a person does with the command
    words = next((cell for one in doors for row in rows if (cell := _cell(row, one)) is not None), None)
    return None if words is None else f"`{words}`"


def _cell(row: Verb, door: Door) -> str | None:
    cell = {"cli": row.cli, "rest": row.rest, "mcp": row.tool}[door]
    if not isinstance(cell, str):
        return None
    return f"noosphere {cell.partition(' {')[0]}" if door == "cli" else cell
