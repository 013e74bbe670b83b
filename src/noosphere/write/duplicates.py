"""The duplicate guard by meaning: what was just embedded is merged into, or flagged beside, what says the same.

It runs after the commit, over vectors that are there anyway. Without an embedder only the exact key of `remember`
holds. A cosine only brings candidates; whether two say the same is decided by their words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.likeness import MAX_TEXT, Likeness, bars, compare
from noosphere.graph.paraphrase import restates, statement
from noosphere.ids import parse_uid, uid_text
from noosphere.model.edge import EdgeType
from noosphere.model.outcome import Duplicate, Stored
from noosphere.model.vocabulary import NodeClass, Status
from noosphere.providers.embed import files
from noosphere.records import dataclass
from noosphere.store import conflicts, evidence, frames, fulltext, journal, nodes, tags, vectors
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.store.words.query import query_terms
from noosphere.write.apply import apply
from noosphere.write.denials import contradicts, mark
from noosphere.write.facts import tie
from noosphere.write.identity import is_current
from noosphere.write.join import add_reasons
from noosphere.write.parse import dedup_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from noosphere.graph.likeness import Bars
    from noosphere.model.outcome import Remembered
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Tx
    from noosphere.store.vector_index import Found
    from noosphere.store.vectors import SpaceRow

LEAST_DENIED = 0.7  # cosine from which a text may deny another; their words decide
NEIGHBOURS = 5  # the unit itself among them
PROBED = 12  # words of a text by which those that may say the same are looked up
WORDED = 20  # texts that hold them all, compared word by word
DESCRIBING = ("status", "kind", "volatility", "importance", "source", "claim", "confidence", "title", "metadata",
              "trace_id", "value_norm", "negated", "conflict", "suspect", "secret")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that say the same, or may: the later one, and the one that stays."""

    later: int
    later_head: int
    stays: int
    stays_head: int
    same: bool


def guard(mind: MindFile, pair: dict[Era, SpaceRow], made: Iterable[int]) -> None:
    """Merge or flag the memories among units that were just embedded in a space.

    A space that a new model still fills is left alone: its units are not new.
    """
    if pair[Era.NOW].name not in {mind.facts().active_space, files.STATIC.name}:
        return
    for frame in sorted(made):
        with mind.read() as sql:
            beside = _beside(mind, sql, pair[Era.NOW], frame)
            looked = beside if mind.semantic_dedup else None
            found = None if looked is None else _find(sql, bars(pair[Era.NOW].name), looked)
            denied = None if beside is None or found is not None else _denied(sql, beside)
        if found is not None:
            with mind.write() as tx:
                _settle(tx, found, mind.zone)
        if denied is not None:
            with mind.write() as tx:
                _contradict(tx, *denied)


def as_found(mind: MindFile, outcomes: Sequence[Remembered]) -> list[Remembered]:
    """The outcomes of `remember` after the guard ran: what it merged is a Duplicate."""
    with mind.read() as sql:
        return [_as_found(sql, outcome) for outcome in outcomes]


def _as_found(sql: Connection, outcome: Remembered) -> Remembered:
    node = nodes.by_uid(sql, parse_uid(outcome.id)) if isinstance(outcome, Stored) else None
    if node is None or nodes.current(sql, node.id).state.merged_into is None:
        return outcome
    stays = nodes.survivor(sql, node)
    head = nodes.current(sql, stays.id).state.head_frame
    return Duplicate(
        id=uid_text(stays.uid),
        frame=uid_text(frames.by_id(sql, head).uid),
        journal=uid_text(journal.by_id(sql, nodes.current(sql, node.id).opened_by).uid),
        evidence_count=evidence.count(sql, stays.uid),
    )


def merge_repeat(tx: Tx, frame: int, zone: tzinfo) -> str | None:
    """Merge the memory whose head this is with one that says the same words: the earlier stays. The entry, or None.

    It needs no vectors: full text brings the candidates. What is canonical is not merged away.
    """
    own, text = _memory(tx.sql, frame), _text(tx.sql, frame)
    if own is None or text is None:
        return None
    terms = query_terms(text)[:PROBED]
    match = " AND ".join(term.match for term in terms)
    for found, _ in fulltext.search(tx.sql, Era.NOW, match, WORDED) if terms else ():
        other, said = _memory(tx.sql, found), _text(tx.sql, found)
        if other is None or other == own or said is None or compare(said, text) is not Likeness.SAME:
            continue
        (stays, stays_head), (later_node, later_head) = sorted(((own, frame), (other, found)))
        pair = Pair(later_node, later_head, stays, stays_head, same=True)
        later = _still_so(tx, pair, zone)
        if later is not None and later.status is not Status.CANONICAL:
            return _merge(tx, pair, later)
    return None


def merge_pair(tx: Tx, later: NodeRow, stays: NodeRow, zone: tzinfo) -> str | None:
    """Merge a memory into one that says the same, if a merge loses nothing of it. The entry, or None."""
    heads = [nodes.current(tx.sql, n.id).state.head_frame for n in (later, stays)]
    pair = Pair(later.id, heads[0], stays.id, heads[1], same=True)
    state = _still_so(tx, pair, zone)
    return None if state is None else _merge(tx, pair, state)


class _Beside(NamedTuple):
    """A memory that was just embedded, its head and text, and the units nearest to it, the nearest first."""

    own: int
    frame: int
    text: str
    near: list[Found]


def _beside(mind: MindFile, sql: Connection, space: SpaceRow, frame: int) -> _Beside | None:
    """What stands nearest to a unit; None for what is no memory, or means nothing."""
    text, own = _text(sql, frame), _memory(sql, frame)
    vector = None if text is None or own is None else vectors.vector_of(sql, space, frame)
    if text is None or own is None or vector is None or not vector.any():
        return None
    return _Beside(own, frame, text, mind.index(space).search(sql, vector, NEIGHBOURS))


