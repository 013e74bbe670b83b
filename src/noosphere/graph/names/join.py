"""joined: a short form of a name in the same text is the same name, and what is sure of one is sure of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.graph.names.mention import Mention

WHOLE = frozenset({"location", "organization", "technology", "tool", "file"})  # a part of such a name is another thing


def joined(found: list[Mention]) -> list[Mention]:
    """Give every mention the longest form of its name and the type that something told."""
    if len(found) <= 1:
        return found
    named: dict[str, Mention] = {}
    for one in found:
        best = named.get(one.key)
        if best is None or (one.sure, one.known) > (best.sure, best.known):
            named[one.key] = one
    longer = {key: _longer(one, named) for key, one in named.items()}
    return [_as(one, longer[one.key] or named[one.key]) for one in found]


def _as(one: Mention, best: Mention) -> Mention:
    if best is one:
        return one
    return replace(one, name=best.name, key=best.key, type=best.type, sure=best.sure, known=best.known)


def _longer(one: Mention, named: dict[str, Mention]) -> Mention | None:
    """The one longer name that a short one stands for."""
    if one.known:
        return None
    found = [other for other in named.values() if other is not one and _is_part(one, other)]
    return found[0] if len(found) == 1 else None


def _is_part(one: Mention, other: Mention) -> bool:
    if one.sure and other.sure and one.type != other.type:
        return False
    short, long = one.key.split(), other.key.split()
    if len(short) >= len(long):
        return False
    if other.type in WHOLE:
        return long[: len(short)] == short and not (one.sure and one.type == "location")
    return any(long[n : n + len(short)] == short for n in range(len(long)))
