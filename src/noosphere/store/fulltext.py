"""The two full-text tables: what is current and what is past, keyed by a unit's last frame.

They are contentless: fed folded, pre-segmented text, they keep only the index. A match yields candidates,
never truth.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

import apsw

from noosphere.store.words.spellings import indexed_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from noosphere.store.connection import Connection


class Era(StrEnum):
    """Which index holds a unit."""

    NOW = "now"
    PAST = "past"


PREV_WEIGHT = 0.5  # the previous turn counts half of the unit's own words (measured on LoCoMo, storage.md)
TOKENIZER = ["unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*"]  # porter's arguments in schema.sql
_ADD = {era: f"INSERT INTO text_{era} (rowid, self, prev) VALUES (?, ?, ?)" for era in Era}
_REMOVE = {era: f"DELETE FROM text_{era} WHERE rowid = ?" for era in Era}
_SEARCH = {
    era: f"""SELECT rowid, bm25(text_{era}, 1.0, {PREV_WEIGHT}) AS b FROM text_{era}
             WHERE text_{era} MATCH ? ORDER BY b LIMIT ?"""
    for era in Era
}  # ORDER BY bm25() keeps only the best k in a heap; ORDER BY rank sorts every match (2 to 3 times slower)
_BETWEEN = {
    era: f"""SELECT rowid, bm25(text_{era}, 1.0, {PREV_WEIGHT}) AS b FROM text_{era}
             WHERE text_{era} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY b"""
    for era in Era
}  # a range of rowids is sought; `rowid IN (…)` would merge the postings anew for every one of them
_EVERY = {
    era: f"SELECT rowid, bm25(text_{era}, 1.0, {PREV_WEIGHT}) FROM text_{era} WHERE text_{era} MATCH ?" for era in Era
}
_FREQUENCIES = {
    era: f"SELECT t.term, t.doc FROM json_each(?) AS w CROSS JOIN text_{era}_terms AS t ON t.term = w.value"
    for era in Era
}  # one statement for all: to open such a table costs as much as two look-ups in it
_HOLDS = {era: f"SELECT 1 FROM text_{era}_docsize WHERE id = ?" for era in Era}


def add(sql: Connection, era: Era, frame: int, self_text: str, prev_text: str) -> None:
    """Index a unit."""
    sql.execute(_ADD[era], (frame, indexed_text(self_text), indexed_text(prev_text)))


def add_all(sql: Connection, era: Era, units: Iterable[tuple[int, str, str]]) -> None:
    """Index units: each one's frame, own text and the text before it."""
    rows = [(frame, indexed_text(self_text), indexed_text(prev_text)) for frame, self_text, prev_text in units]
    if rows:
        sql.executemany(_ADD[era], rows)


def remove(sql: Connection, era: Era, frame: int) -> None:
    """Take a unit out of an index."""
    sql.execute(_REMOVE[era], (frame,))


def era_of(sql: Connection, frame: int) -> Era | None:
    """Which index holds a unit now."""
    for era in Era:
        if sql.execute(_HOLDS[era], (frame,)).get is not None:
            return era
    return None


def search(
    sql: Connection, era: Era, match: str, k: int, among: Collection[int] | None = None
) -> list[tuple[int, float]]:
    """The best k frames for a match expression, with scores where higher is better.

    `match` is an FTS5 expression built from words.query.query_terms, never user text; `among` the frames to
    choose from.
    """
    if among is None:
        return [(frame, _worth(score)) for frame, score in sql.execute(_SEARCH[era], (match, k))]
    if not among:
        return []
    rows = sql.execute(_BETWEEN[era], (match, min(among), max(among)))
    return [(frame, _worth(score)) for frame, score in rows if frame in among][:k]


def search_rare(
    sql: Connection, era: Era, finding: Sequence[str], adding: Sequence[str], k: int
) -> list[tuple[int, float]]:
    """The best k frames that hold one of the terms of `finding`; those of `adding` too count in their scores.

    The scores are those of `search` for all terms: BM25 is a sum over terms, each weighed by itself.
    """
    rare = " OR ".join(finding)
    found = dict(sql.execute(_EVERY[era], (rare,)).fetchall())
    found |= dict(sql.execute(_EVERY[era], (f"({rare}) AND ({' OR '.join(adding)})",)).fetchall())
    best = sorted(found.items(), key=lambda one: (one[1] or 0.0, one[0]))[:k]
    return [(frame, _worth(score)) for frame, score in best]


def _worth(score: float | None) -> float:
    """BM25 as SQLite gives it is better the lower; a damaged index gives NULL."""
    return -(score or 0.0)


def last(sql: Connection) -> int:
    """The newest unit in the current index, 0 when there is none: about how many there are."""
    return sql.execute(f"SELECT max(id) FROM text_{Era.NOW}_docsize").get or 0


def size(sql: Connection, era: Era) -> int:
    """How many units an index holds."""
    return sql.execute(f"SELECT count(*) FROM text_{era}_docsize").get or 0


def frames(sql: Connection, era: Era) -> set[int]:
    """Every frame an index holds."""
    return {frame for (frame,) in sql.execute(f"SELECT id FROM text_{era}_docsize")}


def sizes(sql: Connection, era: Era) -> Iterator[tuple[int, tuple[int, ...]]]:
    """For every unit of an index, how many words each column holds."""
    for frame, packed in sql.execute(f"SELECT id, sz FROM text_{era}_docsize").fetchall():
        yield frame, _unpack(packed)


def counted(sql: Connection, self_text: str, prev_text: str) -> tuple[int, ...]:
    """How many words FTS5 makes of a unit's two texts."""
    return len(stems(sql, indexed_text(self_text))), len(stems(sql, indexed_text(prev_text)))


def _unpack(packed: bytes) -> tuple[int, ...]:
    """Read FTS5's record of a document's sizes: one SQLite varint a column (fileformat: 7 bits a byte, high first).

    A damaged record has fewer or more, which no count of words equals.
    """
    values: list[int] = []
    value = 0
    for byte in packed:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004  (the high bit says that the number goes on)
            values.append(value)
            value = 0
    return tuple(values)


def clear(sql: Connection, era: Era) -> None:
    """Empty an index."""
    sql.execute(f"INSERT INTO text_{era} (text_{era}) VALUES ('delete-all')")


def merge(sql: Connection) -> None:
    """Merge each index into one b-tree, as after a large import."""
    for era in Era:
        sql.execute(f"INSERT INTO text_{era} (text_{era}) VALUES ('optimize')")


def broken(sql: Connection, era: Era) -> str | None:
    """What SQLite's own check says of an index; None when it is sound.

    FTS5's command of the same name is an INSERT: it would need the right to write, and the write lock.
    """
    said = sql.execute(f"PRAGMA integrity_check(text_{era})").fetchall()
    return None if said == [("ok",)] else str(said[0][0])


def stems(sql: Connection, text: str) -> list[str]:
    """The tokens FTS5 makes of folded text, with porter applied: what its vocabulary is keyed by."""
    tokenizer: Any = cast("apsw.Connection", sql).fts5_tokenizer("porter", TOKENIZER)
    found: list[tuple[str, ...]] = tokenizer(
        text.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False
    )
    return [stem for group in found for stem in group]


def document_frequencies(sql: Connection, era: Era, stems: Iterable[str]) -> dict[str, int]:
    """In how many units each stem stands; those that stand in none are left out."""
    return dict(sql.execute(_FREQUENCIES[era], (json.dumps(list(stems)),)).fetchall())