def _find(sql: Connection, least: Bars, beside: _Beside) -> Pair | None:
    """The memory that one just embedded repeats: the nearest whose words allow it."""
    own, frame, text, nearest = beside
    for near in nearest:
        if near.score < least.flag:
            break
        other, said = _memory(sql, near.frame), _text(sql, near.frame)
        if other is None or said is None or other == own:
            continue
        likeness = _likeness(said, text)
        if likeness is not Likeness.DIFFERENT:
            (stays, stays_head), (later, later_head) = sorted(((own, frame), (other, near.frame)))
            same = likeness is Likeness.SAME and near.score >= least.merge
            return Pair(later, later_head, stays, stays_head, same)
    return None


def _denied(sql: Connection, beside: _Beside) -> tuple[int, int] | None:
    """The memory that one just embedded, and one near it that denies it, or that it denies."""
    own, _, text, nearest = beside
    read = statement(text)
    for near in nearest if read is not None else ():
        if near.score < LEAST_DENIED:
            break
        other, said = _memory(sql, near.frame), _text(sql, near.frame)
        if other is None or said is None or other == own:
            continue
        if contradicts(sql, nodes.by_id(sql, own), nodes.by_id(sql, other), read, statement(said)):
            return own, other
    return None


def _contradict(tx: Tx, one: int, other: int) -> None:
    rows = nodes.by_id(tx.sql, one), nodes.by_id(tx.sql, other)
    read = [statement(fold(tx.sql, nodes.current(tx.sql, n).state.head_frame) or "") for n in (one, other)]
    if conflicts.are_marked(tx.sql, one, other) or not contradicts(tx.sql, *rows, *read):
        return
    entry = tx.open("contradict")
    mark(tx, entry, *rows)
    tx.close(entry, rows[0].uid)


def _likeness(one: str, other: str) -> Likeness:
    """How two texts compare; those that say one thing in another order, or of "our" thing, are alike."""
    found = compare(one, other)
    if found is Likeness.DIFFERENT and (a := statement(one)) and (b := statement(other)) and restates(a, b):
        return Likeness.ALIKE
    return found


def _memory(sql: Connection, frame: int) -> int | None:
    """The memory whose present head a unit is."""
    node = nodes.by_id(sql, frames.by_id(sql, frame).node)
    if node.node_class is not NodeClass.MEMORY or nodes.current(sql, node.id).state.head != frame:
        return None
    return node.id


def _text(sql: Connection, frame: int) -> str | None:
    text = fold(sql, frame)
    return text if text is not None and len(text) <= MAX_TEXT else None


def _settle(tx: Tx, found: Pair, zone: tzinfo) -> None:
    """Merge or flag, if both are still what they were when they were compared."""
    if _still_so(tx, found, zone, described=False) is None:
        return
    later, stays = nodes.current(tx.sql, found.later).state, nodes.current(tx.sql, found.stays).state
    if found.same and _described_alike(later, stays):
        _merge(tx, found, later)
    elif not later.duplicate_candidate and _same_value(later, stays):
        node = nodes.by_id(tx.sql, found.later)
        entry = tx.open("duplicate.flag")
        tie(tx, entry, node, nodes.by_id(tx.sql, found.stays), EdgeType.RELATES_TO)
        apply(tx, entry, node, later._replace(duplicate_candidate=1))
        tx.close(entry, node.uid)


def _still_so(tx: Tx, found: Pair, zone: tzinfo, *, described: bool = True) -> State | None:
    """What is said of the later one, if both are as they were compared, current, of one key, and described alike."""
    later, stays = nodes.current(tx.sql, found.later), nodes.current(tx.sql, found.stays)
    if (later.state.head, stays.state.head) != (found.later_head, found.stays_head):
        return None
    if not (is_current(tx.sql, later, tx.now) and is_current(tx.sql, stays, tx.now)):
        return None
    if not _same_key(later.state, stays.state, zone) or _was_parted(tx.sql, found.later):
        return None
    return None if described and not _described_alike(later.state, stays.state) else later.state


def _merge(tx: Tx, found: Pair, state: State) -> str:
    node, stays = nodes.by_id(tx.sql, found.later), nodes.by_id(tx.sql, found.stays)
    entry = tx.open("duplicate.merge")
    add_reasons(tx, entry, node.uid, stays.uid)
    tags.add(tx, entry, stays, tags.of_node(tx.sql, node.id))
    apply(tx, entry, node, state._replace(merged_into=stays.id))
    return tx.close(entry, node.uid)


def _same_key(later: State, stays: State, zone: tzinfo) -> bool:
    """Whether both are one assertion; where one alone fills a slot, its words happened to fit a rule."""
    if (later.attribute is None) != (stays.attribute is None):
        later, stays = (state._replace(subject=None, attribute=None) for state in (later, stays))
    return dedup_key(later, zone) == dedup_key(stays, zone)


def _described_alike(later: State, stays: State) -> bool:
    """Whether a merge loses nothing that was said of the later one."""
    return all(
        getattr(later, name) == getattr(stays, name) for name in ("attribute", *DESCRIBING) if name != "value_norm"
    ) and (_same_value(later, stays))


def _same_value(later: State, stays: State) -> bool:
    """Whether they fill their slot with the same value; without a value it is the text itself that fills it."""
    return None in (later.attribute, stays.attribute) or later.value_norm == stays.value_norm


def _was_parted(sql: Connection, node: int) -> bool:
    """Whether somebody took a merge or a flag of it back: that decision stands."""
    return any(v.state.merged_into is not None or v.state.duplicate_candidate for v in nodes.versions(sql, node)[:-1])
