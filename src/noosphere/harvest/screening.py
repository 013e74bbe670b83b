"""Pass 0: every text of an item was looked at whole; what looks like an attack is held back, the rest goes in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from noosphere.harvest.digest import hash_of
from noosphere.harvest.parcel import pack, pack_turn
from noosphere.harvest.texts import Lazy
from noosphere.harvest.tree import keep_only, nearest
from noosphere.store.quarantine import WHOLE, Holding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.guard.screen import Screening
    from noosphere.harvest.items import ImportItem, ImportTurn
    from noosphere.harvest.verdicts import Verdicts

RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Screened:
    """What may go in, if anything, and what is held back."""

    item: ImportItem | None
    held: tuple[Holding, ...] = ()


def screen_item(item: ImportItem, key: str, seen: Verdicts, decided: Mapping[tuple[str, bytes], str]) -> Screened:
    """Part an item into what may go in and what is held back; what was released before goes in."""
    if seen.whole is not None:
        return _whole(item, key, seen.whole, decided)
    if not seen.turns:
        return Screened(item)
    suspects = {turn.key: (turn, seen.turns[turn.key]) for turn in item.turns if turn.key in seen.turns}
    return _parted(item, key, suspects, decided)


def _whole(item: ImportItem, key: str, found: Screening, decided: Mapping[tuple[str, bytes], str]) -> Screened:
    holding = _holding(key, WHOLE, f"{item.title or ''}\n{item.text}", found, pack(item, item.turns))
    decision = decided.get((WHOLE, holding.hash))
    if decision is None:
        return Screened(None, (holding,))
    return Screened(item) if decision == RELEASED else Screened(None)


def _parted(
    item: ImportItem,
    key: str,
    suspects: Mapping[str, tuple[ImportTurn, Screening]],
    decided: Mapping[tuple[str, bytes], str],
) -> Screened:
    out: dict[str, Holding] = {}
    for turn, found in suspects.values():
        decision = decided.get((turn.key, hash_of(turn.text)))
        if decision == RELEASED:
            continue
        out[turn.key] = hold_turn(item, key, turn, found)
    held = tuple(holding for part, holding in out.items() if (part, holding.hash) not in decided)
    return Screened(without(item, out), held)


def without(item: ImportItem, parts: Mapping[str, object]) -> ImportItem | None:
    """An item without some of its turns: what hung from one hangs from the nearest turn above that stays."""
    parents = {turn.key: turn.parent for turn in item.turns}
    kept = keep_only(parents, (key for key in parents if key not in parts))
    if not kept:
        return None
    places = [place for place, key in enumerate(parents) if key in kept]

    def turn(place: int) -> ImportTurn:
        found = item.turns[place]
        return replace(found, parent=kept[found.key])

    turns = Lazy(places, turn)
    head = nearest(parents, kept, item.head) or turns[-1].key
    return replace(item, turns=tuple(turns) if isinstance(item.turns, tuple) else turns, head=head)


def hold_turn(item: ImportItem, key: str, turn: ImportTurn, found: Screening) -> Holding:
    """A turn as it is held back."""
    return _holding(key, turn.key, turn.text, found, pack_turn(item, turn))


def _holding(key: str, part: str, text: str, found: Screening, payload: dict[str, object]) -> Holding:
    digest = hash_of(text)
    return Holding(
        item=key, part=part, hash=digest, score=found.score, hits=found.hits, rules=found.version, payload=payload
    )
