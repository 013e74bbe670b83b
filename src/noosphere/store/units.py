"""Which units exist, which index each belongs in, and keeping the indexes so.

A memory's unit is keyed by the last frame of its fold; every fold it ever had keeps a unit of its own. A
conversation's units are its turns. The current index holds what is neither forgotten, deprecated nor
archived and whose end lies ahead; older folds and what has ended are in the past index; what is forgotten
is in neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.slot import asked_by
from noosphere.model.vocabulary import CURRENT_STATUSES, FrameType, NodeClass
from noosphere.model.when import FOREVER
from noosphere.records import dataclass
from noosphere.store import frame_versions, frames, fulltext, nodes, tokens, vectors
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.store.words.spellings import indexed_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Tx

PREV_WORDS = 60  # of the previous turn when a person talks with an assistant, whose turns run long
DIALOGUE_ROLES = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class UnitText:
    """What the full text holds of a unit."""

    self: str
    prev: str


def ends_at(sql: Connection, node: int, state: State) -> int:
    """When a memory stops holding: its spell's end when its slot is functional, else its stated end."""
    if state.attribute is not None:  # only what fills a slot has a spell
        spell = sql.execute("SELECT holds_to FROM spell WHERE node = ?", (node,)).get
        if spell is not None:
            return spell
    return FOREVER if state.stated_to is None else state.stated_to


def era_for(state: State, end: int, now: int) -> Era | None:
    """Which index a node's current unit belongs in."""
    if state.retracted_at is not None:
        return None
    if state.merged_into is not None or state.status not in CURRENT_STATUSES:
        return Era.PAST
    return Era.NOW if end > now else Era.PAST


def memory_text(title: str | None, text: str, subject: str | None = None, attribute: str | None = None) -> UnitText:
    """A memory is indexed by its title and text and, in a second column, by the words that ask for its slot."""
    asked = asked_by(subject, attribute) if subject is not None and attribute is not None else ""
    return UnitText(f"{title}\n{text}" if title else text, asked)


def turn_text(turn: FrameRow, before: FrameRow | None) -> UnitText:
    """A turn is indexed by its own words and, in a second column, by those of the turn before it."""
    if before is None or before.text is None:
        return UnitText(spoken(turn), "")
    prev = spoken(before)
    if {turn.speaker_role, before.speaker_role} & DIALOGUE_ROLES:
        prev = " ".join(prev.split(maxsplit=PREV_WORDS)[:PREV_WORDS])
    return UnitText(spoken(turn), prev)


def spoken(turn: FrameRow) -> str:
    """A turn with its speaker in front."""
    return f"{turn.speaker}: {turn.text}"


def turn_before(sql: Connection, turn: FrameRow) -> FrameRow | None:
    """The turn a turn follows in the same session; context never crosses a session."""
    if turn.parent is None:
        return None
    before = frames.by_id(sql, turn.parent)
    if not before.is_turn or before.session != turn.session or frame_versions.retracted_at(sql, before.id) is not None:
        return None
    return before


def text_of(sql: Connection, frame: int) -> UnitText | None:
    """What the full text holds of the unit keyed by a frame; None when its text was purged."""
    last = frames.by_id(sql, frame)
    if last.is_turn:
        return None if last.text is None else turn_text(last, turn_before(sql, last))
    whole = fold(sql, frame)
    if whole is None:
        return None
    row = sql.execute(
        """SELECT title, slot_subject, attribute FROM node_version WHERE node = ? AND head = ?
           ORDER BY n DESC LIMIT 1""",
        (last.node, frame),
    ).fetchall()
    title, subject, attribute = row[0] if row else (None, None, None)
    return memory_text(title, whole, subject, attribute)


def add(tx: Tx, frame: int, era: Era, text: UnitText) -> None:
    """Queue a new unit for the index; `flush` writes the queue.

    Any statement that opens a sub-transaction makes FTS5 write what it has gathered, so full text goes in
    together, after all else: three times the speed of one by one.
    """
    tx.queue.append((frame, era, text))


def flush(tx: Tx) -> None:
    """Index the queued units, and note that they are still to be embedded."""
    queue: list[tuple[int, Era, UnitText]] = tx.queue
    if not queue:
        return
    for era in Era:
        fulltext.add_all(tx.sql, era, [(frame, text.self, text.prev) for frame, its, text in queue if its is era])
    vectors.want(tx, [frame for frame, _, _ in queue])
    queue.clear()
    tx.lowered.clear()


def holding(tx: Tx, own: int | None, matches: Sequence[str], k: int, *, some: bool = False) -> list[tuple[int, float]]:
    """The best k units of the current index that hold all of some words, or one of them: frames with their scores.

    What waits is indexed before, if any of it may hold them, as FTS5 writes all it has gathered before it is asked; the
    unit that asks, `own`, may be among what is found or not. `matches` are FTS5 strings as `words.query` makes them.
    """
    if not matches:
        return []
    others = tx.queue[:-1] if tx.queue and tx.queue[-1][0] == own else tx.queue
    if others and _may_wait(tx, len(others), matches, some=some):
        flush(tx)
    return fulltext.search(tx.settled, Era.NOW, (" OR " if some else " AND ").join(matches), k)


