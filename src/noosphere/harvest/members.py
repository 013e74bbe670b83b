"""One file of a source: its name, its bytes, and what may be told about it without reading it as a format."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from noosphere.harvest.encoding import Decoded, decode
from noosphere.harvest.items import Left, Reject

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD_BYTES = 65_536  # enough to know a format by: a chat's first message begins within a few kB
MAX_TEXT_BYTES = 64 * 2**20  # of a note, which is read whole; larger ones are logs, not notes
DAMAGE = (OSError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a source.

    Attributes:
        name: the same on every run, so that ids may be made of it: a path in its folder or archive.
        archive: the name of the zip it lies in, which changes with every download.
        path: where it lies on this disk, when it lies there by itself.
        hidden: whether its name says that people do not want to see it.
        weight: how many bytes of the source it takes, when it is packed.
    """

    name: str
    size: int
    opener: Callable[[], IO[bytes]]
    archive: str | None = None
    path: Path | None = None
    hidden: bool = False
    weight: int | None = None

    @property
    def origin(self) -> str:
        """Where it is, for people."""
        return f"{self.archive}:{self.name}" if self.archive else self.name

    def open(self) -> IO[bytes]:
        """Open it for reading from the start; the caller closes it."""
        return self.opener()

    def head(self) -> bytes:
        """Its first bytes, to know the format by."""
        with self.open() as stream:
            return stream.read(HEAD_BYTES)

    def bytes(self) -> bytes | Reject:
        """The whole of it, if it is no larger than a document may be."""
        if self.size > MAX_TEXT_BYTES:
            remedy = f"Split it into files under {MAX_TEXT_BYTES >> 20} MB"
            return Reject(self.origin, "text file", f"has {self.size} bytes, too many for one note", remedy)
        with self.open() as stream:
            return stream.read(MAX_TEXT_BYTES + 1)

    def text(self) -> Decoded | Reject:
        """The whole of it as text with plain line ends."""
        data = self.bytes()
        if isinstance(data, Reject):
            return data
        decoded = decode(data)
        return Decoded(decoded.text.replace("\r\n", "\n").replace("\r", "\n"), decoded.replaced)


Opened = Member | Reject | Left


def reason(problem: BaseException) -> str:
    """An error in words, without the path an OSError repeats."""
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem) or type(problem).__name__
