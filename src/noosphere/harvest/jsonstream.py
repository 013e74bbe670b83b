"""JSON read as a stream: a file of any size is never held whole, only one of its values at a time.

Built on ijson's plain events and not on its `items`: that keeps the path of every open level as text,
which on a file of nothing but brackets grows with the square of the depth until memory is gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import ijson

if TYPE_CHECKING:
    from collections.abc import Iterator

EACH: Final = None  # in a path: any element of an array, any field of an object
MAX_DEPTH = 200  # of one value; real exports stay under 15
STARTS = frozenset({"start_map", "start_array"})
ENDS = frozenset({"end_map", "end_array"})

Path = tuple[str | None, ...]
Event = tuple[str, Any]


class Readable(Protocol):
    """What can be read piece by piece."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes; nothing at the end."""
        ...


class BadJson(ValueError):
    """The text stops being JSON at some place; whatever came before it was read."""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """Stands for a value nested deeper than MAX_DEPTH, which was passed over."""


def values_at(stream: Readable, path: Path) -> Iterator[Any]:
    """Yield the values at `path`, one at a time, in the order of the file.

    Numbers with a fraction are Decimal, so that times keep every digit.

    Raises:
        BadJson: the text is not JSON from here on.
    """
    events = _events(stream)
    here: list[str | None] = []
    for event, value in events:
        if event == "map_key":
            here[-1] = value
        elif event in ENDS:
            here.pop()
        elif len(here) == len(path) and all(step in (EACH, place) for step, place in zip(path, here, strict=True)):
            yield _value(event, value, events)
        elif event in STARTS:
            here.append("" if event == "start_map" else EACH)


def find_key(stream: Readable, name: str, within: int) -> Path | None:
    """Find the first object that has the field `name`, at most `within` levels down, and return its path.

    Raises:
        BadJson: the text stopped being JSON before the field was met.
    """
    here: list[str | None] = []
    for event, value in _events(stream):
        if event == "map_key":
            here[-1] = value
            if value == name and len(here) <= within + 1:
                return tuple(here[:-1])
        elif event in ENDS:
            here.pop()
        elif event in STARTS:
            here.append("" if event == "start_map" else EACH)
    return None


def top_fields(stream: Readable) -> dict[str, Any]:
    """The fields of the object a file is: texts, numbers and flags as they are, anything larger as None.

    What is not JSON, or no object, has no fields; text that breaks off keeps those that came before.
    """
    fields: dict[str, Any] = {}
    depth, key = 0, ""
    try:
        for event, value in _events(stream):
            if event in ENDS:
                depth -= 1
            elif event == "map_key":
                key = value if depth == 1 else key
            elif depth == 1:
                fields[key] = value
            depth += event in STARTS
            if event == "start_array" and depth == 1:
                return {}
    except BadJson:
        pass
    return fields


def _events(stream: Readable) -> Iterator[Event]:
    try:
        # Several values in one file are allowed: it makes JSON lines readable too.
        yield from cast("Iterator[Event]", ijson.basic_parse(stream, multiple_values=True))
    except ijson.JSONError as problem:
        first = str(problem).strip().splitlines()[:1]  # the next lines quote the file
        raise BadJson(first[0] if first else "not JSON") from None


def _value(event: str, value: Any, events: Iterator[Event]) -> Any:
    if event not in STARTS:
        return value
    build = _Build(event)
    while build.open:
        build.take(*next(events))
    return TooDeep() if build.deep else build.root


class _Build:
    """Puts one value together from its events."""

    def __init__(self, event: str) -> None:
        self.root: Any = {} if event == "start_map" else []
        self.open: list[Any] = [self.root]
        self.keys: list[str] = [""]
        self.buried = 0  # levels open below the deepest one we keep
        self.deep = False

    def take(self, event: str, value: Any) -> None:
        if self.buried:
            self.buried += (event in STARTS) - (event in ENDS)
        elif event == "map_key":
            self.keys[-1] = value
        elif event in ENDS:
            self.open.pop()
            self.keys.pop()
        elif event not in STARTS:
            self._put(value)
        elif len(self.open) == MAX_DEPTH:
            self.buried, self.deep = 1, True
        else:
            self._open({} if event == "start_map" else [])

    def _open(self, container: Any) -> None:
        self._put(container)
        self.open.append(container)
        self.keys.append("")

    def _put(self, value: Any) -> None:
        target = self.open[-1]
        if isinstance(target, list):
            target.append(value)  # pyright: ignore[reportUnknownMemberType]
            return
        key = self.keys[-1]
        while key in target:  # JSON readers silently lose the first of two fields of one name
            key = f"{key}#{len(target)}"
        target[key] = value
