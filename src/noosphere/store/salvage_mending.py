"""Making a whole mind of what was read of a damaged one: what cannot stand alone goes, what is referred to is marked.

A frame that is lost but referred to stands as a purged one. A node whose state is lost is archived, never active:
nobody knows any more whether it was forgotten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store.fold import fold
from noosphere.store.hashing import content_hash

if TYPE_CHECKING:
    from noosphere.ids import Ids
    from noosphere.store.connection import Connection

LOST_ENTRIES = """SELECT DISTINCT j FROM (
  SELECT journal AS j FROM session UNION SELECT journal FROM node UNION SELECT journal FROM frame
  UNION SELECT opened_by FROM node_version UNION SELECT closed_by FROM node_version
  UNION SELECT opened_by FROM frame_version UNION SELECT closed_by FROM frame_version
  UNION SELECT opened_by FROM session_version UNION SELECT closed_by FROM session_version
  UNION SELECT opened_by FROM edge UNION SELECT closed_by FROM edge
  UNION SELECT opened_by FROM tag UNION SELECT closed_by FROM tag
  UNION SELECT journal FROM evidence UNION SELECT retracted_by FROM evidence UNION SELECT undoes FROM journal
  UNION SELECT journal FROM identity UNION SELECT journal FROM awareness UNION SELECT journal FROM concept_mastery
  UNION SELECT journal FROM improvement_signals UNION SELECT journal FROM procedures
  UNION SELECT journal FROM execution_traces UNION SELECT journal FROM registry_version
) WHERE j IS NOT NULL AND j NOT IN (SELECT id FROM journal) ORDER BY j"""
LOST_NODES = """SELECT f.node, CASE WHEN max(f.turn_key) IS NULL THEN 'memory' ELSE 'conversation' END, min(f.journal)
  FROM frame AS f WHERE f.node NOT IN (SELECT id FROM node) GROUP BY f.node"""
LOST_SESSIONS = """SELECT session, min(recorded_at), min(journal) FROM frame
  WHERE session NOT IN (SELECT id FROM session) GROUP BY session"""
LOST_BASES = """SELECT base, node, min(session), min(recorded_at), min(journal) FROM frame
  WHERE base IS NOT NULL AND base NOT IN (SELECT id FROM frame) GROUP BY base"""
STRAYS = (  # in this order, until none is left
    """UPDATE frame SET participants = NULL
       WHERE participants IS NOT NULL AND participants NOT IN (SELECT id FROM participants)""",
    "UPDATE frame SET before = NULL WHERE before IS NOT NULL AND before NOT IN (SELECT id FROM frame)",
    """UPDATE frame SET parent = coalesce((SELECT max(e.id) FROM frame AS e WHERE e.node = frame.node
       AND e.id < frame.id AND e.turn_key IS NOT NULL), base)
       WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM frame)""",
    """UPDATE node_version SET merged_into = NULL, status = 'archived'
       WHERE merged_into IS NOT NULL AND merged_into NOT IN (SELECT id FROM node)""",
    """UPDATE harvest_sources SET last_run = NULL
       WHERE last_run IS NOT NULL AND last_run NOT IN (SELECT id FROM harvest_runs)""",
    "DELETE FROM node_version WHERE node NOT IN (SELECT id FROM node)",
    """DELETE FROM node_version WHERE head IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM frame AS f WHERE f.id = head AND f.node = node_version.node)""",
    "DELETE FROM node WHERE class <> 'entity' AND id NOT IN (SELECT node FROM frame)",
    "DELETE FROM node WHERE class = 'entity' AND id NOT IN (SELECT node FROM node_version)",
    "DELETE FROM frame_ref WHERE frame NOT IN (SELECT id FROM frame) OR ref NOT IN (SELECT id FROM frame)",
    "DELETE FROM frame_version WHERE frame NOT IN (SELECT id FROM frame)",
    "DELETE FROM unnamed WHERE frame NOT IN (SELECT id FROM frame)",
    "DELETE FROM session_version WHERE session NOT IN (SELECT id FROM session)",
    "DELETE FROM tag WHERE node NOT IN (SELECT id FROM node)",
    "DELETE FROM usage WHERE node NOT IN (SELECT id FROM node)",
    """DELETE FROM edge WHERE src NOT IN (SELECT id FROM node) OR dst NOT IN (SELECT id FROM node)
       OR (src_frame IS NOT NULL AND src IS NOT (SELECT node FROM frame WHERE id = src_frame))
       OR (dst_frame IS NOT NULL AND dst IS NOT (SELECT node FROM frame WHERE id = dst_frame))""",
    """DELETE FROM harvest_items WHERE run NOT IN (SELECT id FROM harvest_runs)
       OR source NOT IN (SELECT id FROM harvest_sources)""",
    "DELETE FROM quarantine WHERE run NOT IN (SELECT id FROM harvest_runs)",
    """UPDATE execution_traces SET procedure = NULL
       WHERE procedure IS NOT NULL AND procedure NOT IN (SELECT id FROM procedures)""",
    """DELETE FROM signal_turn WHERE signal NOT IN (SELECT id FROM improvement_signals)
       OR frame NOT IN (SELECT id FROM frame)""",
    """DELETE FROM improvement_signals WHERE kind IN ('capability_gap', 'correction')
       AND id NOT IN (SELECT signal FROM signal_turn)""",
)
TYPES = (
    "INSERT OR IGNORE INTO edge_type (name) SELECT DISTINCT type FROM edge",
    """INSERT OR IGNORE INTO entity_type (name)
       SELECT DISTINCT entity_type FROM node_version WHERE entity_type IS NOT NULL""",
)


def mend(sql: Connection, ids: Ids, now: int) -> tuple[int, int]:
    """Mend references and histories; returns how many rows stand for a lost one, and how many had to go."""
    standing = _frames_and_nodes(sql, ids, now)
    gone, changed = 0, True
    while changed:
        changed = False
        for statement in STRAYS:
            sql.execute(statement)
            if count := sql.changes():
                changed = True
                gone += count * statement.startswith("DELETE")
    standing += _entries(sql, ids)
    for table, key in (("node_version", "node"), ("frame_version", "frame"), ("session_version", "session")):
        _chain(sql, table, key)
    standing += _states(sql)
    _folds(sql)
    for statement in TYPES:
        sql.execute(statement)
    return standing, gone


def _frames_and_nodes(sql: Connection, ids: Ids, now: int) -> int:
    made = 0
    for session, started, journal in sql.execute(LOST_SESSIONS).fetchall():
        made += 1
        sql.execute(
            "INSERT INTO session VALUES (?, ?, NULL, ?, 'noosphere', 'upkeep', ?)",
            (session, ids.new(), started, journal),
        )
    for base, node, session, recorded, journal in sql.execute(LOST_BASES).fetchall():
        made += 1
        sql.execute(
            """INSERT INTO frame (id, uid, node, type, seq, session, t, recorded_at, purged_at, journal)
               VALUES (?1, ?2, ?3, 'I', 0, ?4, (SELECT min(t) - 1 FROM frame WHERE session = ?4), ?5, ?6, ?7)""",
            (base, ids.new(), node, session, recorded, now, journal),
        )
    for node, kind, journal in sql.execute(LOST_NODES).fetchall():
        made += 1
        sql.execute("INSERT INTO node (id, uid, class, journal) VALUES (?, ?, ?, ?)", (node, ids.new(), kind, journal))
    return made


def _entries(sql: Connection, ids: Ids) -> int:
    """Put an entry in for each that is lost and referred to, at a time between its neighbours'."""
    lost = [j for (j,) in sql.execute(LOST_ENTRIES).fetchall()]
    for number in lost:
        before = sql.execute("SELECT at FROM journal WHERE id < ? ORDER BY id DESC LIMIT 1", (number,)).get
        after = sql.execute("SELECT id, at FROM journal WHERE id > ? ORDER BY id LIMIT 1", (number,)).fetchall()
        at = before + 1 if before is not None else (after[0][1] - (after[0][0] - number) if after else number)
        sql.execute(
            "INSERT INTO journal VALUES (?, ?, ?, 'salvage', 'noosphere', 'upkeep', NULL, NULL, '{}')",
            (number, ids.new(), at),
        )
    return len(lost)


