"""remember: store a memory once, with its version, tags, evidence, slot, full text and place in the queue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from noosphere.errors import NotFound, shown
from noosphere.graph.facts.sole import tells_only
from noosphere.graph.paraphrase import restates, statement
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.argument import read_line
from noosphere.model.edge import EdgeType
from noosphere.model.outcome import Duplicate, Refused, Remembered, Stored, Superseded
from noosphere.model.outcome import Reason as Why
from noosphere.model.slot import normal_value
from noosphere.model.vocabulary import FrameType, NodeClass, SessionStatus, Status
from noosphere.store import conflicts, erasure, evidence, frames, nodes, sessions, slots, tags, units, unnamed, usage
from noosphere.store.evidence import Reason
from noosphere.store.fold import fold
from noosphere.store.slots import SlotKey
from noosphere.write.apply import apply
from noosphere.write.denials import mark_denied
from noosphere.write.endings import end
from noosphere.write.facts import (
    NOBODY,
    Meant,
    aims,
    correct,
    inherit,
    last_spoken_of,
    points_back,
    spoken_of,
    tie,
    with_facts,
)
from noosphere.write.graph import name_written
from noosphere.write.identity import is_current, is_in_use
from noosphere.write.parse import BEGINNING, Parsed, dedup_key, parse
from noosphere.write.retold import is_retold
from noosphere.write.screening import guard_memory
from noosphere.write.volatility import with_volatility

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.model.draft import Draft
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State, VersionRow
    from noosphere.store.sessions import SessionRow
    from noosphere.store.transaction import Entry, Tx

BATCH = 1000  # memories in one transaction: the write lock is held for about a tenth of a second


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that is already there."""

    node: NodeRow
    version: VersionRow


def remember(
    mind: MindFile,
    drafts: Sequence[Draft],
    *,
    importing: bool = False,
    vouched: bool = False,
    broken: list[str] | None = None,
) -> list[Remembered]:
    """Store memories, in order, in transactions of at most BATCH.

    Args:
        mind: the open file.
        drafts: what to store; all are checked before any is written.
        importing: whether this is a re-import, which never revives what was forgotten.
        vouched: whether somebody looked at the texts and found that they are no attack.
        broken: takes the rules of the ontology that names and relations broke, and so were left out; names are then
            tied before this returns, and otherwise afterwards (`name_waiting`).

    Raises:
        InvalidInput: a draft has the wrong form; nothing was written.
    """
    read = [parse(draft, mind.zone, mind.clock.now()) for draft in drafts]
    guarded = (p if isinstance(p, Refused) else guard_memory(p, mind.secrets, vouched=vouched) for p in read)
    parsed = _read_facts(mind, guarded, drafts)
    outcomes: list[Remembered] = []
    for batch in _batches(parsed):
        with mind.write(rows=len(batch)) as tx:
            outcomes += [p if isinstance(p, Refused) else _one(mind, tx, p, importing=importing) for p in batch]
    if broken is not None:
        name_written(mind, [o.id for o in outcomes if isinstance(o, (Stored, Superseded))], broken)
    return outcomes


def _read_facts(mind: MindFile, guarded: Iterable[Parsed | Refused], drafts: Sequence[Draft]) -> list[Parsed | Refused]:
    """The memories with their facts; "she" and "it" mean what was spoken of last, in the batch or in the session."""
    now, meant, looked = mind.clock.now(), NOBODY, False
    read: list[Parsed | Refused] = []
    for memory, draft in zip(guarded, drafts, strict=True):
        if isinstance(memory, Refused):
            read.append(memory)
            continue
        back = points_back(memory.text)
        if back and not looked:
            with mind.read() as sql:
                before = _spoken_of_before(sql, memory.session, now)
            meant, looked = Meant(meant.person or before.person, meant.thing or before.thing), True
        speaker = read_line(draft.speaker, "speaker")
        known = with_facts(memory, speaker, mind.zone, now, meant if back else NOBODY)
        meant = spoken_of(known.state, meant)
        read.append(with_volatility(known, draft.volatility))
    return read


