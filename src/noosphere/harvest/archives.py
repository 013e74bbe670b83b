"""Zips, and zips in them, as named members. Nothing is unpacked to disk under a name the archive gave.

No name of a member ever becomes a path, so a hostile archive may lie about names as it likes; what it can do is
unfold without end, and that is refused by size, ratio and depth.
"""

from __future__ import annotations

import shutil
import tempfile
import unicodedata
import weakref
import zipfile
from typing import IO, TYPE_CHECKING

from noosphere.harvest.items import Left, Omission, Reject
from noosphere.harvest.members import DAMAGE, Member, Opened, reason

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_MEMBER_BYTES = 64 * 2**30  # of one archive member; the largest exports reported have a few GB
HARMLESS_BYTES = 64 * 2**20  # up to this size a high ratio does no harm
MAX_RATIO = 200  # unpacked to packed: chats reach 20, deflate itself goes to 1032
MAX_ENTRIES_RATIO = 400  # the same for all members together, whose data may overlap
MAX_DEPTH = 3  # zips in zips: an export of parts, downloaded together, has two
ZIP_MAGIC = b"PK\x03\x04"
PACKED_DOCUMENTS = frozenset({"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF"})  # docx, odt, epub, jar
METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})
ENCRYPTED = 0x1  # general purpose bit 0 (APPNOTE 4.4.4)
RESOURCE_FORKS = "__MACOSX"
AGENTS = frozenset({".claude", ".codex", ".cursor", ".gemini"})  # their hidden folders are why one harvests them


def is_hidden(folder: str) -> bool:
    """Whether a folder is none of a reader's business, by its name; those of coding agents hold talks and memories."""
    return (folder.startswith(".") and folder not in AGENTS) or folder == RESOURCE_FORKS


def unfold(member: Member, depth: int = 0) -> Iterator[Opened]:
    """The member itself, or what it holds if it is a zip."""
    try:
        is_archive = member.head().startswith(ZIP_MAGIC)
    except DAMAGE as problem:
        yield Reject(member.origin, "file", reason(problem), "Check its permissions, or copy it again")
        return
    if not is_archive:
        yield member
    elif depth == MAX_DEPTH:
        yield Reject(member.origin, "archive", f"lies in {depth} others", "Unpack the outer ones, harvest the folder")
    else:
        yield from _archive(member, depth + 1)


def _archive(whole: Member, depth: int) -> Iterator[Opened]:
    try:
        archive = _opened(whole)
        try:
            entries = sorted((entry for entry in archive.infolist() if not entry.is_dir()), key=lambda e: e.filename)
            if any(entry.filename in PACKED_DOCUMENTS for entry in entries):
                yield whole
                return
            total = sum(entry.file_size for entry in entries if _refusal(entry) is None)
            if total > HARMLESS_BYTES and total > whole.size * MAX_ENTRIES_RATIO:
                remedy = "Unpack it by hand if you trust it"
                yield Reject(whole.origin, "archive", f"claims to unfold to {total} bytes", remedy)
                return
            for entry in entries:
                yield from _entry(whole, archive, entry, depth)
        finally:
            if whole.path is not None:  # else the members hold it, for it cannot be opened again
                archive.close()
    except (*DAMAGE, NotImplementedError, ValueError) as problem:
        yield Reject(whole.origin, "archive", reason(problem), "Download the archive again")


def _opened(whole: Member) -> zipfile.ZipFile:
    """An archive that can be read in any order: one that lies in another is copied to a nameless file."""
    if whole.path is not None:
        return zipfile.ZipFile(whole.path)
    copy = tempfile.TemporaryFile(prefix="noosphere-")  # noqa: SIM115  (closed with the archive)
    try:
        with whole.open() as stream:
            shutil.copyfileobj(stream, copy)
        archive = zipfile.ZipFile(copy)
    except BaseException:
        copy.close()
        raise
    weakref.finalize(archive, copy.close)
    return archive


def _entry(whole: Member, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, depth: int) -> Iterator[Opened]:
    name = unicodedata.normalize("NFC", entry.filename.replace("\\", "/").lstrip("/"))
    *folders, last = name.split("/")

    def opener() -> IO[bytes]:
        if archive.fp is not None:
            return archive.open(entry)
        with zipfile.ZipFile(whole.path or "") as again:  # what is opened here stays readable after the archive closes
            return again.open(entry)

    member = Member(
        name, entry.file_size, opener, whole.origin, hidden=last.startswith("."), weight=entry.compress_size
    )
    if any(is_hidden(folder) for folder in folders):
        yield Left(member.origin, Omission.HIDDEN_FILE)
    elif refusal := _refusal(entry):
        yield Reject(member.origin, "archive member", *refusal)
    else:
        yield from unfold(member, depth)


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
