"""The product itself, whole or by one lane alone, through its public verbs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import noosphere
from noosphere import Turn

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from evals.datasets.case import Case, Question, Sitting
    from noosphere.providers.ports import Embedder


class Product:
    """A mind filled with a case by `record`, asked by `rank`."""

    def __init__(self, name: str, embedder: Embedder | None, *, semantic: str = "encoder", **options: object) -> None:
        self.name = name
        self._embedder = embedder
        self._semantic = semantic
        self._options = options

    @contextmanager
    def fill(self, case: Case, folder: Path) -> Generator[Answering]:
        """Record every sitting and embed it."""
        settings = noosphere.Settings(background=False, semantic=self._semantic)  # type: ignore[arg-type]
        path = folder / f"{case.id}.db"
        with noosphere.open_mind(path, settings=settings, embedder=self._embedder) as mind:
            _record(mind, case)
            mind.flush()
            yield Answering(mind, self._options)
        for left in folder.glob(f"{case.id}.db*"):
            left.unlink()


class Answering:
    """A filled mind."""

    def __init__(self, mind: noosphere.Mind, options: dict[str, object]) -> None:
        self.mind = mind
        self._options = options

    def rank(self, question: Question, k: int) -> list[str]:
        """The keys of the best turns."""
        options = dict(self._options)
        if options.pop("by_people", False):
            options["filters"] = {"participants": list(question.people)}
        hits = self.mind.rank(question.text, k, now=question.at, **options)  # type: ignore[arg-type]
        return [hit.turn_key for hit in hits if hit.turn_key is not None]


def _record(mind: noosphere.Mind, case: Case) -> None:
    for talk in case.talks:
        people = list(talk.participants)
        if talk.one_conversation:
            turns = [t for s in talk.sittings for t in _turns(s, session=f"{talk.id}/{s.id}")]
            mind.record(talk.id, turns, participants=people)
        else:
            for sitting in talk.sittings:
                mind.record(f"{talk.id}/{sitting.id}", _turns(sitting, session=None), participants=people)


def _turns(sitting: Sitting, session: str | None) -> list[Turn]:
    return [
        Turn(key=t.id, speaker=t.speaker, text=t.text, at=t.at, speaker_role=t.role, session=session)
        for t in sitting.turns
        if t.text
    ]