def _chain(sql: Connection, table: str, key: str) -> None:
    """Number the versions that are left from 1, each ending where the next begins."""
    rows = sql.execute(f"SELECT {key}, n, known_from, known_to, opened_by, closed_by FROM {table} ORDER BY {key}, n")
    before = None
    for row in rows.fetchall():
        same = before is not None and before[0] == row[0]
        n = before[1] + 1 if same and before else 1
        if same and before and (before[3], before[5]) != (row[2], row[4]):
            sql.execute(
                f"UPDATE {table} SET known_to = ?, closed_by = ? WHERE {key} = ? AND n = ?",
                (row[2], row[4], row[0], n - 1),
            )
        if n != row[1]:
            sql.execute(f"UPDATE {table} SET n = ? WHERE {key} = ? AND n = ?", (n, row[0], row[1]))
        before = (row[0], n, *row[2:])


def _states(sql: Connection) -> int:
    """Give an archived state to each node, and a closed one to each session, whose last state is lost."""
    sql.execute(  # the last state that is left goes on, archived
        """UPDATE node_version SET known_to = NULL, closed_by = NULL, status = 'archived' WHERE known_to IS NOT NULL
           AND n = (SELECT max(n) FROM node_version AS l WHERE l.node = node_version.node)"""
    )
    made = sql.changes()
    sql.execute(
        """INSERT INTO node_version (node, n, known_from, opened_by, head, status, importance, source, claim,
             valid_from, valid_basis)
           SELECT n.id, 1, j.at, j.id, CASE n.class WHEN 'memory' THEN max(f.id) ELSE min(f.id) END,
             'archived', 'normal', 'import', 'unknown', j.at, 'recorded'
           FROM node AS n JOIN journal AS j ON j.id = n.journal JOIN frame AS f ON f.node = n.id AND f.type <> 'B'
           WHERE n.id NOT IN (SELECT node FROM node_version) GROUP BY n.id"""
    )
    made += sql.changes()
    sql.execute(
        """UPDATE session_version SET known_to = NULL, closed_by = NULL, status = 'closed' WHERE known_to IS NOT NULL
           AND n = (SELECT max(n) FROM session_version AS l WHERE l.session = session_version.session)"""
    )
    sql.execute(
        """INSERT INTO session_version (session, n, known_from, opened_by, status)
           SELECT s.id, 1, s.started_at, s.journal, 'closed' FROM session AS s
           WHERE s.id NOT IN (SELECT session FROM session_version)"""
    )
    return made + sql.changes()


def _folds(sql: Connection) -> None:
    """Note the hash of what a memory's frames now give, where a frame among them is lost."""
    rows = sql.execute(
        """SELECT v.node, v.n, v.head, v.fold_hash FROM node_version AS v JOIN node AS n ON n.id = v.node
           WHERE n.class = 'memory' AND v.head IS NOT NULL"""
    )
    for node, n, head, noted in rows.fetchall():
        whole = fold(sql, head)
        if whole is not None and content_hash(whole) != noted:
            sql.execute(
                "UPDATE node_version SET fold_hash = ? WHERE node = ? AND n = ?", (content_hash(whole), node, n)
            )
