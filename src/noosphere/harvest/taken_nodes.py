"""Entities and memories of another mind: which of them are here already, and the rest under their own ids."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.ids import parse_uid, uid_text
from noosphere.model.outcome import Revised
from noosphere.model.vocabulary import NodeClass
from noosphere.store import apart, erasure, evidence, fold, frames, nodes, sessions, tags, units, unnamed
from noosphere.store.evidence import Reason
from noosphere.write.parse import dedup_key
from noosphere.write.remember import challenge, place
from noosphere.write.revise import revise
from noosphere.write.screening import flagged

if TYPE_CHECKING:
    from noosphere.harvest.taking_in import Taking
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, State, VersionRow
    from noosphere.store.transaction import Entry, Tx

VERB = "take_in"
SHOWN = 200  # characters of a text in a difference


def take_entity(taking: Taking, there: Connection, node: NodeRow) -> None:
    """Take an entity in, or find the one it is here."""
    state = nodes.current(there, node.id).state
    with taking.mind.write() as tx:
        found = nodes.by_uid(tx.sql, node.uid)
        if found is not None and nodes.current(tx.sql, found.id).state.retracted_at is not None:
            taking.counts["forgotten"] += 1
            return
        if found is None and state.entity_type is not None:
            named = nodes.entity_known_as(tx.sql, state.entity_type, state.norm_name or "")
            found = named[0] if named else None
        if found is not None:
            taking.here[node.id] = found = nodes.survivor(tx.sql, found)
            taking.counts["known"] += 1
            _properties(taking, tx, found, state)
            return
        entry = tx.open(VERB)
        new = nodes.create(tx, entry, NodeClass.ENTITY, uid=node.uid)
        nodes.open_first(tx, entry, new, state._replace(head=None))
        tags.add_first(tx, entry, new, tags.of_node(there, node.id))
        evidence.add_first(tx, entry, new.uid, *reasons_of(taking, tx, there, node.uid))
        apart.use(tx, there, node.id, new.id)
        tx.close(entry, new.uid)
        taking.here[node.id] = new
        taking.counts["entities"] += 1


def _properties(taking: Taking, tx: Tx, node: NodeRow, state: State) -> None:
    """Properties that only the other mind knows are added; where both know one, this mind's stays."""
    before = nodes.current(tx.sql, node.id).state
    ours, theirs = (json.loads(one or "{}") for one in (before.properties, state.properties))
    for name in ours.keys() & theirs.keys():
        if ours[name] != theirs[name]:
            taking.differ(uid_text(node.uid), f"property {name}", ours[name], theirs[name])
    if new := theirs.keys() - ours.keys():
        entry = tx.open(VERB)
        both = json.dumps({**theirs, **ours}, ensure_ascii=False, sort_keys=True)
        nodes.open_next(tx, entry, node, before._replace(properties=both))
        tx.close(entry, node.uid)
        taking.counts["revised"] += bool(new)


def take_memory(taking: Taking, there: Connection, node: NodeRow) -> None:
    """Take a memory in, or find the one it is here."""
    version = nodes.current(there, node.id)
    text = None if version.state.head is None else fold.fold(there, version.state.head)
    if text is None:
        return  # it was purged there
    with taking.mind.write() as tx:
        found = nodes.by_uid(tx.sql, node.uid)
        if found is not None:
            _meet(taking, tx, there, version, found, text)
        elif _was_forgotten(taking, tx.sql, version.state):
            taking.counts["forgotten"] += 1
        elif (same := _same(taking, tx.sql, version.state)) is not None:
            taking.here[node.id] = same
            taking.counts["known"] += 1
            _tell(taking, tx, there, node, same)
        else:
            _new(taking, tx, there, node, text)


def _meet(taking: Taking, tx: Tx, there: Connection, version: VersionRow, found: NodeRow, text: str) -> None:
    """A memory that both minds have under one id."""
    ours = nodes.current(tx.sql, found.id).state
    if ours.retracted_at is not None:
        taking.counts["forgotten"] += 1
        return
    taking.here[version.node] = nodes.survivor(tx.sql, found)
    folds = {one.state.fold_hash for one in nodes.versions(tx.sql, found.id)}
    others = {one.state.fold_hash for one in nodes.versions(there, version.node)}
    if version.state.fold_hash in folds or ours.merged_into is not None:
        taking.counts["known"] += 1
    elif ours.fold_hash in others:
        said = frames.by_id(there, version.state.head_frame)
        at = said.recorded_at if said.said_at is None else said.said_at
        about = {} if version.state.value is None else {"value": version.state.value}
        outcome = revise(taking.mind, uid_text(found.uid), text, about, said_at=moment(at))
        if isinstance(outcome, Revised):
            taking.counts["revised"] += 1
        else:
            taking.differ(uid_text(found.uid), f"text ({outcome.message})", _shown(tx, ours), text[:SHOWN])
    else:
        taking.differ(uid_text(found.uid), "text", _shown(tx, ours), text[:SHOWN])


