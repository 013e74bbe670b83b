"""What ends because a slot is filled: the post held at an employer that was left, where a thing was before it was sold.

And the same attribute of a thing under another of its names: "wall texts" and "the wall texts for the exhibition".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.graph.facts import found_slots, is_gone, updates
from noosphere.graph.facts.renewals import stem
from noosphere.graph.facts.topics import JOINS
from noosphere.model.slot import holds_one, is_of_things, normal_value
from noosphere.model.timeline import same_value
from noosphere.model.vocabulary import NodeClass
from noosphere.store import frames, nodes, units
from noosphere.store.corrections import of_subject
from noosphere.store.fold import fold
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import State
    from noosphere.store.transaction import Tx

READ = 30  # memories that hold a thing's name
RELATIVE = re.compile(r" (?:that|which|who|whose) ", re.IGNORECASE)


def follow(tx: Tx, own: int, state: State, text: str) -> list[int]:
    """The memories that are over because of the slot a memory fills."""
    if state.attribute is None or state.slot_subject is None:
        return []
    if state.attribute == "employer":
        return _posts(tx.sql, own, state)
    if state.negated:
        return []
    over: list[int] = []
    if state.attribute == "status" and is_gone(state.value or ""):
        over = [n for n, a in of_subject(tx.sql, state.slot_subject) if n != own and a in ("location", "status")]
    one = bool(state.functional) or (state.functional is None and holds_one(state.attribute))
    if one and is_of_things(state.attribute) and updates(text):
        over += _by_another_name(tx, own, state)
    return over


def _posts(sql: Connection, own: int, state: State) -> list[int]:
    """The posts that were told together with an employer who no longer is one."""
    found: list[int] = []
    for node, attribute in of_subject(sql, state.slot_subject or ""):
        if node == own or attribute != "job_title":
            continue
        text = fold(sql, nodes.current(sql, node).state.head or 0) or ""
        told = [f.value for f in found_slots(text, state.subject or "user") if f.attribute == "employer" and not f.ends]
        if any(same_value(normal_value(value), state.value_norm or "") == bool(state.negated) for value in told):
            found.append(node)
    return found


def _by_another_name(tx: Tx, own: int, state: State) -> list[int]:
    """The one memory that says the attribute of the thing by a shorter or longer name."""
    head, beside = _parts(state.subject or "")
    terms = [term.match for term in query_terms(" ".join(head)) if not term.stop]
    if not terms:
        return []
    held = units.holding(tx, state.head, terms, READ)
    sql, found = tx.sql, list[int]()
    for frame, _ in held:
        node = nodes.by_id(sql, frames.by_id(sql, frame).node)
        if node.id == own or node.node_class is not NodeClass.MEMORY:
            continue
        other = nodes.current(sql, node.id).state
        if (
            other.attribute != state.attribute
            or other.slot_subject == state.slot_subject
            or other.stated_to is not None
        ):
            continue
        other_head, other_beside = _parts(other.subject or "")
        if other_head == head and (beside <= other_beside or other_beside <= beside):
            found.append(node.id)
    return found if len(found) == 1 else []


def _parts(subject: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a thing's name up to what stands behind it, and those of what does: "wall texts", "exhibition"."""
    head = RELATIVE.split(JOINS.split(subject, maxsplit=1)[0], maxsplit=1)[0]
    return _stems(head), _stems(subject[len(head) :])


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[\w-]+", words)) - SMALL


SMALL = frozenset(
    ["the", "a", "an", "of", "for", "in", "at", "on", "to", "by", "that", "which", "who", "we", "live", "be"]
)
