"""JSON Schema of what verbs answer, read off the very classes that `plain` writes out."""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from noosphere.serve.verbs.verb import Verb

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
HOMES = (
    "model.trace", "model.hit", "model.identity", "model.awareness", "model.signal", "model.record", "model.outcome"
)  # fmt: skip
Schema = dict[str, Any]


def schema_of(verb: Verb) -> Schema:
    """The JSON Schema of a verb's answer; a verb that answers with nothing special answers with any JSON."""
    found = [_titled(name) for name in verb.answers]
    found += [{"type": "array", "items": _titled(name)} for name in verb.listed]
    if not found:
        return {}
    one = found[0] if len(found) == 1 else {"anyOf": found}
    return {"type": "array", "items": one} if verb.many else one


def merged(verb: Verb) -> Schema:
    """One flat object schema with the properties of every class a verb may answer with."""
    found = [_titled(name) for name in verb.answers]
    properties: Schema = {}
    for schema in found:
        properties = {**schema["properties"], **properties}
    always: set[str] = set(found[0]["required"]).intersection(*(schema["required"] for schema in found))
    return {"type": "object", "properties": properties, "required": sorted(always)}


@cache
def _titled(name: str) -> Schema:
    """The schema of a class, and of the outcome that names it."""
    module, _, short = name.rpartition(".")
    schema = dict(_dataclass(getattr(import_module(f"noosphere.{module}"), short)))
    if "string" in schema["properties"].get("journal", {}).get("type", ()) and module != "model.record":
        schema["properties"] = {"outcome": {"type": "string"}, **schema["properties"]}
        schema["required"] = ["outcome", *schema["required"]]
    return schema


@cache
def _dataclass(kind: type) -> Schema:
    hints = get_type_hints(kind, localns=_Names())
    properties = {field.name: _of(hints[field.name]) for field in fields(kind)}
    return {"type": "object", "title": kind.__name__, "properties": properties, "required": list(properties)}


def _of(hint: Any) -> Schema:  # noqa: PLR0911  (one line a kind of type)
    """The schema of a type."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    if hint is datetime:
        return {"type": "string", "format": "date-time"}
    if origin in (Union, types.UnionType):
        return _union([_of(arm) for arm in inside])
    if origin is Literal:
        return {"type": "string", "enum": list(inside)}
    if origin in (list, tuple, set, frozenset) or (isinstance(origin, type) and issubclass(origin, Iterable)):
        return _many(origin, inside)
    if isinstance(hint, type):
        return _class(hint)
    return {}


def _class(kind: type) -> Schema:
    if is_dataclass(kind):
        return _dataclass(kind)
    if issubclass(kind, Enum):
        return {"type": "string", "enum": [member.value for member in kind]}
    if issubclass(kind, PurePath):
        return {"type": "string"}
    return {}


def _many(origin: Any, inside: tuple[Any, ...]) -> Schema:
    if origin is dict or (isinstance(origin, type) and issubclass(origin, dict)):
        return {"type": "object", "additionalProperties": _of(inside[1]) if len(inside) > 1 else {}}
    if origin is tuple and Ellipsis not in inside:
        arms = [_of(item) for item in dict.fromkeys(inside)]
        items = arms[0] if len(arms) == 1 else _union(arms)
        return {"type": "array", "items": items, "minItems": len(inside), "maxItems": len(inside)}
    return {"type": "array", "items": _of(inside[0])}


def _union(arms: list[Schema]) -> Schema:
    """Alternatives; plain types are one list of types."""
    if any(arm == {} for arm in arms):
        return {}
    if all(set(arm) <= {"type", "format"} for arm in arms):
        return {"type": [arm["type"] for arm in arms]}
    return {"anyOf": arms}


class _Names(dict[str, Any]):
    """Names that a class's module imports for the type checker alone."""

    def __missing__(self, name: str) -> Any:
        if name == "datetime":
            return datetime
        for home in HOMES:
            found = getattr(import_module(f"noosphere.{home}"), name, None)
            if found is not None:
                return found
        raise KeyError(name)
