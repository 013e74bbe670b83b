"""Checks of a mind against its own rules: each yields findings that name the rule and what breaks it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.vocabulary import NodeClass
from noosphere.model.when import FIRST, FOREVER, LAST
from noosphere.records import dataclass
from noosphere.store import frames, fulltext, meta, nodes, path, refold, schema, slots, units, vectors
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.store.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, VersionRow


WHOLE = "the file is whole"
COMPLETE = "the schema is complete"
TIMES = {
    "frame": ("said_at", "recorded_at", "purged_at"),
    "node_version": ("known_from", "known_to", "occurred_from", "occurred_to", "retracted_at"),
    "edge": ("known_from", "known_to"),
    "tag": ("known_from", "known_to"),
    "journal": ("at",),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    Attributes:
        rule: the rule it breaks, in a few words.
        what: the id or name of what breaks it.
        derived: whether a rebuild mends it; truth is only ever named.
    """

    rule: str
    what: str
    derived: bool


def file(sql: Connection) -> Iterator[Finding]:
    """The file is whole by SQLite's own checks; what they say of the text indexes, which are derived, is `text`'s."""
    for (said,) in sql.execute("PRAGMA integrity_check(20)"):
        if said != "ok" and "fts5" not in said.lower():
            yield Finding(WHOLE, said, derived=False)
    for table, rowid, parent, _fk in sql.execute("PRAGMA foreign_key_check"):
        yield Finding("every reference leads somewhere", f"{table} row {rowid} to {parent}", derived=False)


def objects(sql: Connection) -> Iterator[Finding]:
    """Every table, index and trigger of the schema is there, as it was made."""
    expected, there = schema.expected(), schema.present(sql)
    for name, made in expected.items():
        if there.get(name) != made:
            state = "is missing" if name not in there else "was changed"
            yield Finding(COMPLETE, f"{name} {state}", derived=name not in there)


def frame_hashes(sql: Connection, _: int) -> Iterator[Finding]:
    """A frame's hash is its text's: frames never change (1), one content hash (3)."""
    for uid, text, digest in sql.execute("SELECT uid, text, hash FROM frame WHERE text IS NOT NULL"):
        if content_hash(text) != digest:
            yield Finding("frames never change", uid_text(uid), derived=False)


def times(sql: Connection, _: int) -> Iterator[Finding]:
    """Every time lies in the calendar; what is not a text carries no hash, so this is how a changed one shows."""
    for table, columns in TIMES.items():
        for column in columns:
            query = f"SELECT count(*) FROM {table} WHERE {column} NOT BETWEEN ? AND ?"
            if outside := sql.execute(query, (FIRST, LAST)).get:
                yield Finding("times lie in the calendar", f"{table}.{column}, in {outside} rows", derived=False)


def versions(sql: Connection, _: int) -> Iterator[Finding]:
    """Each node has one open version, the last, and its versions follow each other without a gap."""
    for node in _nodes(sql):
        rows = nodes.versions(sql, node.id)
        numbered = [r.n for r in rows] == list(range(1, len(rows) + 1))
        chained = all(a.known_to == b.known_from and a.closed_by == b.opened_by for a, b in pairwise(rows))
        if not (rows and numbered and chained and rows[-1].known_to is None):
            yield Finding("versions follow each other", uid_text(node.uid), derived=False)


def heads(sql: Connection, _: int) -> Iterator[Finding]:
    """A memory's head is a frame of its own, never a branch, and its fold has the hash that was noted."""
    for node in _nodes(sql, NodeClass.MEMORY, NodeClass.CONVERSATION):
        for version in nodes.versions(sql, node.id):
            if not _head_is_sound(sql, node, version):
                yield Finding("a head is a frame of its node", uid_text(node.uid), derived=False)
                break


def _head_is_sound(sql: Connection, node: NodeRow, version: VersionRow) -> bool:
    head = version.state.head
    if head is None or sql.execute("SELECT node FROM frame WHERE id = ?", (head,)).get != node.id:
        return False
    if node.node_class is NodeClass.CONVERSATION:
        return True
    whole = fold(sql, head)
    branch = frames.by_id(sql, head).type == "B"
    return not branch and (whole is None or content_hash(whole) == version.state.fold_hash)


def journal(sql: Connection, _: int) -> Iterator[Finding]:
    """Every entry is complete, and times never run backwards."""
    last = 0
    for uid, at, detail in sql.execute("SELECT uid, at, detail FROM journal ORDER BY id"):
        if detail is None:
            yield Finding("journal entries are complete", uid_text(uid), derived=False)
        if at <= last:
            yield Finding("the journal's time never runs backwards", uid_text(uid), derived=False)
        last = at