def _spoken_of_before(sql: Connection, key: str | None, now: int) -> Meant:
    """What was spoken of last in the named session, or in the newest one if it is still going on."""
    if key is not None:
        named = sessions.by_key(sql, key)
        return NOBODY if named is None else last_spoken_of(sql, named.id)
    session, last = sessions.newest(sql) or (0, None)
    return last_spoken_of(sql, session) if last is not None and last > now - sessions.SITTING else NOBODY


def _batches(parsed: list[Parsed | Refused]) -> list[list[Parsed | Refused]]:
    return [parsed[i : i + BATCH] for i in range(0, len(parsed), BATCH)]


def _one(mind: MindFile, tx: Tx, memory: Parsed, *, importing: bool) -> Remembered:
    known = _find_known(tx, memory, mind)
    if known is not None:
        return _add_evidence(tx, known, memory)
    if importing and _was_forgotten(tx.sql, memory, mind):
        return Refused(reason=Why.FORGOTTEN, message="this was forgotten here; remember it explicitly to have it again")
    session = find_session(tx, memory.session)
    if isinstance(session, Refused):
        return session
    stored = _store(tx, memory, session, named=True)
    drawn = [_draw(mind, tx, fact, stored.id) for fact in memory.drawn]
    return replace(stored, drawn=tuple(fact for fact in drawn if fact is not None)) if drawn else stored


def _find_known(tx: Tx, memory: Parsed, mind: MindFile) -> Found | None:
    """The memory that says the same; what waits to be written is asked too when it may be that."""
    state, waiting = memory.state, tx.waiting
    value = state.slot_subject, state.attribute, state.value_norm
    may_wait = state.fold_hash in waiting.folds or value in waiting.values
    return find_same(tx.sql if may_wait else tx.settled, memory, mind, tx.now)


def _draw(mind: MindFile, tx: Tx, fact: Parsed, source: str) -> str | None:
    """Store a fact that a text states beside the text; None when it is known."""
    if _find_known(tx, fact, mind) is not None:
        return None
    stored = _store(tx, fact, None, named=False)
    entry = tx.open("link")
    ends = [nodes.by_uid(tx.sql, parse_uid(end, "id")) for end in (stored.id, source)]
    src, dst = ends
    if src is None or dst is None:
        raise NotFound("memory", source, "It was written in this transaction")
    tie(tx, entry, src, dst, EdgeType.DRAWN_FROM)
    tx.close(entry, src.uid)
    return stored.id


def _store(tx: Tx, memory: Parsed, ongoing: SessionRow | None, *, named: bool) -> Stored | Superseded:
    entry = tx.open("remember")
    session = ongoing or sessions.ongoing(tx) or sessions.start(tx, entry, key=memory.session)
    meant = [] if memory.correction is None else aims(tx.sql, memory, session.id)
    if len(meant) == 1:
        memory = memory._replace(state=inherit(tx.sql, memory, meant[0]))
    if meant:
        correct(tx, entry, meant)
    node = nodes.create(tx, entry, NodeClass.MEMORY)
    frame = frames.insert(
        tx,
        entry,
        frames.NewFrame(
            node=node.id,
            type=FrameType.I,
            session=session.id,
            t=sessions.next_t(tx, session.id),
            text=memory.text,
            hash=memory.state.fold_hash,
            said_at=memory.said_at,
        ),
    )
    state = memory.state._replace(head=frame.id, conflict=int(len(meant) > 1), **_recorded(memory.state, entry.at))
    nodes.open_first(tx, entry, node, state)
    tags.add_first(tx, entry, node, memory.tags)
    evidence.add_first(tx, entry, node.uid, *(memory.reasons or (Reason(frame=frame.uid, at=memory.said_at),)))
    old = place(
        tx, entry, node, state, units.memory_text(state.title, memory.text, state.slot_subject, state.attribute)
    )
    old += tuple(uid for uid in end(tx, entry, node, state, memory) if uid not in old)
    for target in meant:
        tie(tx, entry, node, nodes.by_id(tx.sql, target.node), EdgeType.RELATES_TO)
    if named and not state.secret and state.suspect is None:  # an attack or a secret names nothing
        unnamed.want(tx, [frame.id])
    held_by = challenge(tx, entry, node, state)
    if not held_by and not meant:
        mark_denied(tx, entry, node, frame.id, memory.text)
    corrected = tuple(uid_text(nodes.by_id(tx.sql, meant[0].node).uid) for _ in meant if len(meant) == 1)
    stored = Stored(
        id=uid_text(node.uid),
        frame=uid_text(frame.uid),
        journal=tx.close(entry, node.uid),
        session=uid_text(session.uid),
        repairs=memory.repairs,
        held_by=held_by,
        corrected=corrected,
    )
    return _superseding(stored, old) if old else stored


