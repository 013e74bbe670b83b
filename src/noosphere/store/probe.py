"""Looking units up the way a reader would: does a sampled unit come back for its own words and its own vector?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw

from noosphere.store import fulltext, units, vectors
from noosphere.store.fulltext import Era
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vector_index import VectorIndex

COUNTED = {
    "nodes": "SELECT count(*) FROM node",
    "memories": "SELECT count(*) FROM node WHERE class = 'memory'",
    "frames": "SELECT count(*) FROM frame",
    "turns": "SELECT count(*) FROM frame WHERE turn_key IS NOT NULL",
    "edges": "SELECT count(*) FROM edge WHERE known_to IS NULL",
    "tags": "SELECT count(*) FROM tag WHERE known_to IS NULL",
    "text_now": "SELECT count(*) FROM text_now_docsize",
    "text_past": "SELECT count(*) FROM text_past_docsize",
    "vectors": "SELECT count(*) FROM vec",
    "pending": "SELECT count(*) FROM pending",
    "unnamed": "SELECT count(*) FROM unnamed",
    "segments": "SELECT count(*) FROM segment",
    "spells": "SELECT count(*) FROM spell",
}
PROBE_TERMS = 12  # of a long text its rarest-looking first words are enough


@dataclass(frozen=True, slots=True)
class Sample:
    """A unit to be looked up."""

    frame: int
    uid: bytes
    era: Era
    text: str


def counts(mind: MindFile) -> dict[str, int]:
    """Count what a mind holds; a table that is missing counts as -1."""
    with mind.db.read() as sql:
        there = {name for (name,) in sql.execute("SELECT name FROM sqlite_schema")}
        return {
            name: sql.execute(query).get if query.split(" FROM ")[1].split()[0] in there else -1
            for name, query in COUNTED.items()
        }


def sample(sql: Connection, count: int) -> list[Sample]:
    """Take units evenly over the whole mind, so that the same mind gives the same sample."""
    every = sorted((f, era) for era in Era for f in fulltext.frames(sql, era))
    step = max(1, len(every) // count)
    taken: list[Sample] = []
    for frame, era in every[::step][:count]:
        uid: bytes | None = sql.execute("SELECT uid FROM frame WHERE id = ?", (frame,)).get
        if uid is not None and (text := units.text_of(sql, frame)) is not None:
            taken.append(Sample(frame, uid, era, text.self))
    return taken


def found_by_word(sql: Connection, unit: Sample) -> bool:
    """Whether all of a unit's own words together lead to it; a unit without a word cannot be asked for."""
    terms = query_terms(unit.text)[:PROBE_TERMS]
    if not terms:
        return True
    match = " AND ".join(term.match for term in terms)
    try:
        return bool(fulltext.search(sql, unit.era, match, 1, among=(unit.frame,)))
    except apsw.CorruptError:  # an index so broken finds nothing
        return False


def found_by_meaning(sql: Connection, unit: Sample, index: VectorIndex, worst: int) -> bool:
    """Whether a unit's own vector leads to it, among units that say the same; one that waits cannot be asked for."""
    own = vectors.vector_of(sql, index.space, unit.frame)
    if own is None:
        return vectors.is_waiting(sql, unit.frame)
    if not own.any():
        return True
    found = index.search(sql, own, worst)
    return any(f.frame == unit.frame for f in found) or (len(found) == worst and found[-1].score >= SAME)


SAME = 0.999  # as near as a vector is to itself after rounding: more than `worst` units say exactly the same
