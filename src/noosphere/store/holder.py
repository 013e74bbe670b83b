"""Which process holds a file, for whoever waited for it in vain: Linux tells it, elsewhere it stays another process."""

from __future__ import annotations

import os
from pathlib import Path

from noosphere.errors import shown
from noosphere.records import dataclass

LOCKS = Path("/proc/locks")  # proc(5): number, kind, mode, access, process, device and inode, first and last byte
FIELDS = 8
STOPPED = frozenset("Tt")  # states of /proc/<pid>/stat (proc(5)): by a signal, by a debugger
UNKNOWN = ("is held by another process", "Try again; if it stays so, see which process holds the file")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds a file.

    Attributes:
        pid: its id.
        name: what it is called, "" when that cannot be read.
        stopped: whether it stands still, as after Ctrl-Z, and so gives nothing back by itself.
    """

    pid: int
    name: str
    stopped: bool


def told(path: Path) -> tuple[str, str]:
    """What to say of a file that is held: by whom, and what to do."""
    found = holder(path)
    if found is None:
        return UNKNOWN
    if found.pid == os.getpid():
        return "is held by another thread of this process", "Try again when its call has returned"
    who = f"process {found.pid}" + (f" ({shown(found.name)})" if found.name else "")
    if found.stopped:
        remedy = f"Let it go on (kill -CONT {found.pid}) or end it, then try again"
        return f"is held by {who}, which is stopped", remedy
    return f"is held by {who}", "Try again; if it stays so, see what that process does, or end it"


def holder(path: Path) -> Holder | None:
    """The process that keeps others from writing a file; None where the system does not tell."""
    try:
        files = {_key(path.with_name(path.name + suffix)) for suffix in ("", "-shm")} - {None}
        rows = [line.split() for line in LOCKS.read_text(encoding="ascii", errors="replace").splitlines()]
    except OSError:
        return None
    writing = [row[4] for row in rows if len(row) == FIELDS and row[3] == "WRITE" and row[5] in files]
    pids = [int(pid) for pid in writing if pid.isdigit() and int(pid) > 0]  # one of another container is told as none
    return _process(pids[0]) if pids else None


def _key(path: Path) -> str | None:
    """A file as the list of locks names it."""
    try:
        found = path.stat()
    except OSError:
        return None
    return f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"


def _process(pid: int) -> Holder:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Holder(pid, "", stopped=False)
    name, _, rest = stat.partition("(")[2].rpartition(")")
    return Holder(pid, name, stopped=rest.split()[0] in STOPPED)
