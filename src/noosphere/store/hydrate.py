"""From frame ids to units: everything the predicate, the order and the rendering may ask, in one statement."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.unit import Unit
from noosphere.model.vocabulary import Claim, Importance, Kind, NodeClass, Source, Status, Volatility
from noosphere.model.when import FIRST, FOREVER, LAST
from noosphere.store import conflicts, slots
from noosphere.store.failures import Spoiled
from noosphere.store.fold import fold
from noosphere.store.slots import SlotKey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.model.timeline import Spell
    from noosphere.store.connection import Connection, Row

# A look-up costs a fifth of an enum's constructor.
NODE_CLASS = {word.value: word for word in NodeClass}
STATUS = {word.value: word for word in Status}
KIND = {word.value: word for word in Kind}
VOLATILITY = {word.value: word for word in Volatility}
IMPORTANCE = {word.value: word for word in Importance}
SOURCE = {word.value: word for word in Source}
CLAIM = {word.value: word for word in Claim}

SQL = """
SELECT f.id, f.node, f.uid, n.uid, s.uid, s.key, n.key, n.class, {v}.title, f.text, f.type, f.turn_key, f.speaker,
  f.speaker_role, p.names, f.t, f.parent, {v}.role, {v}.status, {v}.kind, {v}.volatility, {v}.importance, {v}.source,
  {v}.claim, {v}.confidence, {v}.subject, {v}.slot_subject, {v}.attribute, {v}.value,
  (SELECT json_group_array(tag) FROM (SELECT g.tag FROM tag AS g WHERE g.node = n.id AND {tag_known} ORDER BY g.tag)),
  f.said_at, f.recorded_at, {v}.occurred_from, {v}.occurred_to, {v}.occurred_grain, {v}.valid_from, {v}.stated_to,
  {v}.valid_basis, sp.holds_from, sp.holds_to, {v}.conflict, coalesce(sp.conflict, 0),
  {v}.known_from, {v}.head,
  o.frame IS NOT NULL, c.retracted_at IS NOT NULL OR fv.retracted_at IS NOT NULL OR c.merged_into IS NOT NULL,
  {v}.secret OR coalesce(fv.secret, 0), {v}.duplicate_candidate, coalesce(fv.suspect, {v}.suspect),
  (SELECT count(*) FROM evidence AS e WHERE e.target = n.uid AND e.retracted_by IS NULL),
  coalesce(u.use_count, 0), u.checked_at, coalesce(f.recorded_at NOT BETWEEN {first} AND {last}
    OR {v}.known_from NOT BETWEEN {first} AND {last} OR coalesce(f.said_at, {first}) NOT BETWEEN {first} AND {last}
    OR coalesce({v}.occurred_from, {first}) NOT BETWEEN {first} AND {last}, 1)
FROM json_each(:frames) AS w
  CROSS JOIN frame AS f ON f.id = w.value
  JOIN node AS n ON n.id = f.node
  JOIN node_version AS c ON c.node = n.id AND c.known_to IS NULL
  {version}
  JOIN session AS s ON s.id = f.session
  LEFT JOIN participants AS p ON p.id = f.participants
  LEFT JOIN spell AS sp ON sp.node = n.id
  LEFT JOIN off_path AS o ON o.frame = f.id
  LEFT JOIN frame_version AS fv ON fv.frame = f.id AND fv.known_to IS NULL
  LEFT JOIN usage AS u ON u.node = n.id
