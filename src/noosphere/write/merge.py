"""merge: several memories become one new memory, or several entities one of them; the old ones stay in history."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from noosphere.errors import InvalidInput
from noosphere.ids import uid_text
from noosphere.model.argument import read_many
from noosphere.model.edge import EdgeType
from noosphere.model.outcome import Merged, Refused
from noosphere.model.outcome import Reason as Why
from noosphere.model.text import clean
from noosphere.model.vocabulary import (
    SOURCE_STRENGTH,
    Claim,
    FrameType,
    Importance,
    NodeClass,
    Status,
    Volatility,
    texts,
)
from noosphere.store import evidence, frames, nodes, sessions, tags, units
from noosphere.store.evidence import Reason
from noosphere.store.fold import fold
from noosphere.store.hashing import content_hash
from noosphere.write.apply import apply
from noosphere.write.facts import tie
from noosphere.write.identity import is_current
from noosphere.write.join import add_reasons, join
from noosphere.write.parse import MAX_TEXT
from noosphere.write.remember import place
from noosphere.write.screening import flagged, look_through
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Tx
    from noosphere.write.target import Target

T = TypeVar("T")
TIMES = ("valid_from", "valid_basis", "stated_from", "stated_to", "stated_grain")
LEAST = 2
NO_SLOT = (None, None, None, 0)
SLOT = ("subject", "slot_subject", "attribute", "value", "value_norm", "negated", "functional")
JOINT = "\n"  # between texts, when the caller writes no new one


def merge(mind: MindFile, ids: object, text: str | None = None) -> Merged | Refused:
    """Merge memories into a new one, or entities into the first of them.

    Args:
        mind: the open file.
        ids: two or more, all memories or all entities.
        text: what the new memory says; without it, what they all said, a line each. Entities take none.

    Raises:
        InvalidInput: fewer than two different things, or a text for entities.
        NotFound: nothing here has one of the ids.
    """
    wanted = _distinct(ids)
    with mind.write() as tx:
        found = list({t.node.id: t for t in (find(tx.sql, one) for one in wanted)}.values())
        if len(found) < LEAST:
            raise InvalidInput("ids", "name fewer than two different things", "Give two or more")
        if (refused := _unfit(tx, found)) is not None:
            return refused
        these = [target.node for target in found]
        if these[0].node_class is NodeClass.MEMORY:
            return _memories(mind, tx, these, text)
        if text is not None:
            raise InvalidInput("text", "entities have none", "Leave it out")
        return _entities(tx, these)


def _distinct(ids: object) -> list[str]:
    given = read_many(ids, "ids")
    texts(given, "ids")  # a list of texts, and nothing else
    return list(dict.fromkeys(given))


def _unfit(tx: Tx, found: list[Target]) -> Refused | None:
    """The refusal to merge these, when one of them is no whole thing of the others' class, or is protected."""
    classes = {target.node.node_class for target in found}
    if any(target.part is not None for target in found) or classes not in ({NodeClass.MEMORY}, {NodeClass.ENTITY}):
        return Refused(reason=Why.NOT_A_MEMORY, message="only memories or only entities can be merged")
    for target in found:
        if (refused := forgotten(tx.sql, target)) is not None:
            return refused
    after = found if classes == {NodeClass.MEMORY} else found[1:]
    for target in after:
        state, uid = nodes.current(tx.sql, target.node.id).state, uid_text(target.node.uid)
        if state.status is Status.CANONICAL:
            return Refused(reason=Why.GATE, message=f"{uid} is canonical; set another status first, or put it in front")
    filled = {_slot(nodes.current(tx.sql, target.node.id).state) for target in after} - {NO_SLOT}
    if len(filled) > 1:
        told = ", ".join(sorted({f"{subject}.{attribute}" for subject, attribute, *_ in filled}))
        message = f"they fill {told} with several values, and one memory holds one; leave all of those but one out"
        return Refused(reason=Why.GATE, message=message)
    return None


def _slot(state: State) -> tuple[str | None, str | None, str | None, int]:
    return state.slot_subject, state.attribute, state.value_norm, state.negated


def _entities(tx: Tx, these: list[NodeRow]) -> Merged:
    stays, *others = these
    entry = tx.open("merge")
    for node in others:
        join(tx, entry, node, stays)
    journal = tx.close(entry, stays.uid)
    return Merged(id=uid_text(stays.uid), journal=journal, merged=tuple(uid_text(n.uid) for n in others))


