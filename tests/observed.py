"""What can be seen of a mind, as plain values that can be compared: before and after an undo, a rebuild, a restart."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import apsw

# Truth: never changed by a repair. `usage` counts and is left out; `meta` and `space` belong to the file.
TRUTH = (
    "meta", "journal", "session", "session_version", "participants", "node", "frame", "frame_ref", "frame_version",
    "node_version", "tag", "edge_type", "entity_type", "registry_version",
    "evidence", "usage", "ai_interactions", "install_audit", "space",
)  # fmt: skip
STATE_COLUMNS = """status, role, kind, volatility, importance, source, claim, confidence, subject, slot_subject,
  attribute, value, value_norm, negated, functional, stated_from, stated_to, stated_grain, valid_from, valid_basis,
  occurred_from, occurred_to, occurred_grain, title, metadata, trace_id, conflict, duplicate_candidate, corrected,
  settled, secret, suspect, merged_into, entity_type, name, norm_name, properties"""


@contextmanager
def raw(path):
    """The file itself, beside the mind that has it open."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(5000)
    try:
        yield connection
    finally:
        connection.close()


def rows(path, query, *values):
    with raw(path) as sql:
        return sql.execute(query, values).fetchall()


def truth(path, tables=TRUTH):
    """A hash over every row of every table that holds truth."""
    digest = sha256()
    with raw(path) as sql:
        for table in tables:
            for row in sorted(sql.execute(f"SELECT * FROM {table}"), key=repr):
                digest.update(repr((table, row)).encode())
    return digest.hexdigest()


def derived(path):
    """Everything that a rebuild makes again, word by word."""
    with raw(path) as sql:
        found = {
            table: sorted(sql.execute(f"SELECT * FROM {table}"))
            for table in ("spell", "expiry", "leaf", "off_path", "pending")
        }
        for era in ("now", "past"):
            sql.execute(f"CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'text_{era}', 'instance')")
            found[f"words {era}"] = sorted(sql.execute("SELECT doc, col, offset, term FROM temp.words"))
            sql.execute("DROP TABLE temp.words")
            found[f"units {era}"] = sorted(sql.execute(f"SELECT id, sz FROM text_{era}_docsize"))
        found["vectors"] = sorted(sql.execute("SELECT space, frame, chunk, start, stop, input_hash, q, f FROM vec"))
        found["supersedes"] = sorted(
            sql.execute(
                """SELECT src, dst, weight FROM edge
                   WHERE known_to IS NULL AND type = 'supersedes' AND provenance = 'system'"""
            )
        )
    return found


@dataclass(frozen=True)
class Seen:
    """What a reader can see. `frames` are those there were, seen or not, to tell later ones apart."""

    nodes: dict
    tags: set
    edges: set
    evidence: set
    spells: dict
    paths: dict
    sessions: dict
    now: set
    past: set
    vectors: set
    frames: frozenset


def seen(path, frames=None):
    """Look at a mind. With `frames`, the past holds only those: what was written since has a past of its own."""
    with raw(path) as sql:
        every = frozenset(f for (f,) in sql.execute("SELECT uid FROM frame"))
        return Seen(
            nodes=_nodes(sql),
            tags=_tags(sql),
            edges=_edges(sql),
            evidence=_evidence(sql),
            spells=_spells(sql),
            paths=_paths(sql),
            sessions=dict(
                sql.execute(
                    """SELECT s.key, v.status FROM session AS s JOIN session_version AS v ON v.session = s.id
                       WHERE v.known_to IS NULL AND s.key IS NOT NULL"""
                ).fetchall()
            ),
            now=_units(sql, "now"),
            past={f for f in _units(sql, "past") if frames is None or f in frames},
            vectors={v for v in _vectors(sql) if v[1] == "now" or frames is None or v[2] in frames},
            frames=every if frames is None else frames,
        )


LIVING = """node_version AS v JOIN node AS n ON n.id = v.node
  WHERE v.known_to IS NULL AND v.retracted_at IS NULL AND v.merged_into IS NULL"""


