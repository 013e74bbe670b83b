"""Functional slots: assertions are read from the versions, spells and `supersedes` edges are derived from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.model.edge import EdgeType
from noosphere.model.slot import holds_one
from noosphere.model.timeline import Assertion, Spell, strength, timeline, timeline_of_each
from noosphere.model.vocabulary import Claim, Provenance, Source, Status
from noosphere.model.when import FOREVER
from noosphere.records import dataclass
from noosphere.store import edges

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True)
class SlotKey:
    """A slot as it is compared: the normalised subject and the attribute."""

    subject: str
    attribute: str


def slot_of(subject: str | None, attribute: str | None) -> SlotKey | None:
    """The slot that a version fills, if it fills one."""
    return None if attribute is None else SlotKey(subject or "", attribute)


READ = """SELECT v.node, v.valid_from, v.stated_to, v.value_norm, v.source, v.status, v.functional, n.uid, v.negated,
    coalesce(f.said_at, f.recorded_at, 0), v.valid_basis NOT IN ('said', 'recorded'), v.settled
  FROM node_version AS v JOIN node AS n ON n.id = v.node LEFT JOIN frame AS f ON f.id = v.head
  WHERE v.slot_subject = ? AND v.attribute = ? AND v.retracted_at IS NULL AND v.corrected = 0
    AND v.merged_into IS NULL"""
WRONG = """SELECT v.settled, v.value_norm FROM node_version AS v WHERE v.slot_subject = ? AND v.attribute = ?
  AND v.corrected = 1 AND v.settled IS NOT NULL AND v.known_to IS NULL"""
SPELLED = """SELECT 1 FROM node_version WHERE slot_subject = ? AND attribute = ? AND attribute IS NOT NULL
  AND (functional IS NOT 0 OR negated = 1) LIMIT 1"""
NOW = f"{READ} AND v.known_to IS NULL"
THEN = f"{READ} AND v.known_from <= ? AND (v.known_to IS NULL OR v.known_to > ?)"


def spells(sql: Connection, slot: SlotKey, *, known_at: int | None = None) -> list[Spell]:
    """The timeline of a slot by what is believed now, or was believed at `known_at`.

    A set-valued slot has spells only for the values that something says are over.
    """
    told, one = assertions(sql, slot, known_at=known_at)
    if one:
        return timeline(told)
    return timeline_of_each(told) if any(a.ends for a in told) else []


def assertions(sql: Connection, slot: SlotKey, *, known_at: int | None = None) -> tuple[list[Assertion], bool]:
    """What is said of a slot by what is believed now, or was believed at `known_at`, and whether it is functional."""
    if known_at is None:
        rows = sql.execute(NOW, (slot.subject, slot.attribute)).fetchall()
    else:
        rows = sql.execute(THEN, (slot.subject, slot.attribute, known_at, known_at)).fetchall()
    overrides = [r[6] for r in rows if r[6] is not None]
    wrong: dict[bytes, set[str]] = {}
    if any(r[11] is not None for r in rows):
        for decision, value in sql.execute(WRONG, (slot.subject, slot.attribute)):
            wrong.setdefault(decision, set()).add(value)
    told = [
        Assertion(
            node,
            start,
            FOREVER if end is None else end,
            value,
            strength(Source(source), Status(status)),
            uid,
            bool(ends),
            said,
            bool(dated),
            settled,
            frozenset(wrong.get(settled, ())),
        )
        for node, start, end, value, source, status, _, uid, ends, said, dated, settled in rows
    ]
    return told, bool(max(overrides)) if overrides else holds_one(slot.attribute)


@dataclass(frozen=True, slots=True)
class Change:
    """What deriving a slot again changed: the spells before and after, of the nodes that differ."""

    before: dict[int, Spell]
    after: dict[int, Spell]

    def nodes(self) -> set[int]:
        """Every node whose spell changed."""
        return self.before.keys() | self.after.keys()

    def ended(self, now: int) -> list[int]:
        """The nodes whose value held until this change, and holds no more; without a spell it held as stated."""
        held = [n for n, s in self.before.items() if s.start <= now < s.end]
        held += [n for n, s in self.after.items() if n not in self.before and s.start < s.end <= now]
        return sorted(n for n in held if not ((s := self.after.get(n)) and s.start <= now < s.end))


NOTHING = Change({}, {})


def recompute(tx: Tx, entry: Entry, slot: SlotKey, *, rebuilding: bool = False) -> Change:
    """Derive a slot's spells and `supersedes` edges again; `rebuilding` looks at the edges in any case."""
    if not rebuilding and not _may_have_spells(tx, slot):
        return NOTHING
    members, moved = _members(tx.sql, slot)
    before = stored(tx.sql, members - moved)
    after = {s.node: s for s in spells(tx.sql, slot)}
    changed = {n for n in members - moved if before.get(n) != after.get(n)}
    tx.sql.executemany("DELETE FROM spell WHERE node = ?", [(n,) for n in changed if n in before])
    tx.sql.executemany(
        "INSERT INTO spell (node, holds_from, holds_to, conflict, replaced_by) VALUES (?, ?, ?, ?, ?)",
        [(s.node, s.start, s.end, int(s.conflict), s.replaced_by) for n in changed if (s := after.get(n))],
    )
    wanted = {(s.replaced_by, s.node) for s in after.values() if s.replaced_by is not None}
    if changed or moved or rebuilding:
        _supersede(tx, entry, members, moved, wanted)
    return Change({n: before[n] for n in changed & before.keys()}, {n: after[n] for n in changed & after.keys()})


