"""A large conversation, screened slice by slice while the slices before are written; it is never held whole."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, NotFound
from noosphere.harvest.items import Reject
from noosphere.harvest.screening import RELEASED, hold_turn
from noosphere.harvest.verdicts import asked_of
from noosphere.harvest.writing import Written, sliced, write_conversation

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from noosphere.guard.screen import Screening
    from noosphere.harvest.items import ImportItem, ImportTurn
    from noosphere.harvest.screening_process import ScreeningProcess
    from noosphere.harvest.verdicts import Verdict
    from noosphere.store.imports import ItemRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.quarantine import Holding

AHEAD = 2  # slices that are screened before one is written


class Sifted:
    """The turns of a conversation that may go in: what hung from one that is held back hangs from the nearest above.

    Attributes:
        held: what is held back, as far as it was screened.
    """

    def __init__(
        self, item: ImportItem, key: str, decided: Mapping[tuple[str, bytes], str], screening: ScreeningProcess
    ) -> None:
        self.held: list[Holding] = []
        self._item = item
        self._key = key
        self._decided = decided
        self._screening = screening
        self._above: dict[str, str | None] = {}  # of what does not go in: the nearest turn above that does
        self._last: str | None = None
        self._slices = self._sift()

    def write(self, mind: MindFile, before: ItemRow | None) -> Written:
        """Write what may go in; all of it was screened afterwards, also where nothing may be written."""
        try:
            done = write_conversation(mind, self._key, self._item, before, self, alone=True)
        except (InvalidInput, NotFound) as problem:
            done = Written(rejects=[Reject(self._item.origin, self._item.type.value, str(problem))])
        deque(self._slices, maxlen=0)
        return done

    @property
    def head(self) -> str | None:
        """The turn that the conversation ends at, once all of it was screened."""
        head = self._item.head
        return head if head not in self._above else self._above[head] or self._last

    def __iter__(self) -> Iterator[tuple[Sequence[ImportTurn], Container[str]]]:
        """What may go in of each slice, and the texts that can be stored as they are; once."""
        return self._slices

    def _sift(self) -> Iterator[tuple[Sequence[ImportTurn], Container[str]]]:
        waiting: deque[tuple[list[ImportTurn], Callable[[], list[Verdict]]]] = deque()
        for turns in sliced(self._item.turns):
            waiting.append((turns, self._screening.ask([asked_of(turn) for turn in turns])))
            if len(waiting) > AHEAD:
                yield self._part(*waiting.popleft())
        while waiting:
            yield self._part(*waiting.popleft())

    def _part(
        self, turns: list[ImportTurn], answer: Callable[[], list[Verdict]]
    ) -> tuple[list[ImportTurn], frozenset[str]]:
        kept: list[ImportTurn] = []
        free: list[str] = []
        for turn, seen in zip(turns, answer(), strict=True):
            parent = self._above.get(turn.parent, turn.parent) if turn.parent is not None else None
            if seen.hostile is not None and self._is_out(turn, seen.hostile):
                self._above[turn.key] = parent
                continue
            kept.append(turn if parent == turn.parent else replace(turn, parent=parent))
            self._last = turn.key
            if seen.plain:
                free.append(turn.text)
        return kept, frozenset(free)

    def _is_out(self, turn: ImportTurn, found: Screening) -> bool:
        """Whether a turn that looks like an attack stays out; it is held back until somebody decides."""
        holding = hold_turn(self._item, self._key, turn, found)
        decision = self._decided.get((holding.part, holding.hash))
        if decision is None:
            self.held.append(holding)
        return decision != RELEASED
