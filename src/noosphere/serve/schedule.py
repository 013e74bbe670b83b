"""Units of systemd that run a workspace's upkeep once a day, in the user's own folder of units."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "noosphere"
SERVICE = """[Unit]
Description=noosphere upkeep of the workspace {slug}

[Service]
Type=oneshot
{lines}
Nice=10
IOSchedulingClass=idle
"""
TIMER = """[Unit]
Description=noosphere upkeep of the workspace {slug}, daily

[Timer]
OnCalendar=daily
RandomizedDelaySec=1h
Persistent=true

[Install]
WantedBy=timers.target
"""


def units() -> Path:
    """Where systemd looks for a user's units."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "systemd" / "user"


def write_units(slug: str, home: Path, passes: Sequence[str]) -> tuple[Path, ...]:
    """Write the service and the timer of a workspace; returns their paths, the timer last.

    Each pass is a line of its own, and one that fails does not keep the next from running.

    Raises:
        StorageError: a file of that name says something else, or cannot be written.
    """
    program = _quoted(shutil.which(PROGRAM) or str(Path(sys.argv[0]).absolute()))
    given = f"--home {_quoted(str(home))} --mind {slug}"
    lines = "\n".join(f"ExecStart=-{program} {given} upkeep run {name} --limit 1000" for name in passes)
    texts = {"service": SERVICE.format(slug=slug, lines=lines), "timer": TIMER.format(slug=slug)}
    return tuple(_write(units() / f"{PROGRAM}-{slug}.{kind}", text) for kind, text in texts.items())


def _write(path: Path, text: str) -> Path:
    try:
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise StorageError(str(path), "is there and says something else", "Move it away, then try again")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        said = problem.strerror or str(problem)
        raise StorageError(str(path), f"cannot be written ({said})", "Check the folder's permissions") from problem
    return path


def _quoted(word: str) -> str:
    """A word of a command line, as systemd.service(5) reads it: quoted, its specifiers and variables doubled."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'
