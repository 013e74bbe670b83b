"""The tree of a branched conversation, mended: one parent each, no cycles, parents before children.

Exports keep edited questions and regenerated answers as branches. What they claim about parents and
children may be wrong in every way; nothing here recurses, so a chain of ten thousand turns is a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Claim(NamedTuple):
    """What a node says of its own place."""

    parent: str | None
    children: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """Keys in the export's order with their parents, and how much had to be mended.

    Attributes:
        missing: nodes whose parent is not in the export; they became roots.
        cycles: nodes cut from their parent because the chain came back to them.
    """

    parents: dict[str, str | None]
    missing: int = 0
    cycles: int = 0

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was mended, in words."""
        said = ((self.missing, "name a parent that is not there"), (self.cycles, "were their own ancestor"))
        return tuple(f"messages that {what}: {count}, taken as beginnings" for count, what in said if count)


def grown(claims: Mapping[str, Claim]) -> Tree:
    """Give every node one parent that exists, or none: its own claim first, else that of the node listing it."""
    listed = _listed(claims)
    parents: dict[str, str | None] = {}
    missing = 0
    for key, claim in claims.items():
        parent = claim.parent if claim.parent in claims else listed.get(key)
        missing += claim.parent is not None and parent is None
        parents[key] = parent
    return Tree(parents, missing, _cut_cycles(parents))


def _listed(claims: Mapping[str, Claim]) -> dict[str, str]:
    listed: dict[str, str] = {}
    for key, claim in claims.items():
        for child in claim.children:
            if child in claims:
                listed.setdefault(child, key)
    return listed


def _cut_cycles(parents: dict[str, str | None]) -> int:
    """Cut every cycle at the node where a walk first closes it; each node is walked once."""
    cuts = 0
    walked: set[str] = set()
    for start in parents:
        walk: dict[str, None] = {}
        key: str | None = start
        while key is not None and key not in walked and key not in walk:
            walk[key] = None
            key = parents[key]
        if key is not None and key in walk:
            parents[key] = None
            cuts += 1
        walked.update(walk)
    return cuts


def keep_only(parents: Mapping[str, str | None], shown: Iterable[str]) -> dict[str, str | None]:
    """Leave out the nodes that are not shown: each shown one hangs from its nearest shown ancestor."""
    wanted = set(shown)
    anchors: dict[str, str | None] = {}  # of every node: itself if shown, else its nearest shown ancestor
    kept: dict[str, str | None] = {}
    for key in preorder(parents):
        parent = parents[key]
        above = anchors[parent] if parent is not None else None
        anchors[key] = key if key in wanted else above
        if key in wanted:
            kept[key] = above
    return kept


def nearest(parents: Mapping[str, str | None], shown: Mapping[str, object], key: str | None) -> str | None:
    """This node if it is shown, else its nearest shown ancestor."""
    while key is not None and key not in shown:
        key = parents.get(key)
    return key


def path_to(parents: Mapping[str, str | None], head: str | None) -> list[str]:
    """The keys from the beginning down to `head`."""
    path: list[str] = []
    while head is not None:
        path.append(head)
        head = parents[head]
    return path[::-1]


def path_first(parents: Mapping[str, str | None], head: str | None) -> list[str]:
    """Every key, the path to `head` first, then the other branches; a parent always comes before its children."""
    path = path_to(parents, head)
    on_path = set(path)
    return path + [key for key in preorder(parents) if key not in on_path]


def preorder(parents: Mapping[str, str | None]) -> Iterator[str]:
    """Walk the tree from its roots down, siblings in the export's order."""
    children: dict[str | None, list[str]] = {}
    for key, parent in parents.items():
        children.setdefault(parent, []).append(key)
    waiting = children.get(None, [])[::-1]
    while waiting:
        key = waiting.pop()
        yield key
        waiting.extend(reversed(children.get(key, [])))


def leaves(parents: Mapping[str, str | None]) -> list[str]:
    """The keys nothing hangs from, in the export's order."""
    inner = set(parents.values())
    return [key for key in parents if key not in inner]
