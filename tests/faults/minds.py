"""Minds for the fault tests: quiet ones, opened on any disk, and everything that is in their files."""

import hashlib
from pathlib import Path

import apsw

from noosphere import Settings, Turn
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.mind import open_file
from noosphere.store.mind_file import Opening
from noosphere.testing.embedders import HashedEmbedder

WORDS_ONLY = Settings(semantic="off", background=False)
HASHED = Settings(background=False)
UNSETTLED = ("lease", "sqlite_sequence")  # neither truth nor derived


def open_on(path, disk=None, *, embedder=None, settings=None, read_only=False, clock=None, **opening):
    """Open a mind through a given disk, with words only unless there is an embedder."""
    clock = clock or SystemClock()
    chosen = settings or (WORDS_ONLY if embedder is None else HASHED)
    how = Opening(vfs=disk and disk.name, read_only=read_only, **opening)
    return open_file(
        Path(path), how, chosen, name="test", channel="python", clock=clock, ids=Uuid7(clock), embedder=embedder
    )


def hashed():
    """An embedder that needs no model."""
    return HashedEmbedder(32)


def turns(start, stop, word="turn"):
    """Turns of a conversation, each with a word of its own."""
    return [Turn(key=f"k{n}", speaker="Ann", text=f"{word}{n}x says hello") for n in range(start, stop)]


def found(mind, word, k=10):
    """Ids of the hits that hold a word; meaning alone finds nothing here."""
    return [hit.id for hit in mind.rank(word, k) if word in hit.text]


def contents(path):
    """Every row of every table of a mind, read past the engine; full text by its document sizes."""
    sql = apsw.Connection(str(path))
    try:
        tables = [
            name
            for (name,) in sql.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
            if name not in UNSETTLED and not name.endswith("_terms")
        ]
        return {
            t: sorted(map(repr, sql.execute(f"SELECT * FROM {t}"))) for t in tables if not t.startswith("text_")
        } | {
            t: sorted(map(repr, sql.execute(f"SELECT * FROM {t}_docsize")))
            for t in ("text_now", "text_past")
            if t in tables
        }
    finally:
        sql.close()


def difference(one, other):
    """The tables in which two minds differ."""
    return sorted(t for t in one.keys() | other.keys() if one.get(t) != other.get(t))


def half_records(path):
    """What a torn write would leave: parts of records without their other parts."""
    sql = apsw.Connection(str(path))
    try:
        return {name: rows for name, query in HALVES.items() if (rows := sql.execute(query).fetchall())}
    finally:
        sql.close()


def whole(path):
    """What SQLite says of a file."""
    sql = apsw.Connection(str(path))
    try:
        return [said for (said,) in sql.execute("PRAGMA integrity_check")]
    finally:
        sql.close()


def digest(path):
    """The hash of a file's bytes."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


HALVES = {
    "node without an open version": """SELECT id FROM node WHERE id NOT IN
        (SELECT node FROM node_version WHERE known_to IS NULL)""",
    "memory without a frame": "SELECT id FROM node WHERE class <> 'entity' AND id NOT IN (SELECT node FROM frame)",
    "memory without evidence": """SELECT id FROM node WHERE class = 'memory'
        AND uid NOT IN (SELECT target FROM evidence)""",
    "journal entry left open": "SELECT id FROM journal WHERE detail IS NULL",
    "turn in no index": """SELECT f.id FROM frame AS f WHERE turn_key IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM frame_version AS v WHERE v.frame = f.id AND v.retracted_at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM node_version AS v WHERE v.node = f.node AND v.retracted_at IS NOT NULL)
        AND f.id NOT IN (SELECT id FROM text_now_docsize UNION SELECT id FROM text_past_docsize)""",
    "memory in no index": """SELECT v.node FROM node_version AS v JOIN node AS n ON n.id = v.node
        WHERE n.class = 'memory' AND v.known_to IS NULL AND v.retracted_at IS NULL
        AND v.head NOT IN (SELECT id FROM text_now_docsize UNION SELECT id FROM text_past_docsize)""",
    "unit neither embedded nor waiting": """SELECT s.name, t.id FROM space AS s
        JOIN (SELECT id FROM text_now_docsize UNION SELECT id FROM text_past_docsize) AS t
        WHERE s.era = 'now' AND s.state <> 'resting'
          AND NOT EXISTS (SELECT 1 FROM pending AS p WHERE p.space = s.id AND p.frame = t.id)
        AND NOT EXISTS (SELECT 1 FROM vec AS v JOIN space AS o ON o.id = v.space
                        WHERE o.name = s.name AND v.frame = t.id)""",
    "purge ticket": "SELECT frame FROM purge_ticket",
}
