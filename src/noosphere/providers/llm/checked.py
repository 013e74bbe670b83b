"""Values checked against the part of JSON Schema that is asked of models, and asked for again when they fail."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import ModelUnavailable
from noosphere.providers.llm.port import Completion, Message, Prices

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SECONDS = 60.0  # a model may think this long between parts of an answer
MOST_TOKENS = 2048  # of one answer
TRIES = 2  # a model that fails twice at a schema fails at it
KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
FENCED = re.compile(r"^\s*```(?:json)?\s*(.*?)\s*```\s*$", re.DOTALL)
DEEP = 32  # levels of a value


class Unfit(ModelUnavailable):
    """None of a model's answers was of the schema; what they cost is known all the same."""

    def __init__(self, model: str, wrong: str, spent: Completion) -> None:
        super().__init__(model, f"did not answer as asked ({wrong})", "Use a model that answers by a JSON Schema")
        self.spent = spent


Answer = tuple[Any, int | None, int | None]  # a value or its text, prompt tokens, completion tokens


def problem(value: Any, schema: Mapping[str, Any], at: str = "value", depth: int = 0) -> str | None:
    """What is wrong with a value, by where; None when it is of the schema."""
    if depth > DEEP:
        return f"{at} lies too deep"
    kind = schema.get("type")
    if kind is not None and (
        not isinstance(value, KINDS[kind]) or (kind in ("integer", "number") and isinstance(value, bool))
    ):
        return f"{at} is not of type {kind}"
    if (wrong := _out_of_bounds(value, schema, at)) is not None:
        return wrong
    if isinstance(value, dict):
        return _object(cast("dict[str, Any]", value), schema, at, depth)
    if isinstance(value, list):
        items: Mapping[str, Any] = schema.get("items", {})
        for number, item in enumerate(cast("list[Any]", value)):
            if (wrong := problem(item, items, f"{at}[{number}]", depth + 1)) is not None:
                return wrong
    return None


def _out_of_bounds(value: Any, schema: Mapping[str, Any], at: str) -> str | None:
    """What is wrong with a value of the right type."""
    if "enum" in schema and value not in schema["enum"]:
        return f"{at} is none of {', '.join(map(str, schema['enum']))}"
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        return f"{at} is not between {schema['minimum']} and {schema['maximum']}"
    return None


def _object(value: dict[str, Any], schema: Mapping[str, Any], at: str, depth: int) -> str | None:
    known: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f"{at}.{name} is missing"
    for name, item in value.items():
        if name in known:
            if (wrong := problem(item, known[name], f"{at}.{name}", depth + 1)) is not None:
                return wrong
        elif schema.get("additionalProperties") is False:
            return f"{at}.{name} is not asked for"
    return None


def ask(
    model: str,
    messages: Sequence[Message],
    schema: Mapping[str, Any],
    prices: Prices,
    send: Callable[[Sequence[Message]], Answer],
) -> Completion:
    """Ask until the answer is of the schema, telling the model what was wrong.

    Raises:
        ModelDown: it cannot be reached.
        ModelUnavailable: it refuses; Unfit when none of its answers was of the schema.
    """
    said, spent_in, spent_out = list(messages), _Sum(), _Sum()
    wrong = ""
    for tried in range(1, TRIES + 1):
        got, prompt, completion = send(said)
        spent_in.add(prompt)
        spent_out.add(completion)
        value, text = _parsed(got)
        wrong = "the answer is no JSON" if value is _NONE else problem(value, schema) or ""
        if not wrong:
            return _completion(value, spent_in.total, spent_out.total, prices, tried)
        again = f"That was not right: {wrong}. Answer again with JSON of the schema alone."
        said = [*said, Message("assistant", text), Message("user", again)]
    raise Unfit(model, wrong, _completion(None, spent_in.total, spent_out.total, prices, TRIES))


def _completion(value: Any, prompt: int | None, completion: int | None, prices: Prices, tries: int) -> Completion:
    return Completion(
        value=value,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost_micros=prices.of(prompt, completion),
        tries=tries,
    )


def counted(usage: Any, name: str) -> int | None:
    """How many tokens a provider says it used; None when it does not say."""
    found = cast("dict[str, Any]", usage).get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) else None


_NONE = object()


def _parsed(got: Any) -> tuple[Any, str]:
    if not isinstance(got, str):
        return got, json.dumps(got, ensure_ascii=False)
    fenced = FENCED.match(got)
    try:
        return json.loads(got if fenced is None else fenced[1]), got
    except (ValueError, RecursionError):
        return _NONE, got


class _Sum:
    """A sum of which some parts may not be known; then it is not."""

    def __init__(self) -> None:
        self.total: int | None = 0

    def add(self, part: int | None) -> None:
        self.total = None if self.total is None or part is None else self.total + part
