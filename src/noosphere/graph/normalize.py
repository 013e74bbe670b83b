"""Names made comparable: case, punctuation, possessives and width do not tell entities apart; aliases join them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib import resources

POSSESSIVE = re.compile(r"(?:'s|’s)$")
OUTER = re.compile(r"^[\W_]+|[\W_]+$")
INNER = re.compile(r"[\s_]+")
KEPT_TAILS = ("c++", "c#", "f#")  # names that end in what is punctuation elsewhere


def normalize(name: str) -> str:
    """The name by which an entity is identified, with aliases resolved (postgres and pg are postgresql)."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if plain not in KEPT_TAILS:
        plain = INNER.sub(" ", OUTER.sub("", POSSESSIVE.sub("", plain)))
    return _aliases().get(plain, plain)


@cache
def _aliases() -> dict[str, str]:
    data = resources.files("noosphere.graph").joinpath("aliases.toml").read_text(encoding="utf-8")
    return {alias: name for name, aliases in tomllib.loads(data)["aliases"].items() for alias in aliases}
