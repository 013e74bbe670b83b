"""hearing: counting the signals that the turns of a user and the traces of an agent give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.ids import parse_uid
from noosphere.model.signal import REPEATED, SignalKind
from noosphere.store import executions, frames, signals
from noosphere.write.practice.steps import pattern_of, shown
from noosphere.write.screening import flags

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Tx

WORKS = 0.8  # of those that ended, the share that must have succeeded for the habit to be worth a name
FEWEST_STEPS = 2  # one step is no way of working


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence of a user that is a signal, and the key by which the same is known again."""

    kind: SignalKind
    text: str
    key: str


def hear(mind: MindFile, frame: str, heard: Iterable[Heard]) -> None:
    """Count what was heard in a turn, each once; not what may not stand before a prompt."""
    safe = [one for one in heard if one.key and not _is_flagged(one.text)]
    if not safe:
        return
    with mind.write() as tx:
        row = frames.by_uid(tx.sql, parse_uid(frame))
        if row is None:
            return
        new = {(s.kind, s.key): s.text for s in safe if not signals.was_heard(tx.sql, s.kind, s.key, row.id)}
        if not new:
            return
        entry = tx.open("signals.hear")
        for (kind, key), text in new.items():
            signals.hear(tx, entry, kind, key, text, row.id)
        tx.close(entry, row.uid)


def look_for_habits(tx: Tx, steps: tuple[str, ...]) -> None:
    """Count the traces with these steps: as a habit, and as one worth a name; not what has a name already."""
    pattern = pattern_of(steps)
    if len(steps) < FEWEST_STEPS or executions.is_procedure(tx.sql, pattern) or _is_flagged(pattern):
        return
    times, ended, succeeded = executions.alike(tx.sql, pattern)
    found = {SignalKind.WORKFLOW_PATTERN: times}
    if succeeded >= max(REPEATED, WORKS * ended):
        found[SignalKind.SKILL_PROMOTION] = succeeded
    habits = {kind: count for kind, count in found.items() if count >= REPEATED}
    if habits:
        entry = tx.open("signals.count")
        for kind, count in habits.items():
            signals.count(tx, entry, kind, pattern, shown(steps), count)
        tx.close(entry)


def _is_flagged(text: str) -> bool:
    """Whether a line may not stand before a prompt: it looks like an attack, or holds a secret."""
    found = flags(text)
    return found.secret or found.suspect is not None
