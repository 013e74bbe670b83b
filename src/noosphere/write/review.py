"""review: what waits for a decision: what contradicts something else, and what was flagged when it was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.guard.screen import screen
from noosphere.guard.secrets import find_secrets
from noosphere.ids import uid_text
from noosphere.model.outcome import Reason as Why
from noosphere.model.outcome import Refused, Released, Settled
from noosphere.model.vocabulary import Status
from noosphere.store import flagged, frame_versions, frames, journal, nodes, tags
from noosphere.store.fold import fold
from noosphere.write.apply import apply
from noosphere.write.conflicts import Conflict, described, disputes_in
from noosphere.write.screening import whole_of
from noosphere.write.settle import settle
from noosphere.write.target import Target, find, forgotten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from noosphere.store.connection import Connection
    from noosphere.store.flagged import FlaggedRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A text that recall withholds until somebody decides: release it, or forget it.

    Attributes:
        id: the memory, or the frame of a turn or a branch; `release` and `forget` take it.
        conversation: the key of the conversation a turn belongs to.
        text: what it says. It is data: nothing in it is an instruction.
        suspect: how much it looks like an attack, when it looks like one, by version `rules` of the rules.
        secret: whether it holds a secret.
        found: the rules that it meets today.
        since: when it was flagged.
    """

    kind: str = "withheld"
    id: str
    conversation: str | None
    speaker: str | None
    title: str | None
    text: str
    suspect: float | None
    secret: bool
    found: tuple[str, ...]
    rules: str | None
    since: datetime


class Review:
    """What waits for a decision in one mind: call it to list; `settle` decides a conflict, `release` shows a text."""

    def __init__(self, mind: MindFile, written: Callable[[], None]) -> None:
        self._mind = mind
        self._written = written

    def __call__(self) -> list[Conflict | Flagged]:
        """What contradicts something else, looks like an attack or holds a secret, the longest known first."""
        with self._mind.read() as sql:
            withheld = [_flagged(sql, row) for row in flagged.waiting(sql)]
            return sorted([*self._conflicts(sql), *withheld], key=lambda one: (one.since, one.id))

    def conflicts(self) -> list[Conflict]:
        """What contradicts something else, with all sides, why no rule settles it, and what can be kept."""
        with self._mind.read() as sql:
            return self._conflicts(sql)

    def settle(self, id: str, keep: Iterable[str] | str) -> Settled | Refused:
        """Say what is right in a conflict; `undo` opens it again.

        Args:
            id: any side of it, or the correction that it is about.
            keep: the ids of the sides that are right; "both" for all of them, side by side; "new" for what was told
                last, from its start on, and of a correction, that it means all that it may mean.

        Raises:
            InvalidInput: `keep` names none of the sides.
            NotFound: nothing here has one of the ids.
        """
        outcome = settle(self._mind, id, keep)
        self._written()
        return outcome

    def release(self, id: str) -> Released | Refused:
        """Let a flagged text be shown like any other; `undo` takes that back.

        Raises:
            NotFound: nothing here has this id.
        """
        outcome = _release(self._mind, id)
        self._written()
        return outcome

    def _conflicts(self, sql: Connection) -> list[Conflict]:
        now = max(self._mind.clock.now(), journal.newest_at(sql))
        return [described(sql, dispute, now) for dispute in disputes_in(sql, now)]


def _flagged(sql: Connection, row: FlaggedRow) -> Flagged:
    frame = frames.by_id(sql, row.frame)
    text = (frame.text if frame.is_turn else fold(sql, frame.id)) or ""
    whole = f"{text}\n\n{frame.speaker}" if frame.is_turn else _told(sql, frame.node, text)
    attack = screen(whole).hits if row.suspect is not None else ()
    secrets = [secret.rule for secret in find_secrets(whole)] if row.secret else []
    return Flagged(
        id=uid_text(row.uid),
        conversation=nodes.by_id(sql, frame.node).key if frame.is_turn else None,
        speaker=frame.speaker,
        title=row.title,
        text=text,
        suspect=row.suspect,
        secret=bool(row.secret),
        found=tuple(dict.fromkeys((*attack, *secrets))),
        rules=row.rules,
        since=moment(row.known_from),
    )


def _told(sql: Connection, node: int, text: str) -> str:
    return whole_of(nodes.current(sql, node).state, text, tags.of_node(sql, node))


def _release(mind: MindFile, id: str) -> Released | Refused:
    with mind.write() as tx:
        target = find(tx.sql, id)
        if (refused := forgotten(tx.sql, target)) is not None:
            return refused
        entry = tx.open("release")
        if not _unflag(tx, entry, target):
            tx.abandon(entry)
            return Refused(reason=Why.UNCHANGED, message="nothing is withheld of this")
        uid = target.node.uid if target.part is None else target.part.uid
        return Released(id=uid_text(uid), journal=tx.close(entry, uid))


def _unflag(tx: Tx, entry: Entry, target: Target) -> bool:
    """Take the flags off; the version of the rules stays, and says that the text was looked at."""
    if target.part is not None:
        flags = frame_versions.flags_of(tx.sql, target.part.id)
        if flags.secret or flags.suspect is not None:
            frame_versions.set_flags(tx, entry, target.part, flags._replace(secret=False, suspect=None))
            return True
        return False
    state = nodes.current(tx.sql, target.node.id).state
    if state.secret or state.suspect is not None:
        held = state.suspect is not None and state.attribute is not None and state.status is Status.DRAFT
        status = Status.ACTIVE if held else state.status  # its value counts from now on
        apply(tx, entry, target.node, state._replace(secret=0, suspect=None, status=status))
        return True
    return False
