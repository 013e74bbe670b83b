"""undo: take back what one journal entry wrote, as a new entry; what rests on it blocks, or goes with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.errors import BrokenInvariant, NotFound
from noosphere.ids import parse_uid, uid_text
from noosphere.model.outcome import Reason, Refused, Undone
from noosphere.model.vocabulary import FrameType, NodeClass
from noosphere.store import (
    edges,
    evidence,
    frame_versions,
    frames,
    journal,
    nodes,
    ontology,
    path,
    sessions,
    tags,
    unnamed,
    usage,
)
from noosphere.write.apply import apply
from noosphere.write.forget import hide
from noosphere.write.graph import name_now
from noosphere.write.identity import twin
from noosphere.write.spaces import choice, choose, swap_when_whole

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.journal import EntryRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx

FINAL = frozenset({"purge"})  # what no undo brings back
NAMING = frozenset({"remember", "revise", "append", "relate", "undo"})  # what names entities on the way
# what is said again rather than taken back
OUT_OF_BAND = frozenset({"identity", "awareness", "mastery", "signals", "traces", "procedures"})


def undo(mind: MindFile, id: str, *, cascade: bool = False) -> Undone | Refused:
    """Take back one journal entry.

    Args:
        mind: the open file.
        id: a journal id, as every writing verb returns it. Undoing an undo brings the change back.
        cascade: also take back the later entries that rest on it, newest first.

    Raises:
        NotFound: the journal has no such entry.
    """
    try:
        with mind.write() as tx:
            outcome = _undo(tx, id, mind.zone, cascade=cascade)
    except _PlaceTaken as clash:  # part of a cascade may have been taken back by then, so all of it is rolled back
        return clash.refused
    swap_when_whole(mind)
    return outcome


class _PlaceTaken(Exception):
    """A node cannot come back: another is now what it was."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.message)
        self.refused = refused


def _undo(tx: Tx, id: str, zone: tzinfo, *, cascade: bool) -> Undone | Refused:
    found = journal.by_uid(tx.sql, parse_uid(id, "journal"))
    if found is None:
        raise NotFound("journal entry", id, "Take one from an outcome or from journal()")
    if (refused := _refusal(found)) is not None:
        return refused
    resting = _resting_on(tx.sql, found)
    final = [uid_text(e.uid) for e in resting if e.verb in FINAL]
    if final:
        message = "what it wrote was purged since, which cannot be undone"
        return Refused(reason=Reason.BLOCKED, message=message, blocked_by=tuple(reversed(final)))
    if resting and not cascade:
        blocked = tuple(uid_text(e.uid) for e in reversed(resting))
        message = f"{len(resting)} later entries rest on it; undo them first, or pass cascade=True"
        return Refused(reason=Reason.BLOCKED, message=message, blocked_by=blocked)
    taken: list[str] = []
    last = ""
    for one in [_with_names(tx, entry) for entry in (*reversed(resting), found)]:
        _refuse_twins(tx, one, zone)
        last = _take_back(tx, one)
        taken.append(uid_text(one.uid))
    return Undone(undone=tuple(taken), journal=last)


def _with_names(tx: Tx, entry: EntryRow) -> EntryRow:
    """An entry with what was tied of the names in its frames, which goes and comes back with it."""
    written = [frame for uid in entry.detail.get("frames", ()) if not (frame := _frame(tx.sql, uid)).is_turn]
    name_now(tx, [frame.id for frame in written if unnamed.waits(tx.sql, frame.id)])
    whole = dict(entry.detail)
    for number in [number for frame in written for number in unnamed.entries(tx.sql, frame.uid)]:
        for what, rows in journal.by_id(tx.sql, number).detail.items():
            whole[what] = [*whole.get(what, ()), *rows]
    return replace(entry, detail=whole)


def _refusal(entry: EntryRow) -> Refused | None:
    if entry.verb in FINAL or entry.verb.partition(".")[0] in OUT_OF_BAND:
        return Refused(reason=Reason.NOTHING_TO_UNDO, message=f"a {entry.verb} cannot be undone")
    if entry.verb == "name":
        return Refused(
            reason=Reason.NOTHING_TO_UNDO, message="it tied the names in a memory; undo what wrote the memory"
        )
    if entry.undone_by is not None:
        return Refused(
            reason=Reason.NOTHING_TO_UNDO, message=f"it was undone by {uid_text(entry.undone_by)}; undo that to redo it"
        )
    return None


def _refuse_twins(tx: Tx, old: EntryRow, zone: tzinfo) -> None:
    """Stop before a node is brought back beside another that has taken its place, and does not give way too."""
    changed = _versions(tx.sql, old)
    giving_way = {node.id for node, _, _ in changed}
    for node, first, _ in changed:
        if first > 1:
            state = nodes.numbered(tx.sql, node.id, first - 1).state
            other = twin(tx.sql, node, state, zone, tx.now)
            if other is not None and other.id not in giving_way:
                message = f"{uid_text(other.uid)} has taken the place of {uid_text(node.uid)}; forget that first"
                raise _PlaceTaken(Refused(reason=Reason.TAKEN, message=message))


