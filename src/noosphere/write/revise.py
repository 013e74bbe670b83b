"""Changes to what a memory says: revise replaces, append adds, branch sets an alternative beside it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from noosphere.errors import InvalidInput
from noosphere.ids import uid_text
from noosphere.model.argument import read_key, read_line
from noosphere.model.outcome import Appended, Branched, Refused, Revised
from noosphere.model.outcome import Reason as Why
from noosphere.model.slot import normal_value
from noosphere.model.text import clean, is_blank
from noosphere.model.vocabulary import FrameType, NodeClass, SessionStatus, texts
from noosphere.model.when import FOREVER, read_time
from noosphere.store import frame_versions, frames, nodes, path, sessions, units, unnamed
from noosphere.store.fold import JOINT, fold
from noosphere.store.fulltext import Era
from noosphere.store.hashing import content_hash
from noosphere.write.apply import apply
from noosphere.write.classify import described as with_about
from noosphere.write.classify import read_about, retag
from noosphere.write.facts import value_in
from noosphere.write.graph import loosen, name_now, retie
from noosphere.write.identity import taken
from noosphere.write.occurrence import redated
from noosphere.write.parse import MAX_TEXT
from noosphere.write.remember import find_session
from noosphere.write.screening import flagged, flags, look_through, reflagged
from noosphere.write.target import Target, find, forgotten

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.sessions import SessionRow
    from noosphere.store.transaction import Entry, Tx
    from noosphere.write.classify import About

LEFT_OUT = "; leave the text out to change only the rest"


def revise(
    mind: MindFile,
    id: str,
    text: str,
    about: Mapping[str, Any] = MappingProxyType({}),
    *,
    said_at: Any = None,
    session: str | None = None,
) -> Revised | Refused:
    """Replace a memory's text: a new I frame on the same node, without the old patches.

    What is said `about` it changes with it, as `classify` would change it, and is undone with it. A value is the new
    one of its slot. Without one it is what the rules find of the slot in the new text, if the memory had a value; else
    the text itself, for nobody vouched for the old value in these words.

    Raises:
        InvalidInput: an unknown field or a value outside its vocabulary.
        NotFound: nothing has this id.
    """
    told = _read(mind, text, about, said_at, session)
    if isinstance(told, Refused):
        return told
    with mind.write() as tx:
        target = find(tx.sql, id)
        if (refused := _unfit(tx, target, "revised")) is not None:
            return refused
        before = nodes.current(tx.sql, target.node.id).state
        if content_hash(told.text) == before.fold_hash:
            more = LEFT_OUT if told.about else ""
            return Refused(reason=Why.UNCHANGED, message=f"the memory says this already{more}")
        room = find_session(tx, told.session)
        if isinstance(room, Refused):
            return room
        state = _restated(tx, before, told, mind.zone)
        if (refused := taken(tx.sql, target.node, state, mind.zone, tx.now)) is not None:
            return refused
        name_now(tx, unnamed.of_node(tx.sql, target.node.id))
        entry = tx.open("revise")
        room = room or sessions.start(tx, entry, key=told.session)
        frame = _write_frame(tx, entry, target.node, FrameType.I, room.id, told.text, said_at=told.said_at)
        state = state._replace(head=frame.id)
        old = apply(tx, entry, target.node, state)
        retag(tx, entry, target.node, told.about)
        loosen(tx, entry, target.node)
        retie(tx, entry, target.node, frame.uid, told.text, state)
        journal = tx.close(entry, target.node.uid)
    ids = uid_text(target.node.uid), uid_text(frame.uid)
    return Revised(id=ids[0], frame=ids[1], journal=journal, old=old, repairs=told.repairs)


def append(
    mind: MindFile,
    id: str,
    text: str,
    about: Mapping[str, Any] = MappingProxyType({}),
    *,
    said_at: Any = None,
    session: str | None = None,
) -> Appended | Refused:
    """Add to a memory: a P frame on its present text; what is said `about` it changes with it, and is undone with it.

    Raises:
        InvalidInput: an unknown field or a value outside its vocabulary.
        NotFound: nothing has this id.
    """
    told = _read(mind, text, about, said_at, session)
    if isinstance(told, Refused):
        return told
    with mind.write() as tx:
        target = find(tx.sql, id)
        if (refused := _unfit(tx, target, "appended to")) is not None:
            return refused
        before = nodes.current(tx.sql, target.node.id).state
        room = find_session(tx, told.session)
        if isinstance(room, Refused):
            return room
        head = frames.by_id(tx.sql, before.head_frame)
        state = _grown(before, fold(tx.sql, head.id) or "", told)
        if (refused := taken(tx.sql, target.node, state, mind.zone, tx.now)) is not None:
            return refused
        name_now(tx, unnamed.of_node(tx.sql, target.node.id))
        entry = tx.open("append")
        room = room or sessions.start(tx, entry, key=told.session)
        base, at = (head.id if head.type is FrameType.I else head.base), told.said_at
        frame = _write_frame(
            tx, entry, target.node, FrameType.P, room.id, told.text, base=base, seq=head.seq + 1, said_at=at
        )
        apply(tx, entry, target.node, state._replace(head=frame.id))
        retag(tx, entry, target.node, told.about)
        retie(tx, entry, target.node, frame.uid, told.text, state)
        journal = tx.close(entry, target.node.uid)
    return Appended(id=uid_text(target.node.uid), frame=uid_text(frame.uid), journal=journal, repairs=told.repairs)


def branch(
    mind: MindFile,
    id: str,
    text: str,
    *,
    refs: Sequence[str] = (),
    description: str | None = None,
    session: str | None = None,
) -> Branched | Refused:
    """Set an alternative beside a memory or a turn, without replacing it.

    Raises:
        NotFound: nothing has this id, or one of `refs`.
    """
    written = _read_text(text, mind.secrets)
    if isinstance(written, Refused):
        return written
    body, repairs = written
    session = read_key(session, "session")
    with mind.write() as tx:
        target = find(tx.sql, id)
        if target.node.node_class is not NodeClass.MEMORY and target.turn is None:
            return Refused(reason=Why.NOT_A_MEMORY, message="only a memory or a turn can be branched; give such an id")
        if (refused := forgotten(tx.sql, target) or _said_before(tx, target, body)) is not None:
            return refused
        aims = [_frame_of(tx, find(tx.sql, ref)) for ref in texts(refs, "refs")]
        room = _room(tx, target, session)
        if isinstance(room, Refused):
            return room
        entry = tx.open("branch")
        room = room or sessions.start(tx, entry, key=session)
        frame = _branch_frame(tx, entry, target, room.id, body)
        frame_versions.open_first(tx, entry, frame, flags(body))
        frames.refer(tx, frame.id, dict.fromkeys([_frame_of(tx, target), *aims]), read_line(description, "description"))
        journal = tx.close(entry, target.node.uid)
    return Branched(id=uid_text(target.node.uid), frame=uid_text(frame.uid), journal=journal, repairs=repairs)


def _write_frame(
    tx: Tx,
    entry: Entry,
    node: NodeRow,
    kind: FrameType,
    session: int,
    text: str,
    *,
    base: int | None = None,
    seq: int = 0,
    said_at: int | None = None,
) -> frames.FrameRow:
    new = frames.NewFrame(
        node=node.id,
        type=kind,
        session=session,
        t=sessions.next_t(tx, session),
        text=text,
        base=base,
        seq=seq,
        said_at=said_at,
    )
    return frames.insert(tx, entry, new)


def _room(tx: Tx, target: Target, session: str | None) -> SessionRow | Refused | None:
    """The session of a branch: the one named, else the turn's own while it is open, else the ongoing one."""
    if session is None and target.turn is not None:
        own = sessions.by_id(tx.sql, target.turn.session)
        if own.status is SessionStatus.ACTIVE:
            return own
    return find_session(tx, session)