def drop_strays(tx: Tx, entry: Entry) -> None:
    """Remove spells of nodes that fill no slot, and derived edges that no spell asks for."""
    right = {s.node: s for slot in all_slots(tx.sql) for s in spells(tx.sql, slot)}
    for node in every_stored(tx.sql).keys() - right.keys():
        tx.sql.execute("DELETE FROM spell WHERE node = ?", (node,))
    wanted = {(s.replaced_by, s.node) for s in right.values() if s.replaced_by is not None}
    rows = tx.sql.execute(
        "SELECT id, src, dst FROM edge WHERE known_to IS NULL AND type = 'supersedes' AND provenance = 'system'"
    )
    for edge, src, dst in rows.fetchall():
        if (src, dst) not in wanted:
            edges.retire(tx, entry, edge)


def stored(sql: Connection, nodes: set[int]) -> dict[int, Spell]:
    """The derived spells of some nodes."""
    rows = sql.execute(
        """SELECT s.node, s.holds_from, s.holds_to, s.conflict, s.replaced_by FROM json_each(?) AS w
           CROSS JOIN spell AS s ON s.node = w.value""",
        (json.dumps(list(nodes)),),
    )
    return {r[0]: Spell(r[0], r[1], r[2], bool(r[3]), r[4]) for r in rows}


def every_stored(sql: Connection) -> dict[int, Spell]:
    """All derived spells, by node."""
    rows = sql.execute("SELECT node, holds_from, holds_to, conflict, replaced_by FROM spell")
    return {r[0]: Spell(r[0], r[1], r[2], bool(r[3]), r[4]) for r in rows}


def all_slots(sql: Connection) -> list[SlotKey]:
    """Every slot that any version fills."""
    rows = sql.execute("SELECT DISTINCT slot_subject, attribute FROM node_version WHERE attribute IS NOT NULL")
    return [SlotKey(*r) for r in rows]


def of_node(sql: Connection, node: int) -> set[SlotKey]:
    """Every slot that any version of a node fills."""
    rows = sql.execute(
        "SELECT DISTINCT slot_subject, attribute FROM node_version WHERE node = ? AND attribute IS NOT NULL", (node,)
    )
    return {SlotKey(*r) for r in rows}


def _may_have_spells(tx: Tx, slot: SlotKey) -> bool:
    """Whether anything that ever filled a slot could have a spell; else there is none to write or to take back."""
    key = slot.subject, slot.attribute
    return key in tx.waiting.spelled or tx.settled.execute(SPELLED, key).get is not None


def _members(sql: Connection, slot: SlotKey) -> tuple[set[int], set[int]]:
    """The nodes that ever filled a slot, and those of them that fill another now, whose spells are of that one."""
    rows = sql.execute(
        """SELECT m.node, v.attribute IS NOT NULL AND (v.attribute != ? OR v.slot_subject IS NOT ?)
           FROM (SELECT DISTINCT node FROM node_version WHERE slot_subject = ? AND attribute = ?) AS m
           JOIN node_version AS v ON v.node = m.node AND v.known_to IS NULL""",
        (slot.attribute, slot.subject, slot.subject, slot.attribute),
    ).fetchall()
    return {node for node, _ in rows}, {node for node, elsewhere in rows if elsewhere}


def _supersede(tx: Tx, entry: Entry, members: set[int], moved: set[int], wanted: set[tuple[int, int]]) -> None:
    """Make the slot's derived `supersedes` edges exactly the wanted (newer, older) pairs."""
    standing = {
        (src, dst): edge
        for edge, src, dst in tx.sql.execute(
            """SELECT e.id, e.src, e.dst FROM json_each(?) AS w CROSS JOIN edge AS e ON e.src = w.value
               WHERE e.known_to IS NULL AND e.type = 'supersedes' AND e.provenance = 'system'""",
            (json.dumps(list(members)),),
        )
        if dst in members and not {src, dst} <= moved
    }
    for pair in sorted(standing.keys() - wanted):
        edges.retire(tx, entry, standing[pair])
    for src, dst in sorted(wanted - standing.keys()):
        edges.insert(
            tx,
            entry,
            edges.NewEdge(
                src=src,
                dst=dst,
                type=EdgeType.SUPERSEDES,
                weight=1.0,
                provenance=Provenance.SYSTEM,
                claim=Claim.INFERRED,
            ),
        )
