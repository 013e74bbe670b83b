"""What ends because a slot is filled: the post held at an employer that was left, where a thing was before it was sold.

And the same attribute of a thing under another of its names: "wall texts" and "the wall texts for the exhibition".
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from noosphere.graph.facts import found_slots, is_gone, updates
from noosphere.graph.facts.rulebook import data
from noosphere.graph.facts.topics import JOINS
from noosphere.graph.facts.words import stem
from noosphere.model.slot import holds_one, is_of_things, normal_value
from noosphere.model.timeline import same_value
from noosphere.model.vocabulary import NodeClass
from noosphere.store import frames, nodes, units
from noosphere.store.corrections import of_subject, of_value
from noosphere.store.fold import fold
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from collections.abc import Collection

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import State
    from noosphere.store.transaction import Tx

LEADING = 2  # words that may stand before a name: "Project Osprey"
READ = 30  # memories that hold a thing's name
RELATIVE = re.compile(r" (?:that|which|who|whose) ", re.IGNORECASE)


def follow(tx: Tx, own: int, state: State, text: str) -> list[int]:
    """The memories that are over because of the slot a memory fills."""
    if state.attribute is None or state.slot_subject is None:
        return []
    if state.attribute == data()["posts"]["attribute"]:
        return _posts(tx.sql, own, state)
    if state.negated:
        return []
    over = _opposed(tx.sql, own, state) + _contrary(tx.sql, own, state)
    if state.attribute == "status" and is_gone(state.value or ""):
        over += _of_subject(tx.sql, own, state, data()["gone"]["over"])
    if not updates(text):
        return over
    if state.attribute in data()["renamed"]["attributes"]:
        over += _renamed(tx.sql, own, state)
    one = bool(state.functional) or (state.functional is None and holds_one(state.attribute))
    if one and is_of_things(state.attribute):
        over += _by_another_name(tx, own, state)
    return over


def _of_subject(sql: Connection, own: int, state: State, attributes: Collection[str]) -> list[int]:
    return [n for n, a in of_subject(sql, state.slot_subject or "") if n != own and a in attributes]


def _posts(sql: Connection, own: int, state: State) -> list[int]:
    """The posts that were told together with an employer who no longer is one."""
    found: list[int] = []
    for node in _of_subject(sql, own, state, data()["posts"]["over"]):
        text = fold(sql, nodes.current(sql, node).state.head_frame) or ""
        told = [f.value for f in found_slots(text, state.subject or "user") if f.attribute == "employer" and not f.ends]
        if any(same_value(normal_value(value), state.value_norm or "") == bool(state.negated) for value in told):
            found.append(node)
    return found


def _contrary(sql: Connection, own: int, state: State) -> list[int]:
    """What was said of the same thing by another state of one line: "is off", once it is on."""
    given = data()["contrary"]
    line = next((set(words) for words in map(str.split, given["lines"]) if state.value_norm in words), set[str]())
    if state.attribute != given["attribute"] or not line:
        return []
    held = ((node, nodes.current(sql, node).state) for node in _of_subject(sql, own, state, {given["attribute"]}))
    return [
        node
        for node, other in held
        if other.value_norm != state.value_norm and other.value_norm in line and not other.negated
    ]


def _opposed(sql: Connection, own: int, state: State) -> list[int]:
    """What was said of the same value by the opposite attribute: "hates swimming", once somebody enjoys it."""
    pairs = [one["attributes"] for one in data()["opposed"] if state.attribute in one["attributes"]]
    others = {attribute for pair in pairs for attribute in pair} - {state.attribute}
    if not others:
        return []
    held = [(node, nodes.current(sql, node).state) for node in _of_subject(sql, own, state, others)]
    return [node for node, other in held if same_value(other.value_norm or "", state.value_norm or "")]


def _renamed(sql: Connection, own: int, state: State) -> list[int]:
    """The one memory that gives a thing the name under which it is told a new one."""
    words = normal_value(state.subject or "").split()
    names = [" ".join(words[at:]) for at in range(min(len(words), LEADING))]
    found = {node for name in names for node in of_value(sql, data()["renamed"]["over"], name) if node != own}
    return list(found) if len(found) == 1 else []


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
    return frozenset(stem(word) for word in re.findall(r"[\w-]+", words)) - _small()


@cache
def _small() -> frozenset[str]:
    return frozenset(data()["same_thing"]["small"].split())
