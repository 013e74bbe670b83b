"""Progress on standard error: one line that changes on a terminal, a line now and then elsewhere."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Self, TextIO

from noosphere.serve.cli.output import is_lively, note, visible

if TYPE_CHECKING:
    from types import TracebackType

EVERY = 1000  # things between two lines when nobody looks on


class Progress(AbstractContextManager["Progress"]):
    """Tells how far some long work has come; `tell` may be called as often as one likes."""

    def __init__(self, stream: TextIO, start: str) -> None:
        self._live: Any = _live(stream, start) if is_lively(stream) else None
        self._next = EVERY

    def tell(self, text: str, count: int) -> None:
        """Say how far it has come; `count` decides when a line is due where lines cannot change."""
        if self._live is not None:
            self._live.update(_plain(text))
        elif count >= self._next:
            note(text)
            self._next = count - count % EVERY + EVERY

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()


def _live(stream: TextIO, start: str) -> Any:
    from rich.console import Console

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    return console.status(_plain(start))


def _plain(text: str) -> Any:
    """A text that rich shows as it is, on one line."""
    from rich.text import Text

    return Text(visible(text), no_wrap=True, overflow="ellipsis")