def _superseding(stored: Stored, old: tuple[str, ...]) -> Superseded:
    """The outcome for a memory that ended others."""
    return Superseded(
        id=stored.id,
        frame=stored.frame,
        journal=stored.journal,
        session=stored.session,
        old=old,
        repairs=stored.repairs,
        corrected=stored.corrected,
    )


def challenge(tx: Tx, entry: Entry, node: NodeRow, state: nodes.State) -> tuple[str, ...]:
    """The stronger memories because of which a value never holds; what a canonical one denies is a draft."""
    if state.attribute is None or state.slot_subject is None or state.negated:
        return ()
    slot = SlotKey(state.slot_subject, state.attribute)
    own = slots.stored(tx.settled, {node.id}).get(node.id)  # no spell waits
    if own is None or own.start < own.end:
        return ()
    spells = slots.spells(tx.sql, slot)
    start = state.valid_from or 0
    holders = [s.node for s in spells if s.node != node.id and s.start <= start < s.end]
    found = [(nodes.by_id(tx.sql, n), nodes.current(tx.sql, n).state) for n in holders]
    others = [(n, s) for n, s in found if s.value_norm != state.value_norm]
    canonical = [n for n, s in others if s.status is Status.CANONICAL]
    if canonical and state.status is not Status.DRAFT:
        for holder in canonical:
            tie(tx, entry, node, holder, EdgeType.RELATES_TO)
        units.flush(tx)
        decided = conflicts.decisions(tx.sql, slot, state.value_norm or "") & {s.settled for _, s in others}
        apply(tx, entry, node, state._replace(status=Status.DRAFT, conflict=int(not decided)))
    return tuple(uid_text(n.uid) for n, _ in found)


def _recorded(state: nodes.State, at: int) -> dict[str, Any]:
    """The start of a state: when it was recorded, if nothing else is known; what ended before began before."""
    if state.valid_from is not None:
        return {}
    if state.stated_to is not None and state.stated_to <= at:
        return {"valid_from": BEGINNING, "valid_basis": "stated"}
    return {"valid_from": at}


def place(tx: Tx, entry: Entry, node: NodeRow, state: nodes.State, text: units.UnitText) -> tuple[str, ...]:
    """Index a node's new head and derive its slot; returns the memories whose value this ended."""
    change = None
    if state.slot_subject is not None and state.attribute is not None:
        change = slots.recompute(tx, entry, SlotKey(state.slot_subject, state.attribute))
    end = units.ends_at(tx.settled, node.id, state)  # no spell waits
    era = units.era_for(state, end, entry.at)
    if era is not None and state.head is not None:
        units.add(tx, state.head, era, text)
        units.watch(tx, node.id, state, end, entry.at)
    if change is None:
        return ()
    for other in sorted(change.nodes() - {node.id}):
        units.place(tx, nodes.by_id(tx.sql, other), entry.at)
    return tuple(uid_text(nodes.by_id(tx.sql, n).uid) for n in change.ended(entry.at) if n != node.id)


def find_same(sql: Connection, memory: Parsed, mind: MindFile, now: int) -> Found | None:
    """The memory that says the same: same fold and key, or same slot, value and spell."""
    said = nodes.with_fold(sql, memory.state.fold_hash or b"")
    slotted = memory.state.attribute is not None and memory.state.value is not None
    if not said and not slotted:
        return None
    key = memory.key(mind.zone)
    for node, version in said:
        if dedup_key(version.state, mind.zone) == key and (
            _counts(sql, version, now) or is_retold(sql, memory, version, now)
        ):
            return Found(node, version)
    if not slotted:
        return None
    filled = memory.state.slot_subject or "", memory.state.attribute or "", memory.state.value_norm or ""
    for node, version in nodes.with_value(sql, *filled):
        if memory.slot is None and not _restates(sql, memory, version, now):
            continue
        same = dedup_key(version.state._replace(subject=memory.state.subject), mind.zone)  # its slot is of one subject
        if (same if memory.slot is None else dedup_key(version.state, mind.zone)) == key and (
            _counts(sql, version, now) or is_retold(sql, memory, version, now, in_other_words=True)
        ):
            return Found(node, version)
    return None


