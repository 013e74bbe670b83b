"""Leases: which process does a piece of background work, until when. A dead owner's lease is free at once."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noosphere.clock import MINUTE

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

TERM = 2 * MINUTE  # renewed with every batch; long enough for a slow batch of embeddings
SET_BACK = 2  # terms: clocks are put right by less while a lease runs
WINDOWS_STILL_ACTIVE = 259
MOST_DIGITS = 9  # of a process's id
ENDED = frozenset("ZXx")  # states of /proc/<pid>/stat (proc(5)): zombie, dead


def take(sql: Connection, name: str, now: int) -> bool:
    """Take or renew a lease inside a write transaction; false when a living process holds it."""
    if held_elsewhere(sql, name, now):
        return False
    sql.execute(
        """INSERT INTO lease (name, owner, until) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until""",
        (name, me(), now + TERM),
    )
    return True


def held_elsewhere(sql: Connection, name: str, now: int) -> bool:
    """Whether another living process holds a lease; one of terms on end was taken before a clock was set back."""
    held = sql.execute("SELECT owner, until FROM lease WHERE name = ?", (name,)).fetchall()
    return bool(held) and held[0][0] != me() and now < held[0][1] <= now + SET_BACK * TERM and lives(held[0][0])


def release(sql: Connection, name: str) -> None:
    """Give a lease back if this process holds it."""
    sql.execute("DELETE FROM lease WHERE name = ? AND owner = ?", (name, me()))


def me() -> str:
    """This process: its id, when it started where that is known, the boot it runs in and where its id counts."""
    return f"{os.getpid()}:{_started(os.getpid())}:{boot_id()}:{namespace()}"


def lives(owner: str) -> bool:
    """Whether the process that wrote an owner's name still runs; of one that cannot be seen from here, it is believed.

    Containers that share a folder count their processes apart, each from 1: an id says nothing in another one. What is
    no owner's name, as one that a crash cut off, is nobody's.
    """
    pid, started, boot, where = [*owner.split(":", 3), "", "", "unknown"][:4]
    if not (pid.isascii() and pid.isdecimal() and len(pid) <= MOST_DIGITS):
        return False
    if boot != boot_id():
        return False
    if where != namespace():
        return True
    return _runs(int(pid)) and _started(int(pid)) == started


@cache
def boot_id() -> str:
    """Something that differs after a restart of the machine, or a constant where the system does not tell."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"


@cache
def namespace() -> str:
    """Within which process ids are told apart (pid_namespaces(7)), or a constant where there is but one."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return "unknown"


def _started(pid: int) -> str:
    """A process's start in clock ticks since boot (Linux); 0 elsewhere, where only the id is compared.

    A process that ended and was not yet waited for still has its id and its start; it is told apart by its state.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = stat.rpartition(")")[2].split()
        return "ended" if fields[0] in ENDED else fields[19]
    except (OSError, IndexError):
        return "0"


def _runs(pid: int) -> bool:
    if sys.platform == "win32":
        return _runs_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _runs_on_windows(pid: int) -> bool:
    import ctypes  # noqa: PLC0415  (only there)

    kernel: Any = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009  (the name exists only on Windows)
    handle = kernel.OpenProcess(0x1000, 0, pid)
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == WINDOWS_STILL_ACTIVE
