"""Denials: a memory that says what another says is not so. No rule can tell which is right: both stay, marked.

Where a timeline judges, or one is said to be over, they are not both current; this is about the rest. A text that
denies is looked up by its words as it is stored; what it would be denied by is found where meaning finds neighbours.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from noosphere.graph.likeness import negations
from noosphere.graph.paraphrase import denies, is_personal, statement, telling
from noosphere.model.edge import EdgeType
from noosphere.model.vocabulary import Claim, NodeClass, Status
from noosphere.model.worded import worded
from noosphere.store import frames, nodes, units
from noosphere.store.fold import fold
from noosphere.store.words.pieces import words_of
from noosphere.store.words.query import query_terms
from noosphere.write.apply import apply
from noosphere.write.facts import tie
from noosphere.write.identity import is_current

if TYPE_CHECKING:
    from noosphere.graph.paraphrase import Statement
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx

SPEAKER = "user"  # whom "I" means where nobody else is named
LOOKED_AT = 20  # texts that hold the words looked for
PROBED = 3  # of its words, the longest: what it denies says all of them, and few other texts do
PUNCTUATION = '.,;:!?"()'
PARTED = re.compile(r"[a-z0-9]*'[a-z0-9']*")  # a word with an apostrophe in it
MARKS = str.maketrans(dict.fromkeys(PUNCTUATION, " ") | {"'": "", "’": ""})


def mark_denied(tx: Tx, entry: Entry, node: NodeRow, head: int, text: str) -> None:
    """Mark a memory that was just stored, and what it denies, as in conflict."""
    own = statement(text) if _may_deny(text) else None
    if own is None or own.foreign or own.negations != 1:
        return
    for frame, _ in units.holding(tx, head, _probes(own, text), LOOKED_AT):
        other = nodes.by_id(tx.sql, frames.by_id(tx.sql, frame).node)
        if other.id != node.id and contradicts(tx.sql, node, other, own, statement(fold(tx.sql, frame) or "")):
            mark(tx, entry, node, other)


def _probes(own: Statement, text: str) -> list[str]:
    """What to look for in the index: the longest words that tell what a text is about."""
    spoken = {word for part in text.split() for word in words_of(part.strip(PUNCTUATION))}
    words = sorted(telling(own) & spoken, key=lambda word: (-len(word), word))[:PROBED]
    if words:
        return [f'"{word}"' for word in words]
    return [t.match for t in query_terms(text) if not t.stop and not _may_deny(t.shown)]


def contradicts(sql: Connection, node: NodeRow, other: NodeRow, own: Statement | None, told: Statement | None) -> bool:
    """Whether two memories deny each other today, and nothing else judges that or has judged it."""
    if own is None or told is None or not denies(own, told):
        return False
    return are_open(sql, node, other, personal=is_personal(own))


def are_open(sql: Connection, node: NodeRow, other: NodeRow, *, personal: bool) -> bool:
    """Whether two memories are current, of one speaker where they are `personal`, and nothing judges or judged them."""
    if not (node.node_class is other.node_class is NodeClass.MEMORY):
        return False
    now = max(nodes.current(sql, n.id).known_from for n in (node, other))
    mine, theirs = nodes.current(sql, node.id), nodes.current(sql, other.id)
    if not (is_current(sql, mine, now) and is_current(sql, theirs, now)):
        return False
    if personal and (mine.state.subject or SPEAKER) != (theirs.state.subject or SPEAKER):
        return False
    return not _judged(sql, mine.state, theirs.state, (node.id, other.id))


def mark(tx: Tx, entry: Entry, node: NodeRow, other: NodeRow, claim: Claim = Claim.INFERRED) -> None:
    """Mark both as in conflict, and tie them; `claim` is unknown where no rule says so."""
    tie(tx, entry, node, other, EdgeType.RELATES_TO, claim)
    for one in (node, other):
        state = nodes.current(tx.sql, one.id).state
        if not state.conflict:
            apply(tx, entry, one, state._replace(conflict=1))


def _judged(sql: Connection, mine: State, theirs: State, ids: tuple[int, int]) -> bool:
    drafts = Status.DRAFT in (mine.status, theirs.status)
    settled = mine.settled is not None and mine.settled == theirs.settled
    return drafts or settled or any(_was_taken_back(sql, n) for n in ids)


def _was_taken_back(sql: Connection, node: int) -> bool:
    """Whether a mark was taken off again, by undo or by a decision: that stands."""
    marks = [version.state.conflict for version in nodes.versions(sql, node)]
    return any(before and not after for before, after in pairwise(marks))


def _may_deny(text: str) -> bool:
    if text.isascii():
        told = worded(text)
        parted = PARTED.findall(told.lower) if "'" in text else ()
        if told.words.isdisjoint(negations()) and negations().isdisjoint([word.replace("'", "") for word in parted]):
            return False
    return not negations().isdisjoint(text.casefold().translate(MARKS).split())