def _versions(sql: Connection, entry: EntryRow) -> list[tuple[nodes.NodeRow, int, int]]:
    """The nodes an entry changed, each with the first and the last version it opened."""
    opened: dict[str, list[int]] = {}
    for uid, n in entry.detail.get("nodes", ()):
        opened.setdefault(uid, []).append(n)
    return [(_node(sql, uid), min(numbers), max(numbers)) for uid, numbers in opened.items()]


def _take_back(tx: Tx, old: EntryRow) -> str:
    entry = tx.open("undo", undoes=old.id)
    _edges(tx, entry, old)
    _tags(tx, entry, old)
    _evidence(tx, entry, old)
    _counters(tx, entry, old)
    _turns(tx, entry, old)
    _sessions(tx, entry, old)
    _spaces(tx, entry, old)
    for registry, name, n, existed in old.detail.get("rules", ()):
        ontology.take_back(tx, entry, registry, name, n, existed=existed)
    _nodes(tx, entry, old)
    return tx.close(entry, old.target)


def _edges(tx: Tx, entry: Entry, old: EntryRow) -> None:
    for uid_, known_from, how in reversed(old.detail.get("edges", ())):  # what was opened last gives way first
        uid = parse_uid(uid_)
        row, standing = edges.version(tx.sql, uid, known_from), edges.standing(tx.sql, uid)
        if row.derived:
            continue  # follows from the slot, which is derived again
        if how == "opened" and standing is not None and not (row.inferred and _has_other_reasons(tx.sql, old, uid)):
            edges.retire(tx, entry, standing.id)
        elif how == "closed" and standing is None and edges.between(tx.sql, again := edges.again(row)) is None:
            edges.insert(tx, entry, again)  # where another says the same by now, that one stands


def _has_other_reasons(sql: Connection, old: EntryRow, edge: bytes) -> bool:
    """Whether an edge that was inferred rests on more than the entry that is taken back."""
    own = {n for target, n in old.detail.get("evidence", ()) if parse_uid(target) == edge}
    return bool(own) and any(reason.n not in own for reason in evidence.of(sql, edge))


def _tags(tx: Tx, entry: Entry, old: EntryRow) -> None:
    for uid, at, how in old.detail.get("tags", ()):
        node = _node(tx.sql, uid)
        if how == "opened":
            tags.remove(tx, entry, node, tags.opened_at(tx.sql, node.id, at))
        else:
            tags.add(tx, entry, node, tags.closed_at(tx.sql, node.id, at))


def _evidence(tx: Tx, entry: Entry, old: EntryRow) -> None:
    """Take back the reasons that an entry gave; an undo took them, and the undo of one gave them again."""
    took, one = False, old
    while one.undoes is not None:
        took, one = not took, journal.by_id(tx.sql, one.undoes)
    for target, n in old.detail.get("evidence", ()):
        evidence.turn(tx, entry, parse_uid(target), n, stands=took)


def _counters(tx: Tx, entry: Entry, old: EntryRow) -> None:
    """Take back what was noted of a check, and give back what was counted for another."""
    for uid, before, after in old.detail.get("checks", ()):
        usage.take_back(tx, entry, _node(tx.sql, uid), before, after)
    for uid, to, times in old.detail.get("seen", ()):
        usage.move_seen(tx, entry, _node(tx.sql, to), _node(tx.sql, uid), times)


def _turns(tx: Tx, entry: Entry, old: EntryRow) -> None:
    """Hide what the entry said in a conversation or branch that it did not create; bring back what it hid."""
    created = {uid for uid, n in old.detail.get("nodes", ()) if n == 1}
    parts: dict[int, list[tuple[FrameRow, int | None]]] = {}
    for uid in old.detail.get("frames", ()):
        frame = _frame(tx.sql, uid)
        if frame.is_turn or frame.type is FrameType.B:
            parts.setdefault(frame.node, []).append((frame, entry.at))
    for uid, n in old.detail.get("turns", ()):
        frame = _frame(tx.sql, uid)
        flags = frame_versions.flags_in(tx.sql, frame.id, n - 1)
        if flags != frame_versions.flags_in(tx.sql, frame.id, n):
            frame_versions.set_flags(tx, entry, frame, flags)
            continue
        before = frame_versions.retracted_in(tx.sql, frame.id, n - 1)
        parts.setdefault(frame.node, []).append((frame, before))
    for number, these in parts.items():
        node = nodes.by_id(tx.sql, number)
        if uid_text(node.uid) not in created:
            hide(tx, entry, node, these)


def _sessions(tx: Tx, entry: Entry, old: EntryRow) -> None:
    for uid, n in old.detail.get("sessions", ()):
        row = sessions.by_uid(tx.sql, parse_uid(uid))
        if row is not None and n > 1:
            sessions.change(tx, entry, row, status=sessions.status_in(tx.sql, row.id, n - 1))


def _spaces(tx: Tx, entry: Entry, old: EntryRow) -> None:
    """Choose again the model that was chosen before; it serves once it lacks nothing."""
    for before, after in old.detail.get("spaces", ()):
        if before is not None and choice(tx.sql) == after:
            entry.touched.spaces.append([choose(tx, before), before])


