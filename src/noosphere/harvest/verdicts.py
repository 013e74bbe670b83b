"""What screening shows of an item's texts, before any of it is written: orders to its reader, and secrets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from noosphere.guard.screen import Origin, Screening, screen
from noosphere.guard.secrets import find_secrets
from noosphere.harvest.items import ItemType, TurnRole
from noosphere.model.text import clean
from noosphere.store.quarantine import WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from noosphere.harvest.items import ImportItem, ImportTurn


class Asked(NamedTuple):
    """A text that is to be screened; a turn's secrets are asked for too, a note's are when it is written."""

    text: str
    origin: Origin = "import"
    is_turn: bool = False


class Verdict(NamedTuple):
    """What a look at a text showed.

    Attributes:
        hostile: why it is held back, if it is.
        plain: whether it is a turn that can be stored as it is, with no secret in it and nothing to repair.
    """

    hostile: Screening | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What was seen in an item.

    Attributes:
        whole: why all of it is held back, if it is.
        turns: why a turn is held back, by its key.
        plain: the keys of turns that can be stored as they are.
    """

    whole: Screening | None = None
    turns: Mapping[str, Screening] = field(default_factory=dict[str, Screening])
    plain: frozenset[str] = frozenset()


def parts_of(item: ImportItem) -> Iterator[tuple[str, Asked]]:
    """The texts of an item: its title and a note's words, which stand for the whole, and turns by their keys."""
    if item.title:
        yield WHOLE, Asked(item.title)
    if item.type is ItemType.NOTE:
        yield WHOLE, Asked(item.text)
    for turn in item.turns:
        yield turn.key, asked_of(turn)


def asked_of(turn: ImportTurn) -> Asked:
    """A turn as it is screened."""
    return Asked(turn.text, "tool" if turn.role is TurnRole.TOOL else "import", is_turn=True)


def judge(asked: Asked) -> Verdict:
    """Screen a text."""
    found = screen(asked.text, asked.origin)
    plain = asked.is_turn and not find_secrets(asked.text) and clean(asked.text).text == asked.text
    return Verdict(found if found.hostile else None, plain)


def judge_item(item: ImportItem) -> Verdicts:
    """Screen an item here and now."""
    return gathered((key, judge(asked)) for key, asked in parts_of(item))


def gathered(seen: Iterable[tuple[str, Verdict]]) -> Verdicts:
    """What was seen in an item, of what was seen in its parts by their keys."""
    turns: dict[str, Screening] = {}
    plain: list[str] = []
    whole: Screening | None = None
    for key, verdict in seen:
        if verdict.hostile is not None and key == WHOLE:
            whole = whole or verdict.hostile
        elif verdict.hostile is not None:
            turns[key] = verdict.hostile
        if verdict.plain:
            plain.append(key)
    return Verdicts(whole, turns, frozenset(plain))
