"""What SQLite and the system refuse, said in this package's errors, each with its remedy."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from noosphere.errors import (
    BrokenInvariant,
    ClosedMind,
    DamagedMind,
    MindBusy,
    NoosphereError,
    NotAMind,
    ReadOnlyMind,
    StorageError,
)
from noosphere.store import holder

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from noosphere.store.connection import Row


class Spoiled(Exception):
    """A stored value is none of its kind, which no verb can have written; becomes DamagedMind with the file's name."""


REMEDY_OF_DAMAGE = (
    "Restore a backup; without one, `noosphere salvage` saves what can be read. `noosphere doctor` says what is wrong"
)


def only(rows: Sequence[Row], what: str, key: int) -> Row:
    """The row of something that the mind refers to.

    Raises:
        BrokenInvariant: it is not there.
    """
    if not rows:
        raise BrokenInvariant(f"{what} {key} is referred to and not here")
    return rows[0]


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn SQLite's errors into this package's, with the remedy."""
    try:
        yield
    except apsw.Error as problem:
        raise _translate(path, problem) from problem
    except UnicodeDecodeError as problem:  # SQLite hands out what is in the file; text is checked by who reads it
        raise DamagedMind(str(path), "holds text that is none", REMEDY_OF_DAMAGE) from problem
    except Spoiled as problem:
        raise DamagedMind(str(path), f"holds {problem}", REMEDY_OF_DAMAGE) from problem
    except OverflowError as problem:  # times are checked when they are given, so this one was changed in the file
        raise DamagedMind(str(path), "holds a time outside the calendar", REMEDY_OF_DAMAGE) from problem


@contextmanager
def on_disk(path: Path) -> Generator[None]:
    """Turn the system's refusals about a file or folder into this package's, with the remedy."""
    try:
        yield
    except OSError as problem:
        if problem.errno in TOO_MANY_OPEN:
            raise StorageError(str(path), *NO_MORE_FILES) from problem
        said = problem.strerror or str(problem)
        remedy = "Check the disk, and the permissions of the folder"
        raise StorageError(str(path), f"could not be read or written ({said})", remedy) from problem


def _translate(path: Path, problem: apsw.Error) -> NoosphereError:
    if isinstance(problem, apsw.ConnectionClosedError):
        return ClosedMind(str(path))
    if isinstance(problem, (apsw.BusyError, apsw.LockedError)):
        return MindBusy(str(path), *holder.told(path))
    if isinstance(problem, apsw.CantOpenError):
        return StorageError(str(path), *_unopened(path))
    for kind, error, what, remedy in REMEDIES:
        if isinstance(problem, kind):
            return error(str(path), what, remedy)
    if isinstance(problem, (apsw.ConstraintError, apsw.SQLError, apsw.MisuseError, apsw.ThreadingViolationError)):
        return BrokenInvariant(f"{path}: {problem}", "Report this; nothing was written")
    return StorageError(str(path), f"could not be read or written ({problem})", "Check the disk; nothing was written")


def _unopened(path: Path) -> tuple[str, str]:
    """Why SQLite cannot open a file, as far as that can be told, and what to do."""
    if (length := len(os.fsencode(path))) > MOST_OF_PATH:
        return f"has a path of {length} bytes, and SQLite opens at most {MOST_OF_PATH}", "Move it to a shorter path"
    if (length := len(os.fsencode(path.name))) > MOST_OF_NAME:
        return f"has a name of {length} bytes, with no room for the files beside it", "Give it a shorter name"
    if not _has_room():
        return NO_MORE_FILES
    return "cannot be opened", "Check that its folder exists and may be written"


def _has_room() -> bool:
    """Whether this process may open as many more files as a connection takes."""
    taken: list[int] = []
    try:
        taken.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(FILES_OF_ONE))
    except OSError:
        return False
    finally:
        for one in taken:
            os.close(one)
    return True


FILES_OF_ONE = 5  # the database, its WAL, its shared memory, the line of those who wait, and one to spare
TOO_MANY_OPEN = (errno.EMFILE, errno.ENFILE)
NO_MORE_FILES = (
    "cannot be opened: this process has as many files open as it may",
    "Raise its limit (ulimit -n), or ask fewer minds at once",
)
MOST_OF_PATH = 504  # bytes: SQLite's own limit of 512, less the longest ending it puts behind
MOST_OF_NAME = 247  # likewise of the 255 that file systems take
REMEDIES: tuple[tuple[type[apsw.Error], type[StorageError], str, str], ...] = (
    (apsw.NotADBError, NotAMind, "is not a SQLite file", "Give the path of a mind, or of a file to create"),
    (apsw.CorruptError, DamagedMind, "is damaged", REMEDY_OF_DAMAGE),
    (apsw.ReadOnlyError, ReadOnlyMind, "cannot be written", "Check the permissions of the file and its folder"),
    (apsw.FullError, StorageError, "the disk is full", "Free some space and try again; nothing was written"),
)