def edges(sql: Connection, _: int) -> Iterator[Finding]:
    """An edge's anchoring frames belong to its ends."""
    rows = sql.execute(
        """SELECT e.uid FROM edge AS e
           LEFT JOIN frame AS s ON s.id = e.src_frame LEFT JOIN frame AS d ON d.id = e.dst_frame
           WHERE (e.src_frame IS NOT NULL AND s.node IS NOT e.src)
              OR (e.dst_frame IS NOT NULL AND d.node IS NOT e.dst)"""
    )
    for (uid,) in rows:
        yield Finding("an edge is anchored at its ends", uid_text(uid), derived=False)


def tickets(sql: Connection, _: int) -> Iterator[Finding]:
    """No purge ticket outlives its transaction."""
    for (frame,) in sql.execute("SELECT frame FROM purge_ticket"):
        yield Finding("purge tickets do not stay", f"frame {frame}", derived=False)


def spells(sql: Connection, _: int) -> Iterator[Finding]:
    """The stored spells are what the assertions give."""
    right = {s.node: s for slot in slots.all_slots(sql) for s in slots.spells(sql, slot)}
    there = slots.every_stored(sql)
    for node in sorted(right.keys() | there.keys()):
        if right.get(node) != there.get(node):
            yield Finding("spells follow from assertions", _uid(sql, node), derived=True)


def supersedes(sql: Connection, _: int) -> Iterator[Finding]:
    """The derived `supersedes` edges are what the spells give."""
    right = {(s.replaced_by, s.node) for s in slots.every_stored(sql).values() if s.replaced_by is not None}
    rows = sql.execute(
        "SELECT src, dst FROM edge WHERE known_to IS NULL AND type = 'supersedes' AND provenance = 'system'"
    )
    for _src, dst in sorted(right ^ set(rows.fetchall())):
        yield Finding("supersedes edges follow from spells", _uid(sql, dst), derived=True)


def paths(sql: Connection, _: int) -> Iterator[Finding]:
    """Each conversation's leaf and the turns beside its path are what its frames give."""
    for node in _nodes(sql, NodeClass.CONVERSATION):
        lies = path.read_path(sql, node)
        rows = sql.execute(
            "SELECT o.frame FROM off_path AS o JOIN frame AS f ON f.id = o.frame WHERE f.node = ?", (node.id,)
        )
        if path.leaf_of(sql, node.id) != lies.leaf or {f for (f,) in rows} != {f.id for f in lies.off}:
            yield Finding("the path follows from the head", uid_text(node.uid), derived=True)


def text(sql: Connection, now: int) -> Iterator[Finding]:
    """The indexes hold exactly the units that belong in them."""
    right = _places(sql, now)
    for era in Era:
        if (said := fulltext.broken(sql, era)) is not None:
            yield Finding(f"the {era} text index is sound", said, derived=True)
        wanted = {f for f, e in right.items() if e is era}
        for frame in sorted(wanted ^ fulltext.frames(sql, era)):
            yield Finding(f"the {era} text index holds what belongs there", _frame_uid(sql, frame), derived=True)


def folded(sql: Connection, _: int) -> Iterator[Finding]:
    """The full text is of this version's fold."""
    facts = meta.read(sql)
    if facts is not None and refold.is_old(facts):
        yield Finding("the full text is of this version's fold", f"fold {facts.fold or refold.FIRST}", derived=True)


def words(sql: Connection, _: int) -> Iterator[Finding]:
    """Every indexed unit has as many words in the index as its text has."""
    for era in Era:
        for frame, sizes in fulltext.sizes(sql, era):
            if not frames.is_there(sql, frame):
                continue  # named by `text` already
            own = units.text_of(sql, frame)
            if own is not None and fulltext.counted(sql, own.self, own.prev) != sizes:
                yield Finding(
                    f"the {era} text index holds the words of its units", _frame_uid(sql, frame), derived=True
                )


def expiry(sql: Connection, now: int) -> Iterator[Finding]:
    """What will end is watched."""
    right = _due(sql, now)
    for node in _nodes(sql, NodeClass.MEMORY):
        state = nodes.current(sql, node.id).state
        end = units.ends_at(sql, node.id, state)
        if end < FOREVER and units.era_for(state, end, now) is Era.NOW:
            right[node.id] = end
    there = dict(sql.execute("SELECT node, at FROM expiry").fetchall())
    for node in sorted(right.keys() | there.keys()):
        if right.get(node) != there.get(node):
            yield Finding("what will end is watched", _uid(sql, node), derived=True)


