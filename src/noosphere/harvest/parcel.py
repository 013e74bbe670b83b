"""Items as JSON and back: what is held back for review must be whole when it is let in."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from noosphere.harvest.items import ImportEntity, ImportItem, ImportLink, ImportTurn, ItemType, TurnRole
from noosphere.harvest.untrusted import as_list, as_record
from noosphere.model.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

TURNS, SEQUELS = "turns", "sequels"
TUPLES = ("participants", "tags", "aliases", "notes")


def pack(item: ImportItem, turns: Iterable[ImportTurn]) -> dict[str, Any]:
    """An item with some of its turns, as plain JSON."""
    about = {f.name: plain(getattr(item, f.name)) for f in fields(ImportItem) if f.name != TURNS}
    return about | {TURNS: [plain(turn) for turn in turns]}


def pack_turn(item: ImportItem, turn: ImportTurn) -> dict[str, Any]:
    """One turn of an item, with the keys of the turns that follow it."""
    return pack(item, [turn]) | {SEQUELS: [other.key for other in item.turns if other.parent == turn.key]}


def unpack(parcel: dict[str, Any]) -> ImportItem:
    """The item that was packed."""
    values: dict[str, Any] = {f.name: parcel.get(f.name) for f in fields(ImportItem)}
    for name in TUPLES:
        values[name] = tuple(as_list(values[name]))
    values["type"] = ItemType(values["type"])
    values["entities"] = tuple(_entity(entity) for entity in as_list(values["entities"]))
    values["links"] = tuple(_link(as_record(link)) for link in as_list(values["links"]))
    values[TURNS] = tuple(_turn(as_record(turn)) for turn in as_list(values[TURNS]))
    return ImportItem(**values)


def _turn(value: dict[str, Any]) -> ImportTurn:
    role = value.get("role")
    values: dict[str, Any] = {**value, "role": None if role is None else TurnRole(role)}
    return ImportTurn(**values)


def _entity(value: Any) -> ImportEntity:
    return ImportEntity(**as_record(value))


def _link(value: dict[str, Any]) -> ImportLink:
    to, start = value["to"], value.get("start")
    return ImportLink(to if isinstance(to, str) else _entity(to), value["type"], _entity(start) if start else None)
