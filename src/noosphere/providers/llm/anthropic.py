"""Anthropic's messages: the value is what the model hands to the one tool it must use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import ModelUnavailable
from noosphere.providers.endpoint import Endpoint, Place
from noosphere.providers.llm.checked import MOST_TOKENS, SECONDS, Answer, ask, counted
from noosphere.providers.llm.port import Completion, Message, Prices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERSION = "2023-06-01"  # of the protocol
URL = "https://api.anthropic.com"
TOOL = "answer"


class Anthropic:
    """A model behind `/v1/messages`.

    Args:
        model: as the provider calls it.
        key: the API key.
        url: of the server.
        seconds: how long connecting, sending and each part of an answer may take.
        prices: to count what it costs.
        endpoint: what asks; made of the rest when None.
    """

    provider = "anthropic"

    def __init__(
        self,
        model: str,
        *,
        key: str,
        url: str = URL,
        seconds: float = SECONDS,
        prices: Prices | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        self.model = model
        headers = {"x-api-key": key, "anthropic-version": VERSION}
        self._endpoint = endpoint or Endpoint(model, Place(f"{url.rstrip('/')}/v1/messages", headers, seconds))
        self._prices = prices or Prices()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Completion:
        """Answer with a value of the schema, which describes an object; see `LLM.complete`."""
        return ask(self.model, messages, schema, self._prices, lambda said: self._send(said, schema))

    def close(self) -> None:
        """Close the connection; asking again opens another."""
        self._endpoint.close()

    def _send(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Answer:
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": MOST_TOKENS,
            "messages": [{"role": one.role, "content": one.text} for one in messages if one.role != "system"],
            "tools": [{"name": TOOL, "description": "Hand over the answer.", "input_schema": dict(schema)}],
            "tool_choice": {"type": "tool", "name": TOOL},
        }
        system = "\n\n".join(one.text for one in messages if one.role == "system")
        if system:
            body["system"] = system
        found = self._endpoint.post(body)
        usage: Any = cast("dict[str, Any]", found).get("usage") if isinstance(found, dict) else None
        return self._handed(found), counted(usage, "input_tokens"), counted(usage, "output_tokens")

    def _handed(self, found: Any) -> Any:
        parts: Any = cast("dict[str, Any]", found).get("content") if isinstance(found, dict) else None
        if isinstance(parts, list):
            for part in cast("list[Any]", parts):
                if isinstance(part, dict) and cast("dict[str, Any]", part).get("type") == "tool_use":
                    return cast("dict[str, Any]", part).get("input")
        raise ModelUnavailable(self.model, "answered without using its tool", "Use a model that can use tools")
