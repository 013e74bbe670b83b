"""What a memory says is over ends where that memory begins to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph.facts import content
from noosphere.graph.facts.clauses import clauses, sentences
from noosphere.ids import uid_text
from noosphere.model.slot import normal
from noosphere.model.timeline import strength
from noosphere.model.vocabulary import NodeClass, Status
from noosphere.store import frames, fulltext, nodes, units
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.store.words.fold import index_text
from noosphere.store.words.query import query_terms
from noosphere.write.apply import apply
from noosphere.write.identity import is_in_use

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.graph.facts import Ending
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx

READ = 30  # memories that hold all the words of an ending; more say that the words tell nothing apart
SAYS_I = frozenset(["i", "we", "i'm", "we're", "i've", "we've", "i'll", "i'd"])


def end(tx: Tx, entry: Entry, node: NodeRow, state: State, endings: Sequence[Ending]) -> tuple[str, ...]:
    """End what a memory says is over; returns the memories that ended.

    Only what began earlier, from a source that is no stronger, and is not canonical.
    """
    start = state.valid_from
    if not endings or start is None:
        return ()
    units.flush(tx)
    ended: dict[int, str] = {}
    for ending in endings:
        for other in _meant(tx.sql, ending, node.id):
            old = nodes.current(tx.sql, other).state
            if other in ended or not _may_end(old, state, start):
                continue
            row = nodes.by_id(tx.sql, other)
            apply(tx, entry, row, old._replace(stated_to=start))
            ended[other] = uid_text(row.uid)
    return tuple(ended.values())


def _may_end(old: State, new: State, start: int) -> bool:
    if not is_in_use(old) or old.status is Status.CANONICAL or old.negated or old.corrected:
        return False
    if old.valid_from is None or old.valid_from >= start or (old.stated_to is not None and old.stated_to <= start):
        return False
    return strength(old.source, old.status) <= strength(new.source, new.status)


def _meant(sql: Connection, ending: Ending, own: int) -> list[int]:
    """The memories one of whose clauses says all the words of an ending, about the same one."""
    terms = [term.match for term in query_terms(ending.words) if not term.stop]
    if not terms:
        return []
    found = fulltext.search(sql, Era.NOW, " AND ".join(terms), READ)
    if len(found) == READ:
        return []
    wanted, more = _stems(sql, ending.words), _stems(sql, ending.more)
    meant: list[int] = []
    for frame, _ in found:
        node = nodes.by_id(sql, frames.by_id(sql, frame).node)
        if node.id == own or node.node_class is not NodeClass.MEMORY:
            continue
        state = nodes.current(sql, node.id).state
        text = fold(sql, frame) or ""
        if any(_says(sql, clause, state, ending, wanted, more) for clause in _clauses(text)):
            meant.append(node.id)
    return meant


def _says(
    sql: Connection, clause: str, state: State, ending: Ending, wanted: frozenset[str], more: frozenset[str]
) -> bool:
    held = _stems(sql, clause)
    if not wanted <= held or (more and not more & held):
        return False
    if ending.owner is None:
        return True
    first = clause.split(maxsplit=1)[0].lower().replace("’", "'")
    mine = first in SAYS_I or (ending.left and first in ("my", "our"))
    if state.subject is not None and state.subject not in ("we", "user"):
        same = normal(state.subject) == normal(ending.owner)
        return same or (ending.owner == "user" and ending.left and first in ("my", "our"))
    return ending.owner == "user" and (mine or state.subject is not None)


def _clauses(text: str) -> list[str]:
    told = [text[start:stop] for start, stop in sentences(text)]
    return [*told, *(clause for sentence in told for clause, _ in clauses(sentence) if clause)]


def _stems(sql: Connection, words: str) -> frozenset[str]:
    return frozenset(fulltext.stems(sql, index_text(content(words))))
