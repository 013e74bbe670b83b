"""A mind while it is open: its file, its models, what waits to be embedded, and how it is closed."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Self

from noosphere.errors import ClosedMind, StorageError
from noosphere.model.argument import read_count, read_flag
from noosphere.model.query import View
from noosphere.model.when import read_time
from noosphere.providers.rerank.scorer import open_scorer
from noosphere.recall.gathering import Reader
from noosphere.recall.made import Made
from noosphere.records import dataclass
from noosphere.store import journal, unnamed
from noosphere.store.frequencies import Frequencies

if TYPE_CHECKING:
    from datetime import date, datetime
    from pathlib import Path
    from types import TracebackType

    from noosphere.providers.chain import Chain
    from noosphere.settings import Settings
    from noosphere.store.mind_file import MindFile

    Time = datetime | date | str

AT_ONCE = 1000  # memories whose names a question waits for: a fifth of a second; what is left waits for the next one


@dataclass(frozen=True, slots=True, kw_only=True)
class Flushed:
    """What a flush did: units embedded, units that still wait by space, and what could not work."""

    embedded: int
    pending: dict[str, int]
    unavailable: tuple[str, ...]


class Opened:
    """What every group of verbs stands on."""

    def __init__(self, file: MindFile, chain: Chain, settings: Settings, *, name: str) -> None:
        self.name = name
        self.settings = settings
        self._file = file
        self._chain = chain
        scorer = cache(lambda: open_scorer(settings.cross_model))
        self._reader = Reader(name, file, chain, Frequencies(), Made(), scorer)
        self._token_units = settings.token_units if settings.rerank == "deep" else 0
        self._own_names_wait = False
        self._worker = None
        if settings.background and not file.read_only:
            from noosphere.harvest.background import learn_next, turns_wait
            from noosphere.write.worker import Worker

            self._worker = Worker(file, chain, token_units=self._token_units, also=learn_next)
            if turns_wait(file):
                self._worker.wake()

    @property
    def path(self) -> Path:
        """Where its file lies."""
        return self._file.path

    @property
    def uuid(self) -> str:
        """Its UUID, the same after a move or a restore."""
        return self._file.mind

    @property
    def reader(self) -> Reader:
        """What a recall reads this mind with; the names of what was written here last are tied before."""
        if self._own_names_wait:
            self._tie_names(AT_ONCE)
        return self._reader

    def flush(self, limit: int | None = None) -> Flushed:
        """Tie names and embed what is pending, at most `limit` units, and write buffered counters."""
        from noosphere.store import vectors
        from noosphere.write.graph import name_waiting
        from noosphere.write.worker import NO_LIMIT, embed_all

        self._write_uses()
        most = None if limit is None else read_count(limit, "limit", 0, NO_LIMIT)
        if not self._file.read_only:
            name_waiting(self._file, most)
        done, off = embed_all(self._file, self._chain, most, token_units=self._token_units)
        with self._file.read() as sql:
            return Flushed(embedded=done, pending=vectors.count_waiting(sql), unavailable=off)

    def close(self) -> None:
        """Stop the worker, write buffered counters and close the file; what is pending stays pending.

        Counters that a full disk or a busy file refuses are lost: that must keep nobody from leaving.
        """
        if self._worker is not None:
            self._worker.stop()
        try:
            self._write_uses()
        except (StorageError, ClosedMind) as problem:
            import logging

            logging.getLogger(__name__).warning("uses were not counted: %s", problem)
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @property
    def _seen(self) -> MindFile:
        """The file, for what looks at entities and edges: no name of what was written here waits.

        What other processes left waits for a worker, a flush or a change: a mind that is only read is not written.
        """
        if self._own_names_wait:
            self._tie_names()
        return self._file

    @property
    def _graph(self) -> MindFile:
        """The file, for what changes entities and edges: no name of what was written waits."""
        if not self._file.read_only:
            self._tie_names()
        return self._file

    def _tie_names(self, limit: int | None = None) -> None:
        """Tie the names of memories that wait; those that cannot be tied wait on, and what asks goes on without."""
        with suppress(StorageError):
            self._own_names_wait = False  # before the look, so that what another thread writes meanwhile is not missed
            with self._file.read() as sql:
                if not unnamed.waiting(sql, 1):
                    return
            self._own_names_wait = True  # until a look finds none
            from noosphere.write.graph import name_waiting  # brings the rules of names: 30 ms of a cold start

            name_waiting(self._file, limit)

    def _write_uses(self) -> None:
        if self._file.has_uses() and not self._file.read_only:
            with self._file.write():
                pass

    def _written(self, *, wait: bool = False) -> None:
        self._own_names_wait = True
        if wait:
            self.flush()
        elif self._worker is not None:
            self._worker.wake()

    def _view(
        self,
        *,
        now: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
    ) -> View:
        zone, past = self._file.zone, read_flag(include_past, "include_past") or False
        at, true_at, held_at = (
            read_time(value, field, zone) for value, field in ((now, "now"), (as_of, "as_of"), (known_at, "known_at"))
        )
        present = self._present()
        return View(
            now=present if at is None else at.start,
            earlier=at is not None and at.start < present,
            as_of=None if true_at is None else true_at.last,
            known_at=None if held_at is None else held_at.last,
            include_past=past,
        )

    def _present(self) -> int:
        """The clock's now, but never before the newest change: a clock set back must not hide it."""
        with self._file.read() as sql:
            return max(self._file.clock.now(), journal.newest_at(sql))
