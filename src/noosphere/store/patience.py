"""Waiting for a lock that another connection holds: the longer one has waited, the more often one asks.

SQLite's own wait asks ten times a second once it has waited a third of a second, and whoever came last asks every few
milliseconds: beside seven other writers the unlucky one waited for seconds.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import apsw

BUSY_MILLISECONDS = 30_000  # 8 writing processes saw waits up to 0.35 s; a laptop that sleeps needs more
NEW, OLD = 0.006, 0.0015  # seconds between two looks, of who just came and of who has waited
OLD_AFTER = 0.05  # seconds


def wait(connection: Any, milliseconds: int | None = None) -> None:
    """Have a connection wait for locks, BUSY_MILLISECONDS when it is not said how long."""
    cast("apsw.Connection", connection).set_busy_handler(_Wait(milliseconds))


class _Wait:
    """What SQLite calls each time it finds a lock taken."""

    __slots__ = ("_milliseconds", "_since")

    def __init__(self, milliseconds: int | None) -> None:
        self._milliseconds = milliseconds
        self._since = 0.0

    def __call__(self, asked: int) -> bool:
        """Sleep a little; false when it took too long."""
        now = time.monotonic()
        if asked == 0:
            self._since = now
        waited = now - self._since
        limit = BUSY_MILLISECONDS if self._milliseconds is None else self._milliseconds
        if waited * 1000 >= limit:
            return False
        spread = 0.5 + time.perf_counter_ns() // 100 % 1000 / 1000  # so that those who wait do not ask in step
        time.sleep((OLD if waited > OLD_AFTER else NEW) * spread)
        return True
