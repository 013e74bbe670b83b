"""Servers that speak OpenAI's chat completions: OpenAI, Ollama, LM Studio, vLLM, llama.cpp, a LiteLLM proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import ModelUnavailable
from noosphere.providers.endpoint import Endpoint, Place
from noosphere.providers.llm.checked import MOST_TOKENS, SECONDS, Answer, ask, counted
from noosphere.providers.llm.port import Completion, Message, Prices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMED = "answer"  # what the schema is called on the wire


class OpenAICompatible:
    """A model behind `/chat/completions`.

    Args:
        model: as the server calls it.
        url: of the API, up to and with `/v1`.
        key: a bearer token, where one is needed.
        seconds: how long connecting, sending and each part of an answer may take.
        prices: to count what it costs.
        endpoint: what asks; made of the rest when None.
    """

    provider = "openai_compatible"

    def __init__(
        self,
        model: str,
        url: str,
        *,
        key: str | None = None,
        seconds: float = SECONDS,
        prices: Prices | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        self.model = model
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        place = Place(f"{url.rstrip('/')}/chat/completions", headers, seconds)
        self._endpoint = endpoint or Endpoint(model, place)
        self._prices = prices or Prices()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Completion:
        """Answer with a value of the schema; see `LLM.complete`."""
        return ask(self.model, messages, schema, self._prices, lambda said: self._send(said, schema))

    def close(self) -> None:
        """Close the connection; asking again opens another."""
        self._endpoint.close()

    def _send(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Answer:
        form = {"type": "json_schema", "json_schema": {"name": NAMED, "schema": dict(schema), "strict": True}}
        body = {
            "model": self.model,
            "messages": [{"role": one.role, "content": one.text} for one in messages],
            "response_format": form,
            "temperature": 0,
            "max_tokens": MOST_TOKENS,
        }
        found = self._endpoint.post(body)
        try:
            text = found["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            text = None
        if not isinstance(text, str):
            raise ModelUnavailable(self.model, "answered without a message", "Check the address: it ends in /v1")
        usage: Any = cast("dict[str, Any]", found).get("usage") or {}
        return text, counted(usage, "prompt_tokens"), counted(usage, "completion_tokens")
