"""What a question wants: to be caught up, when it says so and names no topic; else an answer (intents.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from noosphere.store.words.query import query_terms

LONGEST = 200  # characters; who writes more than that names a topic


def wants_catch_up(query: str) -> bool:
    """Whether a question asks what is going on, and names no topic."""
    if len(query) > LONGEST:
        return False
    left, asked = query, False
    for pattern in patterns():
        left, count = pattern.subn(" ", left)
        asked = asked or count > 0
    words = (term for term in query_terms(left) if not term.stop)
    return asked and all(term.shown.casefold() in fillers() for term in words)


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    """The ways of asking."""
    return tuple(re.compile(p, re.IGNORECASE) for p in _data()["patterns"])


@cache
def fillers() -> frozenset[str]:
    """Words that name no topic."""
    return frozenset(_data()["fillers"].split())


@cache
def _data() -> dict[str, Any]:
    text = resources.files("noosphere.recall").joinpath("intents.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["catch_up"]
