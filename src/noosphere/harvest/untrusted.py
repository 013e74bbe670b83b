"""Narrowing of untrusted values: whatever a file claims, the caller gets the type it asked for, or nothing."""

from __future__ import annotations

import hashlib
import json
import math
from decimal import Decimal
from typing import Any, cast

MAX_VALUES = 10_000  # of one metadata tree: aliases of a small YAML file can unfold without end
MAX_DEPTH = 20  # of one metadata tree


def as_record(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]  (JSON has no other)


def as_list(value: Any) -> list[Any]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]  (JSON has no other)


def as_text(value: Any) -> str | None:
    """The value if it is text with something in it besides white space."""
    return value if isinstance(value, str) and value.strip() else None


def as_texts(value: Any) -> list[str]:
    """The texts of an array, the rest passed over."""
    return [text for text in as_list(value) if isinstance(text, str)]


def as_number(value: Any) -> int | Decimal | float | None:
    """The value if it is a finite number; true and false are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) else None


def as_flag(value: Any) -> bool:
    """Whether the value is true itself, and not merely something."""
    return value is True


def first_text(record: dict[str, Any], *keys: str) -> str | None:
    """The first of these fields that holds text."""
    for key in keys:
        text = record.get(key)
        if isinstance(text, str) and text.strip():
            return text
    return None


def fingerprint(value: Any) -> bytes:
    """A hash of a JSON value, to know it again."""
    try:
        written = json.dumps(value, sort_keys=True, default=str)
    except RecursionError:
        written = "too deep"
    return hashlib.sha256(written.encode()).digest()


def as_plain(value: Any) -> Any:
    """Copy a value as plain JSON; what is too deep, too much or of another type is left out as None."""
    return _plain(value, MAX_DEPTH, [MAX_VALUES])


def _plain(value: Any, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if depth < 0 or budget[0] < 0:
        return None
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, dict):
        record = cast("dict[Any, Any]", value)
        return {str(key): _plain(inner, depth - 1, budget) for key, inner in record.items() if budget[0] > 0}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, depth - 1, budget) for inner in cast("list[Any]", value) if budget[0] > 0]
    number = as_number(value)
    return as_number(float(number)) if isinstance(number, Decimal) else number
