"""Names made comparable: case, punctuation, possessives and width do not tell entities apart; aliases join them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib import resources

POSSESSIVE = re.compile(r"(?:'s|’s)$")
OUTER = re.compile(r"^[\W_]+|[\W_]+$")
INNER = re.compile(r"[\s_]+")
KEPT_TAILS = ("c++", "c#", "f#", ".net")  # names that begin or end in what is punctuation elsewhere
KNOWN = 16_384  # names that are remembered as they are compared
CALLED = re.compile(r"^(?:the )?(?:project|projekt|projet|proyecto|progetto) (?=\S)|(?<=\S) (?:project|projekt)$")


@lru_cache(maxsize=KNOWN)
def normalize(name: str) -> str:
    """The name by which an entity is identified, with aliases resolved (postgres and pg are postgresql).

    "Project Heron", "the Heron project" and "Heron" are one name.
    """
    folded = name.lower() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()
    plain = " ".join(folded.split())
    if plain.isascii() and plain.replace(" ", "").isalnum():
        plain = CALLED.sub("", plain) if "pro" in plain else plain  # only letters and digits: nothing else to take off
    elif plain not in KEPT_TAILS:
        plain = INNER.sub(" ", OUTER.sub("", POSSESSIVE.sub("", plain)))
        plain = CALLED.sub("", plain)
    return aliases().get(plain, plain)


@cache
def aliases() -> dict[str, str]:
    """Every other name of a thing, as it is after normalising, and the name it leads to."""
    data = resources.files("noosphere.graph").joinpath("aliases.toml").read_text(encoding="utf-8")
    return {alias: name for name, others in tomllib.loads(data)["aliases"].items() for alias in others}
