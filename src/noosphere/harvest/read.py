"""Reading a source from end to end: every member goes to the adapter that knows it, and nothing stops the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from noosphere.harvest.adapters import markdown, plaintext
from noosphere.harvest.adapters.detect import choose
from noosphere.harvest.items import Found, ImportItem, Left, Omission, Reject
from noosphere.harvest.sources import DAMAGE, ZIP_MAGIC, Member, open_source, reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.harvest.adapter import Adapter


NAMED_BY_PEOPLE = frozenset({markdown.NAME, plaintext.NAME})


def read_source(path: str | Path, adapter: Adapter | None = None) -> Iterator[Found]:
    """Yield everything a file, folder or zip holds; `adapter` reads every member instead of the one that fits.

    Raises:
        InvalidInput: there is nothing at this path.
        StorageError: it is there, but cannot be looked at.
    """
    return _read(open_source(path), adapter)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What must be remembered of an item to know it again: not its text, which may be large."""

    path: str
    origin: str
    said: int


def _read(members: Iterator[Member | Reject | Left], adapter: Adapter | None) -> Iterator[Found]:
    firsts: dict[str, _Seen] = {}  # of each id that people gave
    for member in members:
        if not isinstance(member, Member):
            yield member
            continue
        for found in read_member(member, adapter):
            if isinstance(found, ImportItem) and found.source in NAMED_BY_PEOPLE:
                yield _apart(found, firsts)
            else:
                yield found


def _apart(item: ImportItem, firsts: dict[str, _Seen]) -> ImportItem:
    """Keep apart two items of one id: a template's, copied; or of one name at the top of two archives.

    The same path in two archives is taken for two states of one note, as in a folder of backups. An export's
    own id is never looked at here: it means the same thing wherever it is met.
    """
    seen = _Seen(item.metadata["path"], item.origin, hash((item.text, item.turns)))
    first = firsts.setdefault(item.id, seen)
    is_same_place = seen.path == first.path and ("/" in seen.path or seen.origin == first.origin)
    if is_same_place or seen.said == first.said:
        return item
    repair = f"another item has the id {item.id}; this one goes by its place too"
    return replace(item, id=f"{item.id}@{item.origin}", notes=(*item.notes, repair))


def read_member(member: Member, adapter: Adapter | None = None) -> Iterator[Found]:
    """Yield everything one member holds; damage on the way is a reject, what came before it stays."""
    try:
        head = member.head()
        chosen = adapter or choose(member, head)
        if chosen is not None:
            yield from chosen.read(member)
        elif head.startswith(ZIP_MAGIC) and member.name.lower().endswith(".zip"):
            yield Reject(
                member.origin, "archive in an archive", "is not opened", "Unpack the outer one, harvest the folder"
            )
        else:
            yield Left(member.origin, Omission.UNKNOWN_FILE)
    except DAMAGE as problem:
        yield Reject(member.origin, "the rest of the file", reason(problem), "Copy or download it again")