def _branch_frame(tx: Tx, entry: Entry, target: Target, session: int, text: str) -> frames.FrameRow:
    if target.turn is None:
        head = nodes.current(tx.sql, target.node.id).state.head
        frame = _write_frame(tx, entry, target.node, FrameType.B, session, text, base=head)
        units.place(tx, target.node, entry.at)
        return frame
    turn = target.turn
    new = frames.NewFrame(
        node=target.node.id,
        type=FrameType.B,
        session=session,
        t=sessions.next_t(tx, session),
        text=text,
        base=turn.base,
        turn_key=turn.turn_key,
        parent=turn.parent,
        speaker=turn.speaker,
        speaker_role=turn.speaker_role,
        participants=turn.participants,
    )
    frame = frames.insert(tx, entry, new)
    path.set_beside(tx, frame.id)
    era = units.era_for(nodes.current(tx.sql, target.node.id).state, FOREVER, entry.at) or Era.NOW
    units.add(tx, frame.id, era, units.turn_text(frame, units.turn_before(tx.sql, frame)))
    return frame


def _said_before(tx: Tx, target: Target, text: str) -> Refused | None:
    if target.turn is None or target.turn.turn_key is None:
        return None
    digest = content_hash(text)
    if all(f.hash != digest for f in frames.turn(tx.sql, target.node.id, target.turn.turn_key)):
        return None
    return Refused(reason=Why.UNCHANGED, message="the turn, or an alternative to it, says this already")


