"""noise: what looks like the name of an entity and is none."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from noosphere.graph.names.lists import is_listed
from noosphere.graph.normalize import normalize
from noosphere.records import dataclass

NEVER = frozenset({"starter", "calendar", "numbered"})  # what nobody means as an entity, unless a person is called so


@dataclass(frozen=True, slots=True)
class Noise:
    """A kind of name that is left out: by its words, or by its shape, in which case may count."""

    id: str
    reason: str
    words: frozenset[str]
    pattern: re.Pattern[str] | None
    cased: re.Pattern[str] | None

    def takes(self, name: str, key: str) -> bool:
        """Whether a name is of this kind."""
        if key in self.words or (self.pattern is not None and self.pattern.fullmatch(key) is not None):
            return True
        return self.cased is not None and self.cased.fullmatch(name) is not None


def noise(name: str, *, stated: bool = False) -> str | None:
    """Why a name is no entity's, as "id: reason"; None when it may be one.

    Args:
        name: as it is written.
        stated: whether somebody said that it is an entity; then only what never is one is left out.
    """
    key = normalize(name)
    if not stated and is_listed(key):
        return None
    for kind in _kinds():
        if (not stated or kind.id in NEVER) and kind.takes(name, key):
            return f"{kind.id}: {kind.reason}"
    return None


@cache
def data() -> dict[str, Any]:
    """The file of noise as it stands."""
    return tomllib.loads(resources.files("noosphere.graph.names").joinpath("noise.toml").read_text(encoding="utf-8"))


@cache
def _kinds() -> tuple[Noise, ...]:
    return tuple(
        Noise(
            given["id"],
            given["reason"],
            frozenset(given.get("words", ())),
            re.compile(given["pattern"]) if "pattern" in given else None,
            re.compile(given["cased"]) if "cased" in given else None,
        )
        for given in data()["noise"]
    )
