"""settle: say what is right of memories that contradict each other; journalled, undoable, and not asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.graph.facts import found_correction
from noosphere.ids import looks_like_uid, uid_text
from noosphere.model.argument import read_many
from noosphere.model.outcome import Reason, Refused, Settled
from noosphere.model.vocabulary import Status, texts
from noosphere.store import frames, nodes
from noosphere.store.corrections import Said
from noosphere.store.fold import fold
from noosphere.write.apply import apply
from noosphere.write.conflicts import ALL, NEW, Cause, Dispute, disputes_in
from noosphere.write.facts import inherit
from noosphere.write.parse import Parsed
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import State
    from noosphere.store.transaction import Entry, Tx

NOTHING = "nothing contradicts it that waits for a decision; review() lists what does"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of each side of a conflict."""

    kept: tuple[int, ...]
    ended: tuple[int, ...] = ()
    retired: tuple[int, ...] = ()


def settle(mind: MindFile, id: str, keep: object) -> Settled | Refused:
    """Settle the conflict that a memory stands in.

    Args:
        mind: the open file.
        id: any side of it, or the correction that it is about.
        keep: the ids of the sides that are right, the others being wrong; "both" for all of them, side by side; "new"
            when what was told last is right from its start on, or a correction means all that it may mean.

    Raises:
        InvalidInput: `keep` names none of the sides.
        NotFound: nothing here has one of the ids.
    """
    wanted = [keep] if isinstance(keep, str) else list(texts(read_many(keep, "keep"), "keep"))
    with mind.write() as tx:
        target = find(tx.sql, id)
        if (refused := forgotten(tx.sql, target)) is not None:
            return refused
        node = target.node
        dispute = next((d for d in disputes_in(tx.sql, tx.now) if node.id in d.nodes), None)
        if dispute is None or target.part is not None:
            return Refused(reason=Reason.UNCHANGED, message=NOTHING)
        verdict = _verdict(tx.sql, dispute, wanted)
        entry = tx.open("settle")
        _carry_out(tx, entry, dispute, verdict)
        kept, ended, retired = (
            tuple(uid_text(nodes.by_id(tx.sql, n).uid) for n in group)
            for group in (verdict.kept, verdict.ended, verdict.retired)
        )
        journal = tx.close(entry, node.uid)
    return Settled(id=uid_text(node.uid), journal=journal, kept=kept, ended=ended, retired=retired)


def _verdict(sql: Connection, dispute: Dispute, wanted: list[str]) -> Verdict:
    sides = dispute.sides
    if wanted == [ALL]:
        return Verdict(kept=sides)
    if wanted == [NEW]:
        return _newest(sql, dispute) if not dispute.corrections else Verdict(kept=(), retired=sides)
    named = {uid_text(nodes.by_id(sql, n).uid): n for n in sides}
    right: set[int] = set()
    for one in wanted:
        found = find(sql, one).node.id if looks_like_uid(one) else None
        if found not in sides:
            raise InvalidInput.choice("keep", one, [*named, ALL, NEW])
        right.add(found)
    if not right:
        raise InvalidInput("keep", "names nothing", f"Give ids of its sides, or {ALL}, or {NEW}")
    return Verdict(kept=tuple(n for n in sides if n in right), retired=tuple(n for n in sides if n not in right))


def _newest(sql: Connection, dispute: Dispute) -> Verdict:
    """What was told last is right; what began before it held until then, the rest never did."""
    sides, changes = dispute.sides, dispute.cause is Cause.CANDIDATE
    states = {n: nodes.current(sql, n).state for n in sides}
    last = max(sides, key=lambda n: (_told(sql, states[n]), n))
    new = states[last]
    slot = (new.slot_subject, new.attribute) if new.attribute else None
    ended = tuple(
        n
        for n, s in states.items()
        if n != last and (changes or (s.slot_subject, s.attribute) == slot) and _start(s) < _start(new)
    )
    return Verdict(kept=(last,), ended=ended, retired=tuple(n for n in sides if n not in (last, *ended)))


def _told(sql: Connection, state: State) -> int:
    head = frames.by_id(sql, state.head_frame)
    return head.recorded_at if head.said_at is None else head.said_at


def _start(state: State) -> int:
    return state.valid_from or 0


def _carry_out(tx: Tx, entry: Entry, dispute: Dispute, verdict: Verdict) -> None:
    states = {n: nodes.current(tx.sql, n).state for n in dispute.nodes}
    gone = {n: states[n] for n in (*verdict.ended, *verdict.retired)}
    canonical = any(s.status is Status.CANONICAL for s in gone.values())
    for node in verdict.retired:
        _change(tx, entry, node, states[node]._replace(corrected=1, status=Status.DEPRECATED))
    for node in verdict.ended:
        begins = min(_start(states[n]) for n in verdict.kept)
        until = min(begins, states[node].stated_to or begins)
        _change(tx, entry, node, states[node]._replace(stated_to=until))
    for node in verdict.kept:
        _change(tx, entry, node, _standing(states[node], takes_place=canonical and len(verdict.kept) == 1))
    for node in dispute.corrections:
        _change(tx, entry, node, _with_slot(tx.sql, states[node], verdict.retired))


def _change(tx: Tx, entry: Entry, node: int, state: State) -> None:
    apply(tx, entry, nodes.by_id(tx.sql, node), state._replace(conflict=0, settled=entry.uid))


def _standing(state: State, *, takes_place: bool) -> State:
    """The state of a side that is kept: no draft any more, and as protected as what it takes the place of."""
    if takes_place:
        return state._replace(status=Status.CANONICAL)
    return state._replace(status=Status.ACTIVE) if state.conflict and state.status is Status.DRAFT else state


def _with_slot(sql: Connection, state: State, retired: tuple[int, ...]) -> State:
    """The state of a correction, with the slot and the start of what it is now known to mean."""
    text = fold(sql, state.head_frame) or ""
    if len(retired) != 1:
        return state
    head = frames.by_id(sql, state.head_frame)
    memory = Parsed(
        text=text, repairs=(), state=state, tags=(), reasons=(), session=None, said_at=head.said_at, slot=None,
        given=(), correction=found_correction(text),
    )  # fmt: skip
    return inherit(sql, memory, Said(node=retired[0], text="", at=0, slot=None, value_norm=None))