def _restates(sql: Connection, memory: Parsed, version: VersionRow, now: int) -> bool:
    """Whether a memory, whose slot rules found, says no more and no less than one that is there."""
    known = fold(sql, version.state.head_frame) or ""
    if normal_value(memory.text) == normal_value(known):
        return True
    said, told = statement(memory.text), statement(known)
    if said is not None and told is not None and restates(said, told):
        return True
    return _confirms(sql, memory.state, version.state, now) and all(
        tells_only(text, state.subject or "", state.attribute or "", state.value or "")
        for text, state in ((memory.text, memory.state), (known, version.state))
    )


def _confirms(sql: Connection, new: State, old: State, now: int) -> bool:
    """Whether a value that was found again may be a reason for one that is there: of one spell, from no other source.

    It is not, when it was said before it, or when something was said in between.
    """
    if new.negated or old.negated or new.functional != old.functional or new.source != old.source:
        return False
    start = now if new.valid_from is None else new.valid_from
    if old.valid_from is None or start < old.valid_from:
        return False
    told, _ = slots.assertions(sql, SlotKey(new.slot_subject or "", new.attribute or ""))
    return not any(old.valid_from < one.start <= start and one.value != new.value_norm for one in told)


def _counts(sql: Connection, version: VersionRow, now: int) -> bool:
    """Whether a memory can be said again: it is current, or it was stated when it held, and says so as before."""
    return is_current(sql, version, now) or (is_in_use(version.state) and version.state.valid_basis == "stated")


def _was_forgotten(sql: Connection, memory: Parsed, mind: MindFile) -> bool:
    if erasure.was_erased(sql, memory.state.fold_hash or b""):
        return True
    key = memory.key(mind.zone)
    return any(
        version.state.retracted_at is not None and dedup_key(version.state, mind.zone) == key
        for _, version in nodes.with_fold(sql, memory.state.fold_hash or b"")
    )


def _add_evidence(tx: Tx, known: Found, memory: Parsed) -> Duplicate:
    entry = tx.open("remember")
    evidence.add(tx, entry, known.node.uid, *(memory.reasons or (Reason(at=memory.said_at),)))
    tags.add(tx, entry, known.node, memory.tags)
    usage.note(tx, entry, known.node, checked_at=entry.at if memory.said_at is None else memory.said_at)
    frame = frames.by_id(tx.sql, known.version.state.head_frame)
    return Duplicate(
        id=uid_text(known.node.uid),
        frame=uid_text(frame.uid),
        journal=tx.close(entry, known.node.uid),
        evidence_count=evidence.count(tx.sql, known.node.uid),
        ignored=tuple(n for n in memory.given if _differs(n, memory, known.version, frame)),
        wrong=bool(known.version.state.corrected),
    )


def _differs(name: str, memory: Parsed, version: VersionRow, frame: frames.FrameRow) -> bool:
    if name == "said_at":
        return memory.said_at != frame.said_at
    return getattr(memory.state, name) != getattr(version.state, name)


def find_session(tx: Tx, wanted: str | None) -> SessionRow | Refused | None:
    """The session to write in: the one named by key or id, else the ongoing one; None when a new one is due.

    Raises:
        NotFound: an id was given, and no session has it.
    """
    if wanted is None:
        return sessions.ongoing(tx)
    found = sessions.by_key(tx.sql, wanted)
    if found is None and looks_like_uid(wanted):
        found = sessions.by_uid(tx.sql, parse_uid(wanted, "session"))
        if found is None:
            raise NotFound("session", wanted, "List them with sessions.list()")
    if found is not None and found.status is not SessionStatus.ACTIVE:
        message = f"session {shown(wanted)} is {found.status}; write without it or open another"
        return Refused(reason=Why.SESSION_CLOSED, message=message)
    return found
