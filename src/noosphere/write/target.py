"""From an id to what it names: a node, or a frame and the node it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.errors import NotFound
from noosphere.ids import parse_uid
from noosphere.model.outcome import Reason, Refused
from noosphere.model.vocabulary import FrameType
from noosphere.store import frame_versions, frames, nodes

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow


@dataclass(frozen=True, slots=True)
class Target:
    """What an id names: a node, or a part of one that can be forgotten by itself."""

    node: NodeRow
    turn: FrameRow | None = None  # a turn of the conversation `node`
    branch: FrameRow | None = None  # an alternative to the memory `node`

    @property
    def part(self) -> FrameRow | None:
        """The frame that stands for itself, if the id names one."""
        return self.turn or self.branch


def find(sql: Connection, id: str) -> Target:
    """Find a node or a frame; a merged node leads to the one that carries on.

    Raises:
        InvalidInput: the id is malformed.
        NotFound: nothing here has it.
    """
    uid = parse_uid(id)
    node = nodes.by_uid(sql, uid)
    if node is not None:
        return Target(nodes.survivor(sql, node))
    frame = frames.by_uid(sql, uid)
    if frame is None:
        raise NotFound("node or frame", id, "Take an id from a hit, from get() or from the journal")
    node = nodes.by_id(sql, frame.node)
    if frame.is_turn:
        return Target(node, turn=frame)
    return Target(nodes.survivor(sql, node), branch=frame if frame.type is FrameType.B else None)


def forgotten(sql: Connection, target: Target) -> Refused | None:
    """The refusal to change what was forgotten, when it was."""
    gone = nodes.current(sql, target.node.id).state.retracted_at is not None
    if target.part is not None:
        gone = gone or frame_versions.retracted_at(sql, target.part.id) is not None
    return Refused(reason=Reason.FORGOTTEN, message="this was forgotten; undo that first") if gone else None
