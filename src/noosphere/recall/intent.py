"""What is wanted: to be caught up, when a question says so and names no topic; else an answer (intents.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from noosphere.store.words.query import query_terms

LONGEST_REMARK = 2_000  # characters; what is longer is a paste
LONGEST = 200  # characters; who writes more than that names a topic


def wants_catch_up(query: str) -> bool:
    """Whether a question asks what is going on, and names no topic."""
    if len(query) > LONGEST:
        return False
    left, asked = query, False
    for pattern in patterns():
        left, count = pattern.subn(" ", left)
        asked = asked or count > 0
    return asked and all(term.stop or term.shown.casefold() in fillers() for term in query_terms(left))


def is_remark(query: str) -> bool:
    """Whether somebody tells something of their own instead of asking."""
    data, head = _data()["remark"], query[:LONGEST_REMARK]
    if len(head.split()) < data["least_words"] or re.search(data["asks"], head, re.IGNORECASE):
        return False
    return re.search(data["tells"], head, re.IGNORECASE) is not None


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    """The ways of asking."""
    return tuple(re.compile(p, re.IGNORECASE) for p in _data()["catch_up"]["patterns"])


@cache
def fillers() -> frozenset[str]:
    """Words that name no topic."""
    return frozenset(_data()["catch_up"]["fillers"].split())


@cache
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("noosphere.recall").joinpath("intents.toml").read_text(encoding="utf-8"))
