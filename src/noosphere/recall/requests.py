"""What a request asks about, without the words that say what to do with the answer (requests.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

LONGEST = 2_000  # characters; more is a paste, not a request
LEAST = re.compile(r"\w{3,}.*?\w{3,}", re.DOTALL)  # two words must be left, else the request is all there is


def topic(query: str) -> str:
    """The query without its wrapping; the query itself when little else would be left."""
    if len(query) > LONGEST:
        return query
    left = query
    for pattern in patterns().values():
        left = pattern.sub(" ", left)
    left = " ".join(left.split())
    return left if LEAST.search(left) else query


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """The phrases, in the order they are taken out."""
    data = resources.files("noosphere.recall").joinpath("requests.toml").read_text(encoding="utf-8")
    return {name: re.compile(phrase["pattern"], re.IGNORECASE) for name, phrase in tomllib.loads(data).items()}
