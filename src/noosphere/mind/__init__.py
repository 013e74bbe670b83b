"""One mind: the composition root, and the verbs by theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.mind.changing import Changing
from noosphere.mind.keeping import Keeping
from noosphere.mind.knowing import Knowing
from noosphere.mind.looking import Looking
from noosphere.mind.opened import Flushed
from noosphere.mind.recalling import Recalling
from noosphere.mind.writing import Writing
from noosphere.model.vocabulary import Channel, word
from noosphere.store.failures import on_disk
from noosphere.store.mind_file import MindFile, Opening
from noosphere.store.transaction import Author
from noosphere.write.embedders import make_chain
from noosphere.write.spaces import register_spaces

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.harvest.verbs import Harvest
    from noosphere.ids import Ids
    from noosphere.providers.chain import Chain
    from noosphere.providers.ports import Embedder
    from noosphere.settings import Settings
    from noosphere.write.agent import Awareness, Identities
    from noosphere.write.interactions import Interactions
    from noosphere.write.mastery import Mastery
    from noosphere.write.models import Models
    from noosphere.write.practice.procedures import Procedures
    from noosphere.write.practice.signals import Signals
    from noosphere.write.practice.traces import Traces
    from noosphere.write.review import Review
    from noosphere.write.sessions import Sessions

__all__ = ["Flushed", "Mind", "open_file"]


def open_file(
    path: Path,
    opening: Opening,
    settings: Settings,
    *,
    name: str,
    channel: str,
    clock: Clock,
    ids: Ids,
    embedder: Embedder | None = None,
    chain: Chain | None = None,
) -> Mind:
    """Put a mind together: its file, its embedders (a chain that several minds share, or its own), its settings.

    Raises:
        StorageError: the file cannot be opened; subclasses say why.
    """
    author = Author(settings.actor, word(Channel, channel, "channel") or Channel.PYTHON)
    with on_disk(path):
        file = MindFile(path, clock, ids, author, opening)
    try:
        chain = chain or make_chain(settings, embedder, clock)
        register_spaces(file, chain)
    except BaseException:
        file.close()
        raise
    return Mind(file, chain, settings, name=name)


class Mind(Writing, Changing, Recalling, Looking, Knowing, Keeping):
    """One memory: everything is reached from here. Safe from any thread; close it, or use `with`."""

    @property
    def sessions(self) -> Sessions:
        """The verbs of sessions: ensure, ensure_active, close, archive, list."""
        from noosphere.write.sessions import Sessions

        return Sessions(self._file)

    @property
    def identity(self) -> Identities:
        """Who the agent is: get, set, clear."""
        from noosphere.write.agent import Identities

        return Identities(self._file)

    @property
    def awareness(self) -> Awareness:
        """What the agent is at: list, add, update, done; at most ten items are live."""
        from noosphere.write.agent import Awareness

        return Awareness(self._file)

    @property
    def mastery(self) -> Mastery:
        """How well concepts are known: answer, due, list (extra `mastery`)."""
        from noosphere.write.mastery import Mastery

        return Mastery(self._file)

    @property
    def signals(self) -> Signals:
        """What could be done better: `signals()` lists what waits, `signals.surfaced(ids)` says that it was shown."""
        from noosphere.write.practice.signals import Signals

        return Signals(self._file)

    @property
    def traces(self) -> Traces:
        """What was done, step by step, and how it ended: record, outcome, list."""
        from noosphere.write.practice.traces import Traces

        return Traces(self._file)

    @property
    def procedures(self) -> Procedures:
        """Ways of doing something that have a name, and how often they worked: record, outcome, list."""
        from noosphere.write.practice.procedures import Procedures

        return Procedures(self._file)

    @property
    def interactions(self) -> Interactions:
        """What language models were asked: `interactions()` lists the calls, `interactions.totals()` sums them up."""
        from noosphere.write.interactions import Interactions

        return Interactions(self._file)

    @property
    def review(self) -> Review:
        """What waits for a decision: `review()` lists it, `review.settle(id, keep)` decides what contradicts
        something else, and `review.release(id)` lets a withheld text be shown.
        """  # noqa: D205
        from noosphere.write.review import Review

        return Review(self._file, self._written)

    @property
    def harvest(self) -> Harvest:
        """Import conversations and notes: `harvest(path)`; preview, sources, runs, review, release, dismiss."""
        from noosphere.harvest.verbs import Harvest

        return Harvest(self._file, self._written, lambda: self._named_llm, lambda: self._named_fast)

    @property
    def models(self) -> Models:
        """The embedding models: list, use, reembed."""
        from noosphere.write.models import Models

        return Models(self._file, self._chain, self._written)
