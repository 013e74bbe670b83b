"""One mind: the composition root, and the verbs."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from noosphere.errors import InvalidInput
from noosphere.ids import parse_uid
from noosphere.model.argument import read_count, read_flag, read_many
from noosphere.model.query import View, read_filters
from noosphere.model.text import clean
from noosphere.model.vocabulary import Channel, word
from noosphere.model.when import read_time
from noosphere.providers.rerank.scorer import open_scorer
from noosphere.recall import pipeline
from noosphere.recall.made import Made
from noosphere.recall.plan import Plan, make_plan
from noosphere.recall.weights import TOTAL
from noosphere.store import journal
from noosphere.store.frequencies import Frequencies
from noosphere.store.mind_file import MindFile, Opening, resolve_path
from noosphere.store.transaction import Author
from noosphere.write.embedders import make_chain
from noosphere.write.spaces import register_spaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime
    from pathlib import Path
    from types import TracebackType

    from noosphere.clock import Clock
    from noosphere.graph.hops import Place
    from noosphere.harvest.verbs import Harvest
    from noosphere.ids import Ids
    from noosphere.insight.lookup import Thing
    from noosphere.insight.stats import Stats
    from noosphere.insight.status import Status
    from noosphere.model.draft import Draft, Turn
    from noosphere.model.exchange import Cognified, Exchange
    from noosphere.model.hit import Hit, Recall
    from noosphere.model.hop import Connected, Hop
    from noosphere.model.outcome import (
        Appended,
        Branched,
        Classified,
        EntityStored,
        Forgotten,
        Linked,
        Purged,
        PurgePending,
        Recorded,
        Refused,
        Remembered,
        Revised,
        Undone,
        Unlinked,
    )
    from noosphere.model.query import Filters
    from noosphere.model.record import Entity, History, JournalEntry
    from noosphere.providers.chain import Chain
    from noosphere.providers.ports import Embedder
    from noosphere.settings import Settings
    from noosphere.store.backup import Copy
    from noosphere.store.portable import Exported
    from noosphere.upkeep.doctor import Diagnosis
    from noosphere.upkeep.passes import Upkeep
    from noosphere.write.agent import Awareness, Identities
    from noosphere.write.mastery import Mastery
    from noosphere.write.models import Models
    from noosphere.write.review import Review
    from noosphere.write.sessions import Sessions
    from noosphere.write.target import Target

    Time = datetime | date | str

MAX_K = 1000


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
    file = MindFile(path, clock, ids, author, opening)
    try:
        chain = chain or make_chain(settings, embedder, clock)
        register_spaces(file, chain)
    except BaseException:
        file.close()
        raise
    return Mind(file, chain, settings, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flushed:
    """What a flush did: units embedded, units that still wait by space, and what could not work."""

    embedded: int
    pending: dict[str, int]
    unavailable: tuple[str, ...]


class Mind:
    """One memory: everything is reached from here. Safe from any thread; close it, or use `with`."""

    def __init__(self, file: MindFile, chain: Chain, settings: Settings, *, name: str) -> None:
        self.name = name
        self.settings = settings
        self._file = file
        self._chain = chain
        scorer = cache(lambda: open_scorer(settings.cross_model))
        self.reader = pipeline.Reader(name, file, chain, Frequencies(), Made(), scorer)
        self._token_units = settings.token_units if settings.rerank == "deep" else 0
        self._worker = None
        if settings.background and not file.read_only:
            from noosphere.write.worker import Worker

            self._worker = Worker(file, chain, token_units=self._token_units)

    @property
    def path(self) -> Path:
        """Where its file lies."""
        return self._file.path

    @property
    def uuid(self) -> str:
        """Its UUID, the same after a move or a restore."""
        return self._file.mind

    def remember(self, text: str, *, wait: bool = False, **about: Any) -> Remembered:
        """Store a memory, verbatim, once.

        Args:
            text: what to remember.
            wait: embed it before returning, so that it is found by meaning at once.
            about: any other field of `Draft`: role, kind, importance, status, volatility, source, claim,
                confidence, evidence, tags, title, metadata, trace_id, session, said_at, occurred, valid_from,
                valid_to, subject, slot, value, functional.

        Returns:
            Stored, Superseded (it ended an older value of its slot), Duplicate (evidence was added), or Refused.

        Raises:
            InvalidInput: an argument has the wrong form; nothing was written.
        """
        return self.remember_many([_draft(text, about)], wait=wait)[0]

    def remember_many(self, drafts: Iterable[Draft | str], *, wait: bool = False) -> list[Remembered]:
        """Store many memories in few transactions; all drafts are checked before any is written.

        Raises:
            InvalidInput: a draft has the wrong form; nothing was written.
        """
        from noosphere.model.draft import Draft
        from noosphere.write import remember

        given = [d if isinstance(d, Draft) else Draft(text=d) for d in read_many(drafts, "drafts")]
        outcomes = remember.remember(self._file, given)
        self._written(wait=wait)
        if not wait:
            return outcomes
        from noosphere.write import duplicates

        return duplicates.as_found(self._file, outcomes)

    def record(
        self,
        conversation: str,
        turns: Iterable[Turn],
        *,
        head: str | None = None,
        wait: bool = False,
        **about: Any,
    ) -> Recorded | Refused:
        """Add turns to a conversation; recording a turn again adds nothing.

        Args:
            conversation: the conversation's own stable key, or its node id.
            turns: in order; see `Turn`.
            head: the key of the turn the conversation now ends with, when that is on another branch.
            wait: embed the turns before returning.
            about: participants, title, source, project, session, tags, metadata of a new conversation.

        Raises:
            InvalidInput: an argument has the wrong form; nothing was written.
            NotFound: a parent or the head is not in the conversation.
        """
        from noosphere.write import record

        described = record.read_about(**_known(about, record.ABOUT, "record"))
        outcome = record.record(self._file, conversation, read_many(turns, "turns"), described, head=head)
        self._written(wait=wait)
        return outcome

    def cognify(self, exchange: Exchange | Mapping[str, Any]) -> Cognified | Refused:
        """Record an exchange that succeeded, and remember what was said in it that is worth it, sentence by sentence.

        Args:
            exchange: an `Exchange`, or a mapping with its fields: user, assistant, tools, user_name, assistant_name,
                said_at, conversation, session, key.

        Raises:
            InvalidInput: a field is unknown or has the wrong form, or nobody says anything; nothing was written.
        """
        from noosphere.write.cognify import learn

        outcome = learn(self._file, exchange)
        self._written()
        return outcome

    def revise(
        self,
        id: str,
        text: str,
        *,
        value: str | None = None,
        said_at: Time | None = None,
        session: str | None = None,
    ) -> Revised | Refused:
        """Replace what a memory says; the old text stays in its history.

        `value` is the new value of its slot, when it fills one; without it the new text itself is the value.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write import revise

        outcome = revise.revise(self._file, id, text, value=value, said_at=said_at, session=session)
        self._written()
        return outcome

    def append(
        self, id: str, text: str, *, said_at: Time | None = None, session: str | None = None
    ) -> Appended | Refused:
        """Add to what a memory says.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write import revise

        outcome = revise.append(self._file, id, text, said_at=said_at, session=session)
        self._written()
        return outcome

    def branch(
        self,
        id: str,
        text: str,
        *,
        refs: Sequence[str] = (),
        description: str | None = None,
        session: str | None = None,
    ) -> Branched | Refused:
        """Set an alternative beside a memory or a turn, without replacing it.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write import revise

        outcome = revise.branch(self._file, id, text, refs=refs, description=description, session=session)
        self._written()
        return outcome

    def classify(self, id: str, **changes: Any) -> Classified | Refused:
        """Change what is said of a node: tags (or add_tags, remove_tags), importance, role, kind, status, volatility,
        source, claim, confidence, title, metadata, trace_id, slot, subject, value, functional, valid_from, valid_to,
        occurred.

        Raises:
            InvalidInput: an unknown field or value.
            NotFound: nothing here has this id.
        """  # noqa: D205
        from noosphere.write import classify

        outcome = classify.classify(self._file, id, changes)
        self._written()
        return outcome

    def set_status(self, id: str, status: str) -> Classified | Refused:
        """Move a node through its lifecycle: draft, active, canonical, deprecated, archived.

        Raises:
            InvalidInput: an unknown status.
            NotFound: nothing here has this id.
        """
        return self.classify(id, status=status)

    def forget(self, id: str) -> Forgotten | Refused:
        """Take a node or a turn out of every read; only get, history and undo still know it.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write import forget

        return forget.forget(self._file, id)

    def purge(
        self, id: str, *, drawn: bool = False, backups: Iterable[Path | str] = ()
    ) -> Purged | PurgePending | Refused:
        """Erase a memory, turn or branch for good, copies and vectors included, and prove it byte by byte.

        Args:
            id: a memory, turn or branch; of a turn, all the texts it had.
            drawn: also the memories drawn from it or resting on it; else they are listed.
            backups: files and folders to look in for copies, beside the folder of the mind.

        Raises:
            InvalidInput: the id names a conversation or an entity.
            NotFound: nothing here has this id.
        """
        from noosphere.write import purge

        places = [resolve_path(place) for place in backups]
        return purge.purge(self._file, id, drawn=bool(read_flag(drawn, "drawn")), backups=places)

    def undo(self, journal: str, *, cascade: bool = False) -> Undone | Refused:
        """Take back what one journal entry wrote; `cascade` also what rests on it, newest first.

        Raises:
            NotFound: the journal has no such entry.
        """
        from noosphere.write import undo

        outcome = undo.undo(self._file, journal, cascade=cascade)
        self._written()
        return outcome

    def link(self, src: str, type: str, dst: str, **about: Any) -> Linked | Refused:
        """Set an edge; `about` may hold weight, provenance, claim, evidence, valid_from, valid_to.

        Raises:
            InvalidInput: an unknown type, or a weight outside 0..1.
            NotFound: nothing here has one of the ids.
        """
        from noosphere.write import link

        return link.link(self._file, src, type, dst, **_known(about, link.OPTIONS, "link"))

    def unlink(self, edge: str) -> Unlinked:
        """Retire an edge.

        Raises:
            NotFound: no standing edge has this id.
        """
        from noosphere.write import link

        return link.unlink(self._file, edge)

    def used(self, ids: Iterable[str]) -> None:
        """Say that these were used; counted with the next write.

        Raises:
            InvalidInput: an id is malformed.
        """
        used = [parse_uid(i) for i in read_many(ids, "ids")]
        with self._file.read():  # a closed mind says so, and counts nothing
            self._file.note_use(used)

    def entity(self, name: str, type: str | None = None, **about: Any) -> EntityStored | Refused | list[Entity]:
        """With a type: store an entity, or count that it was seen again. Without: look its exact name up.

        `about` may hold properties, tags, source, evidence.

        Raises:
            InvalidInput: an unknown type.
        """
        if type is None:
            from noosphere.insight import entities

            with self._file.read() as sql:
                return entities.called(sql, name)
        from noosphere.write import entity

        return entity.store_entity(self._file, name, type, **_known(about, entity.OPTIONS, "entity"))

    def rank(
        self,
        query: str,
        k: int = 10,
        *,
        now: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
        lanes: Sequence[str] | None = None,
        rerank: str | None = None,
        profile: str = "balanced",
        unsure: bool = False,
    ) -> list[Hit]:
        """The evidence for a question, best first: the ranking that `recall` renders.

        Args:
            query: any text; nothing in it is syntax.
            k: how many hits, 1 to 1000.
            now: the reader's present, when it is not the clock's.
            as_of: what is believed now to have been true then.
            known_at: what was believed then.
            include_past: also what is no longer true, with its dates.
            filters: see `Filters`; a mapping with the same names, singular or plural.
            lanes: the sources of candidates to ask; all when None.
            rerank: "fast", "deep" for late interaction with the best candidates, or "cross" for a model of your own
                that reads the question with them; the setting's when None.
            profile: what counts beside the match: balanced, recent, important, or connected.
            unsure: also answer with matches none of which is sure enough to be about the question.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        options = {"now": now, "as_of": as_of, "known_at": known_at, "include_past": include_past}
        how = {"lanes": lanes, "rerank": rerank, "profile": profile, "unsure": unsure}
        return list(self.ranked(query, k, **options, filters=filters, **how).hits)

    def ranked(self, query: str, k: int = 10, **options: Any) -> pipeline.Ranked:
        """`rank` with its trace: takes the same options."""
        return pipeline.rank([self.reader], self.plan(query, k, **options))

    def recall(self, query: str, budget: int = TOTAL, *, k: int = 20, **options: Any) -> Recall:
        """A block of evidence for a prompt, fenced, inside a budget of characters, with hits and trace.

        Takes the options of `rank`.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        return pipeline.recall([self.reader], self.plan(query, k, **options), budget=budget)

    def brief(self, budget: int = TOTAL, *, k: int = 20, **options: Any) -> Recall:
        """What matters and what is new, for a prompt: important memories and decisions first, then the newest.

        Takes the options of `rank`.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        plan = replace(self.plan("", k, **options), catch_up=True)
        return pipeline.recall([self.reader], plan, budget=budget)

    def get(self, id: str) -> Thing:
        """One memory, turn, conversation or entity in full; counts as a use.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.insight import lookup

        with self._file.read() as sql:
            thing = lookup.get(sql, id, now=self._now(), zone=self._file.zone)
        if not self._file.read_only:
            self._file.note_use([parse_uid(thing.id)])
        return thing

    def history(self, id: str) -> History:
        """Every version and text a node had, and the spells of its slots.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.insight import history as past
        from noosphere.write.target import find

        with self._file.read() as sql:
            return past.history(sql, find(sql, id).node)

    def journal(self, limit: int = 50, *, target: str | None = None) -> list[JournalEntry]:
        """The newest changes first, of one node or of the whole mind.

        Raises:
            InvalidInput: the limit is out of range.
        """
        from noosphere.insight import history as past

        with self._file.read() as sql:
            return past.entries(sql, limit=limit, target=None if target is None else parse_uid(target, "target"))

    def hops(
        self,
        id: str,
        depth: int = 2,
        *,
        limit: int = 50,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
    ) -> list[Hop]:
        """What lies within `depth` edges of a thing, the best first, and over which edges it was reached.

        Raises:
            InvalidInput: a depth outside 0..3, a limit outside 1..50, or a malformed time or filter.
            NotFound: nothing here has this id.
        """
        from noosphere.insight import map as around
        from noosphere.write.target import find

        asked = read_filters(filters, self._file.zone)
        view = self._view(as_of=as_of, known_at=known_at, include_past=include_past)
        with self._file.read() as sql:
            return around.hops(sql, [_place(find(sql, id))], view, depth=depth, limit=limit, filters=asked)

    def connections(self, id: str, limit: int = 50) -> list[Connected]:
        """The edges at a thing, the heaviest first, and what they lead to, past or current.

        Raises:
            InvalidInput: a limit outside 1..256.
            NotFound: nothing here has this id.
        """
        from noosphere.insight import map as around
        from noosphere.write.target import find

        with self._file.read() as sql:
            return around.connections(sql, _place(find(sql, id)), self._view(), limit=limit)

    def list_recent(self, limit: int = 20, *, filters: Filters | Mapping[str, Any] | None = None) -> list[Hop]:
        """The memories last written, the newest first.

        Raises:
            InvalidInput: a limit outside 1..1000, or a malformed filter.
        """
        from noosphere.insight import map as around

        asked, view = read_filters(filters, self._file.zone), self._view()
        with self._file.read() as sql:
            return around.list_recent(sql, view, limit=limit, filters=asked)

    def tags(self) -> dict[str, int]:
        """Every tag in use, with how many nodes carry it, the most used first."""
        from noosphere.store import tags

        with self._file.read() as sql:
            return dict(tags.counts(sql))

    def stats(self) -> Stats:
        """How much it knows."""
        from noosphere.insight.stats import stats

        with self._file.read() as sql:
            return stats(sql)

    def status(self) -> Status:
        """What is in force: settings and where they come from, embedders, lanes, what is pending or off."""
        from noosphere.insight.status import status

        return status(self._file, self._chain, self.settings, name=self.name)

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
    def review(self) -> Review:
        """What recall withholds until somebody decides: `review()` lists it, `review.release(id)` lets it be shown."""
        from noosphere.write.review import Review

        return Review(self._file, self._written)

    @property
    def harvest(self) -> Harvest:
        """Import conversations and notes: `harvest(path)`; preview, sources, runs, review, release, dismiss."""
        from noosphere.harvest.verbs import Harvest

        return Harvest(self._file, self._written)

    @property
    def models(self) -> Models:
        """The embedding models: list, use, reembed."""
        from noosphere.write.models import Models

        return Models(self._file, self._chain, self._written)

    def flush(self, limit: int | None = None) -> Flushed:
        """Embed what is pending, at most `limit` units, and write buffered counters."""
        from noosphere.store import vectors
        from noosphere.write.worker import NO_LIMIT, embed_all

        self._write_uses()
        most = None if limit is None else read_count(limit, "limit", 0, NO_LIMIT)
        done, off = embed_all(self._file, self._chain, most, token_units=self._token_units)
        with self._file.read() as sql:
            return Flushed(embedded=done, pending=vectors.count_waiting(sql), unavailable=off)

    @property
    def upkeep(self) -> Upkeep:
        """Maintenance: `upkeep("prune", limit=1000)` runs a pass, `upkeep.due()` says which have work."""
        from noosphere.upkeep.passes import Upkeep

        return Upkeep(self._file, lambda limit: self.flush(limit).embedded)

    def doctor(self, *, fix: bool = False) -> Diagnosis:
        """Check every invariant; `fix` rebuilds what is derived, and never touches what is truth."""
        from noosphere.upkeep.doctor import examine

        return examine(self._file, self._chain, fix=fix, embed=self.flush)

    def backup(self, target: Path | str) -> Copy:
        """Write a consistent, checked copy; never overwrites.

        Raises:
            StorageError: the target exists or cannot be written.
        """
        from noosphere.store.backup import backup

        return backup(self._file.db, resolve_path(target))

    def export(self, target: Path | str, form: str = "jsonl") -> Exported:
        """Write the whole mind as text, one moment of it: `jsonl`, to be imported again, or `markdown`, a folder.

        Raises:
            InvalidInput: there is no such form.
            StorageError: the target exists or cannot be written.
        """
        from noosphere.harvest.exporting import export

        return export(self._file, resolve_path(target), form)

    def close(self) -> None:
        """Stop the worker, write buffered counters and close the file; what is pending stays pending."""
        if self._worker is not None:
            self._worker.stop()
        self._write_uses()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _write_uses(self) -> None:
        if self._file.has_uses() and not self._file.read_only:
            with self._file.write():
                pass

    def _written(self, *, wait: bool = False) -> None:
        if wait:
            self.flush()
        elif self._worker is not None:
            self._worker.wake()

    def _now(self) -> int:
        return self._present()

    def plan(
        self,
        query: str,
        k: int,
        *,
        now: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
        lanes: Sequence[str] | None = None,
        rerank: str | None = None,
        profile: str = "balanced",
        unsure: bool = False,
    ) -> Plan:
        """How a question is understood; several minds can answer one plan."""
        if not isinstance(query, str):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers are not all typed)
            raise InvalidInput("query", f"{query!r:.80} is not text", "Pass a string")
        k, zone = read_count(k, "k", 1, MAX_K), self._file.zone
        view = self._view(now=now, as_of=as_of, known_at=known_at, include_past=include_past)
        return make_plan(
            clean(query).text,
            view=view,
            zone=zone,
            filters=read_filters(filters, zone),
            k=k,
            lanes=lanes,
            rerank=rerank or self.settings.rerank,
            profile=profile,
            unsure=read_flag(unsure, "unsure") or False,
            suspects=self.settings.suspects,
        )

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


def _draft(text: str, about: dict[str, Any]) -> Draft:
    from noosphere.model.draft import Draft

    known = [f.name for f in fields(Draft)]
    unknown = next((name for name in about if name not in known), None)
    if unknown is not None:
        raise InvalidInput.choice("remember", unknown, sorted({*known} - {"text"}))
    return Draft(text=text, **about)


def _place(target: Target) -> Place:
    from noosphere.graph.hops import Place

    return Place(target.node.id, target.turn.id if target.turn else 0)


def _known(about: dict[str, Any], options: Sequence[str], verb: str) -> dict[str, Any]:
    unknown = next((name for name in about if name not in options), None)
    if unknown is not None:
        raise InvalidInput.choice(verb, unknown, options)
    return about
