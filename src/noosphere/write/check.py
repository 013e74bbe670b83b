"""check: say that memories still hold, without changing what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.ids import uid_text
from noosphere.model.argument import read_many
from noosphere.model.outcome import Checked, Reason, Refused
from noosphere.model.vocabulary import NodeClass, texts
from noosphere.store import usage
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from noosphere.store.mind_file import MindFile


def check(mind: MindFile, ids: object) -> Checked | Refused:
    """Note that memories were looked at and still hold: all of them, or none.

    Raises:
        InvalidInput: no id was given.
        NotFound: nothing here has one of the ids.
    """
    wanted = list(texts(ids if isinstance(ids, str) else read_many(ids, "ids"), "ids"))
    if not wanted:
        raise InvalidInput("ids", "names nothing", "Give the id of a memory")
    with mind.write() as tx:
        found = [find(tx.sql, one) for one in wanted]
        for target in found:
            if target.part is not None or target.node.node_class is not NodeClass.MEMORY:
                return Refused(reason=Reason.NOT_A_MEMORY, message="only a memory can be checked")
            if (refused := forgotten(tx.sql, target)) is not None:
                return refused
        entry = tx.open("check")
        for target in found:
            usage.note(tx, entry, target.node, checked_at=entry.at)
        journal = tx.close(entry, found[0].node.uid)
    return Checked(ids=tuple(uid_text(t.node.uid) for t in found), journal=journal)
