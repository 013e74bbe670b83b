"""harvest: read sources, screen what they hold, write it into a mind; a second run adds nothing.

What was written is searchable at once. The passes that learn from it (facts, entities, synthesis) follow in the
background over the turns and notes themselves, so nothing here waits for them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, NotFound
from noosphere.harvest.digest import digest_of
from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Reject
from noosphere.harvest.linking import Links
from noosphere.harvest.progress import Meter, Step
from noosphere.harvest.screening import screen_item
from noosphere.harvest.screening_process import ScreeningProcess
from noosphere.harvest.sifted import Sifted
from noosphere.harvest.verdicts import Asked, Verdicts, gathered, judge, judge_item, parts_of
from noosphere.harvest.writing import Written, is_older, write_item
from noosphere.ids import uid_text
from noosphere.model.text import clean
from noosphere.model.vocabulary import Channel
from noosphere.store import imports, quarantine
from noosphere.write.graph import name_waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from noosphere.harvest.adapter import Adapter
    from noosphere.harvest.progress import Watcher
    from noosphere.harvest.verdicts import Verdict
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile

TOGETHER = 4000  # turns and notes in one transaction: fewer and larger ones spare the full-text index its merges
WIDE = 4_000_000  # characters of them, so that few large texts are not held together
LARGE = 5000  # turns: a conversation of more is written in slices of its own
COUNTS = ("conversations", "notes", "added", "known", "changed", "revised", "forgotten", "quarantined", "edges")


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvested:
    """What a harvest did.

    Attributes:
        conversations, notes: items read of each kind.
        added: turns and notes that are new.
        known: turns and notes that were there already.
        changed: turns whose text differs from before, kept as alternatives.
        revised: notes whose text differs from before, kept with their history.
        forgotten: items that were forgotten here, and stay so.
        quarantined: texts held back for review in this run.
        edges: between notes and what they link to or are about.
        rejects: records that could not be read, with the reason.
        left: what was left out on purpose, counted by name.
        repairs: what had to be mended, in words.
    """

    conversations: int
    notes: int
    added: int
    known: int
    changed: int
    revised: int
    forgotten: int
    quarantined: int
    edges: int
    rejects: tuple[Reject, ...]
    left: dict[str, int]
    repairs: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """What a run has done so far."""

    counts: Counter[str] = field(default_factory=Counter[str])
    left: Counter[str] = field(default_factory=Counter[str])
    rejects: list[Reject] = field(default_factory=list[Reject])
    repairs: dict[str, None] = field(default_factory=dict[str, None])

    def take(self, done: Written) -> None:
        """Add what became of one item."""
        for name in ("added", "known", "changed", "revised", "forgotten"):
            self.counts[name] += getattr(done, name)
        self.rejects += done.rejects
        self.repairs |= dict.fromkeys(done.repairs)

    def summary(self) -> dict[str, int]:
        """The counts alone, for the record of runs."""
        return {name: self.counts[name] for name in COUNTS} | {"rejects": len(self.rejects)}

    def result(self) -> Harvested:
        """All of it."""
        return Harvested(
            **{name: self.counts[name] for name in COUNTS},
            rejects=tuple(self.rejects),
            left=dict(sorted(self.left.items())),
            repairs=tuple(self.repairs),
        )


def harvest(
    mind: MindFile, places: Iterable[str], *, adapter: Adapter | None = None, watcher: Watcher | None = None
) -> Harvested:
    """Import everything the places hold. What is bad is listed, what is good comes in.

    A run that was killed is taken up by running it again: what is in is passed over by its digest.

    Args:
        mind: the open file.
        places: paths of files, folders and zips, or web addresses.
        adapter: reads every member, instead of the one that knows its format.
        watcher: is told how far it has come.

    Raises:
        InvalidInput: there is nothing at a path.
        StorageError: a path cannot be looked at.
    """
    from noosphere.harvest.read import open_place  # noqa: PLC0415  (brings the readers of every format)

    meter = Meter()
    opened = [open_place(place, meter, adapter) for place in places]
    run = _Run(mind, watcher, meter)
    run.begin([place.name for place in opened], None if adapter is None else adapter.NAME)
    try:
        with mind.db.bulk():
            for place in opened:
                run.enter(place.name)
                for found in place.found:
                    run.take(found)
                run.flush()
                run.draw_links()
    except BaseException:
        run.end("failed")
        raise
    run.end("done")
    return run.tally.result()


@dataclass(frozen=True, slots=True)
class _Gathered:
    """An item that was read: what it is known by, and the keys of its parts that are being screened."""

    item: ImportItem
    key: str
    digest: bytes
    parts: tuple[str, ...] | None  # None: it was in just so, and was not looked at


class _Run:
    """One run: items gather until a transaction is worth it, and are screened while those before are written."""

    def __init__(self, mind: MindFile, watcher: Watcher | None, meter: Meter) -> None:
        self.tally = Tally()
        self._mind = mind
        self._watcher = watcher
        self._meter = meter
        self._links = Links()
        self._screening = ScreeningProcess()
        self._batch: list[_Gathered] = []
        self._asked: list[Asked] = []
        self._size = self._width = 0
        self._before: Callable[[], None] | None = None
        self._run = self._source = 0

    def begin(self, places: list[str], adapter: str | None) -> None:
        with self._mind.together(rows=1, channel=Channel.IMPORT) as tx:
            self._run = imports.begin(tx, places, adapter)

    def enter(self, place: str) -> None:
        with self._mind.together(rows=1, channel=Channel.IMPORT) as tx:
            self._source = imports.source(tx, place, self._run)

    def end(self, status: str) -> None:
        self._screening.end()
        with self._mind.together(rows=1, channel=Channel.IMPORT) as tx:
            imports.end(tx, self._run, status, self.tally.summary(), [asdict(one) for one in self.tally.rejects])

    def take(self, found: Found) -> None:
        match found:
            case Reject():
                self.tally.rejects.append(found)
            case Left():
                self.tally.left[found.what.value] += found.count
            case ImportItem():
                self._count(found)
                self._gather(found)

    def _gather(self, item: ImportItem) -> None:
        size = len(item.turns) or 1
        if size > LARGE or not isinstance(item.turns, tuple):
            self.flush()
            self._alone(item)
            return
        key, digest = clean(item.key).text, digest_of(item)
        with self._mind.read() as sql:
            is_there = _is_there(sql, key, digest)
        parts = [] if is_there else list(parts_of(item))
        self._batch.append(_Gathered(item, key, digest, None if is_there else tuple(part for part, _ in parts)))
        self._asked += [asked for _, asked in parts]
        self._size += size
        self._width += sum(len(asked.text) for _, asked in parts)
        if self._size >= TOGETHER or self._width >= WIDE:
            if self._asked:
                self._screening.begin()
            self._hand_over()

    def _count(self, item: ImportItem) -> None:
        self.tally.counts["conversations" if item.type is ItemType.CONVERSATION else "notes"] += 1
        self.tally.repairs |= dict.fromkeys(item.notes)
        if self._watcher is not None:
            counts = self.tally.counts
            self._watcher(
                Step(
                    item=item.origin,
                    items=counts["conversations"] + counts["notes"],
                    added=counts["added"],
                    read=self._meter.read,
                    size=self._meter.size,
                    seconds_left=self._meter.seconds_left(),
                )
            )

    def flush(self) -> None:
        """Write all that has gathered."""
        self._hand_over()
        self._hand_over()

    def _hand_over(self) -> None:
        """Have what has gathered screened, and meanwhile write what was handed over before it."""
        batch, size, after = self._batch, self._size, None
        if batch:
            answer = self._screening.ask(self._asked)
            after = partial(self._write, batch, size, answer)
        self._batch, self._asked, self._size, self._width = [], [], 0, 0
        before, self._before = self._before, after
        if before is not None:
            before()

    def _write(self, batch: list[_Gathered], size: int, answer: Callable[[], list[Verdict]]) -> None:
        """Write items in one transaction."""
        told = iter(answer())
        are_talks = all(one.item.type is ItemType.CONVERSATION for one in batch)  # notes ask for what is alike
        with self._mind.together(rows=size, channel=Channel.IMPORT, gathers=are_talks) as tx:
            for one in batch:
                seen = None if one.parts is None else gathered(zip(one.parts, told, strict=False))
                self._one(one.item, one.key, one.digest, seen)
            imports.checkpoint(tx, self._run, self.tally.summary())

    def _alone(self, item: ImportItem) -> None:
        """Write a large conversation in slices, each of which is screened while those before are written."""
        key, digest = clean(item.key).text, digest_of(item)
        with self._mind.read() as sql:
            before, decided = imports.item(sql, key), quarantine.decided(sql, key)
            is_there = _is_there(sql, key, digest)
        title = Verdicts(whole=judge(Asked(item.title or "")).hostile)
        if is_there or title.whole is not None:
            self._one(item, key, digest, title)
            return
        self._screening.begin()
        sifted = Sifted(item, key, decided, self._screening)
        self._written(item, key, digest, before, sifted.held, partial(sifted.write, self._mind, before))

    def _one(self, item: ImportItem, key: str, digest: bytes, seen: Verdicts | None) -> None:
        """Write one item, unless it is in just so; what it claims wrongly costs nothing else."""
        with self._mind.read() as sql:
            before = imports.item(sql, key)
            decided = quarantine.decided(sql, key)
            if before is not None and _is_there(sql, key, digest):
                there = imports.node_of(sql, key) if item.path is not None else None
                self._pass_over(item, before, None if there is None else uid_text(there.uid))
                return
        seen = seen or judge_item(item)
        screened = screen_item(item, key, seen, decided)

        def write() -> Written:
            if screened.item is None:
                return Written()
            return write_item(self._mind, key, screened.item, before, seen.plain)

        self._written(item, key, digest, before, screened.held, write)

    def _written(
        self,
        item: ImportItem,
        key: str,
        digest: bytes,
        before: imports.ItemRow | None,
        held: Iterable[quarantine.Holding],
        write: Callable[[], Written],
    ) -> None:
        """Write what may go in, and remember what became of it."""
        try:
            done = write()
        except (InvalidInput, NotFound) as problem:
            done = Written(rejects=[Reject(item.origin, item.type.value, str(problem))])
        self.tally.take(done)
        row = imports.ItemRow(key, item.source, item.type.value, digest, done.parts, item.updated)
        self._note(item, done, row if done.complete and not is_older(item, before) else None, held)

    def _pass_over(self, item: ImportItem, before: imports.ItemRow, node: str | None) -> None:
        self.tally.counts["known"] += before.parts
        self._links.know(item, node, new=False)
        self._links.want(item, node, None, None)

    def _note(
        self, item: ImportItem, done: Written, row: imports.ItemRow | None, held: Iterable[quarantine.Holding]
    ) -> None:
        """Remember what an item was; one with edges when they stand, so that a killed run draws them again."""
        self._links.know(item, done.node, new=done.added > 0)
        waits = row is not None and self._links.want(item, done.node, done.frame, row)
        with self._mind.together(rows=1, channel=Channel.IMPORT) as tx:
            self.tally.counts["quarantined"] += sum(quarantine.hold(tx, self._run, one) for one in held)
            if row is not None and not waits:
                imports.put(tx, row, self._source, self._run)

    def draw_links(self) -> None:
        """Draw the edges of the notes of this run, once their names are tied."""
        if self._links.due:
            name_waiting(self._mind)
        while self._links.due:
            with self._mind.together(rows=TOGETHER, channel=Channel.IMPORT) as tx:
                for _ in range(min(self._links.due, TOGETHER)):
                    count, row = self._links.draw(self._mind)
                    self.tally.counts["edges"] += count
                    if row is not None:
                        imports.put(tx, row, self._source, self._run)


def _is_there(sql: Connection, key: str, digest: bytes) -> bool:
    """Whether an item is in just so, and was not forgotten."""
    before = imports.item(sql, key)
    return before is not None and before.digest == digest and not imports.is_forgotten(sql, key)
