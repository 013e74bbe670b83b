"""What a memory says is over ends where that memory begins to hold."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from noosphere.graph.facts import content, found_endings, names_person
from noosphere.graph.facts.clauses import clauses, sentences
from noosphere.graph.facts.endings import denies, is_service, late_words
from noosphere.graph.facts.overtaken import overtakes
from noosphere.graph.facts.readings import tells_another_value
from noosphere.graph.facts.renewals import renews, statements
from noosphere.graph.facts.words import family, happened, stem
from noosphere.ids import uid_text
from noosphere.model.persons import KIN
from noosphere.model.slot import normal, normal_value
from noosphere.model.timeline import strength
from noosphere.model.vocabulary import NodeClass, Status
from noosphere.store import frames, fulltext, nodes, units
from noosphere.store.corrections import of_subject, told_by
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.store.words.fold import index_text
from noosphere.store.words.query import query_terms
from noosphere.write.apply import apply
from noosphere.write.consequences import follow
from noosphere.write.identity import is_in_use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.graph.facts import Ending
    from noosphere.graph.facts.changes import Change
    from noosphere.graph.facts.renewals import Compared
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx
    from noosphere.write.parse import Parsed

PROBED = 8  # words of a memory by which what says that it is over is looked up
READ = 30  # memories that hold all the words of an ending; more say that the words tell nothing apart
NAMED = 3  # words at the start of "my younger sister", which is somebody else
FEW = 2  # sentences of a text that ends when one of them is said anew
SAYS_I = frozenset(["i", "we", "i'm", "we're", "i've", "we've", "i'll", "i'd"])


def end(tx: Tx, entry: Entry, node: NodeRow, state: State, memory: Parsed) -> tuple[str, ...]:
    """End what a memory says is over; returns the memories that ended.

    Only what began earlier, from a source that is no stronger, and is not canonical.
    """
    start = state.valid_from
    if start is None:
        return ()
    if state.negated == 0 and state.stated_to is None and frames.said_after(tx, start):
        _end_late(tx, entry, node, state, start)
    after = follow(tx, node.id, state, memory.text) if state.attribute is not None else []
    if not memory.endings and not after:
        return ()
    ended: dict[int, str] = {}
    for other in after:
        _close(tx, entry, other, state, start, ended)
    for ending in memory.endings:
        for other in _meant(tx, ending, node.id, state.head):
            _close(tx, entry, other, state, start, ended)
    if state.attribute is None and len(ended) == 1:
        _succeed(tx, entry, node, memory, *ended)
    return tuple(ended.values())


def _succeed(tx: Tx, entry: Entry, node: NodeRow, memory: Parsed, old: int) -> None:
    """Fill the slot of the one memory that a change ended: who asks for that is told of the change.

    "I switched to Monzo" answers "which bank am I with?", and holds no word of it.
    """
    if not any(ending.change is not None or ending.kind == "service" for ending in memory.endings):
        return
    held, state = nodes.current(tx.sql, old).state, nodes.current(tx.sql, node.id).state
    if held.attribute is None or held.negated or len(list(sentences(memory.text))) > FEW:
        return
    if state.subject is not None and normal(state.subject) != normal(held.subject or ""):
        return
    value = next((one.change.told for one in memory.endings if one.change is not None and one.change.told), None)
    units.flush(tx)
    filled = state._replace(
        subject=held.subject,
        slot_subject=held.slot_subject,
        attribute=held.attribute,
        functional=held.functional,
        value=value,
        value_norm=normal_value(value) if value else (state.fold_hash or b"").hex(),
    )
    apply(tx, entry, node, filled)


def _close(tx: Tx, entry: Entry, other: int, state: State, start: int, ended: dict[int, str]) -> None:
    """End a memory where another begins to hold, if it may."""
    old = nodes.current(tx.sql, other).state
    if other not in ended and _may_end(old, state, start):
        row = nodes.by_id(tx.sql, other)
        apply(tx, entry, row, old._replace(stated_to=start))
        ended[other] = uid_text(row.uid)


def _end_late(tx: Tx, entry: Entry, node: NodeRow, state: State, start: int) -> None:
    """End a memory that arrives after what says that it is over, where the first of these begins to hold."""
    text = fold(tx.sql, state.head_frame) or ""
    terms = [term.match for term in query_terms(content(text)) if not term.stop][:PROBED]
    if not terms:
        return
    units.flush(tx)
    found = fulltext.search(tx.sql, Era.NOW, f"({' OR '.join(terms)}) AND ({_over()})", READ)
    starts: list[int] = []
    for frame, _ in found:
        other = nodes.by_id(tx.sql, frames.by_id(tx.sql, frame).node)
        if other.id == node.id or other.node_class is not NodeClass.MEMORY:
            continue
        later = nodes.current(tx.sql, other.id).state
        if later.valid_from is None or later.valid_from <= start or not _may_end(state, later, later.valid_from):
            continue
        if any(_ends(tx.sql, ending, text, state.subject) for ending in _endings_of(fold(tx.sql, frame) or "", later)):
            starts.append(later.valid_from)
    if starts:
        apply(tx, entry, node, nodes.current(tx.sql, node.id).state._replace(stated_to=min(starts)))


@cache
def _over() -> str:
    return " OR ".join(f'"{word}"' for word in late_words().split())


def _endings_of(text: str, state: State) -> list[Ending]:
    """What a stored memory says is over; "I" is whom it is about, if that is a person."""
    mine = state.subject is None or state.subject in ("user", "we") or not names_person(state.subject)
    return found_endings(text, "user" if mine else state.subject or "user", None)


def _ends(sql: Connection, ending: Ending, text: str, subject: str | None) -> bool:
    """Whether an ending means a memory of a subject, by one of its clauses."""
    if ending.change is not None:
        return _is_changed(text, subject, ending, ending.change)
    if ending.said is not None:
        return _said_anew(text, subject, ending, ending.said)
    if ending.reading is not None:
        mine = not ending.reading.own or _same_speaker(subject, ending.owner or "user")
        return mine and tells_another_value(ending.reading, text)
    if ending.kind == "service" or (ending.kind == "denied" and not denies(text)):
        return False
    wanted, more = _stems(sql, ending.words), _stems(sql, ending.more)
    return any(_says(sql, clause, subject, ending, wanted, more) for clause in _clauses(text))


def _may_end(old: State, new: State, start: int) -> bool:
    if not is_in_use(old) or old.status is Status.CANONICAL or old.corrected:
        return False
    if old.valid_from is None or old.valid_from >= start or (old.stated_to is not None and old.stated_to <= start):
        return False
    return strength(old.source, old.status) <= strength(new.source, new.status)


def _meant(tx: Tx, ending: Ending, own: int, head: int | None) -> list[int]:
    """The memories one of whose clauses says all the words of an ending, about the same one."""
    if ending.kind == "service":
        return _only_service(tx.sql, ending.owner or "user", own)
    some = ending.change is not None or (
        ending.said is not None and (ending.said.own or not ending.said.verb)
    )  # one stretch may be another
    words = content(ending.words).split()
    sure = [word for word in words if len(family(word)) == 1]  # of the others any form may stand in what is meant
    some = some or not sure
    terms = _terms([form for word in words for form in family(word)] if some else sure)
    if not terms:
        return []
    found = units.holding(tx, head, terms, READ, some=some)
    if len(found) == READ and not some:
        return []
    told = told_by(tx.sql, [frame for frame, _ in found])
    meant = [one.node for one in told if one.node != own and _ends(tx.sql, ending, one.text, one.subject)]
    return meant if ending.change is None or ending.change.is_sure(len(meant)) else []


def _terms(words: Iterable[str]) -> list[str]:
    """Words as they are looked up in the full text, each once; some are not."""
    return list(dict.fromkeys(term.match for word in words for term in query_terms(word) if not term.stop))


def _only_service(sql: Connection, owner: str, own: int) -> list[int]:
    """The one memory that says which service somebody goes with; none when there are several, which may stand."""
    held = [node for node, attribute in of_subject(sql, normal(owner)) if node != own and is_service(attribute)]
    return held if len(held) == 1 else []


def _is_changed(text: str, subject: str | None, ending: Ending, change: Change) -> bool:
    """Whether a change overtakes a text, of the same person where it is about one."""
    mine = not change.own or _same_speaker(subject, ending.owner or "user")
    return mine and overtakes(change, text)


def _said_anew(text: str, subject: str | None, ending: Ending, new: Compared) -> bool:
    """Whether a text says, in one of few sentences, what a clause says anew of the same one."""
    told = [text[start:stop] for start, stop in sentences(text)]
    if len(told) > FEW or (new.own and not _same_speaker(subject, ending.owner or "user")):
        return False
    return any(renews(new, old) for sentence in told for old in statements(sentence))


def _same_speaker(subject: str | None, speaker: str) -> bool:
    """Whether "I" in a text means a speaker, by whom the text is about."""
    if speaker == "user":
        return subject is None or not names_person(re.split(r"['’]s ", subject)[0]) or "'s " not in subject
    return subject is not None and (normal(subject) == normal(speaker) or subject.startswith(f"{speaker}'s "))


def _says(
    sql: Connection, clause: str, subject: str | None, ending: Ending, wanted: frozenset[str], more: frozenset[str]
) -> bool:
    if happened(clause):
        return False
    held = _stems(sql, clause)
    if not wanted <= held or (more and not more & held):
        return False
    if ending.owner is None:
        return True
    first = clause.split(maxsplit=1)[0].lower().replace("’", "'")
    owned = ending.left and first in ("my", "our") and KIN.isdisjoint(clause.lower().split()[1:NAMED])
    if subject is not None and subject not in ("we", "user"):
        same = normal(subject) == normal(ending.owner)
        return same or (ending.owner == "user" and owned)
    return ending.owner == "user" and (first in SAYS_I or owned or subject is not None)


def _clauses(text: str) -> list[str]:
    told = [text[start:stop] for start, stop in sentences(text)]
    parts = [clause for sentence in told for clause in clauses(sentence)]
    return [*told, *(said for clause in parts for said in (clause.text, clause.plain) if said)]


def _stems(sql: Connection, words: str) -> frozenset[str]:
    """The words that carry meaning as the full text knows them, each by what stands for all its forms."""
    plain = " ".join(stem(word) for word in content(words).split())
    return frozenset(fulltext.stems(sql, index_text(plain)))
