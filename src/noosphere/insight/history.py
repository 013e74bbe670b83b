"""history and journal: every state a node had, and every change that was made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.clock import moment
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.record import History, JournalEntry, Version
from noosphere.model.when import FOREVER, iso
from noosphere.store import frames, journal, nodes, slots
from noosphere.store.fold import fold

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, VersionRow

TIMES = {"stated_from", "stated_to", "valid_from", "occurred_from", "occurred_to", "retracted_at"}
INTERNAL = {"fold_hash", "slot_subject", "value_norm", "norm_name"}
MAX_JOURNAL = 10_000


def history(sql: Connection, node: NodeRow) -> History:
    """Every version of a node, every text it had, and when the values of its slots held."""
    versions = nodes.versions(sql, node.id)
    heads = dict.fromkeys(v.state.head for v in versions if v.state.head is not None)
    spells = [s for slot in slots.of_node(sql, node.id) for s in slots.spells(sql, slot) if s.start < s.end]
    return History(
        id=uid_text(node.uid),
        node_class=node.node_class,
        versions=tuple(_version(sql, v) for v in versions),
        texts=tuple((uid_text(frames.by_id(sql, head).uid), fold(sql, head)) for head in heads),
        spells=tuple(
            (uid_text(nodes.by_id(sql, s.node).uid), moment(s.start), None if s.end == FOREVER else moment(s.end))
            for s in sorted(spells, key=lambda s: (s.start, s.node))
            if s.start > -(2**61)
        ),
    )


def entries(sql: Connection, *, limit: int, target: bytes | None = None) -> list[JournalEntry]:
    """The newest journal entries first.

    Raises:
        InvalidInput: the limit is not a sensible count.
    """
    return [_entry(row) for row in journal.newest(sql, read_count(limit, "limit", 1, MAX_JOURNAL), target)]


def _entry(row: journal.EntryRow) -> JournalEntry:
    return JournalEntry(
        id=uid_text(row.uid),
        at=moment(row.at),
        verb=row.verb,
        actor=row.actor,
        channel=row.channel,
        target=None if row.target is None else uid_text(row.target),
        undoes=None if row.undoes_uid is None else uid_text(row.undoes_uid),
        undone_by=None if row.undone_by is None else uid_text(row.undone_by),
        detail=row.detail,
    )


def _version(sql: Connection, row: VersionRow) -> Version:
    by = journal.by_id(sql, row.opened_by)
    return Version(
        version=row.n,
        known_from=moment(row.known_from),
        known_to=None if row.known_to is None else moment(row.known_to),
        journal=uid_text(by.uid),
        verb=by.verb,
        state=_state(sql, row),
    )


def _state(sql: Connection, row: VersionRow) -> dict[str, Any]:
    """What a version says, without what is empty; ids as text, times as ISO-8601."""
    said: dict[str, Any] = {}
    for name in nodes.NAMES:
        value: Any = getattr(row.state, name)
        if value is None or name in INTERNAL or (value == 0 and name != "confidence"):
            continue
        if name in TIMES:
            said[name] = iso(value) if value > -(2**61) else None
        elif name == "head":
            said[name] = uid_text(frames.by_id(sql, value).uid)
        elif name == "merged_into":
            said[name] = uid_text(nodes.by_id(sql, value).uid)
        elif name == "settled":
            said[name] = uid_text(row.state.settled or b"")
        elif name in {"metadata", "properties"}:
            said[name] = json.loads(str(value))
        else:
            said[name] = value
    return said
