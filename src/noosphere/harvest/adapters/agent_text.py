"""What coding agents wrap around a person's words: context, reminders and output that nobody said (agent_text.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.harvest.items import Omission
from noosphere.harvest.untrusted import as_list, as_record, as_text, first_text

if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND_WORDS = 4  # arguments of a command with fewer words are switches and names, with more they are a request
ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>\s*", re.DOTALL)
QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
BLOCKS = {
    "thinking": Omission.REASONING,
    "redacted_thinking": Omission.REASONING,
    "reasoning": Omission.REASONING,
    "tool_use": Omission.TOOL_CALL,
    "tool-call": Omission.TOOL_CALL,
    "toolCall": Omission.TOOL_CALL,
    "tool_call": Omission.TOOL_CALL,
    "server_tool_use": Omission.TOOL_CALL,
    "function_call": Omission.TOOL_CALL,
    "tool_result": Omission.TOOL_OUTPUT,
    "tool-result": Omission.TOOL_OUTPUT,
    "web_search_tool_result": Omission.TOOL_OUTPUT,
}
TEXT_BLOCKS = frozenset({None, "text", "input_text", "output_text"})


@dataclass(frozen=True, slots=True)
class Wrapping:
    """Patterns of what was not said.

    Attributes:
        wrapped: an element with all it holds.
        open: an element that is never closed, at the start.
        not_said: the opening of a text that is not a person's at all.
    """

    wrapped: re.Pattern[str]
    open: re.Pattern[str]
    not_said: re.Pattern[str]


@cache
def wrapping() -> Wrapping:
    """The patterns, read when first asked."""
    data = tomllib.loads(
        resources.files("noosphere.harvest.adapters").joinpath("agent_text.toml").read_text(encoding="utf-8")
    )
    names = "|".join(map(re.escape, data["wrappers"]["names"]))
    openings = "|".join(row["opening"] for row in data["not_said"])
    return Wrapping(
        wrapped=re.compile(rf"<({names})(?:\s[^<>]*)?>.*?</\1>\s*", re.DOTALL),
        open=re.compile(rf"\A\s*<(?:{names})>"),
        not_said=re.compile(rf"\A\s*(?:{openings})"),
    )


def spoken(text: str) -> str | None:
    """A person's own words, without what the program put around them; None when nothing is left."""
    around = wrapping()
    if around.not_said.match(text):
        return None
    if queries := QUERY.findall(text):
        return as_text("\n\n".join(queries))
    text = around.wrapped.sub("", text)
    text = ARGUMENTS.sub(lambda match: match[1] if len(match[1].split()) >= COMMAND_WORDS else "", text)
    return None if around.open.match(text) or around.not_said.match(text) else as_text(text.strip())


def texts_of(content: Any, leave: Callable[[Omission], None]) -> list[str] | None:
    """The texts of a message's content; what else it holds is left and counted. None: it is no content at all."""
    if isinstance(content, str):
        return [content] if as_text(content) else []
    if not isinstance(content, list):
        return None
    texts: list[str] = []
    for value in as_list(content):
        block = as_record(value)
        kind = as_text(block.get("type"))
        if kind in BLOCKS:
            leave(BLOCKS[kind])
        elif text := as_text(value) or (first_text(block, "text", "content") if kind in TEXT_BLOCKS else None):
            texts.append(text)
    return texts
