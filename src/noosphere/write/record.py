"""record: add turns to a conversation. A known turn adds nothing; other text under its key is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.errors import NotFound
from noosphere.ids import uid_text
from noosphere.model.argument import read_key, read_line
from noosphere.model.outcome import HeadMoved, Recorded, Refused
from noosphere.model.text import clean
from noosphere.model.vocabulary import Source, tag_names, texts, word
from noosphere.store import frame_versions, frames, path
from noosphere.write.parse import read_metadata
from noosphere.write.screening import Guard
from noosphere.write.turn_writer import Progress, TurnWriter, find_conversation
from noosphere.write.turns import check_turns

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from typing import Any

    from noosphere.model.draft import Turn
    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow

BATCH = 1000  # turns in one transaction
ABOUT = ("participants", "title", "source", "project", "session", "tags", "metadata")


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known of a conversation beside its turns; only a new conversation takes it."""

    participants: tuple[str, ...] = ()
    title: str | None = None
    source: Source = Source.USER_STATED
    project: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    metadata: str | None = None


def read_about(
    *,
    participants: Sequence[str] | None = None,
    title: str | None = None,
    source: str | None = None,
    project: str | None = None,
    session: str | None = None,
    tags: str | Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> About:
    """Check what a caller says of a conversation.

    Raises:
        InvalidInput: an argument has the wrong form.
    """
    return About(
        participants=tuple(clean(p).text for p in texts(participants, "participants")),
        title=read_line(title, "title"),
        source=word(Source, source, "source") or Source.USER_STATED,
        project=read_line(project, "project"),
        session=read_key(session, "session"),
        tags=tag_names(tags),
        metadata=read_metadata(metadata),
    )


def record(
    mind: MindFile,
    conversation: str,
    given: Sequence[Turn],
    about: About,
    *,
    head: str | None = None,
    vouched: bool = False,
    free: Container[str] = (),
    uids: Mapping[str, bytes] | None = None,
) -> Recorded | Refused:
    """Add turns to the conversation of this key, opening it when it is new.

    Each turn follows the one before it in this call unless it names a parent; the first follows the
    conversation's end. A turn that follows another than the end stands beside the path, except when a turn
    of this call that was there before says it came after it: then it was late, and joins the path.

    Args:
        mind: the open file.
        conversation: the conversation's own stable key, or its node id.
        given: the turns, parents before children.
        about: participants, title and the like.
        head: the key of the turn the conversation now ends with, when that is on another branch.
        vouched: whether somebody looked at the turns and found that they are no attack.
        free: texts that were looked through before and hold no secret.
        uids: by their keys, the uids of turns that come from another mind; "" is the conversation itself.

    Raises:
        InvalidInput: a turn has the wrong form or two turns share a key; nothing was written.
        NotFound: a parent or the head is not in the conversation.
    """
    guard = Guard(secrets=mind.secrets, source=about.source, vouched=vouched, free=free)
    checked, head = check_turns(conversation, given, mind.zone, guard), read_key(head, "head")
    conversation = clean(conversation).text
    if head is not None and head not in {turn.key for turn in checked}:
        with mind.read() as sql:
            _living_turn(sql, find_conversation(sql, conversation), head)
    progress = Progress()
    node: NodeRow | None = None
    for start in range(0, max(len(checked), 1), BATCH):
        batch = checked[start : start + BATCH]
        with mind.write(rows=len(batch)) as tx:
            outcome = TurnWriter(tx, about, progress, checked, uids).write(conversation, batch)
        if isinstance(outcome, Refused):
            return outcome
        node = outcome
    if node is not None and head is not None and (moved := switch_head(mind, node, head)):
        progress.journals.append(moved.journal)
    return _recorded(node, progress)


def _recorded(node: NodeRow | None, progress: Progress) -> Recorded:
    return Recorded(
        conversation=uid_text(node.uid) if node else "",
        added=tuple(progress.added),
        known=progress.known,
        changed=tuple(progress.changed),
        refused=tuple(progress.refused),
        journal=progress.journals[-1] if progress.journals else None,
        journals=tuple(progress.journals),
        repairs=tuple(progress.repairs),
    )


def switch_head(mind: MindFile, node: NodeRow, key: str) -> HeadMoved | None:
    """Move a conversation's head to the turn of this key; None when it is there already.

    Raises:
        NotFound: the conversation has no such turn.
    """
    with mind.write() as tx:
        found = _living_turn(tx.sql, node, key)
        if path.leaf_of(tx.sql, node.id) == found.id:
            return None
        entry = tx.open("head")
        path.switch(tx, entry, node, found.id)
        journal = tx.close(entry, node.uid)
    return HeadMoved(conversation=uid_text(node.uid), head=uid_text(found.uid), journal=journal)


def _living_turn(sql: Connection, node: NodeRow | None, key: str) -> FrameRow:
    """The turn of this key that was not forgotten.

    Raises:
        NotFound: there is none.
    """
    turns = [] if node is None else frames.turn(sql, node.id, key)
    for turn in turns:
        if frame_versions.retracted_at(sql, turn.id) is None:
            return turn
    raise NotFound(
        "turn", key, "It was forgotten; undo that first" if turns else "Record it first, or name another head"
    )
