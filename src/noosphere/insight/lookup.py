"""get: one memory, turn, conversation or entity in full, by id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import NotFound
from noosphere.ids import parse_uid, uid_text
from noosphere.model.record import Conversation, Entity, Evidence, Memory, TurnRecord
from noosphere.model.staleness import held_at, stale_since
from noosphere.model.vocabulary import CURRENT_STATUSES, NodeClass
from noosphere.model.when import FOREVER, Grain, Span, show
from noosphere.store import conflicts, evidence, frame_versions, frames, nodes, path, sessions, slots, tags, usage
from noosphere.store.fold import fold

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from noosphere.model.timeline import Spell
    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow, State, VersionRow

Thing = Memory | TurnRecord | Conversation | Entity
BEFORE_ALL = -(2**61)


def get(sql: Connection, id: str, *, now: int, zone: tzinfo) -> Thing:
    """Read one thing in full, forgotten or not.

    Raises:
        InvalidInput: the id is malformed.
        NotFound: nothing here has it.
    """
    uid = parse_uid(id)
    node = nodes.by_uid(sql, uid)
    if node is None:
        frame = frames.by_uid(sql, uid)
        if frame is None:
            raise NotFound("node or frame", id, "Take an id from a hit or from the journal")
        if frame.is_turn:
            return turn(sql, frame)
        node = nodes.by_id(sql, frame.node)
    node = nodes.survivor(sql, node)
    match node.node_class:
        case NodeClass.MEMORY:
            return memory(sql, node, now=now, zone=zone)
        case NodeClass.CONVERSATION:
            return conversation(sql, node)
        case NodeClass.ENTITY:
            return entity(sql, node)


def memory(sql: Connection, node: NodeRow, *, now: int, zone: tzinfo) -> Memory:
    """Read a memory."""
    version = nodes.current(sql, node.id)
    state = version.state
    head = frames.by_id(sql, state.head_frame)
    spell = slots.stored(sql, {node.id}).get(node.id)
    start, end = _holds(state, spell)
    uses, last_used, checked, _ = usage.of_node(sql, node.id)
    reasons = tuple(_evidence(row) for row in evidence.of(sql, node.uid))
    return Memory(
        id=uid_text(node.uid),
        frame=uid_text(head.uid),
        text=fold(sql, head.id) or "",
        title=state.title,
        role=state.role or "note",
        kind=state.kind or "semantic",
        status=state.status,
        volatility=state.volatility or "durable",
        importance=state.importance,
        source=state.source,
        claim=state.claim,
        confidence=state.confidence,
        subject=state.subject,
        attribute=state.attribute,
        value=state.value,
        tags=tags.of_node(sql, node.id),
        metadata=json.loads(state.metadata or "{}"),
        trace_id=state.trace_id,
        session=uid_text(sessions.by_id(sql, head.session).uid),
        said_at=_moment(head.said_at),
        recorded_at=moment(head.recorded_at),
        occurred=_occurred(state, zone),
        valid_from=moment(_since(state.valid_from, head)),
        valid_from_basis=state.valid_basis or "recorded",
        valid_to=_moment(state.stated_to),
        holds_from=None if start >= end else moment(_since(start, head)),
        holds_to=None if end == FOREVER or start >= end else moment(end),
        current=state.retracted_at is None and state.status in CURRENT_STATUSES and start <= now < end,
        conflict=_in_conflict(sql, node, state, spell),
        forgotten_at=_moment(state.retracted_at),
        merged_into=uid_text(nodes.by_id(sql, state.merged_into).uid) if state.merged_into is not None else None,
        evidence=reasons,
        evidence_count=len(reasons),
        use_count=uses,
        last_used_at=_moment(last_used),
        checked_at=_moment(checked),
        stale_since=_moment(stale_since(state.volatility, _held(version, head, checked), now)),
        secret=bool(state.secret),
        suspect=state.suspect,
        version=version.n,
    )


def _in_conflict(sql: Connection, node: NodeRow, state: State, spell: Spell | None) -> bool:
    """Whether its slot disputes it, or its mark stands."""
    if spell is not None and spell.conflict:
        return True
    return bool(state.conflict) and conflicts.stands(sql, node.id, slots.slot_of(state.slot_subject, state.attribute))


def turn(sql: Connection, frame: FrameRow) -> TurnRecord:
    """Read a turn with its neighbours on the path."""
    node = nodes.by_id(sql, frame.node)
    before, after = path.previous_on_path(sql, frame), path.next_on_path(sql, frame)
    flags = frame_versions.flags_of(sql, frame.id)
    gone = frame_versions.retracted_at(sql, frame.id) or nodes.current(sql, node.id).state.retracted_at
    return TurnRecord(
        id=uid_text(frame.uid),
        conversation=uid_text(node.uid),
        conversation_key=node.key,
        turn_key=frame.turn_key or "",
        session=uid_text(sessions.by_id(sql, frame.session).uid),
        speaker=frame.speaker or "",
        speaker_role=frame.speaker_role,
        participants=frames.participant_names(sql, frame),
        text=frame.text or "",
        said_at=_moment(frame.said_at),
        recorded_at=moment(frame.recorded_at),
        on_path=path.is_on(sql, frame.id),
        previous=None if before is None else uid_text(frames.by_id(sql, before).uid),
        next=None if after is None else uid_text(frames.by_id(sql, after).uid),
        secret=flags.secret,
        suspect=flags.suspect,
        forgotten_at=_moment(gone),
    )


def conversation(sql: Connection, node: NodeRow) -> Conversation:
    """Read a conversation: the turns of its path in order, and those beside it."""
    version = nodes.current(sql, node.id)
    lies = path.read_path(sql, node)
    gone = frame_versions.forgotten(sql, node.id)
    leaf = frames.by_id(sql, lies.leaf)
    rooms = dict.fromkeys(f.session for f in (*lies.on, *lies.off))
    return Conversation(
        id=uid_text(node.uid),
        key=node.key,
        title=version.state.title,
        head=uid_text(leaf.uid) if leaf.is_turn else None,
        turns=tuple(uid_text(f.uid) for f in lies.on if f.id not in gone),
        alternatives=tuple(uid_text(f.uid) for f in lies.off if f.id not in gone),
        sessions=tuple(uid_text(sessions.by_id(sql, s).uid) for s in rooms),
        status=version.state.status,
        tags=tags.of_node(sql, node.id),
        metadata=json.loads(version.state.metadata or "{}"),
        forgotten_at=_moment(version.state.retracted_at),
        version=version.n,
    )


def entity(sql: Connection, node: NodeRow) -> Entity:
    """Read an entity."""
    version = nodes.current(sql, node.id)
    state = version.state
    return Entity(
        id=uid_text(node.uid),
        type=state.entity_type or "",
        name=state.name or "",
        norm_name=state.norm_name or "",
        seen_count=usage.of_node(sql, node.id)[3],
        properties=json.loads(state.properties or "{}"),
        status=state.status,
        tags=tags.of_node(sql, node.id),
        merged_into=uid_text(nodes.by_id(sql, state.merged_into).uid) if state.merged_into is not None else None,
        forgotten_at=_moment(state.retracted_at),
        version=version.n,
    )


def _held(version: VersionRow, head: FrameRow, checked: int | None) -> int:
    return held_at(
        said_at=head.said_at, recorded_at=head.recorded_at, changed_at=version.known_from, checked_at=checked
    )


def _holds(state: State, spell: Spell | None) -> tuple[int, int]:
    if spell is not None:
        return spell.start, spell.end
    return state.valid_from or 0, FOREVER if state.stated_to is None else state.stated_to


def _since(start: int | None, head: FrameRow) -> int:
    """A start that can be shown; what is only known to have ended began before it was recorded."""
    return head.recorded_at if start is None or start < BEFORE_ALL else start


def _occurred(state: State, zone: tzinfo) -> str | None:
    if state.occurred_from is None or state.occurred_to is None:
        return None
    return show(Span(state.occurred_from, state.occurred_to, Grain(state.occurred_grain or Grain.MOMENT)), zone)


def _evidence(row: evidence.EvidenceRow) -> Evidence:
    return Evidence(
        mind=None if row.mind is None else uid_text(row.mind),
        frame=None if row.frame is None else uid_text(row.frame),
        source_id=row.source_id,
        uri=row.uri,
        at=moment(row.at),
        journal=uid_text(row.journal),
    )


def _moment(at: int | None) -> datetime | None:
    return None if at is None else moment(at)
