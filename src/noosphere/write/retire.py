"""retire: take a memory or an entity out of the current reads; what is canonical is protected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.outcome import Reason, Refused, Retired
from noosphere.model.vocabulary import CURRENT_STATUSES, Status
from noosphere.store import nodes
from noosphere.write.apply import apply
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from noosphere.store.mind_file import MindFile


def retire(mind: MindFile, id: str, status: Status = Status.DEPRECATED) -> Retired | Refused:
    """Deprecate or archive a memory, conversation or entity; it stays in history, and edges to it lead nowhere.

    Raises:
        NotFound: nothing here has this id.
    """
    with mind.write() as tx:
        target = find(tx.sql, id)
        if target.part is not None:
            return Refused(reason=Reason.NOT_A_MEMORY, message="a turn or branch is as it was said; forget it instead")
        if (refused := forgotten(tx.sql, target)) is not None:
            return refused
        node, state = target.node, nodes.current(tx.sql, target.node.id).state
        if state.status is Status.CANONICAL:
            return Refused(reason=Reason.GATE, message="it is canonical; set another status first")
        if state.status not in CURRENT_STATUSES:
            return Refused(reason=Reason.UNCHANGED, message=f"it is {state.status} already")
        entry = tx.open("archive" if status is Status.ARCHIVED else "retire")
        apply(tx, entry, node, state._replace(status=status))
        return Retired(id=uid_text(node.uid), journal=tx.close(entry, node.uid))