def _shown(tx: Tx, state: State) -> str:
    return ((state.head and fold.fold(tx.sql, state.head)) or "")[:SHOWN]


def _was_forgotten(taking: Taking, sql: Connection, state: State) -> bool:
    if erasure.was_erased(sql, state.fold_hash or b""):
        return True
    return any(
        version.state.retracted_at is not None and _key(taking, version.state) == _key(taking, state)
        for _, version in nodes.with_fold(sql, state.fold_hash or b"")
    )


def _same(taking: Taking, sql: Connection, state: State) -> NodeRow | None:
    for node, version in nodes.with_fold(sql, state.fold_hash or b""):
        if version.state.retracted_at is None and _key(taking, version.state) == _key(taking, state):
            return nodes.survivor(sql, node)
    return None


def _key(taking: Taking, state: State) -> tuple[object, ...]:
    return dedup_key(state, taking.mind.zone)


def _tell(taking: Taking, tx: Tx, there: Connection, node: NodeRow, same: NodeRow) -> None:
    """What the other mind has as evidence for a memory that both have, once."""
    known = {(one.mind, one.frame, one.source_id, one.uri) for one in evidence.of(tx.sql, same.uid)}
    new = [
        reason
        for reason in reasons_of(taking, tx, there, node.uid)
        if (reason.mind, reason.frame, reason.source_id, reason.uri) not in known
    ]
    if new:
        entry = tx.open(VERB)
        evidence.add(tx, entry, same.uid, *new)
        tx.close(entry, same.uid)


def _new(taking: Taking, tx: Tx, there: Connection, node: NodeRow, text: str) -> None:
    """A memory with every text and every state it had there, in their order; they are known here from now on."""
    entry = tx.open(VERB)
    new = nodes.create(tx, entry, NodeClass.MEMORY, uid=node.uid)
    room = sessions.ongoing(tx) or sessions.start(tx, entry)
    heads = _frames(tx, entry, there, node, new, room.id)
    told = tags.of_node(there, node.id)
    states = [
        one.state._replace(head=heads[one.state.head_frame], merged_into=None, settled=None, trace_id=None)
        for one in nodes.versions(there, node.id)
        if one.state.head in heads
    ]
    last = flagged(states[-1], text, told)
    for number, state in enumerate([*states[:-1], last]):
        (nodes.open_next if number else nodes.open_first)(tx, entry, new, state)
    tags.add_first(tx, entry, new, told)
    evidence.add_first(tx, entry, new.uid, *reasons_of(taking, tx, there, node.uid))
    if last.slot_subject is not None and last.attribute is not None:
        place(tx, entry, new, last, units.memory_text(last.title, text, last.slot_subject, last.attribute))
    units.flush(tx)
    units.place(tx, new, entry.at)
    for holder in challenge(tx, entry, new, last):
        taking.differ(uid_text(new.uid), f"value of {last.subject or ''}.{last.attribute}", holder, last.value)
    if any(unnamed.waits(there, frame) for frame in heads):
        unnamed.want(tx, [last.head_frame])
    apart.use(tx, there, node.id, new.id)
    tx.close(entry, new.uid)
    taking.here[node.id] = new
    taking.counts["memories"] += 1


def _frames(tx: Tx, entry: Entry, there: Connection, node: NodeRow, new: NodeRow, room: int) -> dict[int, int]:
    """The frames of a memory but those that were purged, and what each is here."""
    here: dict[int, int] = {}
    for frame in frames.of_node(there, node.id):
        if frame.text is None or (frame.base is not None and frame.base not in here):
            continue
        row = frames.insert(
            tx,
            entry,
            frames.NewFrame(
                node=new.id,
                type=frame.type,
                base=None if frame.base is None else here[frame.base],
                seq=frame.seq,
                session=room,
                t=sessions.next_t(tx, room),
                text=frame.text,
                hash=frame.hash,
                said_at=frame.recorded_at if frame.said_at is None else frame.said_at,
                uid=frame.uid,
            ),
        )
        here[frame.id] = row.id
    return here


def reasons_of(taking: Taking, tx: Tx, there: Connection, target: bytes) -> list[Reason]:
    """Why the other mind believes something; a turn that is not here is named as one of that mind."""
    told: list[Reason] = []
    for one in evidence.of(there, target):
        mind = one.mind
        if one.frame is not None and mind is None and frames.by_uid(tx.sql, one.frame) is None:
            mind = parse_uid(taking.other.mind)
        if mind == parse_uid(taking.mind.mind):
            mind = None
        told.append(Reason(frame=one.frame, mind=mind, source_id=one.source_id, uri=one.uri, at=one.at))
    return told