def vector_rows(sql: Connection, now: int) -> Iterator[Finding]:
    """In every space, each unit has vectors in its era or waits; nothing else has any, and sizes fit."""
    right = _places(sql, now)
    for pair in vectors.spaces(sql).values():
        if pair[Era.NOW].state == "resting":
            continue
        waiting = {f for (f,) in sql.execute("SELECT frame FROM pending WHERE space = ?", (pair[Era.NOW].id,))}
        for era, space in pair.items():
            there = {f for (f,) in sql.execute("SELECT DISTINCT frame FROM vec WHERE space = ?", (space.id,))}
            wanted = {f for f, e in right.items() if e is era}
            for frame in sorted((wanted - waiting - there) | (there - wanted)):
                yield Finding(f"units of {space.name} have vectors or wait", _frame_uid(sql, frame), derived=True)
            query = "SELECT seq FROM vec WHERE space = ? AND (length(q) <> ? OR length(f) <> ?)"
            for (seq,) in sql.execute(query, (space.id, space.dim, vectors.FLOAT16_BYTES * space.dim)):
                yield Finding(f"vectors of {space.name} have its size", f"vec {seq}", derived=True)
        for frame in sorted(waiting - right.keys()):
            yield Finding("only units wait to be embedded", _frame_uid(sql, frame), derived=True)


def vector_bytes(sql: Connection, _: int) -> Iterator[Finding]:
    """The two forms of every vector are of one vector."""
    if sql.execute("SELECT 1 FROM vec LIMIT 1").get is None:
        return
    from noosphere.store.vector_forms import differing  # noqa: PLC0415  (brings numpy)

    for pair in vectors.spaces(sql).values():
        for space in pair.values():
            for seq, _frame in differing(sql, space):
                yield Finding(f"both forms of a vector of {space.name} agree", f"vec {seq}", derived=True)


def duplicates(sql: Connection, now: int) -> Iterator[Finding]:
    """No two current memories are one memory; no two active entities share type and name."""
    seen: set[tuple[object, ...]] = set()
    for node in _nodes(sql, NodeClass.MEMORY):
        state = nodes.current(sql, node.id).state
        if units.era_for(state, units.ends_at(sql, node.id, state), now) is not Era.NOW:
            continue
        stated = state.valid_from if state.valid_basis == "stated" else None
        key = (state.fold_hash, state.role, state.slot_subject, state.subject, state.attribute, state.occurred_from,
               stated, state.stated_to)  # fmt: skip
        if key in seen:
            yield Finding("one memory is stored once", uid_text(node.uid), derived=False)
        seen.add(key)
    rows = sql.execute(
        """SELECT min(node) FROM node_version WHERE known_to IS NULL AND entity_type IS NOT NULL
           AND retracted_at IS NULL AND merged_into IS NULL AND status IN ('draft', 'active', 'canonical')
           GROUP BY entity_type, norm_name HAVING count(*) > 1"""
    )
    for (node,) in rows:
        yield Finding("an entity is its type and name", _uid(sql, node), derived=False)


BEFORE = (file, objects)  # when these find something, the others may not be able to run
RULES = (
    frame_hashes, times, versions, heads, journal, edges, tickets, duplicates, spells, supersedes, paths, text, folded,
    words, expiry, vector_rows, vector_bytes,
)  # fmt: skip


def _due(sql: Connection, now: int) -> dict[int, int]:
    """The memories that have ended since the last write, and when: the next write moves them, so none is amiss yet."""
    rows = sql.execute("SELECT e.node, e.at FROM expiry AS e JOIN node AS n ON n.id = e.node WHERE e.at <= ?", (now,))
    return {node: at for node, at in rows.fetchall() if units.ends_at(sql, node, nodes.current(sql, node).state) == at}


def _places(sql: Connection, now: int) -> dict[int, Era]:
    """Where each unit belongs until the next write."""
    places = units.all_wanted(sql, now)
    for node, at in _due(sql, now).items():
        places |= units.wanted(sql, nodes.by_id(sql, node), at - 1)
    return places


def _nodes(sql: Connection, *classes: NodeClass) -> Iterator[NodeRow]:
    for row in sql.execute("SELECT id, uid, class, key FROM node ORDER BY id").fetchall():
        if not classes or row[2] in classes:
            yield nodes.NodeRow(row[0], row[1], NodeClass(row[2]), row[3])


def _uid(sql: Connection, node: int) -> str:
    uid = sql.execute("SELECT uid FROM node WHERE id = ?", (node,)).get
    return f"node {node}, which is not there" if uid is None else uid_text(uid)


def _frame_uid(sql: Connection, frame: int) -> str:
    uid = sql.execute("SELECT uid FROM frame WHERE id = ?", (frame,)).get
    return f"frame {frame}, which is not there" if uid is None else uid_text(uid)