def _may_wait(tx: Tx, first: int, matches: Sequence[str], *, some: bool) -> bool:
    """Whether one of the first units that wait may hold what is looked for: porter changes only the end of a word."""
    for _, _, text in tx.queue[len(tx.lowered) : first]:
        tx.lowered.append(indexed_text(f"{text.self}\n{text.prev}").lower())
    texts = tx.lowered[:first]
    phrases = [fulltext.stems(tx.settled, match.strip('"*')) for match in matches]
    wanted = [[stem[:-1] for stem in phrase] for phrase in phrases]
    if some:
        return any(_may_hold(texts, beginnings) for beginnings in wanted)
    return _may_hold(texts, [one for beginnings in wanted for one in beginnings])


def _may_hold(texts: Iterable[str], beginnings: Iterable[str]) -> bool:
    for one in beginnings:
        texts = [text for text in texts if one in text or not text.isascii()]
        if not texts:
            return False
    return True


def wanted(sql: Connection, node: NodeRow, now: int) -> dict[int, Era]:
    """Where each unit of a node belongs."""
    state = nodes.current(sql, node.id).state
    if node.node_class is NodeClass.CONVERSATION:
        return _wanted_turns(sql, node, state)
    if node.node_class is NodeClass.ENTITY:
        return {}
    era = era_for(state, ends_at(sql, node.id, state), now)
    if era is None:
        return {}
    older = sql.execute("SELECT DISTINCT head FROM node_version WHERE node = ? AND head IS NOT NULL", (node.id,))
    places = {head: Era.PAST for (head,) in older}
    gone = frame_versions.forgotten(sql, node.id)
    places |= {f.id: era for f in frames.of_node(sql, node.id) if f.type is FrameType.B and f.id not in gone}
    if state.head is not None:
        places[state.head] = era
    return places


def _wanted_turns(sql: Connection, node: NodeRow, state: State) -> dict[int, Era]:
    if state.retracted_at is not None:
        return {}
    era = Era.NOW if state.status in CURRENT_STATUSES else Era.PAST
    gone = frame_versions.forgotten(sql, node.id)
    return {f.id: era for f in frames.of_node(sql, node.id) if f.is_turn and f.id not in gone}


def place(tx: Tx, node: NodeRow, now: int, *, changed_text: Iterable[int] = ()) -> None:
    """Put every unit of a node where it belongs.

    `changed_text` names frames whose indexed text changed though their place may not have (a new title).
    """
    flush(tx)
    places = wanted(tx.sql, node, now)
    rewrite = set(changed_text)
    for frame in sorted(places.keys() | {f.id for f in frames.of_node(tx.sql, node.id)}):
        _move(tx, frame, fulltext.era_of(tx.sql, frame), places.get(frame), rewrite=frame in rewrite)
    _watch(tx, node, now)


def place_turns(tx: Tx, node: NodeRow, turns: Iterable[FrameRow]) -> None:
    """Put some turns where they belong, and write anew the turns that carry their words as context."""
    flush(tx)
    state = nodes.current(tx.sql, node.id).state
    places = _wanted_turns(tx.sql, node, state)
    for turn in turns:
        _move(tx, turn.id, fulltext.era_of(tx.sql, turn.id), places.get(turn.id), rewrite=False)
        for follower in frames.children(tx.sql, turn.id):
            _move(tx, follower.id, fulltext.era_of(tx.sql, follower.id), places.get(follower.id), rewrite=True)


def _move(tx: Tx, frame: int, there: Era | None, wanted_era: Era | None, *, rewrite: bool) -> None:
    if there is wanted_era and not (rewrite and there):
        return
    if there is not None:
        fulltext.remove(tx.sql, there, frame)
    text = text_of(tx.sql, frame) if wanted_era is not None else None
    if wanted_era is None or text is None:
        vectors.drop(tx, frame)
        return
    fulltext.add(tx.sql, wanted_era, frame, text.self, text.prev)
    if rewrite:
        tokens.drop(tx, frame)  # they were read after the turn before, which changed
    if there is None:
        vectors.want(tx, [frame])
    elif there is not wanted_era:
        vectors.move(tx, frame, wanted_era)


def _watch(tx: Tx, node: NodeRow, now: int) -> None:
    """Remember when a current memory will stop being current."""
    tx.sql.execute("DELETE FROM expiry WHERE node = ?", (node.id,))
    if node.node_class is not NodeClass.MEMORY:
        return
    state = nodes.current(tx.sql, node.id).state
    watch(tx, node.id, state, ends_at(tx.sql, node.id, state), now)


def watch(tx: Tx, node: int, state: State, end: int, now: int) -> None:
    """Note the end of a memory that is in the current index and has one."""
    if end < FOREVER and era_for(state, end, now) is Era.NOW:
        tx.sql.execute("INSERT OR REPLACE INTO expiry (node, at) VALUES (?, ?)", (node, end))


def expire(tx: Tx, now: int) -> int:
    """Move what has ended since the last write to the past indexes; returns how many memories."""
    ended = [n for (n,) in tx.sql.execute("SELECT node FROM expiry WHERE at <= ? ORDER BY at", (now,))]
    for node in ended:
        place(tx, nodes.by_id(tx.sql, node), now)
    return len(ended)


def all_wanted(sql: Connection, now: int) -> dict[int, Era]:
    """Where every unit of the mind belongs: what the indexes are checked against and rebuilt from."""
    places: dict[int, Era] = {}
    for row in sql.execute("SELECT id, uid, class, key FROM node WHERE class <> 'entity'"):
        places |= wanted(sql, nodes.NodeRow(row[0], row[1], NodeClass(row[2]), row[3]), now)
    return places
