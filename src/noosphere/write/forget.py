"""forget: out of every read; only `get`, `history` and `undo` still know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.outcome import Forgotten, Refused
from noosphere.model.outcome import Reason as Why
from noosphere.store import frame_versions, nodes, path, units, unnamed
from noosphere.write.apply import apply
from noosphere.write.graph import loosen, name_now
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.store.frames import FrameRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx


def forget(mind: MindFile, id: str) -> Forgotten | Refused:
    """Take a node or a turn out of every read; only `get`, `history` and `undo` still know it.

    Raises:
        NotFound: nothing has this id.
    """
    with mind.write() as tx:
        target = find(tx.sql, id)
        if forgotten(tx.sql, target) is not None:
            return Refused(reason=Why.UNCHANGED, message="this is forgotten already")
        name_now(tx, unnamed.of_node(tx.sql, target.node.id))  # what is forgotten comes back with its names
        entry = tx.open("forget")
        if target.part is not None:
            hide(tx, entry, target.node, [(target.part, entry.at)])
            uid = target.part.uid
        else:
            before = nodes.current(tx.sql, target.node.id).state
            apply(tx, entry, target.node, before._replace(retracted_at=entry.at))
            loosen(tx, entry, target.node)
            uid = target.node.uid
        journal = tx.close(entry, uid)
    return Forgotten(ids=(uid_text(uid),), journal=journal)


def hide(tx: Tx, entry: Entry, node: NodeRow, parts: Sequence[tuple[FrameRow, int | None]]) -> None:
    """Take turns or branches of a node out of every read from a time on; those without a time are brought back."""
    for part, at in parts:
        frame_versions.retract(tx, entry, part, at)
    turns = [part for part, _ in parts if part.is_turn]
    if turns:
        path.derive(tx, node)
        units.place_turns(tx, node, turns)
    if len(turns) < len(parts):
        units.place(tx, node, entry.at)
