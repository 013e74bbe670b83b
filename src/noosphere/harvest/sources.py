"""Opening what a person points at: a file, a folder, or a zip, as a stream of named members."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, StorageError, shown
from noosphere.harvest.archives import is_hidden, unfold
from noosphere.harvest.items import Left, Omission, Reject
from noosphere.harvest.members import Member, Opened, reason
from noosphere.store.opened import is_taken

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = "-"  # as people write it
VAULT = ".obsidian"  # its folder is a vault: paths of notes are told from there, wherever the reading began


def find(path: str | Path) -> Path:
    """The real place of a path.

    Raises:
        InvalidInput: there is nothing at this path, or a pipe.
        StorageError: it is there, but cannot be looked at.
    """
    if str(path) == STDIN or Path(path).is_fifo():
        problem = "what comes through a pipe has no name by which it is known again"
        raise InvalidInput("path", problem, "Save it to a file and give that")
    try:
        return Path(path).resolve(strict=True)
    except FileNotFoundError:
        problem = f"{shown(str(path))} does not exist"
        raise InvalidInput("path", problem, "Give a file, a folder or a zip of an export") from None
    except (OSError, RuntimeError) as problem:  # a loop of links is a RuntimeError before Python 3.13
        raise StorageError(str(path), reason(problem), "Check its permissions and links") from None


def open_source(path: str | Path) -> Iterator[Opened]:
    """Give the members of a file, a folder or a zip, in the order of their names.

    A member of a zip is best opened before the next one is asked for: until then the archive stays open.

    Raises:
        InvalidInput: there is nothing at this path.
        StorageError: it is there, but cannot be looked at.
    """
    place = find(path)
    return _folder(place) if place.is_dir() else _file(place, vault_of(place.parent))


def size_of(place: Path) -> int:
    """How many bytes lie at a place, as far as it can be looked at."""
    if not place.is_dir():
        return place.stat().st_size
    total = 0
    for folder, inner, files in os.walk(place):
        inner[:] = [name for name in inner if not is_hidden(name)]
        for name in files:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size  # noqa: PTH118  (a Path each would cost more)
            except OSError:
                continue
    return total


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
            elif place.is_dir():
                if place != root and is_hidden(place.name):
                    yield Left(name, Omission.HIDDEN_FILE)
                else:
                    waiting.extend(sorted(place.iterdir(), reverse=True))
            elif place.is_file():
                yield from _file(place, base, hidden=place.name.startswith("."))
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


def _file(place: Path, base: Path, *, hidden: bool = False) -> Iterator[Opened]:
    if is_taken(place):  # to look into it would take SQLite's locks on it away
        yield Left(name_of(place, base), Omission.UNKNOWN_FILE)
        return
    size = place.stat().st_size
    yield from unfold(Member(name_of(place, base), size, lambda: place.open("rb"), path=place, hidden=hidden))