def _memories(mind: MindFile, tx: Tx, these: list[NodeRow], text: str | None) -> Merged | Refused:
    states = [nodes.current(tx.sql, node.id).state for node in these]
    body = _body(tx, states, text, mind.secrets)
    if isinstance(body, Refused):
        return body
    state = flagged(_with_slot(_together(states), states)._replace(fold_hash=content_hash(body)), body)
    mine = {node.id for node in these}
    for other, version in nodes.with_fold(tx.sql, state.fold_hash or b""):
        if other.id not in mine and is_current(tx.sql, version, tx.now):
            return Refused(reason=Why.TAKEN, message=f"{uid_text(other.uid)} says this already; merge with it too")
    entry = tx.open("merge")
    session = sessions.ongoing(tx) or sessions.start(tx, entry)
    node = nodes.create(tx, entry, NodeClass.MEMORY)
    opening = frames.NewFrame(
        node=node.id, type=FrameType.I, session=session.id, t=sessions.next_t(tx, session.id), text=body
    )
    frame = frames.insert(tx, entry, opening)
    state = state._replace(head=frame.id)
    nodes.open_first(tx, entry, node, state)
    tags.add_first(tx, entry, node, sorted({tag for one in these for tag in tags.of_node(tx.sql, one.id)}))
    evidence.add_first(tx, entry, node.uid, Reason(frame=frame.uid))
    place(tx, entry, node, state, units.memory_text(None, body, state.slot_subject, state.attribute))
    units.flush(tx)
    for one, before in zip(these, states, strict=True):
        add_reasons(tx, entry, one.uid, node.uid)
        tie(tx, entry, node, one, EdgeType.DRAWN_FROM)
        apply(tx, entry, one, _put_away(before))
    journal = tx.close(entry, node.uid)
    return Merged(id=uid_text(node.uid), journal=journal, merged=tuple(uid_text(n.uid) for n in these))


def _body(tx: Tx, states: list[State], text: str | None, secrets: str) -> str | Refused:
    """What the new memory says."""
    told = [fold(tx.sql, state.head_frame) or "" for state in states]
    body = clean(JOINT.join(dict.fromkeys(told)) if text is None else text).text.strip()
    if not body:
        return Refused(reason=Why.EMPTY, message="there is no text; pass some, or leave it out")
    if len(body) > MAX_TEXT:
        return Refused(reason=Why.TOO_LARGE, message=f"{len(body)} characters are more than {MAX_TEXT}; pass a text")
    looked = look_through(body, secrets)
    return looked.text if looked.refused is None else Refused(reason=Why.SECRET, message=looked.refused)


def _together(states: list[State]) -> State:
    """What is said of the new memory: what all agree on, as important as the most important, as sure as the least."""
    newest = max(states, key=lambda s: s.valid_from or 0)
    sure = [s.confidence for s in states if s.confidence is not None]
    return nodes.State(
        role=_agreed([s.role for s in states]) or "note",
        kind=_agreed([s.kind for s in states]) or newest.kind,
        volatility=max((s.volatility or Volatility.DURABLE for s in states), key=list(Volatility).index),
        importance=min((s.importance for s in states), key=list(Importance).index),
        source=min((s.source for s in states), key=lambda source: SOURCE_STRENGTH[source]),
        claim=_agreed([s.claim for s in states]) or Claim.UNKNOWN,
        confidence=min(sure) if sure else None,
        subject=_agreed([s.subject for s in states]),
        trace_id=_agreed([s.trace_id for s in states]),
        valid_from=newest.valid_from,
        valid_basis=newest.valid_basis,
        stated_from=newest.stated_from,
        stated_grain=newest.stated_grain,
    )


def _with_slot(state: State, states: list[State]) -> State:
    """The state with the slot that some of them fill, since when the first of those held; one assertion stays one."""
    filling = [s for s in states if s.attribute is not None]
    if not filling:
        return state
    first = min(filling, key=lambda s: s.valid_from or 0)
    times = {name: getattr(first, name) for name in TIMES}
    return state._replace(**{name: getattr(first, name) for name in SLOT}, **times)


def _put_away(state: State) -> State:
    """An original as it is kept: archived, and its slot filled by the new memory in its place."""
    return state._replace(
        status=Status.ARCHIVED,
        slot_subject=None,
        attribute=None,
        value=None,
        value_norm=None,
        functional=None,
        negated=0,
    )


def _agreed(values: list[T | None]) -> T | None:
    return values[0] if len(set(values)) == 1 else None
