"""The verbs of improvement signals: list what waits to be surfaced, and say that it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import NotFound
from noosphere.ids import parse_uid, uid_text
from noosphere.model.argument import read_count, read_flag, read_many
from noosphere.model.outcome import Reason, Refused
from noosphere.model.signal import LEAST, Signal, SignalKind, Surfaced
from noosphere.model.vocabulary import word
from noosphere.store import signals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.mind_file import MindFile
    from noosphere.store.signals import SignalRow

MAX_LISTED = 10_000


class Signals:
    """What could be done better, in one mind: call it to list; `surfaced` says that some of it was shown."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def __call__(self, kind: str | None = None, *, everything: bool = False, limit: int = 50) -> list[Signal]:
        """Signals that wait to be surfaced, the most counted first.

        Args:
            kind: capability_gap, correction, workflow_pattern or skill_promotion; every kind when None.
            everything: also those that were surfaced, and patterns that did not come often enough yet.
            limit: how many, at most.

        Raises:
            InvalidInput: an unknown kind, or a limit out of range.
        """
        wanted, most = word(SignalKind, kind, "kind"), read_count(limit, "limit", 1, MAX_LISTED)
        with self._mind.read() as sql:
            if read_flag(everything, "everything"):
                rows = signals.listed(sql, wanted, most)
            else:
                rows = signals.due(sql, LEAST, wanted, most)
        return [_shown(row, self._mind.mind) for row in rows]

    def surfaced(self, ids: Iterable[str]) -> Surfaced | Refused:
        """Say that signals were shown in a turn that succeeded: they wait no more.

        Raises:
            InvalidInput: `ids` is not several ids.
            NotFound: there is no signal of an id.
        """
        uids = [parse_uid(one) for one in dict.fromkeys(read_many(ids, "ids"))]
        with self._mind.write() as tx:
            states = [signals.state(tx.sql, uid) for uid in uids]
            for uid, (there, _) in zip(uids, states, strict=True):
                if not there:
                    raise NotFound("signal", uid_text(uid), "List them with signals()")
            new = [uid for uid, (_, surfaced) in zip(uids, states, strict=True) if not surfaced]
            if not new:
                return Refused(reason=Reason.UNCHANGED, message="these were surfaced already")
            entry = tx.open("signals.surfaced")
            signals.surface(tx, entry, new)
            return Surfaced(ids=tuple(uid_text(uid) for uid in new), journal=tx.close(entry))


def _shown(row: SignalRow, mind: str) -> Signal:
    return Signal(
        id=uid_text(row.uid),
        mind=mind,
        kind=row.kind,
        text=row.text,
        count=row.count,
        first_at=moment(row.first_at),
        last_at=moment(row.last_at),
        surfaced_at=None if row.surfaced_at is None else moment(row.surfaced_at),
    )
