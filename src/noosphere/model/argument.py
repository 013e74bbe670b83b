"""Arguments as callers hand them in: not all callers are typed, so a wrong type is refused by the argument's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from noosphere.errors import InvalidInput, shown
from noosphere.model.text import clean

MAX_KEY = 4_096  # characters of a key or name: as many as a path may have


def read_text(value: object, field: str) -> str | None:
    """Read a text that may be left out; what cannot be stored is repaired.

    Raises:
        InvalidInput: it is not text.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(field, f"{shown(value)} is not text", "Pass a string")
    return clean(value).text


def read_line(value: object, field: str) -> str | None:
    """Read a short text such as a title, trimmed; nothing but white space is None."""
    text = read_text(value, field)
    return None if text is None else text.strip() or None


def read_key(value: object, field: str) -> str | None:
    """Read a key or name that may be left out, but not be empty."""
    text = read_text(value, field)
    if text is not None and not text.strip():
        raise InvalidInput(field, f"{shown(value)} is empty", "Give a name, or leave it out")
    if text is not None and len(text) > MAX_KEY:
        raise InvalidInput(field, f"has {len(text)} characters", f"Give a name of at most {MAX_KEY}")
    return text


def read_flag(value: object, field: str) -> bool | None:
    """Read a yes or no that may be left out."""
    if value is None or isinstance(value, bool):
        return value
    raise InvalidInput(field, f"{shown(value)} is neither True nor False", "Pass a boolean")


def read_count(value: object, field: str, least: int, most: int) -> int:
    """Read a whole number within bounds."""
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise InvalidInput(field, f"{shown(value)} is out of range", f"Give a whole number from {least} to {most}")


def read_share(value: object, field: str) -> float | None:
    """Read a number between 0 and 1 that may be left out."""
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise InvalidInput(field, f"{shown(value)} is not between 0 and 1", "Give a number from 0 to 1")


def read_many(values: object, field: str) -> list[Any]:
    """Read several of something; a single text is not several."""
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping)):
        return list(cast("Iterable[Any]", values))
    given = cast("object", values)
    raise InvalidInput(field, f"{shown(given)} is not a list", f"Pass {field}=[...]")


def read_options(about: dict[str, Any], options: Sequence[str], verb: str) -> dict[str, Any]:
    """The options of a verb, when it knows them all.

    Raises:
        InvalidInput: it does not know one; near names are given.
    """
    unknown = next((name for name in about if name not in options), None)
    if unknown is not None:
        raise InvalidInput.choice(verb, unknown, options)
    return about
