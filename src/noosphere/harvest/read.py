"""Reading a source from end to end: every member goes to the adapter that knows it, and nothing stops the rest."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.detect import choose
from noosphere.harvest.archives import unfold
from noosphere.harvest.items import Found, ImportItem, Left, Omission, Reject
from noosphere.harvest.jsonstream import BadJson
from noosphere.harvest.members import DAMAGE, Member, Opened, reason
from noosphere.harvest.prose import is_code
from noosphere.harvest.sources import STDIN, find, name_of, open_source, size_of
from noosphere.harvest.web import fetch, is_address
from noosphere.store.mind_file import resolve_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.adapter import Adapter
    from noosphere.harvest.progress import Meter


REST = "the rest of the file"
SAVE = "Save it as text, Markdown, HTML, PDF or JSON with messages"
DEFECT = "meets a defect of its reader"


@dataclass(frozen=True, slots=True)
class Place:
    """One thing a person pointed at: its full name, and what it holds, read as it is asked for."""

    name: str
    found: Iterator[Found]


def open_place(place: str, meter: Meter, adapter: Adapter | None = None) -> Place:
    """Open a path or a web address for reading.

    Raises:
        InvalidInput: there is nothing there, or it may not be read.
        StorageError: it is there, but cannot be looked at.
    """
    if is_address(place):
        member = fetch(place)
        meter.size += member.size
        return Place(place, _told(place, _read(unfold(member), adapter, meter)))
    path = find(place if place == STDIN else resolve_path(place))
    meter.size += size_of(path)
    return Place(str(path), _told(name_of(path, path.parent), _read(open_source(path), adapter, meter)))


def _told(name: str, found: Iterator[Found]) -> Iterator[Found]:
    """All that was found; a place that gave nothing that anybody could read is a reject that says what to do."""
    nothing, unknown = True, False
    for one in found:
        nothing &= isinstance(one, Left) and one.what is Omission.UNKNOWN_FILE
        unknown |= nothing
        yield one
    if nothing and unknown:
        yield Reject(name, "file or folder", "is of no known kind", f"{SAVE}, or name its format as the adapter")
    elif nothing:
        yield Reject(
            name, "file or folder", "holds nothing", "Give the export itself, or the folder it was unpacked to"
        )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What must be remembered of an item to know it again: not its text, which may be large."""

    path: str
    origin: str
    said: int


def _read(members: Iterator[Opened], adapter: Adapter | None, meter: Meter) -> Iterator[Found]:
    firsts: dict[str, _Seen] = {}  # of each id that people gave
    for member in members:
        if not isinstance(member, Member):
            yield member
            continue
        meter.begin(member.size if member.weight is None else member.weight)
        for found in read_member(_watched(member, meter), adapter):
            if isinstance(found, ImportItem) and found.path is not None:
                yield _apart(found, found.path, firsts)
            else:
                yield found


def _apart(item: ImportItem, path: str, firsts: dict[str, _Seen]) -> ImportItem:
    """Keep apart two items of one id: a template's, copied; or of one name at the top of two archives.

    The same path in two archives is taken for two states of one note, as in a folder of backups. An export's
    own id is never looked at here: it means the same thing wherever it is met.
    """
    seen = _Seen(path, item.origin, hash((item.text, tuple(item.turns))))
    first = firsts.setdefault(item.id, seen)
    is_same_place = seen.path == first.path and ("/" in seen.path or seen.origin == first.origin)
    if is_same_place or seen.said == first.said:
        return item
    repair = f"another item has the id {item.id}; this one goes by its place too"
    return replace(item, id=f"{item.id}@{item.origin}", notes=(*item.notes, repair))


def read_member(member: Member, adapter: Adapter | None = None) -> Iterator[Found]:
    """Yield everything one member holds; damage on the way is a reject, what came before it stays."""
    any_found = False
    try:
        for found in _read_member(member, adapter):
            any_found = True
            yield found
        if not any_found:
            yield Left(member.origin, Omission.UNKNOWN_FILE)
    except DAMAGE as problem:
        yield Reject(member.origin, REST, reason(problem), "Copy or download it again")
    except BadJson as problem:
        yield Reject(member.origin, REST, f"is not JSON: {problem}", "Export or download it again")
    except Exception as problem:  # noqa: BLE001  (a form nobody thought of costs its own file, not the others)
        yield Reject(member.origin, REST, f"{DEFECT} ({type(problem).__name__})", "Report it with a sample of the file")


def _read_member(member: Member, adapter: Adapter | None) -> Iterator[Found]:
    sure, chosen = (Match.SURE, adapter) if adapter else choose(member, member.head())
    if member.hidden and sure < Match.LIKELY:
        yield Left(member.origin, Omission.HIDDEN_FILE)
    elif sure < Match.SURE and is_code(member.name):
        yield Left(member.origin, Omission.SOURCE_CODE)
    elif chosen is None:
        yield Left(member.origin, Omission.UNKNOWN_FILE)
    else:
        yield from chosen.read(member)


def _watched(member: Member, meter: Meter) -> Member:
    """The member, telling the meter how far it was read."""
    share = 1 if member.weight is None else member.weight / max(member.size, 1)
    return replace(member, opener=lambda: _Watched(member.open(), meter, share))


class _Watched(io.BufferedIOBase):
    """A stream that tells how far it was read."""

    def __init__(self, stream: IO[bytes], meter: Meter, share: float) -> None:
        self._stream = stream
        self._meter = meter
        self._share = share
        self._at = 0

    def read(self, size: int | None = -1, /) -> bytes:
        piece = self._stream.read(-1 if size is None else size)
        self._at += len(piece)
        self._meter.reach(int(self._at * self._share))
        return piece

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def close(self) -> None:
        self._stream.close()
        super().close()
