"""The verbs of identity and awareness: who the agent is, and what it is at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.clock import moment
from noosphere.errors import InvalidInput, NotFound
from noosphere.ids import parse_uid, uid_text
from noosphere.model.argument import read_count, read_line
from noosphere.model.awareness import (
    LEAST_PRIORITY,
    MOST,
    MOST_PRIORITY,
    PRIORITY,
    AwarenessItem,
    Category,
    Ended,
    Noted,
)
from noosphere.model.identity import FIELDS, Identity, IdentitySet
from noosphere.model.outcome import Reason, Refused
from noosphere.model.vocabulary import word
from noosphere.model.when import FOREVER, read_time
from noosphere.store import agent
from noosphere.store.agent import AwarenessRow
from noosphere.write.parse import read_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx

    Time = datetime | date | str

MAX_TEXT = 2_000  # characters of one item: it stands before every prompt
MAX_FIELD = 8_000  # characters of one field of the identity


class Identities:
    """Who the agent is: get, set."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def get(self) -> Identity:
        """Who the agent is; every field None when nothing was said yet."""
        with self._mind.read() as sql:
            found = agent.identity(sql)
        return Identity() if found is None else Identity(**found[0], updated_at=moment(found[1]))

    def set(self, **fields: str | None) -> IdentitySet | Refused:
        """Change fields of the identity: name, role, department, personality, capabilities, system_prompt.

        What is left out, None or blank stays as it was; `clear` empties a field.

        Raises:
            InvalidInput: an unknown field, or one that is no text or too long.
        """
        for name in fields:
            if name not in FIELDS:
                raise InvalidInput.choice("identity", name, FIELDS)
        given = {name: line for name, value in fields.items() if (line := _line(value, name, MAX_FIELD)) is not None}
        return self._change(given)

    def clear(self, *fields: str) -> IdentitySet | Refused:
        """Empty fields of the identity, and no others.

        Raises:
            InvalidInput: an unknown field.
        """
        for name in fields:
            if name not in FIELDS:
                raise InvalidInput.choice("identity", name, FIELDS)
        return self._change(dict.fromkeys(fields))

    def _change(self, given: Mapping[str, str | None]) -> IdentitySet | Refused:
        with self._mind.write() as tx:
            found = agent.identity(tx.sql)
            before: dict[str, str | None] = found[0] if found is not None else dict.fromkeys(FIELDS)
            changed = tuple(name for name in FIELDS if name in given and given[name] != before[name])
            if not changed:
                return Refused(reason=Reason.UNCHANGED, message="the identity says this already")
            entry = tx.open("identity.set")
            agent.put_identity(tx, entry, {**before, **given})
            return IdentitySet(changed=changed, journal=tx.close(entry))


class Awareness:
    """What the agent is at: list, add, update, done. At most ten items are live."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def list(self) -> list[AwarenessItem]:
        """What is live: the most important first, then the most recent."""
        with self._mind.read() as sql:
            return [_shown(row, self._mind.mind) for row in agent.live(sql, self._mind.clock.now())][:MOST]

    def add(
        self,
        text: str,
        *,
        category: str = Category.TASK,
        priority: int = PRIORITY,
        expires: Time | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Noted | Refused:
        """Note what the agent is at; the eleventh item pushes out the least important one, and says which.

        Args:
            text: what it is.
            category: task, action, pending or flag.
            priority: 0 to 10, 10 the most important.
            expires: when it stops being shown by itself; a day or a month runs to its end.
            metadata: a JSON object that is kept with it.

        Returns:
            Noted, or Refused when ten live items are all more important.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        line = _line(text, "text", MAX_TEXT)
        if line is None:
            return Refused(reason=Reason.EMPTY, message="there is nothing to note")
        kind, weight = word(Category, category, "category"), _priority(priority)
        until, kept = self._until(expires), _object(metadata)
        with self._mind.write() as tx:
            least = self._least(tx)
            if least is not None and least.priority > weight:
                message = f"{MOST} more important items are live; end one first, or raise the priority"
                return Refused(reason=Reason.FULL, message=message)
            entry = tx.open("awareness.add")
            uid, at = tx.ids.new(), entry.at
            agent.put_item(tx, entry, AwarenessRow(uid, kind or Category.TASK, line, weight, kept, at, at, until))
            gone = self._push_out(tx, entry, least)
            return Noted(id=uid_text(uid), journal=tx.close(entry, uid), pushed_out=gone)

    def update(
        self,
        id: str,
        *,
        text: str | None = None,
        category: str | None = None,
        priority: int | None = None,
        expires: Time | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Noted:
        """Change an item; what is left out stays, metadata is merged over the old.

        Raises:
            NotFound: nothing live has this id.
            InvalidInput: an argument has the wrong form.
        """
        line, kind = _line(text, "text", MAX_TEXT), word(Category, category, "category")
        until, more = self._until(expires), _object(metadata)
        with self._mind.write() as tx:
            row = self._named(tx, id)
            entry = tx.open("awareness.update")
            changed = AwarenessRow(
                row.uid,
                kind or row.category,
                line or row.text,
                row.priority if priority is None else _priority(priority),
                {**row.metadata, **more},
                row.created_at,
                entry.at,
                row.expires_at if until is None else until,
            )
            agent.put_item(tx, entry, changed)
            return Noted(id=id, journal=tx.close(entry, row.uid))

    def done(self, id: str) -> Ended:
        """Be done with an item.

        Raises:
            NotFound: nothing live has this id.
        """
        with self._mind.write() as tx:
            row = self._named(tx, id)
            entry = tx.open("awareness.done")
            agent.end_item(tx, entry, row.uid, "done")
            return Ended(id=id, journal=tx.close(entry, row.uid))

    def _named(self, tx: Tx, id: str) -> AwarenessRow:
        row = agent.item(tx.sql, parse_uid(id), tx.clock_now)
        if row is None:
            raise NotFound("live item of awareness", id, "List them with awareness.list()")
        return row

    def _least(self, tx: Tx) -> AwarenessRow | None:
        """The item that a new one would push out."""
        rows = agent.live(tx.sql, tx.clock_now)
        return rows[-1] if len(rows) >= MOST else None

    def _push_out(self, tx: Tx, entry: Entry, least: AwarenessRow | None) -> tuple[AwarenessItem, ...]:
        if least is None:
            return ()
        agent.end_item(tx, entry, least.uid, "pushed_out")
        return (_shown(least, self._mind.mind),)

    def _until(self, expires: Time | None) -> int | None:
        span = read_time(expires, "expires", self._mind.zone)
        if span is None:
            return None
        if span.end <= self._mind.clock.now():
            raise InvalidInput("expires", "lies in the past", "Give a later time, or leave it out")
        return min(span.end, FOREVER)


def _shown(row: AwarenessRow, mind: str) -> AwarenessItem:
    return AwarenessItem(
        id=uid_text(row.uid),
        mind=mind,
        category=row.category,
        text=row.text,
        priority=row.priority,
        metadata=row.metadata,
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        expires_at=None if row.expires_at is None else moment(row.expires_at),
    )


def _line(value: object, field: str, most: int) -> str | None:
    line = read_line(value, field)
    if line is not None and len(line) > most:
        raise InvalidInput(field, f"has {len(line)} characters", f"Give at most {most}: it stands before every prompt")
    return line


def _object(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    return json.loads(read_metadata(metadata) or "{}")


def _priority(value: object) -> int:
    return read_count(value, "priority", LEAST_PRIORITY, MOST_PRIORITY)
