"""The noosphere: the personal mind and the workspaces of a home behind one door."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from noosphere.errors import InvalidInput, ReadOnlyMind
from noosphere.ids import uid_text
from noosphere.minds import keys
from noosphere.minds.choosing import to_change
from noosphere.minds.naming import is_path
from noosphere.minds.opening import make_first, opening_by
from noosphere.minds.shelf import CAPACITY, Shelf
from noosphere.minds.surfacing import Shown
from noosphere.minds.workspaces import Workspaces, usable
from noosphere.model.argument import read_many
from noosphere.recall.weights import TOTAL
from noosphere.store.registry import PERSONAL, Registry, check_slug

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from types import TracebackType

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.mind import Mind
    from noosphere.minds.context import Context
    from noosphere.model.awareness import AwarenessItem
    from noosphere.model.exchange import Cognified, Exchange
    from noosphere.model.hit import Recall
    from noosphere.model.outcome import Refused
    from noosphere.providers.chain import Chain
    from noosphere.providers.ports import Embedder
    from noosphere.recall import pipeline
    from noosphere.settings import Settings
    from noosphere.store.key import Key
    from noosphere.store.registry import Registered

ALL = "all"


class Noosphere:
    """The minds of a home. Safe from any thread; close it, or use `with`.

    A mind is named by its slug, or by its UUID, as hits tell it. None means the active one, which the settings name,
    and for reading the personal one beside it. What changes a mind names it, as soon as there are several.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        channel: str,
        clock: Clock,
        ids: Ids,
        embedder: Embedder | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        self.settings = settings
        self._channel = channel
        self._clock = clock
        self._ids = ids
        self._registry = Registry(settings.home)
        self._embedder = embedder
        self._chain: Chain | None = None
        self._shelf = Shelf(capacity)
        self._shown = Shown()

    @property
    def workspaces(self) -> Workspaces:
        """The verbs of workspaces: create, list, rename, archive, delete, restore, clear."""
        return Workspaces(self._registry, self._clock, self._ids, self._shelf.drop, self._key)

    @property
    def active(self) -> str:
        """The mind that is meant when none is named."""
        return self.settings.mind

    @contextmanager
    def mind(self, name: str | None = None) -> Generator[Mind]:
        """Use one mind, to read it: by its slug, or the active one.

        Raises:
            InvalidInput: the name is not a slug.
            NotFound: there is no such mind; near names are given.
        """
        with self._open(self.active if name is None else check_slug(name)) as mind:
            yield mind

    @contextmanager
    def changing(self, name: str | None = None) -> Generator[Mind]:
        """Use one mind, to change it.

        Raises:
            InvalidInput: no mind is named, the settings name none, and there are several.
            NotFound: there is no such mind; near names are given.
            ReadOnlyMind: it is archived.
        """
        chosen = to_change(self.settings, self._registry) if name is None else check_slug(name)
        if not is_path(chosen) and (entry := self._registry.find(chosen)) is not None and entry.archived_at is not None:
            raise ReadOnlyMind(chosen, "is archived", "Restore the workspace first")
        with self._open(chosen) as mind:
            yield mind

    @contextmanager
    def minds(self, names: str | Sequence[str] | None = None) -> Generator[list[Mind]]:
        """Use several minds, to read them; a copy that the settings name by its path stands for the mind itself.

        Args:
            names: slugs; "all" is every active mind; None is the active one and the personal one. The active one
                always comes first.

        Raises:
            InvalidInput: a name is not a slug.
            NotFound: there is no such mind; near names are given.
        """
        with ExitStack() as stack:
            opened = [stack.enter_context(self._open(name)) for name in self._names(names)]
            yield list({mind.uuid: mind for mind in reversed(opened)}.values())[::-1]

    def recall(
        self,
        query: str,
        budget: int = TOTAL,
        *,
        tokens: int | None = None,
        minds: str | Sequence[str] | None = None,
        k: int = 20,
        **options: Any,
    ) -> Recall:
        """A block of evidence for a prompt from several minds, scored as one; each hit names its mind.

        Takes the arguments of `Mind.recall`; `minds` is read as in `Noosphere.minds`.

        Raises:
            InvalidInput: an argument has the wrong form.
            NotFound: there is no such mind.
        """
        from noosphere.recall import pipeline

        with self.minds(minds) as chosen:
            plan = chosen[0].plan(query, k, **options)
            return pipeline.recall([m.reader for m in chosen], plan, budget=budget, tokens=tokens)

    def ranked(
        self, query: str, k: int = 10, *, minds: str | Sequence[str] | None = None, **options: Any
    ) -> pipeline.Ranked:
        """The hits of several minds in one order, and how they came to be.

        Raises:
            InvalidInput: an argument has the wrong form.
            NotFound: there is no such mind.
        """
        from noosphere.recall import pipeline

        with self.minds(minds) as chosen:
            return pipeline.rank([m.reader for m in chosen], chosen[0].plan(query, k, **options))

    def context(
        self,
        query: str = "",
        *,
        budget: int = TOTAL,
        recall: bool = True,
        minds: str | Sequence[str] | None = None,
        **options: Any,
    ) -> Context:
        """What an agent puts before a prompt: who it is, what it is at, what is new, what bears on the question.

        The signals in it count as surfaced with the next turn that `cognify` is told.

        Args:
            query: the prompt to come; nothing is recalled without one.
            budget: how many characters the block may have.
            recall: False leaves all memories out, for when a hook has put them there already.
            minds: which minds recall asks, as in `minds`.
            options: those of `Mind.rank`.

        Raises:
            InvalidInput: an argument has the wrong form.
            NotFound: there is no such mind.
        """
        from noosphere.minds.context import build

        found = build(self, query, budget=budget, recall=recall, minds=minds, options=options)
        self._shown.note(found.signals)
        return found

    def cognify(self, exchange: Exchange | Mapping[str, Any], *, mind: str | None = None) -> Cognified | Refused:
        """Learn from an exchange that succeeded, each sentence in the mind where it belongs.

        The turns, decisions, findings and work go to the workspace that is named or active; preferences, corrections
        and style to the personal mind, with the turn as evidence. With no workspace, all goes to the personal mind.
        A mind that is named by its path stands alone and learns everything itself. The signals that `context` showed
        count as surfaced.

        Args:
            exchange: what `Mind.cognify` takes.
            mind: the workspace, by its slug.

        Raises:
            InvalidInput: the exchange has the wrong form, or no mind is named and there are several.
            NotFound: there is no such mind.
            ReadOnlyMind: it is archived.
        """
        from noosphere.model.outcome import Refused
        from noosphere.write.cognify.reading import read_exchange

        report = self._learn(read_exchange(exchange), mind)
        if not isinstance(report, Refused):
            self._surface()
        return report

    def awareness(self, minds: str | Sequence[str] | None = None) -> list[AwarenessItem]:
        """What the agent is at, at most ten items: the personal mind's first, then those of the others."""
        from noosphere.model.awareness import MOST

        with self.minds(minds) as chosen:
            ordered = sorted(chosen, key=lambda mind: mind.name != PERSONAL)
            return [item for mind in ordered for item in mind.awareness.list()][:MOST]

    def close(self) -> None:
        """Close every mind, each after whoever uses it now."""
        self._shelf.close()
        self._registry.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def now(self) -> int:
        """The clock's now, in microseconds UTC."""
        return self._clock.now()

    def name_of(self, uuid: str) -> str:
        """The slug of a mind of this home, or the UUID itself when it is none."""
        return next((entry.slug for entry in self._registry.listed() if entry.uuid == uuid), uuid)

    @contextmanager
    def personal(self) -> Generator[Mind]:
        """Use the personal mind."""
        with self._open(PERSONAL) as mind:
            yield mind

    def _learn(self, told: Exchange, mind: str | None) -> Cognified | Refused:
        named = to_change(self.settings, self._registry) if mind is None else check_slug(mind)
        name = named if is_path(named) or (entry := self._registry.find(named)) is None else entry.slug
        with self.changing(mind) as chosen:
            if is_path(name):
                return chosen.cognify(told)
            if name == PERSONAL:
                return chosen.cognify(replace(told, workspace=False))
            with self.personal() as own:
                return chosen.cognify(told, personal=own)

    def _surface(self) -> None:
        """Say of the signals that were shown that they were, in the minds that can still be written."""
        from noosphere.write.practice.signals import MAX_LISTED

        if not (shown := self._shown.take()):
            return
        live = {e.uuid: e.slug for e in self._registry.listed() if not (e.archived_at or e.retired_at)}
        for uuid, ids in shown.items():
            name = live.get(uuid, self.active)
            if uuid not in live and not is_path(name):
                continue
            with self._open(name) as mind:
                waiting = {one.id for one in mind.signals(limit=MAX_LISTED)}  # others may have shown or erased some
                mind.signals.surfaced(sorted(ids & waiting))

    def _names(self, asked: str | Sequence[str] | None) -> list[str]:
        """The minds that are asked, the active one first."""
        given = [asked] if isinstance(asked, str) else read_many(asked or [], "minds")
        if asked is None:
            chosen = [self.active, PERSONAL]
        elif ALL in given:
            live = [entry.slug for entry in self._registry.listed() if not (entry.archived_at or entry.retired_at)]
            chosen = [PERSONAL, *live, *([self.active] if is_path(self.active) else [])]
        else:
            chosen = [check_slug(name) for name in given]
        if not chosen:
            raise InvalidInput("minds", "names none", f'Name one or more, or use "{ALL}"')
        return list(dict.fromkeys(sorted(chosen, key=lambda name: name != self.active)))

    @contextmanager
    def _open(self, name: str) -> Generator[Mind]:
        if is_path(name):  # only the settings name a path; what a caller names was read as a slug
            with self._shelf.borrow(name, lambda: self._file(name)) as mind:
                yield mind
            return
        entry = self._entry(name)
        with self._shelf.borrow(entry.uuid, lambda: self._registered(entry)) as mind:
            yield mind

    def _entry(self, name: str) -> Registered:
        if name == PERSONAL:
            return self._registry.find(name) or self._registry.add(uid_text(self._ids.new()), name, self._clock.now())
        return usable(self._registry.named(name))

    def _registered(self, entry: Registered) -> Mind:
        path = self._registry.path(entry.uuid)
        path.parent.mkdir(parents=True, exist_ok=True)
        return self._make(str(path), entry.slug, mind=entry.uuid, read_only=entry.archived_at is not None)

    def _key(self) -> Key | None:
        return keys.find(self.settings)

    def _file(self, path: str) -> Mind:
        from noosphere.store.mind_file import resolve_path

        return self._make(path, resolve_path(path).stem)

    def _make(self, path: str, name: str, *, mind: str | None = None, read_only: bool = False) -> Mind:
        from noosphere.mind import open_file
        from noosphere.store.mind_file import resolve_path
        from noosphere.write.embedders import make_chain

        chosen, file = self.settings, resolve_path(path)
        if self._chain is None:  # the minds share it, so that a model is loaded once
            self._chain = make_chain(chosen, self._embedder, self._clock)
        opening = opening_by(chosen, self._key(), create=True, read_only=read_only, mind=mind)
        if read_only:
            make_first(file, opening, chosen, self._clock, self._ids)
        return open_file(
            file, opening, chosen, name=name, channel=self._channel, clock=self._clock, ids=self._ids, chain=self._chain
        )
