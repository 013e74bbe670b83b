"""The line of those who wait to write to one file: who came first writes first.

SQLite gives its lock to whoever asks at the right moment. Where cores are scarce that is often the one who has just
written, for it is awake; of those who ask at random, one in a hundred waits five times as long as the others. So who
has to wait notes since when in a small file beside the mind, and asks for the lock once fewer than FRONT came before.

The file orders, it never locks: the lock is SQLite's. A place that its owner no longer renews counts for nothing, so
one that was killed or stopped holds nobody up for longer than STALE; without a file that can be written, all are at
the front.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from noosphere.store import patience

if TYPE_CHECKING:
    from collections.abc import Generator

    import apsw

SUFFIX = "-line"
PLACE = struct.Struct("<QQ")  # since when, and when last renewed: nanoseconds of the clock that all processes share
PLACES = 128  # chosen by process and thread; two that share one only lose their order
STALE = 250_000_000  # nanoseconds
RENEWED = 50_000_000
FRONT = 2  # with one alone the lock lies idle until that one gets a core, with four the order is lost again
NEAR, FAR = (
    0.0007,
    0.005,
)  # seconds between two looks of one at the front, who just came there and who stands there long
STEP, LONGEST = 0.002, 0.02  # seconds for each who stands between, and at most
SPENT = 50  # a look is worth a fiftieth of the time already waited


class Line:
    """Those who wait to write to one file."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = f"{path}{SUFFIX}"

    @contextmanager
    def front(self, connection: Any) -> Generator[None]:
        """Wait until it is this thread's turn to ask for the lock, and keep its place while the caller asks."""
        place = _Place(self._path)
        if place.ahead():
            place.come_near()
        driver = cast("apsw.Connection", connection)
        driver.set_busy_handler(place)
        try:
            yield
        finally:
            place.leave()
            patience.wait(driver)

    def clear(self) -> None:
        """Delete the file unless somebody waits; who comes later makes it anew."""
        file = Path(self._path)
        with suppress(OSError):  # a name so long that nobody could make the file
            if file.exists() and not _Place(self._path).ahead():
                file.unlink()


class _Place:
    """One waiting thread; SQLite calls it each time it finds the lock taken."""

    __slots__ = ("_came", "_near", "_number", "_path", "_renewed")

    def __init__(self, path: str) -> None:
        self._path = path
        self._number = hash((os.getpid(), threading.get_ident())) % PLACES
        self._came = self._renewed = self._near = 0

    def __call__(self, _: int) -> bool:
        """Wait for the next look at the lock; false when it took too long."""
        return self.come_near()

    def come_near(self) -> bool:
        """Stand in the line until few are before; false when it took too long."""
        while True:
            now = time.monotonic_ns()
            self._came = self._came or now
            if now - self._came >= patience.BUSY_MILLISECONDS * 1_000_000:
                return False
            before = self.ahead() - FRONT
            spread = 0.5 + now // 100 % 1000 / 1000  # so that those who wait do not look in step
            if before < 0:
                self._near = self._near or now
                stood = (now - self._near) / 1_000_000_000
                time.sleep(min(FAR, max(NEAR, stood / SPENT)) * spread)
                return True
            time.sleep(min(LONGEST, STEP * (before + 1)) * spread)

    def ahead(self) -> int:
        """How many came before, of those who still wait; this one's place is renewed, if it has one."""
        if not (self._came or os.access(self._path, os.F_OK)):  # a look that fails takes three times as long
            return 0
        with suppress(OSError):
            return self._look()
        return 0

    def leave(self) -> None:
        """Give the place up."""
        if self._came:
            with suppress(OSError), _opened(self._path) as file:
                self._note(file, 0, 0)

    def _look(self) -> int:
        now = time.monotonic_ns()
        with _opened(self._path, make=bool(self._came)) as file:
            if self._came and now - self._renewed >= RENEWED:
                self._note(file, self._came, now)
                self._renewed = now
            os.lseek(file, 0, os.SEEK_SET)
            held = os.read(file, PLACES * PLACE.size)
        places = PLACE.iter_unpack(held[: len(held) // PLACE.size * PLACE.size])
        mine = (self._came or now, self._number if self._came else PLACES)
        return sum(
            (came, number) < mine and 0 <= now - renewed < STALE
            for number, (came, renewed) in enumerate(places)
            if came and number != mine[1]
        )

    def _note(self, file: int, came: int, renewed: int) -> None:
        os.lseek(file, self._number * PLACE.size, os.SEEK_SET)
        os.write(file, PLACE.pack(came, renewed))


@contextmanager
def _opened(path: str, *, make: bool = False) -> Generator[int]:
    flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags | (os.O_CREAT if make else 0), 0o666)
    try:
        yield file
    finally:
        os.close(file)
