"""A conversation being put together: messages that claim their places become turns on a mended tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.harvest.items import ImportTurn
from noosphere.harvest.texts import Lazy, Texts
from noosphere.harvest.times import read_instant
from noosphere.harvest.tree import Claim, grown, keep_only, leaves, nearest, path_first

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from noosphere.harvest.items import TurnRole

NO_HEAD = "no current message to be found; the end of the newest branch is taken"


class _Said(NamedTuple):
    """What a message says; `text` is the number of its words."""

    speaker: str
    role: TurnRole | None
    text: int
    at: int | None


class Talk:
    """Gathers what was said and where it belongs; `notes` gathers what had to be mended.

    Attributes:
        begun: when the conversation was begun, if the export says so.
        claims: what each message says of its place, those without words too.
    """

    def __init__(self, begun: int | None = None) -> None:
        self.begun = begun
        self.claims: dict[str, Claim] = {}
        self.notes: list[str] = []
        self._said: dict[str, _Said] = {}
        self._texts = Texts()
        self._last: str | None = None

    def place(self, key: str, parent: str | None, children: tuple[str, ...] = ()) -> None:
        """Note where a message claims to belong."""
        if parent == self._last:
            parent = self._last  # the same object: it is one text for both
        self.claims[key] = Claim(parent, children)
        self._last = key

    def say(self, key: str, speaker: str, role: TurnRole | None, text: str, at: Any = None) -> None:
        """Keep what a message says; `at` is its time as the export writes it."""
        self._said[key] = _Said(speaker, role, self._texts.keep(text), self.instant(at))

    def change(self, key: str, text: str) -> None:
        """Give a message other words; its place, speaker and time stay."""
        self._said[key] = self._said[key]._replace(text=self._texts.keep(text))

    def instant(self, value: Any) -> int | None:
        """Read a time, noting what had to be assumed."""
        instant = read_instant(value)
        if instant is not None and instant.repair:
            self.notes.append(instant.repair)
        return instant.at if instant else None

    @property
    def said(self) -> Mapping[str, object]:
        """The messages that hold words."""
        return self._said

    def turns(self, current: str | None = None) -> tuple[Sequence[ImportTurn], str]:
        """The turns, the current path first, and the key of its end.

        Args:
            current: the message the export calls the current one; it need not be there.
        """
        tree = grown(self.claims)
        self.notes.extend(tree.repairs)
        parents = keep_only(tree.parents, self._said)
        head = self._head(tree.parents, parents, current)
        order = path_first(parents, head)
        times, everything, texts = self._times(parents, order), self._said, self._texts

        def turn(key: str) -> ImportTurn:  # of what it needs: a large conversation's claims may go before its turns
            said = everything[key]
            return ImportTurn(
                key=key,
                speaker=said.speaker,
                text=texts[said.text],
                at=times[key],
                role=said.role,
                parent=parents[key],
            )

        turns = Lazy(order, turn)
        return (turns if self._texts.on_disk else tuple(turns)), head

    def speakers(self) -> tuple[str, ...]:
        """Who speaks, each once, in order."""
        return tuple(dict.fromkeys(said.speaker for said in self._said.values()))

    def first_at(self) -> int | None:
        """When the conversation was begun, else the time of its earliest message."""
        times = (said.at for said in self._said.values() if said.at is not None)
        return self.begun if self.begun is not None else min(times, default=None)

    def last_at(self) -> int | None:
        """The time of its latest message."""
        return max((said.at for said in self._said.values() if said.at is not None), default=None)

    def _head(self, nodes: Mapping[str, str | None], parents: Mapping[str, str | None], current: str | None) -> str:
        """The turn the current path ends at; where the export does not say, the end of the newest branch."""
        head = nearest(nodes, self._said, current) if current in nodes else None
        if head is not None:
            return head
        ends = leaves(parents)
        if current is not None or len(ends) > 1:
            self.notes.append(NO_HEAD)
        order = {key: place for place, key in enumerate(ends)}
        return max(ends, key=lambda key: (self._said[key].at or 0, order[key]))

    def _times(self, parents: Mapping[str, str | None], order: list[str]) -> dict[str, int | None]:
        """When each turn was said; one without a time takes that of the turn it answers, so it is not new today."""
        times: dict[str, int | None] = {}
        for key in order:
            parent, own = parents[key], self._said[key].at
            before = times[parent] if parent is not None else self.begun
            times[key] = before if own is None else own
        borrowed = sum(self._said[key].at is None and at is not None for key, at in times.items())
        if borrowed:
            self.notes.append(f"messages without a time, given that of what came before: {borrowed}")
        return times
