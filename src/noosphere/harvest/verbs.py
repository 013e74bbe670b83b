"""The verbs of importing: call it to harvest; preview, sources, runs, review, release, dismiss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.clock import moment
from noosphere.errors import InvalidInput
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.store import imports

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from noosphere.harvest.adapter import Adapter
    from noosphere.harvest.learning import LearntFromTurns, LearnWatcher
    from noosphere.harvest.pipeline import Harvested
    from noosphere.harvest.preview import Preview
    from noosphere.harvest.progress import Watcher
    from noosphere.harvest.review import Dismissed, Held, Released
    from noosphere.harvest.taking_in import TakenIn
    from noosphere.providers.llm.port import LLM
    from noosphere.store.mind_file import MindFile

MAX_LISTED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place that was harvested, and what came from it."""

    id: str
    place: str
    added_at: datetime
    last_at: datetime | None
    conversations: int
    notes: int
    adapters: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One harvest.

    Attributes:
        status: running, done, failed, or interrupted when its process is gone; run it again to go on.
        counts: as far as it came.
        rejects: what could not be read: origin, what, why, remedy.
        unlearnt: turns of the conversations it brought in last that wait to be learnt from.
    """

    id: str
    places: tuple[str, ...]
    adapter: str | None
    started_at: datetime
    ended_at: datetime | None
    actor: str
    status: str
    counts: dict[str, Any]
    rejects: tuple[dict[str, str | None], ...]
    unlearnt: int


class Harvest:
    """Imports of one mind."""

    def __init__(
        self,
        mind: MindFile,
        written: Callable[[], None],
        named: Callable[[], LLM | None] = lambda: None,
        quick: Callable[[], LLM | None] = lambda: None,
    ) -> None:
        self._mind = mind
        self._written = written
        self._named = named  # the language model that the settings name
        self._quick = quick  # the one that sorts

    def __call__(self, *places: Path | str, adapter: str | None = None, watcher: Watcher | None = None) -> Harvested:
        """Import conversations and notes from files, folders, zips or web addresses; a second run adds nothing.

        Args:
            places: paths, or addresses that begin with http:// or https://.
            adapter: reads everything as this format, whatever it looks like.
            watcher: is told how far it has come.

        Raises:
            InvalidInput: a path does not exist, an address may not be read, or there is no such adapter.
        """
        from noosphere.harvest.pipeline import harvest  # noqa: PLC0415  (brings the readers of every format)

        found = harvest(self._mind, [str(place) for place in places], adapter=_adapter(adapter), watcher=watcher)
        self._written()
        return found

    def take_in(self, export: Path | str) -> TakenIn:
        """Take in what an export of another mind holds, under its own ids; a second time adds nothing.

        Raises:
            InvalidInput: there is no file at the path.
            StorageError: it is no whole export.
        """
        from noosphere.harvest.taking_in import take_in  # noqa: PLC0415
        from noosphere.store.mind_file import resolve_path  # noqa: PLC0415

        found = take_in(self._mind, resolve_path(export))
        self._written()
        return found

    def preview(self, *places: Path | str, adapter: str | None = None) -> Preview:
        """What a harvest would bring in, by type and date; nothing is written.

        Raises:
            InvalidInput: a path does not exist, an address may not be read, or there is no such adapter.
        """
        from noosphere.harvest.preview import preview  # noqa: PLC0415  (brings the readers of every format)

        return preview(self._mind, [str(place) for place in places], adapter=_adapter(adapter))

    def learn(
        self,
        limit: int | None = None,
        watcher: LearnWatcher | None = None,
        *,
        llm: LLM | bool | None = None,
        fast: LLM | None = None,
    ) -> LearntFromTurns:
        """Learn by rules from harvested turns, in their order, at most so many; what was read is not read again.

        A mind that works in the background does it by itself. With a language model, a pass of its own asks it what
        the rules left: one that is given, or with True the one that the settings name. A quick one, given or with True
        the one that `llm_fast` names, first sorts out the turns that are not worth it.

        Raises:
            InvalidInput: the limit is out of range, or no model is named.
        """
        from noosphere.harvest.learning import MOST, learn  # noqa: PLC0415  (brings the rules of learning)

        most, model = MOST if limit is None else limit, self._model(llm)
        found = learn(self._mind, most, watcher)
        if model is not None:
            from noosphere.harvest.pointing import point  # noqa: PLC0415  (brings what asks a model)

            quick = self._quick() if fast is None and llm is True else fast
            found = point(self._mind, model, most, watcher, found, fast=quick)
        self._written()
        return found

    def _model(self, llm: LLM | bool | None) -> LLM | None:  # noqa: FBT001  (True is the model of the settings)
        if llm is True:
            model = self._named()
            if model is None:
                raise InvalidInput(
                    "llm", "no language model is named", "Name one in the setting llm, such as ollama:llama3.2"
                )
            return model
        return None if llm is False else llm

    def sources(self) -> list[Source]:
        """Every place that was harvested, the last one first."""
        with self._mind.read() as sql:
            return [
                Source(
                    id=uid_text(row.uid),
                    place=row.place,
                    added_at=moment(row.added_at),
                    last_at=None if row.last_at is None else moment(row.last_at),
                    conversations=row.conversations,
                    notes=row.notes,
                    adapters=row.adapters,
                )
                for row in imports.sources(sql)
            ]

    def runs(self, limit: int = 20) -> list[Run]:
        """The newest runs first.

        Raises:
            InvalidInput: the limit is out of range.
        """
        with self._mind.read() as sql:
            return [
                Run(
                    id=uid_text(row.uid),
                    places=row.places,
                    adapter=row.adapter,
                    started_at=moment(row.started_at),
                    ended_at=None if row.ended_at is None else moment(row.ended_at),
                    actor=row.actor,
                    status=row.status,
                    counts=row.counts,
                    rejects=row.rejects,
                    unlearnt=row.unlearnt,
                )
                for row in imports.runs(sql, read_count(limit, "limit", 1, MAX_LISTED))
            ]

    def review(self) -> list[Held]:
        """What was held back for looking like an attack, the oldest first."""
        from noosphere.harvest.review import review  # noqa: PLC0415

        return review(self._mind)

    def release(self, id: str) -> Released:
        """Let a held text in, at the place it has in its conversation.

        Raises:
            NotFound: nothing with this id waits.
        """
        from noosphere.harvest.review import release  # noqa: PLC0415

        outcome = release(self._mind, id)
        self._written()
        return outcome

    def dismiss(self, id: str) -> Dismissed:
        """Leave a held text out for good.

        Raises:
            NotFound: nothing with this id waits.
        """
        from noosphere.harvest.review import dismiss  # noqa: PLC0415

        return dismiss(self._mind, id)


def _adapter(adapter: str | None) -> Adapter | None:
    if adapter is None:
        return None
    from noosphere.harvest.adapters.detect import named  # noqa: PLC0415  (brings the readers of every format)

    return named(adapter)