def _nodes(tx: Tx, entry: Entry, old: EntryRow) -> None:
    """Bring each node back to the state before the entry, the last first; what the entry created is forgotten."""
    for node, first, last in reversed(_versions(tx.sql, old)):
        if _is_named(old, node) and _goes_on(tx.sql, node, first, last):
            continue
        if first == 1:
            apply(tx, entry, node, nodes.current(tx.sql, node.id).state._replace(retracted_at=entry.at))
            continue
        before = nodes.numbered(tx.sql, node.id, first - 1)
        apply(tx, entry, node, before.state)
        if node.node_class is NodeClass.CONVERSATION:
            _head_back(tx, entry, node, before, nodes.numbered(tx.sql, node.id, last))


def _head_back(tx: Tx, entry: Entry, node: nodes.NodeRow, before: nodes.VersionRow, moved: nodes.VersionRow) -> None:
    """Move a conversation's head back if the entry moved it; any other version keeps the leaf it found."""
    leaf = path.leaf_then(tx.sql, before)
    if moved.state.head != leaf:
        path.switch(tx, entry, node, leaf)


def _resting_on(sql: Connection, entry: EntryRow) -> list[EntryRow]:
    """The standing entries that rest on this one, directly or through others, oldest first.

    A later undo rests on it when it took back something earlier; what was done and undone since leaves no trace.
    """
    found: dict[int, EntryRow] = {}
    ahead = [entry]
    while ahead:
        for number in sorted(_touching(sql, ahead.pop())):
            if number > entry.id and number not in found:
                later = journal.by_id(sql, number)
                if later.undone_by is None and (later.undoes is None or later.undoes < entry.id):
                    found[number] = later
                    ahead.append(later)
    return [found[number] for number in sorted(found)]


def _touching(sql: Connection, entry: EntryRow) -> set[int]:
    """Later entries that changed or used what this entry wrote."""
    found: set[int] = set()
    for uid, n in entry.detail.get("nodes", ()):
        node = _node(sql, uid)
        if _is_named(entry, node):
            continue
        found |= journal.on_node(sql, node, entry.id, created=_brought(sql, node, n))
    for uid in entry.detail.get("frames", ()):
        found |= journal.on_frame(sql, _frame(sql, uid), entry.id)
    for uid, _ in entry.detail.get("turns", ()):
        found |= journal.on_frame(sql, _frame(sql, uid), entry.id)
    for uid, at, _ in entry.detail.get("edges", ()):
        if not edges.version(sql, parse_uid(uid), at).inferred:
            found |= journal.on_edge(sql, parse_uid(uid), entry.id)
    for uid, at, _ in entry.detail.get("tags", ()):
        found |= journal.on_tags(sql, _node(sql, uid).id, at, entry.id)
    if "spaces" in entry.detail:
        found |= journal.on_spaces(sql, entry.id)
    found |= _touching_beside(sql, entry)
    return {unnamed.origin(sql, number) for number in found} - {entry.id}


def _touching_beside(sql: Connection, entry: EntryRow) -> set[int]:
    """The same for what is neither a node nor part of one: sessions, and the ontology."""
    found: set[int] = set()
    for uid, n in entry.detail.get("sessions", ()):
        found |= journal.on_session(sql, parse_uid(uid), n) if n > 1 else set()
    for registry, name, n, existed in entry.detail.get("rules", ()):
        found |= ontology.resting_on(sql, registry, name, n, entry.id, existed=existed)
    return found


def _is_named(entry: EntryRow, node: nodes.NodeRow) -> bool:
    """Whether a node is an entity that an entry about something else named."""
    return node.node_class is NodeClass.ENTITY and entry.target != node.uid and entry.verb in NAMING


def _goes_on(sql: Connection, node: nodes.NodeRow, first: int, last: int) -> bool:
    """Whether an entity stays although an entry that named it is taken back: more was said of it, or others name it."""
    if nodes.current(sql, node.id).state != nodes.numbered(sql, node.id, last).state:
        return True
    goes = first == 1 or nodes.numbered(sql, node.id, first - 1).state.retracted_at is not None
    return goes and bool(edges.of_node(sql, node.id))


def _brought(sql: Connection, node: nodes.NodeRow, n: int) -> bool:
    """Whether this version of a node made it, or brought it back."""
    if n == 1:
        return True
    before, after = (nodes.numbered(sql, node.id, number).state.retracted_at for number in (n - 1, n))
    return before is not None and after is None


def _node(sql: Connection, uid: str) -> nodes.NodeRow:
    found = nodes.by_uid(sql, parse_uid(uid))
    if found is None:
        raise BrokenInvariant(f"the journal names node {uid}, which is not here")
    return found


def _frame(sql: Connection, uid: str) -> frames.FrameRow:
    found = frames.by_uid(sql, parse_uid(uid))
    if found is None:
        raise BrokenInvariant(f"the journal names frame {uid}, which is not here")
    return found
