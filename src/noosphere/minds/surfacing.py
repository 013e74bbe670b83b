"""Which signals were shown and wait for a turn that succeeds, to count as surfaced."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.model.signal import Signal


class Shown:
    """The ids of what was shown, by the UUID of the mind that holds it. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ids: dict[str, set[str]] = {}

    def note(self, signals: Iterable[Signal]) -> None:
        """These were shown."""
        with self._lock:
            for one in signals:
                self._ids.setdefault(one.mind, set()).add(one.id)

    def take(self) -> dict[str, set[str]]:
        """All that were shown since the last time."""
        with self._lock:
            taken, self._ids = self._ids, {}
        return taken
