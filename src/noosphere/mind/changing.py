"""The verbs that change what a mind knows of a thing: classify, merge, retire, forget, purge, undo, link, entity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.ids import parse_uid
from noosphere.mind.opened import Opened
from noosphere.model.argument import read_flag, read_many, read_options
from noosphere.store.mind_file import resolve_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from noosphere.model.outcome import (
        Checked,
        Classified,
        EntityStored,
        Forgotten,
        Linked,
        Merged,
        Purged,
        PurgePending,
        Refused,
        Retired,
        Undone,
        Unlinked,
    )
    from noosphere.model.record import Entity


class Changing(Opened):
    """What is written stays in the history, whatever is made of it."""

    def classify(self, id: str, **changes: Any) -> Classified | Refused:
        """Change what is said of a node: tags (or add_tags, remove_tags), importance, role, kind, status, volatility,
        source, claim, confidence, title, metadata, trace_id, slot, subject, value, functional, valid_from, valid_to,
        occurred.

        Raises:
            InvalidInput: an unknown field or value.
            NotFound: nothing here has this id.
        """  # noqa: D205
        from noosphere.write import classify

        outcome = classify.classify(self._graph, id, changes)
        self._written()
        return outcome

    def set_status(self, id: str, status: str) -> Classified | Refused:
        """Move a node through its lifecycle: draft, active, canonical, deprecated, archived.

        Raises:
            InvalidInput: an unknown status.
            NotFound: nothing here has this id.
        """
        return self.classify(id, status=status)

    def archive(self, id: str) -> Retired | Refused:
        """Put a memory, conversation or entity away: out of the current reads, kept in history. Not what is canonical.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.model.vocabulary import Status
        from noosphere.write.retire import retire

        return retire(self._graph, id, Status.ARCHIVED)

    def retire(self, id: str) -> Retired | Refused:
        """Deprecate a memory, conversation or entity: it no longer holds, and stays in history. Not what is canonical.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write.retire import retire

        return retire(self._graph, id)

    def merge(self, ids: Iterable[str], text: str | None = None) -> Merged | Refused:
        """Make one new memory of several, which are archived, or one entity of several: the first of them.

        Args:
            ids: two or more, all memories or all entities.
            text: what the new memory says; without it, what they all said, a line each.

        Raises:
            InvalidInput: fewer than two different things, or a text for entities.
            NotFound: nothing here has one of the ids.
        """
        from noosphere.write.merge import merge

        outcome = merge(self._graph, ids, text)
        self._written()
        return outcome

    def check(self, ids: Iterable[str] | str) -> Checked | Refused:
        """Say that memories were looked at and still hold; what they say is not touched, and no version is opened.

        Raises:
            InvalidInput: no id was given.
            NotFound: nothing here has one of the ids.
        """
        from noosphere.write.check import check

        return check(self._graph, ids)

    def forget(self, id: str) -> Forgotten | Refused:
        """Take a node or a turn out of every read; only get, history and undo still know it.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write import forget

        return forget.forget(self._graph, id)

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

        return link.link(self._graph, src, type, dst, **read_options(about, link.OPTIONS, "link"))

    def unlink(self, edge: str) -> Unlinked:
        """Retire an edge.

        Raises:
            NotFound: no standing edge has this id.
        """
        from noosphere.write import link

        return link.unlink(self._graph, edge)

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
            InvalidInput: an unknown type; something is told of it, and no type.
        """
        if type is None:
            if about:
                raise InvalidInput(
                    "type",
                    f"is missing: a name is only looked up, and {', '.join(about)} not stored",
                    "Say what it is, such as person, to store it",
                )
            from noosphere.insight import entities

            with self._seen.read() as sql:
                return entities.called(sql, name)
        from noosphere.write import entity

        return entity.store_entity(self._graph, name, type, **read_options(about, entity.OPTIONS, "entity"))
