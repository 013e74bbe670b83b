"""Forks a child for every line `<kind> <path> <write>`: it dies in the middle of that write, half of it done.

A write is a page of the file or its WAL, a truncation, a sync, or the deletion of a file: so children die between the
frames of a commit, while a WAL is moved into the file, and between that and its end. The answer to each line is
`<writes>` when the child came to its end, and `killed` when it died.
"""

import os
import signal
import sys
from functools import partial
from pathlib import Path

from dying_child import in_child
from failing_disk import FailingDisk

from minds import found, hashed, open_on
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.store.backup import restore

OLD = "needle7x"


class DyingDisk(FailingDisk):
    """Kills the process instead of failing."""

    def count(self, *, reads=False):
        if reads:
            return
        self.writes += 1
        if self.writes == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def tears(self):
        return self.writes + 1 == self.last

    def xDelete(self, name, sync_folder):  # noqa: N802  (SQLite's names)
        self.count()
        super().xDelete(name, sync_folder)
        self.count()


def checkpoint(mind):
    """Move the WAL into the file, and cut it off."""
    with mind._file.db.use() as sql:
        sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


KINDS = {
    "remember": lambda mind, _: mind.remember("told8y is told last"),
    "checkpoint": lambda mind, _: (mind.remember("told8y is told last"), checkpoint(mind)),
    "purge": lambda mind, _: mind.purge(found(mind, OLD)[0]),
    "rebuild": lambda mind, _: mind.doctor(fix=True),
    "backup": lambda mind, path: mind.backup(path.with_name("copy.db")),
    "restore": lambda _, path: restore(path, path.with_name("copy.db"), Uuid7(SystemClock())),
}


def act(disk, kind, path, last):
    """Do it, and close; returns how many writes it took."""
    with disk.everywhere(), open_on(path, embedder=hashed()) as mind:
        mind.flush()
        disk.writes, disk.last = 0, last
        KINDS[kind](mind, path)
        mind.close()
        return disk.writes


def main():
    disk = DyingDisk()
    disk.last = 0
    for line in sys.stdin:
        kind, path, last = line.rstrip("\n").split("\t")
        in_child(partial(act, disk, kind, Path(path), int(last)))


if __name__ == "__main__":
    main()
