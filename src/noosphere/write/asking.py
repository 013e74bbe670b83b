"""Asking a language model: every call is written down with its cost, and one that fails is told, not raised."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.errors import ModelDown, ModelUnavailable
from noosphere.providers.llm.checked import Unfit
from noosphere.store import interactions
from noosphere.store.interactions import Interaction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.providers.llm.port import LLM, Completion, Message
    from noosphere.store.mind_file import MindFile

MILLI = 1000


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking; `why` says why there is no value."""

    value: Any
    why: str | None = None


def ask(mind: MindFile, llm: LLM, purpose: str, messages: Sequence[Message], schema: Mapping[str, Any]) -> Asked:
    """Ask a model for a value of a schema, outside any transaction, and write the call down."""
    start = time.monotonic()
    done: Completion | None = None
    outcome, why = "done", None
    try:
        done = llm.complete(messages, schema)
    except ModelDown as problem:
        outcome, why = "down", str(problem)
    except Unfit as problem:
        outcome, why, done = "refused", str(problem), problem.spent
    except ModelUnavailable as problem:
        outcome, why = "refused", str(problem)
    spent = round(MILLI * (time.monotonic() - start))
    with mind.write() as tx:
        interactions.note(
            tx,
            Interaction(
                provider=llm.provider,
                model=llm.model,
                purpose=purpose,
                outcome=outcome,
                prompt_tokens=None if done is None else done.prompt_tokens,
                completion_tokens=None if done is None else done.completion_tokens,
                cost_micros=None if done is None else done.cost_micros,
                milliseconds=spent,
            ),
        )
    return Asked(None if done is None or why is not None else done.value, why)
