"""From what a caller hands in to a checked exchange."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, shown
from noosphere.model.argument import read_flag, read_key, read_line, read_many, read_text
from noosphere.model.exchange import Exchange
from noosphere.model.when import read_time

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = tuple(f.name for f in fields(Exchange))
TEXTS = ("user", "assistant")


def read_exchange(given: Exchange | Mapping[str, Any]) -> Exchange:
    """Check an exchange, or a mapping with its fields.

    Raises:
        InvalidInput: a field is unknown or has the wrong form, or nobody says anything.
    """
    exchange = given if isinstance(given, Exchange) else _made(given)
    for name in TEXTS:
        if not isinstance(getattr(exchange, name), str):
            raise InvalidInput(name, f"{shown(getattr(exchange, name))} is not text", "Pass a string")
    tools = read_many(exchange.tools, "tools")
    if not all(isinstance(text, str) for text in tools):
        raise InvalidInput("tools", "holds something else than text", "Pass a list of strings")
    if not exchange.user.strip() and not exchange.assistant.strip():
        raise InvalidInput("exchange", "says nothing", "Give the text of the user or of the assistant")
    read_time(exchange.said_at, "said_at", UTC)  # in the mind's zone it is read with the turns
    return Exchange(
        user=read_text(exchange.user, "user") or "",
        assistant=read_text(exchange.assistant, "assistant") or "",
        tools=tuple(read_text(text, "tools") or "" for text in tools),
        user_name=read_line(exchange.user_name, "user_name") or "user",
        assistant_name=read_line(exchange.assistant_name, "assistant_name") or "assistant",
        said_at=exchange.said_at,
        conversation=read_key(exchange.conversation, "conversation"),
        session=read_key(exchange.session, "session"),
        key=read_key(exchange.key, "key"),
        user_key=read_key(exchange.user_key, "user_key"),
        assistant_key=read_key(exchange.assistant_key, "assistant_key"),
        previous=read_text(exchange.previous, "previous"),
        workspace=read_flag(exchange.workspace, "workspace") is not False,
    )


def _made(given: Mapping[str, Any]) -> Exchange:
    if not hasattr(given, "keys"):
        raise InvalidInput("exchange", f"{shown(given)} is no exchange", 'Pass {"user": "…", "assistant": "…"}')
    unknown = next((name for name in given if name not in NAMES), None)
    if unknown is not None:
        raise InvalidInput.choice("exchange", str(unknown), NAMES)
    return Exchange(**{name: value for name, value in given.items() if value is not None})
