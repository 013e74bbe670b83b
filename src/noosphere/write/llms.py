"""From settings to the language model that learning may ask: none unless one was named."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from noosphere.errors import ModelDown
from noosphere.providers.hosted import reachable
from noosphere.providers.llm.port import LLM, Prices
from noosphere.settings import LLM_OFF

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.providers.llm.port import Completion, Message
    from noosphere.settings import Settings

KEYS = {"openai": "OPENAI_API_KEY", "litellm": "LITELLM_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
NEEDED = ("anthropic",)  # the others may be one's own servers, which need no key
PATHS = {"ollama": "/v1", "litellm": "/v1"}  # behind the address of the server; openai_url has it
REACH = {"ollama": "ollama", "openai": "openai", "litellm": "litellm", "anthropic": "openai"}  # as hosted.toml sorts
MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Missing:
    """The named model cannot be asked: every call says why, and is written down as one that failed."""

    provider: str
    model: str
    reason: str
    remedy: str

    def complete(self, messages: Sequence[Message], schema: Mapping[str, object]) -> Completion:  # noqa: ARG002  (as the port has them)
        """Say why there is no answer.

        Raises:
            ModelDown: always.
        """
        raise ModelDown(f"{self.provider}:{self.model}", self.reason, self.remedy)

    def close(self) -> None:
        """There is nothing to close."""


class Named(LLM, Protocol):
    """A language model that was made here, and is closed by whoever asked for it."""

    def close(self) -> None:
        """Close its connection."""
        ...


def make_llm(settings: Settings, *, fast: bool = False) -> Named | None:
    """The language model that the settings name, or the quick one; None when they name none."""
    name = settings.llm_fast if fast else settings.llm
    if name == LLM_OFF:
        return None
    provider, _, model = name.partition(":")
    if not reachable(REACH[provider], settings.tier):
        reason = f"the tier {settings.tier} may not reach {provider}"
        return Missing(provider, model, reason, "Name another model or another tier")
    key = os.environ.get(KEYS.get(provider, ""), "") or None
    if key is None and provider in NEEDED:
        return Missing(provider, model, f"{KEYS[provider]} is not set", "Set it, or name another model")
    prices = _prices(settings.llm_fast_prices if fast else settings.llm_prices)
    if provider == "anthropic":
        from noosphere.providers.llm.anthropic import Anthropic  # noqa: PLC0415  (only for whoever named it)

        url = settings.anthropic_url
        return Anthropic(model, key=key or "", url=url, seconds=settings.llm_seconds, prices=prices)
    from noosphere.providers.llm.openai_compatible import OpenAICompatible  # noqa: PLC0415  (likewise)

    url = getattr(settings, f"{provider}_url").rstrip("/") + PATHS.get(provider, "")
    return OpenAICompatible(model, url, key=key, seconds=settings.llm_seconds, prices=prices)


def _prices(told: tuple[float, ...]) -> Prices:
    if not told:
        return Prices()
    prompt, completion = told
    return Prices(round(prompt * MICROS), round(completion * MICROS))
