"""A database's file as bytes, read through SQLite: to open and close it past SQLite would drop this process's locks."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@contextmanager
def raw_file(path: Path) -> Generator[apsw.VFSFile]:
    """A file opened for reading its bytes.

    Raises:
        apsw.Error: it cannot be opened.
    """
    file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
    try:
        yield file
    finally:
        file.xClose()


def read_bytes(path: Path, at: int, most: int) -> bytes:
    """Up to so many of a file's bytes, from a place on; none behind its end.

    Raises:
        apsw.Error: it cannot be read.
    """
    with raw_file(path) as file:
        count = min(most, file.xFileSize() - at)
        return file.xRead(count, at) if count > 0 else b""
