"""Where the wire and a verb's signature differ: filters by name, turns as objects, places in a row."""

from __future__ import annotations

from typing import Any

from noosphere.model.draft import Turn
from noosphere.serve.verbs.glossary import FILTERS

Shaped = tuple[tuple[Any, ...], dict[str, Any]]


def question(given: dict[str, Any]) -> Shaped:
    """Gather the filters of a question under one name."""
    filters = {name: value for name, value in given.items() if name in FILTERS}
    rest = {name: value for name, value in given.items() if name not in FILTERS}
    return (), {**rest, "filters": filters}


def conversation(given: dict[str, Any]) -> Shaped:
    """Make turns of objects."""
    turns = [turn if isinstance(turn, Turn) else Turn(**turn) for turn in given["turns"]]
    return (), {**given, "turns": turns}


def places(given: dict[str, Any]) -> Shaped:
    """Hand over places one by one."""
    rest = {name: value for name, value in given.items() if name != "places"}
    return tuple(given["places"]), rest


def fields(given: dict[str, Any]) -> Shaped:
    """Hand over fields one by one."""
    return tuple(given["fields"]), {}


def exchange(given: dict[str, Any]) -> Shaped:
    """Hand over the sides of an exchange as one."""
    return (given,), {}


def by_model(given: dict[str, Any]) -> Shaped:
    """Have the model that the settings name asked, where one says so."""
    rest = {name: value for name, value in given.items() if name != "model"}
    return (), rest | ({"llm": True} if given.get("model") else {})
