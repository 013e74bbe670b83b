"""Opening what a person points at: a file, a folder, or a zip, as a stream of named members.

Nothing is unpacked to disk and no name of a member ever becomes a path, so a hostile archive may lie
about names as it likes; what it can do is unfold without end, and that is refused by size and ratio.
"""

from __future__ import annotations

import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from noosphere.errors import InvalidInput, StorageError, shown
from noosphere.harvest.encoding import Decoded, decode
from noosphere.harvest.items import Left, Omission, Reject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD_BYTES = 65_536  # enough to know a format by: a chat's first message begins within a few kB
MAX_TEXT_BYTES = 64 * 2**20  # of a note, which is read whole; larger ones are logs, not notes
MAX_MEMBER_BYTES = 64 * 2**30  # of one archive member; the largest exports reported have a few GB
HARMLESS_BYTES = 64 * 2**20  # up to this size a high ratio does no harm
MAX_RATIO = 200  # unpacked to packed: chats reach 20, deflate itself goes to 1032
MAX_ENTRIES_RATIO = 400  # the same for all members together, whose data may overlap
ZIP_MAGIC = b"PK\x03\x04"
PACKED_DOCUMENTS = frozenset({"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"})  # docx, odt, epub, jar
METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})
ENCRYPTED = 0x1  # general purpose bit 0 (APPNOTE 4.4.4)
RESOURCE_FORKS = "__MACOSX"
VAULT = ".obsidian"  # its folder is a vault: paths of notes are told from there, wherever the reading began
DAMAGE = (OSError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a source.

    Attributes:
        name: the same on every run, so that ids may be made of it: a path in its folder or archive.
        archive: the name of the zip it lies in, which changes with every download.
    """

    name: str
    size: int
    opener: Callable[[], IO[bytes]]
    archive: str | None = None

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

    def text(self) -> Decoded | Reject:
        """The whole of it as text with plain line ends."""
        if self.size > MAX_TEXT_BYTES:
            remedy = f"Split it into files under {MAX_TEXT_BYTES >> 20} MB"
            return Reject(self.origin, "text file", f"has {self.size} bytes, too many for one note", remedy)
        with self.open() as stream:
            decoded = decode(stream.read(MAX_TEXT_BYTES + 1))
        return Decoded(decoded.text.replace("\r\n", "\n").replace("\r", "\n"), decoded.replaced)


Opened = Member | Reject | Left


def open_source(path: str | Path) -> Iterator[Opened]:
    """Give the members of a file, a folder or a zip, in the order of their names.

    A member of a zip is best opened before the next one is asked for: until then the archive stays open.

    Raises:
        InvalidInput: there is nothing at this path.
        StorageError: it is there, but cannot be looked at.
    """
    place = Path(path)
    try:
        place = place.resolve(strict=True)
    except FileNotFoundError:
        problem = f"{shown(str(path))} does not exist"
        raise InvalidInput("path", problem, "Give a file, a folder or a zip of an export") from None
    except (OSError, RuntimeError) as problem:  # a loop of links is a RuntimeError before Python 3.13
        raise StorageError(str(path), str(problem), "Check its permissions and links") from None
    return _folder(place) if place.is_dir() else _file(place, vault_of(place.parent))


def vault_of(folder: Path) -> Path:
    """The Obsidian vault this folder lies in, else the folder itself."""
    return next((place for place in (folder, *folder.parents) if (place / VAULT).is_dir()), folder)


def _folder(root: Path) -> Iterator[Opened]:
    base = vault_of(root)
    waiting = [root]
    while waiting:
        place = waiting.pop()
        name = name_of(place, base)
        try:
            if place.is_symlink():
                yield Left(name, Omission.LINK)
            elif place != root and place.name.startswith("."):
                yield Left(name, Omission.HIDDEN_FILE)
            elif place.is_dir():
                waiting.extend(sorted(place.iterdir(), reverse=True))
            elif place.is_file():
                yield from _file(place, base)
            else:
                yield Left(name, Omission.UNKNOWN_FILE)
        except OSError as problem:
            yield Reject(name, "file or folder", reason(problem), "Check its permissions")


def name_of(place: Path, base: Path) -> str:
    """A file's name in a source: its path from the folder that was opened, that folder's own name included.

    Composed (NFC), because macOS writes the same name decomposed, and without undecodable bytes.
    """
    path = "/".join(part for part in (base.name, *place.relative_to(base).parts) if part)
    return unicodedata.normalize("NFC", path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def _file(place: Path, base: Path) -> Iterator[Opened]:
    member = Member(name_of(place, base), place.stat().st_size, lambda: place.open("rb"))
    with member.open() as stream:
        is_archive = stream.read(len(ZIP_MAGIC)) == ZIP_MAGIC
    if is_archive:
        yield from _archive(member, place)
    else:
        yield member


def _archive(whole: Member, place: Path) -> Iterator[Opened]:
    try:
        with zipfile.ZipFile(place) as archive:
            entries = sorted((entry for entry in archive.infolist() if not entry.is_dir()), key=lambda e: e.filename)
            if any(entry.filename in PACKED_DOCUMENTS for entry in entries):
                yield whole
                return
            total = sum(entry.file_size for entry in entries if _refusal(entry) is None)
            if total > HARMLESS_BYTES and total > whole.size * MAX_ENTRIES_RATIO:
                yield Reject(
                    whole.name, "archive", f"claims to unfold to {total} bytes", "Unpack it by hand if you trust it"
                )
                return
            for entry in entries:
                yield _entry(whole.name, place, archive, entry)
    except (*DAMAGE, NotImplementedError, ValueError) as problem:
        yield Reject(whole.name, "archive", reason(problem), "Download the archive again")


def _entry(archive_name: str, place: Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Opened:
    name = unicodedata.normalize("NFC", entry.filename.replace("\\", "/").lstrip("/"))
    origin = f"{archive_name}:{name}"
    if any(part.startswith(".") or part == RESOURCE_FORKS for part in name.split("/")):
        return Left(origin, Omission.HIDDEN_FILE)
    if refusal := _refusal(entry):
        return Reject(origin, "archive member", *refusal)

    def opener() -> IO[bytes]:
        if archive.fp is not None:
            return archive.open(entry)
        with zipfile.ZipFile(place) as again:  # what is opened here stays readable after the archive closes
            return again.open(entry)

    return Member(name, entry.file_size, opener, archive_name)


def _refusal(entry: zipfile.ZipInfo) -> tuple[str, str] | None:
    """Why a member is not read, and what to do about it."""
    if entry.flag_bits & ENCRYPTED:
        return "is encrypted", "Unpack the archive with its password and harvest the folder"
    if entry.compress_type not in METHODS:
        return "is packed by an unusual method", "Unpack the archive and harvest the folder"
    large = entry.file_size > MAX_MEMBER_BYTES
    if large or (entry.file_size > HARMLESS_BYTES and entry.file_size > entry.compress_size * MAX_RATIO):
        return f"claims to unfold to {entry.file_size} bytes", "Unpack it by hand if you trust it"
    return None


def reason(problem: BaseException) -> str:
    """An error in words, without the path an OSError repeats."""
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem) or type(problem).__name__
