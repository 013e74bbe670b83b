"""What came from an import beside what is there: a repetition joins it, and what differs in a detail goes to review.

It needs no vectors: full text brings what shares the words that tell, and the words decide. A contradiction is only a
candidate, so it is marked when one of the two is important; both stay, and `review` asks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from noosphere.graph.paraphrase import is_personal, statement
from noosphere.graph.resemblance import Detail, differing, repeats, telling
from noosphere.ids import parse_uid
from noosphere.model.vocabulary import Claim, Importance, NodeClass
from noosphere.store import conflicts, frames, journal, nodes, units
from noosphere.store.fold import fold
from noosphere.store.words.pieces import words_of
from noosphere.write.denials import PUNCTUATION, are_open, mark
from noosphere.write.duplicates import merge_pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Tx

LOOKED_AT = 40  # texts that hold the words looked for, turns among them
PROBED = 3  # of its words, the longest
MATTERS = frozenset({Importance.CRITICAL, Importance.IMPORTANT})
APART = frozenset({"profile", "correction"})  # one sums up, the other says itself what it means
EACH = frozenset({"event", "task", "commitment"})  # another number, name or day makes another one of them
CONTRADICT = "contradict"  # what the journal calls it
DENYING = frozenset({Detail.NEGATION, Detail.OPPOSITE})


class Beside(StrEnum):
    """What a new memory is beside those that are there."""

    NEW = "new"
    REPETITION = "repetition"
    CANDIDATE = "candidate"


def compare_stored(mind: MindFile, id: str, *, merges: bool = True) -> Beside:
    """Compare a memory that was just stored with what is there, and merge or mark it; each is undone by itself."""
    with mind.write() as tx:
        node = nodes.by_uid(tx.sql, parse_uid(id))
        state = None if node is None else nodes.current(tx.sql, node.id).state
        text = None if state is None or state.head is None else fold(tx.sql, state.head)
        if node is None or state is None or text is None or state.role in APART:
            return Beside.NEW
        if not merges and not conflicts.any_matters(tx.sql):
            return Beside.NEW
        near = [(other, said) for other, said in _near(tx, state, text) if other.id < node.id]
        if merges and any(repeats(text, said) and _merge(tx, node, other, mind.zone) for other, said in near):
            return Beside.REPETITION
        marked = [other for other, said in near if _differs(tx.sql, node, text, other, said)]
        if not marked:
            return Beside.NEW
        entry = tx.open(CONTRADICT)
        for other in marked:
            mark(tx, entry, node, other)
        tx.close(entry, node.uid)
        return Beside.CANDIDATE


def propose(mind: MindFile, id: str, against: Iterable[str]) -> bool:
    """Mark a memory that was just stored, and those that a model takes for contradictory to it.

    Returns:
        Whether any was, and the memory had not been found to contradict something before.
    """
    with mind.write() as tx:
        node, others = nodes.by_uid(tx.sql, parse_uid(id)), [nodes.by_uid(tx.sql, parse_uid(one)) for one in against]
        own = None if node is None else statement(_text(tx.sql, node))
        personal = own is not None and is_personal(own)
        found = [
            other
            for other in others
            if node is not None and other is not None and other.id != node.id
            and not _stand_already(tx.sql, node, other)
            and are_open(tx.sql, node, other, personal=personal)
        ]  # fmt: skip
        if node is None or not found:
            return False
        known = any(entry.verb == CONTRADICT for entry in journal.newest(tx.sql, LOOKED_AT, node.uid))
        entry = tx.open(CONTRADICT)
        for other in found:
            mark(tx, entry, node, other, Claim.UNKNOWN)
        tx.close(entry, node.uid)
        return not known


def _stand_already(sql: Connection, node: NodeRow, other: NodeRow) -> bool:
    """Whether both are marked as in conflict with each other, or fill the same slot, which has a timeline."""
    mine, theirs = nodes.current(sql, node.id).state, nodes.current(sql, other.id).state
    one_slot = mine.attribute is not None and (mine.slot_subject, mine.attribute) == (
        theirs.slot_subject,
        theirs.attribute,
    )
    return one_slot or conflicts.are_marked(sql, node.id, other.id)


def _text(sql: Connection, node: NodeRow) -> str:
    return fold(sql, nodes.current(sql, node.id).state.head_frame) or ""


def _near(tx: Tx, state: State, text: str) -> Iterator[tuple[NodeRow, str]]:
    """Memories that hold the words by which a text is found, with what they say; not those of the same words."""
    spoken = {word for part in text.split() for word in words_of(part.strip(PUNCTUATION))}
    probes = [word for word in telling(text) if word in spoken][:PROBED]
    for frame, _ in units.holding(tx, state.head, [f'"{word}"' for word in probes], LOOKED_AT):
        other = nodes.by_id(tx.sql, frames.by_id(tx.sql, frame).node)
        if other.node_class is not NodeClass.MEMORY or frame == state.head:
            continue
        there, said = nodes.current(tx.sql, other.id).state, fold(tx.sql, frame)
        hidden = there.secret or there.suspect is not None or there.head != frame or there.role in APART
        if said is not None and said != text and not hidden:
            yield other, said


def _merge(tx: Tx, node: NodeRow, other: NodeRow, zone: tzinfo) -> bool:
    return merge_pair(tx, node, other, zone) is not None


def _differs(sql: Connection, node: NodeRow, text: str, other: NodeRow, said: str) -> bool:
    """Whether two memories may contradict each other, one of them matters, and nothing else judges that."""
    mine, theirs = nodes.current(sql, node.id).state, nodes.current(sql, other.id).state
    if {mine.importance, theirs.importance}.isdisjoint(MATTERS) or None not in (mine.attribute, theirs.attribute):
        return False
    detail, own = differing(text, said), statement(text)
    if detail is None or own is None or not are_open(sql, node, other, personal=is_personal(own)):
        return False
    same_day = (mine.occurred_from, mine.occurred_to) == (theirs.occurred_from, theirs.occurred_to)
    return EACH.isdisjoint({mine.role, theirs.role}) or (detail in DENYING and same_day)
