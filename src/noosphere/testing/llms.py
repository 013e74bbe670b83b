"""A language model that answers what it was told to, in order, and keeps what it was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.providers.llm.checked import ask
from noosphere.providers.llm.port import Prices

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from noosphere.providers.llm.port import Completion, Message


class ScriptedLLM:
    """Answers from a script; an exception in it is raised, and its answers are checked as any model's are.

    Args:
        answers: values, texts or exceptions, in order.
    """

    provider = "scripted"
    model = "script"

    def __init__(self, answers: Iterable[Any]) -> None:
        self._answers = iter(answers)
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Completion:
        """Answer with the next of the script; see `LLM.complete`."""
        return ask(self.model, messages, schema, Prices(), self._send)

    def _send(self, messages: Sequence[Message]) -> tuple[Any, int | None, int | None]:
        self.asked.append(messages)
        answer = next(self._answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer, sum(len(one.text.split()) for one in messages), 1
