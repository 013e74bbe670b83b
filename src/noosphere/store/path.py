"""A conversation's path: which turns lead to its head, derived from the frames and the head's versions.

The head is the leaf that was switched to, followed by what was appended to it since. Its ancestors are the
path, with late turns whose parent and whose successor are on it. Everything else lies beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.vocabulary import FrameType
from noosphere.records import dataclass
from noosphere.store import frame_versions, frames, nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow, VersionRow
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True)
class Path:
    """The turns on a conversation's path in order, and those beside it."""

    leaf: int
    on: tuple[FrameRow, ...]
    off: tuple[FrameRow, ...]


def find_path(all_frames: Sequence[FrameRow], head: int, since: int, gone: frozenset[int] = frozenset()) -> Path:
    """Work out the path of a conversation.

    Args:
        all_frames: every frame of the conversation.
        head: the frame its open version switched to.
        since: when that version was opened; what was appended later extends the head.
        gone: forgotten turns: the path may lead through one, but never ends in one.
    """
    by_parent: dict[int, list[FrameRow]] = {}
    for frame in all_frames:
        if frame.parent is not None:
            by_parent.setdefault(frame.parent, []).append(frame)
    leaf = _follow(head, since, by_parent, gone)
    on = _ancestors(leaf, {f.id: f for f in all_frames})
    joining = [f for i in on for f in by_parent.get(i, ()) if f.before in on]
    while joining:
        frame = joining.pop()
        if frame.id not in on:
            on.add(frame.id)
            joining += [f for f in by_parent.get(frame.id, ()) if f.before in on]
    turns = [f for f in all_frames if f.is_turn]
    return Path(leaf, _in_order(f for f in turns if f.id in on), _in_order(f for f in turns if f.id not in on))


def _follow(head: int, since: int, by_parent: dict[int, list[FrameRow]], gone: frozenset[int]) -> int:
    """The last living turn appended to the head; where a forgotten end was replaced, the newer turn goes on."""
    leaf = head
    while True:
        appended = [
            f.id for f in by_parent.get(head, ()) if f.type is FrameType.P and not f.late and f.recorded_at >= since
        ]
        if not appended:
            return leaf
        head = appended[-1]
        if head not in gone:
            leaf = head


def _ancestors(leaf: int, by_id: dict[int, FrameRow]) -> set[int]:
    found: set[int] = set()
    step: int | None = leaf
    while step is not None and step not in found:
        found.add(step)
        step = by_id[step].parent
    return found


def _in_order(turns: Iterable[FrameRow]) -> tuple[FrameRow, ...]:
    """Order turns by session, in the order the sessions come in, then by the session's clock."""
    rows = sorted(turns, key=lambda f: f.id)
    rank: dict[int, tuple[int, int]] = {}
    for f in rows:
        rank.setdefault(f.session, (f.recorded_at if f.said_at is None else f.said_at, f.id))
    return tuple(sorted(rows, key=lambda f: (rank[f.session], f.session, f.t)))


def read_path(sql: Connection, node: NodeRow) -> Path:
    """The path of a conversation as it stands."""
    version = nodes.current(sql, node.id)
    gone = frozenset(frame_versions.forgotten(sql, node.id))
    return find_path(frames.of_node(sql, node.id), version.state.head_frame, version.known_from, gone)


def leaf_then(sql: Connection, version: VersionRow) -> int:
    """Where the path of a conversation ended when this version of it was closed."""
    until = version.known_to
    rows = [f for f in frames.of_node(sql, version.node) if until is None or f.recorded_at < until]
    return find_path(rows, version.state.head_frame, version.known_from).leaf


def leaf_of(sql: Connection, node: int) -> int:
    """The end of a conversation's path; its opening frame while it has no turn."""
    return sql.execute("SELECT frame FROM leaf WHERE node = ?", (node,)).get


def begin(tx: Tx, node: int, opening: int) -> None:
    """Note the path of a new conversation."""
    tx.sql.execute("INSERT INTO leaf (node, frame) VALUES (?, ?)", (node, opening))


def extend(tx: Tx, node: int, frame: int) -> None:
    """A turn was appended to the leaf."""
    tx.sql.execute("UPDATE leaf SET frame = ? WHERE node = ?", (frame, node))


def set_beside(tx: Tx, frame: int) -> None:
    """A turn arrived beside the path."""
    tx.sql.execute("INSERT INTO off_path (frame) VALUES (?)", (frame,))


def is_on(sql: Connection, frame: int) -> bool:
    """Whether a turn is on its conversation's path."""
    return sql.execute("SELECT 1 FROM off_path WHERE frame = ?", (frame,)).get is None


def derive(tx: Tx, node: NodeRow) -> None:
    """Derive a conversation's path again, as after its head was moved."""
    path = read_path(tx.sql, node)
    tx.sql.execute("DELETE FROM leaf WHERE node = ?", (node.id,))
    begin(tx, node.id, path.leaf)
    tx.sql.execute("DELETE FROM off_path WHERE frame IN (SELECT id FROM frame WHERE node = ?)", (node.id,))
    for frame in path.off:
        set_beside(tx, frame.id)


def switch(tx: Tx, entry: Entry, node: NodeRow, head: int) -> None:
    """Move a conversation's head to another turn; a journalled change."""
    tx.tick(entry, after=entry.at)  # later than the frames of this entry, which must not extend the new head
    nodes.open_next(tx, entry, node, nodes.current(tx.sql, node.id).state._replace(head=head))
    derive(tx, node)


def next_on_path(sql: Connection, turn: FrameRow) -> int | None:
    """The turn after this one on the path, in the same session; not one that was forgotten."""
    return sql.execute(
        """SELECT f.id FROM frame AS f WHERE f.session = ? AND f.t > ? AND f.node = ? AND f.turn_key IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM off_path WHERE frame = f.id)
           AND NOT EXISTS (SELECT 1 FROM frame_version AS v
             WHERE v.frame = f.id AND v.known_to IS NULL AND v.retracted_at IS NOT NULL) ORDER BY f.t LIMIT 1""",
        (turn.session, turn.t, turn.node),
    ).get


def previous_on_path(sql: Connection, turn: FrameRow) -> int | None:
    """The turn before this one on the path, in the same session; not one that was forgotten."""
    return sql.execute(
        """SELECT f.id FROM frame AS f WHERE f.session = ? AND f.t < ? AND f.node = ? AND f.turn_key IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM off_path WHERE frame = f.id)
           AND NOT EXISTS (SELECT 1 FROM frame_version AS v
             WHERE v.frame = f.id AND v.known_to IS NULL AND v.retracted_at IS NOT NULL) ORDER BY f.t DESC LIMIT 1""",
        (turn.session, turn.t, turn.node),
    ).get
