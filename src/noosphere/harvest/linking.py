"""Edges from what notes link to and are about, drawn when all notes of a run are in: a target may come later."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noosphere.harvest.items import ImportEntity
from noosphere.harvest.prose import stem_of
from noosphere.ids import parse_uid, uid_text
from noosphere.model.edge import EdgeType
from noosphere.model.outcome import EntityStored, Linked
from noosphere.store import edges, evidence, frames, nodes
from noosphere.write.entity import store_entity
from noosphere.write.link import link, unlink
from noosphere.write.target import find

if TYPE_CHECKING:
    from noosphere.harvest.items import ImportItem, ImportLink
    from noosphere.store.imports import ItemRow
    from noosphere.store.mind_file import MindFile


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An edge that stands; `new` when it did not before."""

    edge: str
    new: bool


LIKELY_TYPES = {"people": "person", "human": "person", "company": "organization", "org": "organization"}
FALLBACK_TYPE = "concept"


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A note whose edges are still to be drawn, and what is to be noted of it once they are."""

    node: str
    frame: str | None
    folder: str
    links: tuple[ImportLink, ...]
    entities: tuple[ImportEntity, ...]
    row: ItemRow | None


@dataclass(slots=True)
class Links:
    """Remembers every note of a run by the names links may call it, and draws the edges at the end."""

    _by_name: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, list[tuple[str, str]]])
    _new: set[str] = field(default_factory=set[str])
    _waiting: deque[_Waiting] = field(default_factory=deque[_Waiting])

    def know(self, item: ImportItem, node: str | None, *, new: bool) -> None:
        """Remember a note's names; `new` when links of older notes may lead to it for the first time."""
        if node is None or item.path is None:
            return
        for name in {*_names(item.path), *(alias.casefold() for alias in item.aliases)}:
            self._by_name.setdefault(name, []).append((item.path, node))
        if new:
            self._new.add(node)

    def want(self, item: ImportItem, node: str | None, frame: str | None, row: ItemRow | None) -> bool:
        """Note that a note's edges are due; whether there are any.

        Args:
            item: the note.
            node: what it became.
            frame: its text when that is new; an unchanged note only gets edges to notes that are new.
            row: what is to be noted of the item when its edges stand.
        """
        if node is None or not (item.links or (item.entities and row) or frame):
            return False
        folder = (item.path or "").rpartition("/")[0]
        self._waiting.append(_Waiting(node, frame, folder, item.links, item.entities if row else (), row))
        return True

    @property
    def due(self) -> int:
        """How many notes have edges to be drawn."""
        return len(self._waiting)

    def draw(self, mind: MindFile) -> tuple[int, ItemRow | None]:
        """Draw the edges of the next note: how many are new, and what is now to be noted of it."""
        note = self._waiting.popleft()
        why = note.frame or _head_of(mind, note.node)
        if why is None:
            return 0, note.row
        told = [self._edge(mind, note, one, why) for one in note.links]
        about = [self._thing(mind, entity) for entity in note.entities]
        told += [_link(mind, note.node, EdgeType.MENTIONS, thing, why) for thing in about if thing]
        if note.frame is not None:
            _retire(mind, note.node, {one.edge for one in told if one})
        return sum(one is not None and one.new for one in told), note.row

    def _edge(self, mind: MindFile, note: _Waiting, wanted: ImportLink, why: str) -> _Drawn | None:
        start = note.node if wanted.start is None else self._thing(mind, wanted.start)
        if isinstance(wanted.to, ImportEntity):
            end = self._thing(mind, wanted.to)
        else:
            end = self._note_named(wanted.to, note.folder)
        if start is None or end is None or start == end or (note.row is None and end not in self._new):
            return None
        with mind.read() as sql:
            kind = wanted.type if wanted.type in edges.types(sql) else EdgeType.RELATES_TO
        # A gate may forbid the stronger word, and never the weaker one.
        return _link(mind, start, kind, end, why) or _link(mind, start, EdgeType.RELATES_TO, end, why)

    def _thing(self, mind: MindFile, entity: ImportEntity) -> str | None:
        with mind.read() as sql:
            types = nodes.entity_types(sql)
        kind = LIKELY_TYPES.get(entity.type.casefold(), entity.type.casefold())
        outcome = store_entity(mind, entity.name, kind if kind in types else FALLBACK_TYPE, source="import")
        return outcome.id if isinstance(outcome, EntityStored) else None

    def _note_named(self, name: str, folder: str) -> str | None:
        """The note a link means: the nearest of those with this name, as people file what belongs together."""
        found = self._by_name.get(name.strip().removesuffix(".md").removeprefix("./").casefold(), [])
        return min(found, key=lambda one: (_distance(one[0], folder), one[0]))[1] if found else None


def _link(mind: MindFile, start: str, kind: str, end: str, why: str) -> _Drawn | None:
    """Draw an edge, unless it stands for this very reason."""
    with mind.read() as sql:
        ends, reason = (find(sql, start).node.id, find(sql, end).node.id), parse_uid(why)
        for edge in edges.of_node(sql, ends[0]):
            is_same = edge.type == kind and {edge.src, edge.dst} == set(ends)
            if is_same and any(row.frame == reason for row in evidence.of(sql, edge.uid)):
                return _Drawn(uid_text(edge.uid), new=False)
    outcome = link(mind, start, kind, end, evidence=why)
    return _Drawn(outcome.edge, new=not outcome.existing) if isinstance(outcome, Linked) else None


def _names(path: str) -> set[str]:
    """By what a link may call a file: its name alone, or with any of the folders it lies in."""
    *folders, last = path.casefold().split("/")
    stem = stem_of(last)
    return {"/".join((*folders[place:], stem)) for place in range(len(folders) + 1)}


def _distance(path: str, folder: str) -> int:
    """How many folders lie between a file and a folder."""
    here, there = folder.split("/"), path.split("/")[:-1]
    shared = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return len(here) + len(there) - 2 * shared


def _head_of(mind: MindFile, node: str) -> str | None:
    with mind.read() as sql:
        head = nodes.current(sql, find(sql, node).node.id).state.head
        return None if head is None else uid_text(frames.by_id(sql, head).uid)


def _retire(mind: MindFile, node: str, drawn: set[str]) -> None:
    """Retire the edges that only older texts of this note spoke of."""
    with mind.read() as sql:
        own = find(sql, node).node
        texts = {frame.uid for frame in frames.of_node(sql, own.id)}
        gone = [
            uid_text(edge.uid)
            for edge in edges.of_node(sql, own.id)
            if uid_text(edge.uid) not in drawn and _rests_on(evidence.of(sql, edge.uid), texts)
        ]
    for edge in gone:
        unlink(mind, edge)


def _rests_on(reasons: list[evidence.EvidenceRow], texts: set[bytes]) -> bool:
    return bool(reasons) and all(reason.frame in texts for reason in reasons)
