"""The port of language models: `complete(messages, schema)` gives a value of that schema, with what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Role = Literal["system", "user", "assistant"]
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Message:
    """What is said to a model, and by whom."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Prices:
    """Micros of a currency for a million tokens, in and out; None when nobody said."""

    prompt: int | None = None
    completion: int | None = None

    def of(self, prompt: int | None, completion: int | None) -> int | None:
        """What a call cost, in micros; None when a price or a count is not known."""
        if None in (self.prompt, self.completion, prompt, completion):
            return None
        total = (prompt or 0) * (self.prompt or 0) + (completion or 0) * (self.completion or 0)
        return -(-total // MILLION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A checked answer.

    Attributes:
        value: of the schema that was asked for.
        prompt_tokens, completion_tokens: as the provider counts them, over all tries; None when it does not say.
        cost_micros: what they cost, where prices are known.
        tries: how often it was asked until the answer was of the schema.
    """

    value: Any
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_micros: int | None
    tries: int


class LLM(Protocol):
    """A language model."""

    @property
    def provider(self) -> str:
        """Who runs it."""
        ...

    @property
    def model(self) -> str:
        """Its name."""
        ...

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Completion:
        """Answer with a value of the schema.

        Raises:
            ModelDown: it cannot be reached or does not answer in time.
            ModelUnavailable: it refuses, or does not answer with a value of the schema.
        """
        ...