def _frame_of(tx: Tx, target: Target) -> int:
    return target.turn.id if target.turn is not None else frames.opening(tx.sql, target.node.id).id


def _restated(tx: Tx, before: State, told: _Told, zone: tzinfo) -> State:
    """The state of a new text, with what is said of it."""
    state = _reworded(before, told.text, with_value="value" in told.about.new)
    state = redated(tx.sql, state, told.text, tx.now if told.said_at is None else told.said_at, zone)
    return flagged(with_about(state, told.about), told.text) if told.about else state


def _reworded(before: State, text: str, *, with_value: bool) -> State:
    """The state of a new text, and of the value that the rules find in it if one was named and none is given now."""
    digest = content_hash(text)
    state = before._replace(fold_hash=digest)
    if state.attribute is None:
        return flagged(state, text)
    state = flagged(state._replace(value=None, value_norm=digest.hex()), text)
    value = None if with_value or before.value is None else value_in(text, state)
    return state if value is None else state._replace(value=value, value_norm=normal_value(value))


def _grown(before: State, text: str, told: _Told) -> State:
    """The state of a longer text, with what is said of it; a named value stays, one that was the text grows."""
    whole = JOINT.join(filter(None, (text, told.text)))
    digest = content_hash(whole)
    grows = before.attribute is not None and before.value is None
    grown = before._replace(fold_hash=digest, value_norm=digest.hex() if grows else before.value_norm)
    new = "\n\n".join(filter(None, (told.text, *(told.about.new.get(name) for name in ("title", "value")))))
    return reflagged(with_about(grown, told.about), whole, before=before, told=text, new=new)


class _Told(NamedTuple):
    """What came to a memory, read: its text, what had to be mended in that, and what is said of it and of when."""

    text: str
    repairs: tuple[str, ...]
    about: About
    said_at: int | None
    session: str | None


def _read(mind: MindFile, text: object, about: Mapping[str, Any], said_at: Any, session: str | None) -> _Told | Refused:
    written = _read_text(text, mind.secrets)
    if isinstance(written, Refused):
        return written
    key, described = read_key(session, "session"), read_about(mind, about)
    if isinstance(described, Refused):
        return described
    span = read_time(said_at, "said_at", mind.zone)
    return _Told(*written, described, None if span is None else span.start, key)


def _read_text(text: object, secrets: str) -> tuple[str, tuple[str, ...]] | Refused:
    if not isinstance(text, str):
        raise InvalidInput("text", f"{text!r:.80} is not text", "Pass a string")
    cleaned = clean(text)
    body = cleaned.text.strip()
    if is_blank(body):
        return Refused(reason=Why.EMPTY, message="there is no text; pass some")
    if len(body) > MAX_TEXT:
        return Refused(reason=Why.TOO_LARGE, message=f"{len(body)} characters are more than {MAX_TEXT}; split the text")
    looked = look_through(body, secrets)
    if looked.refused is not None:
        return Refused(reason=Why.SECRET, message=looked.refused)
    return looked.text, (*cleaned.repairs, *looked.repairs)


def _unfit(tx: Tx, target: Target, done: str) -> Refused | None:
    if target.turn is None and target.node.node_class is NodeClass.MEMORY:
        return forgotten(tx.sql, target)
    return Refused(
        reason=Why.NOT_A_MEMORY, message=f"only a memory can be {done}; what was said in a conversation stays as it was"
    )
