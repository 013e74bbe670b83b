"""Texts of one conversation, kept in memory while they are few and in a nameless file when they are many."""

from __future__ import annotations

import tempfile
import weakref
from array import array
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Generic, TypeVar, overload

from noosphere.harvest.items import ImportTurn

if TYPE_CHECKING:
    from collections.abc import Callable

Place = TypeVar("Place")
IN_MEMORY = 4 * 2**20  # characters of one conversation; nearly all conversations have less


class Texts:
    """Keeps texts and gives them back by number; the file, if one was needed, goes with the last of its readers."""

    def __init__(self) -> None:
        self._held: list[str] = []  # the first ones
        self._ends = array("q")  # in the file, of those that came later
        self._size = 0
        self._file: IO[bytes] | None = None

    @property
    def on_disk(self) -> bool:
        """Whether some of the texts are no longer in memory."""
        return self._file is not None

    def keep(self, text: str) -> int:
        """Keep a text and return its number."""
        self._size += len(text)
        if self._size <= IN_MEMORY and self._file is None:
            self._held.append(text)
        else:
            self._write(text)
        return len(self._held) + len(self._ends) - 1

    def __getitem__(self, number: int) -> str:
        place = number - len(self._held)
        if place < 0 or self._file is None:
            return self._held[number]
        start = self._ends[place - 1] if place else 0
        self._file.seek(start)
        return self._file.read(self._ends[place] - start).decode("utf-8", "surrogatepass")

    def _write(self, text: str) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="noosphere-")  # noqa: SIM115  (closed with the last reader)
            weakref.finalize(self, self._file.close)
        self._file.seek(0, 2)
        self._file.write(text.encode("utf-8", "surrogatepass"))
        self._ends.append(self._file.tell())


class Lazy(Sequence[ImportTurn], Generic[Place]):
    """Turns that are put together when they are looked at."""

    def __init__(self, order: Sequence[Place], turn: Callable[[Place], ImportTurn]) -> None:
        self._order = order
        self._turn = turn

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, place: int) -> ImportTurn: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ImportTurn]: ...
    def __getitem__(self, place: int | slice) -> ImportTurn | Sequence[ImportTurn]:
        if isinstance(place, slice):
            return Lazy(self._order[place], self._turn)
        return self._turn(self._order[place])
