"""Writing a batch of turns: on the conversation's path, late into it, or beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noosphere.errors import NotFound
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.outcome import Reason as Why
from noosphere.model.outcome import Refused
from noosphere.model.vocabulary import CLAIM_OF_SOURCE, Claim, FrameType, NodeClass, SessionStatus
from noosphere.model.when import FOREVER
from noosphere.store import frame_versions, frames, nodes, path, sessions, tags, units
from noosphere.store.fulltext import Era
from noosphere.store.nodes import State
from noosphere.write.turns import OPENS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow
    from noosphere.store.sessions import SessionRow
    from noosphere.store.transaction import Entry, Tx
    from noosphere.write.record import About
    from noosphere.write.turns import Checked

LATE_SHARE = 8  # a late turn takes an eighth of the gap, which leaves room for some fifty more


@dataclass(frozen=True, slots=True)
class Late:
    """The place of a late turn: the turn it is put before, and its tick."""

    before: int
    t: int


@dataclass(slots=True)
class Progress:
    """What one call has done so far."""

    added: list[str] = field(default_factory=list[str])
    known: int = 0
    changed: list[str] = field(default_factory=list[str])
    refused: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    repairs: dict[str, None] = field(default_factory=dict[str, None])
    journals: list[str] = field(default_factory=list[str])


def find_conversation(sql: Connection, key: str) -> NodeRow | None:
    """The conversation of this key, or of this node id."""
    found = nodes.by_key(sql, key) or (nodes.by_uid(sql, parse_uid(key)) if looks_like_uid(key) else None)
    return found if found is not None and found.node_class is NodeClass.CONVERSATION else None


class TurnWriter:
    """Writes one batch of turns in one transaction, under one journal entry."""

    def __init__(
        self,
        tx: Tx,
        about: About,
        progress: Progress,
        call: Sequence[Checked],
        uids: Mapping[str, bytes] | None = None,
    ) -> None:
        self._tx = tx
        self._uids = uids or {}
        self._about = about
        self._progress = progress
        self._sequels: dict[str, list[str]] = {}
        for turn in call:
            if turn.after is not None:
                self._sequels.setdefault(turn.after, []).append(turn.key)
        self._rooms: dict[str | int, SessionRow] = {}
        self._skipped: dict[str, str | None] = {}
        self._empty = False  # whether the conversation held no turn before this batch
        self._own: set[int] = set()  # frames of this batch, which nobody can have forgotten

    def write(self, key: str, batch: Sequence[Checked]) -> NodeRow | Refused:
        """Write the batch and return the conversation, or why it takes no turns."""
        tx = self._tx
        node = find_conversation(tx.sql, key)
        if node is not None and nodes.current(tx.sql, node.id).state.retracted_at is not None:
            return Refused(
                reason=Why.FORGOTTEN,
                message="this conversation was forgotten; undo that, or record it under another key",
            )
        first = next((t for t in batch if t.refused is None and self._closed(t.session) is None), None)
        if node is None and first is None:
            named = [turn.session for turn in batch] or [None]
            if (shut := next(filter(None, map(self._closed, named)), None)) is not None:
                return Refused(reason=Why.SESSION_CLOSED, message=shut)
        entry = tx.open("record")
        opened = self._empty = node is None
        node = node or self._open(entry, key, first)
        before = len(self._progress.added) + len(self._progress.changed)
        self._opening = frames.opening(tx.sql, node.id)
        self._leaf = frames.by_id(tx.sql, path.leaf_of(tx.sql, node.id))
        self._participants = self._participant_set() or self._opening.participants
        self._era = units.era_for(nodes.current(tx.sql, node.id).state, FOREVER, entry.at) or Era.NOW
        for turn in batch:
            self._turn(entry, node, turn)
        if opened or len(self._progress.added) + len(self._progress.changed) > before:
            path.extend(tx, node.id, self._leaf.id)
            self._progress.journals.append(tx.close(entry, node.uid))
        else:
            tx.abandon(entry)
        return node

    def _open(self, entry: Entry, key: str, first: Checked | None) -> NodeRow:
        tx, about = self._tx, self._about
        node = nodes.create(tx, entry, NodeClass.CONVERSATION, key=key, uid=self._uids.get(OPENS))
        room = self._room(entry, first, None)
        opening = frames.insert(
            tx,
            entry,
            frames.NewFrame(
                node=node.id,
                type=FrameType.I,
                session=room.id,
                t=sessions.next_t(self._tx, room.id),
                text=None,
                participants=self._participant_set(),
            ),
        )
        state = State(
            head=opening.id,
            role="conversation",
            source=about.source,
            claim=CLAIM_OF_SOURCE.get(about.source, Claim.UNKNOWN),
            title=about.title,
            metadata=about.metadata,
        )
        nodes.open_first(tx, entry, node, state)
        tags.add_first(tx, entry, node, about.tags)
        path.begin(tx, node.id, opening.id)
        return node

    def _turn(self, entry: Entry, node: NodeRow, turn: Checked) -> None:
        self._progress.repairs |= dict.fromkeys(turn.repairs)
        refused = turn.refused or self._closed(turn.session)
        if refused is not None:
            self._refuse(turn, refused)
            return
        there = [] if self._empty else frames.turn(self._tx.sql, node.id, turn.key)
        if any(f.hash == turn.hash or f.hash is None for f in there):
            self._progress.known += 1
        elif there:
            self._beside(entry, node, turn, there[0])
        else:
            self._new(entry, node, turn)

    def _refuse(self, turn: Checked, why: str) -> None:
        """Leave a turn out; what comes after it follows the turn before it."""
        self._progress.refused.append((turn.key, why))
        self._skipped[turn.key] = turn.after

    def _beside(self, entry: Entry, node: NodeRow, turn: Checked, first: FrameRow) -> None:
        """Keep another text of a known turn as an alternative to it."""
        frame = self._insert(entry, node, turn, frames.by_id(self._tx.sql, first.parent or 0), FrameType.B)
        self._progress.changed.append(uid_text(frame.uid))

    def _new(self, entry: Entry, node: NodeRow, turn: Checked) -> None:
        parent = self._parent(node, turn)
        if parent.id == self._leaf.id:
            self._leaf = frame = self._insert(entry, node, turn, parent, FrameType.P)
        elif (late := self._late(node, turn, parent)) is not None:
            if (shut := _shut(self._room_of(parent))) is not None:
                self._refuse(turn, shut)
                return
            frame = self._insert(entry, node, turn, parent, FrameType.P, late=late)
        else:
            frame = self._insert(entry, node, turn, parent, FrameType.B)
        self._progress.added.append(uid_text(frame.uid))

    def _parent(self, node: NodeRow, turn: Checked) -> FrameRow:
        after = turn.after
        while after in self._skipped:
            after = self._skipped[after]
        if after is None or after == self._leaf.turn_key:
            return self._leaf
        if after == OPENS:
            return self._opening
        found = frames.turn(self._tx.sql, node.id, after)
        if not found:
            raise NotFound("turn", after, "Record a parent before its children")
        return found[0]

    def _late(self, node: NodeRow, turn: Checked, parent: FrameRow) -> Late | None:
        """The place of a turn that was missing from the path; None when it stands beside the path."""
        sql = self._tx.sql
        if parent.is_turn and not path.is_on(sql, parent.id):
            return None
        anchor = parent
        while anchor.late and anchor.parent is not None:
            anchor = frames.by_id(sql, anchor.parent)
        successor = self._rejoins(node, turn.key, anchor.id)
        if successor is None:
            return None
        if successor.session != parent.session:
            return Late(successor.id, sessions.next_t(self._tx, parent.session))
        gap = successor.t - parent.t
        return Late(successor.id, parent.t + max(1, gap // LATE_SHARE)) if gap > 1 else None

    def _rejoins(self, node: NodeRow, key: str, anchor: int) -> FrameRow | None:
        """The turn that followed the anchor on the path, when the turns this call puts after `key` lead to it."""
        ahead, seen = [key], set[str]()
        while ahead:
            for sequel in self._sequels.get(ahead.pop(), ()):
                there = frames.turn(self._tx.sql, node.id, sequel)
                if there and there[0].parent == anchor and path.is_on(self._tx.sql, there[0].id):
                    return there[0]
                if not there and sequel not in seen:
                    seen.add(sequel)
                    ahead.append(sequel)
        return None

    def _insert(
        self,
        entry: Entry,
        node: NodeRow,
        turn: Checked,
        parent: FrameRow,
        kind: FrameType,
        *,
        late: Late | None = None,
    ) -> FrameRow:
        tx = self._tx
        room = self._room(entry, turn, parent) if late is None else self._room_of(parent)
        frame = frames.insert(
            tx,
            entry,
            frames.NewFrame(
                node=node.id,
                type=kind,
                base=self._opening.id,
                session=room.id,
                t=sessions.next_t(tx, room.id) if late is None else late.t,
                text=turn.text,
                hash=turn.hash,
                said_at=turn.at,
                turn_key=turn.key,
                parent=parent.id,
                before=None if late is None else late.before,
                speaker=turn.speaker,
                speaker_role=turn.speaker_role,
                participants=self._participants,
                uid=self._uids.get(turn.key),
            ),
        )
        frame_versions.open_first(tx, entry, frame, turn.flags)
        if kind is FrameType.B:
            path.set_beside(tx, frame.id)
        near = parent if parent.is_turn and parent.session == room.id else None
        if near is not None and near.id not in self._own and frame_versions.retracted_at(tx.sql, near.id) is not None:
            near = None
        self._own.add(frame.id)
        units.add(tx, frame.id, self._era, units.turn_text(frame, near))
        return frame

    def _room(self, entry: Entry, turn: Checked | None, parent: FrameRow | None) -> SessionRow:
        """The session of a turn: the one it names, else its parent's unless that ended or a silence lies between."""
        key = (turn.session if turn else None) or self._about.session
        if key is not None:
            return self._named_room(entry, key, turn)
        if parent is not None and turn is not None:
            room = self._room_of(parent)
            then = parent.recorded_at if parent.said_at is None else parent.said_at
            now = entry.at if turn.at is None else turn.at
            if room.status is SessionStatus.ACTIVE and (not parent.is_turn or abs(now - then) <= sessions.SITTING):
                return room
        return sessions.start(self._tx, entry, project=self._about.project, at=turn.at if turn else None)

    def _room_of(self, frame: FrameRow) -> SessionRow:
        if frame.session not in self._rooms:
            self._rooms[frame.session] = sessions.by_id(self._tx.sql, frame.session)
        return self._rooms[frame.session]

    def _closed(self, session: str | None) -> str | None:
        """Why the session that a turn names, or else the call, takes no more turns, if it does not."""
        key = session or self._about.session
        if key is None or key in self._rooms:  # only open ones are kept there
            return None
        room = sessions.by_key(self._tx.sql, key)
        return None if room is None else _shut(room)

    def _named_room(self, entry: Entry, key: str, turn: Checked | None) -> SessionRow:
        if key not in self._rooms:
            found = sessions.by_key(self._tx.sql, key)
            at = turn.at if turn else None
            self._rooms[key] = found or sessions.start(self._tx, entry, key=key, project=self._about.project, at=at)
        return self._rooms[key]

    def _participant_set(self) -> int | None:
        if not self._about.participants:
            return None
        return frames.participants_id(self._tx, json.dumps(self._about.participants, ensure_ascii=False))


def _shut(room: SessionRow) -> str | None:
    """Why a session takes no more turns, if it does not."""
    return None if room.status is SessionStatus.ACTIVE else f"session {room.key or uid_text(room.uid)} is {room.status}"
