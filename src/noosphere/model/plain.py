"""Values as plain JSON: the same field names behind every door."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import PurePath
from typing import Any, cast

from noosphere.clock import micros
from noosphere.model.when import iso


def plain(value: Any) -> Any:
    """Turn a value of this package into dicts, lists, texts and numbers, with times as ISO-8601."""
    if isinstance(value, datetime):
        return iso(micros(value))
    if isinstance(value, (Enum, PurePath)):
        return value.value if isinstance(value, Enum) else str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in cast("list[Any]", value)]
    return value
