"""Token rows made for a question because the store has none, remembered in this process."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from noosphere.forking import Lock
from noosphere.model.names import in_context

if TYPE_CHECKING:
    from noosphere.model.unit import Unit
    from noosphere.providers.ports import LateEmbedder, Packed
    from noosphere.store.neighbours import Neighbour

KEPT = 4_096  # units: 50 MB at most


class Made:
    """Token rows made for a question, remembered; safe from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rows: OrderedDict[tuple[str, bytes], Packed] = OrderedDict()

    def rows(self, embedder: LateEmbedder, unit: Unit, before: Neighbour | None) -> Packed:
        """The tokens of a unit, made now or remembered."""
        key = (embedder.space.fingerprint, unit.frame_uid)
        with self._lock:
            if key in self._rows:
                self._rows.move_to_end(key)
                return self._rows[key]
        names = {unit.speaker or "", (before.speaker or "") if before else "", *unit.participants}
        made = embedder.late_document(*in_context(unit.text, before.text if before else None, names))
        with self._lock:
            self._rows[key] = made
            if len(self._rows) > KEPT:
                self._rows.popitem(last=False)
        return made