"""
BOUNDS = {"first": FIRST, "last": LAST - 1}
NOW = SQL.format(v="c", tag_known="g.known_to IS NULL", version="", **BOUNDS)
THEN = SQL.format(
    v="v",
    tag_known="g.known_from <= :at AND (g.known_to IS NULL OR g.known_to > :at)",
    version="JOIN node_version AS v ON v.node = n.id AND v.known_from <= :at"
    " AND (v.known_to IS NULL OR v.known_to > :at)",
    **BOUNDS,
)


def units(sql: Connection, frames: Iterable[int], known_at: int | None = None) -> dict[int, Unit]:
    """Hydrate units by their frame ids, as believed now or at `known_at`.

    A unit whose node was not known then is left out; so is one whose text was purged.
    """
    wanted = json.dumps(list(frames))
    if known_at is None:
        rows = sql.execute(NOW, {"frames": wanted})
        return {r[0]: unit for r in rows if (unit := _sound(sql, r, None, None))}
    rows = sql.execute(THEN, {"frames": wanted, "at": known_at}).fetchall()
    spells = _spells_then(sql, rows, known_at)
    return {r[0]: unit for r in rows if (unit := _sound(sql, r, spells.get(r[1]), known_at))}


def _sound(sql: Connection, row: Row, spell: Spell | None, known_at: int | None) -> Unit | None:
    """The unit of a row; a value in it that no verb can have written is damage."""
    try:
        return _unit(sql, row, spell, known_at)
    except (KeyError, ValueError, TypeError) as problem:  # a word of no vocabulary, JSON that is none
        raise Spoiled(f"a value that is none, in frame {row[0]}") from problem


def _spells_then(sql: Connection, rows: list[Row], known_at: int) -> dict[int, Spell]:
    filled = {SlotKey(r[26], r[27]) for r in rows if r[27] is not None}
    return {s.node: s for slot in filled for s in slots.spells(sql, slot, known_at=known_at)}


def _unit(sql: Connection, row: Row, spell: Spell | None, known_at: int | None) -> Unit | None:
    (
        frame, node, frame_uid, node_uid, session_uid, session_key, key, node_class, title, text, kind_of_frame,
        turn_key, speaker, speaker_role, names, t, parent, role, status, kind, volatility, importance, source, claim,
        confidence, subject, slot_subject, attribute, value, tags, said_at, recorded_at, occurred_from, occurred_to,
        occurred_grain, valid_from, stated_to, basis, holds_from, holds_to, marked, disputed, known_from, head,
        off_path, retracted, secret, candidate, suspect, evidence_count, use_count, checked_at, outside_time,
    ) = row  # fmt: skip
    turn = turn_key is not None
    if kind_of_frame == "P" and not turn:
        text = fold(sql, frame)
    if text is None:
        return None
    if type(text) is not str:
        raise Spoiled(f"a text that is none, in frame {uid_text(frame_uid)}")
    if outside_time:
        raise Spoiled(f"a time outside the calendar, in frame {uid_text(frame_uid)}")
    if known_at is not None:
        holds_from, holds_to = (spell.start, spell.end) if spell else (None, None)
        disputed = spell is not None and spell.conflict
    if marked and not disputed:
        disputed = conflicts.stands(sql, node, slots.slot_of(slot_subject, attribute), known_at)
    start = valid_from if valid_from is not None else recorded_at if said_at is None else said_at
    end = FOREVER if stated_to is None else stated_to
    return Unit(  # in its order: by name it costs a third more
        frame, node, frame_uid, node_uid, session_uid, session_key, key, NODE_CLASS[node_class], title, text,
        turn_key, speaker, speaker_role, _names(names) if names else (), t, parent,
        "turn" if turn else role or "note",
        STATUS[status],
        KIND[kind] if kind else Kind.EPISODIC,
        VOLATILITY[volatility] if volatility else Volatility.DURABLE,
        IMPORTANCE[importance],
        _source(SOURCE[source], speaker_role),
        CLAIM[claim],
        confidence, subject, attribute, value, tuple(json.loads(tags)) if tags != "[]" else (),
        said_at, recorded_at, occurred_from, occurred_to, occurred_grain, start,
        start if holds_from is None else holds_from,
        end if holds_to is None else holds_to,
        basis in {"stated", "occurred"} or (holds_from is not None and holds_from > start),
        bool(disputed),
        recorded_at,
        recorded_at if turn else known_from,
        checked_at,
        turn or head == frame or kind_of_frame == "B",
        bool(off_path) if turn else kind_of_frame == "B",
        bool(retracted), bool(secret), bool(candidate), suspect, evidence_count, use_count,
    )  # fmt: skip


@lru_cache(maxsize=256)
def _names(names: str) -> tuple[str, ...]:
    return tuple(json.loads(names))


def _source(source: Source, speaker_role: str | None) -> Source:
    """The source of a turn follows its speaker: an assistant's words are never user_stated."""
    return Source.AGENT_INFERRED if source is Source.USER_STATED and speaker_role == "assistant" else source
