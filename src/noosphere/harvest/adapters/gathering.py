"""A conversation of any product being gathered: its words, what was left out and what could not be read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Omission, Reject
from noosphere.harvest.talk import Talk
from noosphere.harvest.times import read_instant
from noosphere.harvest.untrusted import as_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

REMEDY = "Repair the record or export it again, and harvest again: what is in already is not added twice"


class Gathering:
    """Gathers one conversation; every record given to it ends in a turn, a count or a reject."""

    def __init__(self, source: str, origin: str) -> None:
        self.source = source
        self.origin = origin
        self.talk = Talk()
        self.left: Counter[Omission] = Counter()
        self.refused: list[Reject] = []

    def refuse(self, what: str, why: str) -> None:
        """Note a record that cannot be read."""
        self.refused.append(Reject(self.origin, what, why, REMEDY))

    def unique(self, key: str) -> str:
        """The key itself, or one made of it when another message has it."""
        return key if key not in self.talk.claims else f"{key}#{len(self.talk.claims)}"

    def found(
        self,
        key: str,
        *,
        title: str | None,
        current: str | None = None,
        updated: Any = None,
        path: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Iterator[Found]:
        """Yield the conversation, if anything was said in it, and all that was not taken."""
        talk = self.talk
        if talk.said:
            turns, head = talk.turns(current)
            last = read_instant(updated)
            yield ImportItem(
                id=key,
                source=self.source,
                type=ItemType.CONVERSATION,
                title=" ".join(title.split()) if title and title.strip() else None,
                origin=self.origin,
                at=talk.first_at(),
                updated=last.at if last else talk.last_at(),
                turns=turns,
                participants=talk.speakers(),
                head=head,
                path=path,
                metadata={name: as_plain(value) for name, value in (metadata or {}).items() if value},
                notes=tuple(dict.fromkeys(talk.notes)),
            )
        else:
            yield Left(self.origin, Omission.EMPTY_CONVERSATION)
        yield from (Left(self.origin, what, count) for what, count in self.left.items() if count)
        yield from self.refused