def _nodes(sql):
    found = {}
    for uid, node_class, key, head, *state in sql.execute(
        f"""SELECT n.uid, n.class, n.key, (SELECT uid FROM frame WHERE id = v.head), {STATE_COLUMNS} FROM {LIVING}"""
    ):
        # a conversation's version says where it was switched; where it ends now is told by its path
        found[uid] = (node_class, key, None if node_class == "conversation" else head, *state)
    return found


def _tags(sql):
    return set(
        sql.execute(f"SELECT n.uid, t.tag FROM tag AS t, {LIVING} AND t.node = n.id AND t.known_to IS NULL").fetchall()
    )


def _edges(sql):
    ends = f"(SELECT n.id FROM {LIVING})"
    return set(
        sql.execute(
            f"""SELECT s.uid, e.type, d.uid, e.src_frame, e.dst_frame, e.weight, e.provenance, e.claim, e.valid_from,
                  e.valid_to FROM edge AS e JOIN node AS s ON s.id = e.src JOIN node AS d ON d.id = e.dst
                WHERE e.known_to IS NULL AND e.src IN {ends} AND e.dst IN {ends}"""
        ).fetchall()
    )


def _evidence(sql):
    return set(
        sql.execute(
            f"""SELECT target, n, mind, frame, source_id, uri FROM evidence WHERE retracted_by IS NULL
                AND (target IN (SELECT n.uid FROM {LIVING})
                  OR target IN (SELECT uid FROM edge WHERE known_to IS NULL))"""
        ).fetchall()
    )


def _spells(sql):
    return {
        node: rest
        for node, *rest in sql.execute(
            f"""SELECT n.uid, p.holds_from, p.holds_to, p.conflict, (SELECT uid FROM node WHERE id = p.replaced_by)
                FROM spell AS p, {LIVING} AND p.node = n.id"""
        )
    }


def _paths(sql):
    found = {}
    for node, uid in sql.execute(f"SELECT n.id, n.uid FROM {LIVING} AND n.class = 'conversation'").fetchall():
        turns = sql.execute(
            """SELECT f.uid, o.frame IS NULL FROM frame AS f LEFT JOIN off_path AS o ON o.frame = f.id
               LEFT JOIN frame_version AS v ON v.frame = f.id AND v.known_to IS NULL
               WHERE f.node = ? AND f.turn_key IS NOT NULL AND v.retracted_at IS NULL""",
            (node,),
        ).fetchall()
        leaf = sql.execute("SELECT f.uid FROM leaf AS l JOIN frame AS f ON f.id = l.frame WHERE l.node = ?", (node,))
        found[uid] = (leaf.get, frozenset(f for f, on in turns if on), frozenset(f for f, on in turns if not on))
    return found


def _units(sql, era):
    return {f for (f,) in sql.execute(f"SELECT f.uid FROM text_{era}_docsize AS d JOIN frame AS f ON f.id = d.id")}


def _vectors(sql):
    """Each unit that has vectors, or waits for them, in each space and era."""
    placed = sql.execute(
        """SELECT DISTINCT s.name, s.era, f.uid FROM vec AS v JOIN space AS s ON s.id = v.space
           JOIN frame AS f ON f.id = v.frame"""
    ).fetchall()
    waiting = sql.execute(
        """SELECT s.name, CASE WHEN n.id IS NULL THEN 'past' ELSE 'now' END, f.uid FROM pending AS p
           JOIN space AS s ON s.id = p.space JOIN frame AS f ON f.id = p.frame
           LEFT JOIN text_now_docsize AS n ON n.id = p.frame"""
    ).fetchall()
    return set(placed) | set(waiting)


def journal_texts(path):
    """Every text in the journal but for its ids: there should be none of what was remembered."""
    return [json.dumps(r) for r in rows(path, "SELECT verb, actor, channel, detail FROM journal")]
