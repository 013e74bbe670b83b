"""JSON read as a stream: a file of any size is never held whole, only one of its values at a time.

The reader walks objects and arrays itself and leaves the values inside to the standard library's decoder,
which is several times as fast as building them from events. Its window of text grows only for a value that
does not fit, and a value may be passed over without being held at all.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

EACH: Final = None  # in a path: any element of an array, any field of an object
MAX_VALUE = 64 * 2**20  # characters of one value; whole conversations are walked, so this is one message
WIDEST_TOKEN = 16  # characters of the longest token but a string: `-Infinity`, an escape, a number's last digits
SPACE = re.compile(r"[ \t\n\r]*")
BRACKET = re.compile(r'["{}\[\]]')
BEHIND_NUMBER = re.compile(r"[^-+.0-9eE]")
QUOTE = re.compile(r'["\\]')

Path = tuple[str | None, ...]


class Readable(Protocol):
    """What can be read piece by piece."""

    def read(self) -> str:
        """Return the next piece of text; nothing at the end."""
        ...


class BadJson(ValueError):
    """The text stops being JSON at some place; whatever came before it was read."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Stands for a value that was passed over, and says why."""

    why: str


class JsonReader:
    """Walks JSON text. Where a value stands, read it, walk into it, or leave it: what is left is passed over.

    Numbers with a fraction are Decimal, so that times keep every digit. Of two fields of one name both stay.
    """

    def __init__(self, stream: Readable, *, most: int = MAX_VALUE) -> None:
        self._stream = stream
        self._most = most
        self._text, self._at = "", 0
        self._ended = False
        self._due = False  # a value stands here that nobody has read yet

    def peek(self) -> str:
        """The first character of what comes next; nothing at the end of the text."""
        if self._at < len(self._text) and (mark := self._text[self._at]) > " ":
            return mark
        while True:
            space = SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(1):
                return ""

    def value(self) -> Any:
        """Read the value that stands here; `Passed` when it is too large or too deep to be held.

        Raises:
            BadJson: here is no value.
        """
        mark = self.peek()
        self._due = False
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as problem:
                if self._ended or not self._may_go_on(problem):
                    raise BadJson(problem.msg) from None
            except RecursionError:
                return self._left("is nested too deeply")
            except ValueError:
                return self._left("holds a number of too many digits")
            else:
                if mark in '"{[' or end < len(self._text) or self._ended:  # a number may go on in the next piece
                    self._at = end
                    return value
            held = len(self._text) - self._at
            if held > self._most:
                return self._left(f"is longer than {self._most} characters")
            self._more(held)

    def fields(self) -> Iterator[str]:
        """Walk into the object that stands here, by the names of its fields; the value is read before going on.

        Raises:
            BadJson: the text stops being JSON.
        """
        for _ in self._inside("{", "}"):
            if self.peek() != '"':
                raise BadJson("Expecting a field's name in double quotes")
            name = self.value()
            self._expect(":")
            self._due = True
            yield name
            if self._due:
                self.skip()

    def elements(self) -> Iterator[None]:
        """Walk into the array that stands here; each element is read before going on.

        Raises:
            BadJson: the text stops being JSON.
        """
        for _ in self._inside("[", "]"):
            self._due = True
            yield
            if self._due:
                self.skip()

    def roots(self) -> Iterator[None]:
        """Stop before each value of a text that holds several, as JSON lines do.

        Raises:
            BadJson: the text stops being JSON.
        """
        while self.peek():
            self._due = True
            yield
            if self._due:
                self.skip()

    def skip(self) -> None:
        """Pass over the value that stands here, without holding it.

        Raises:
            BadJson: here is no value.
        """
        self._due = False
        if self.peek() not in ("{", "["):
            self.value()
            return
        try:
            self._at = DECODER.raw_decode(self._text, self._at)[1]
        except (ValueError, RecursionError):
            self._pass_over()

    def _inside(self, start: str, end: str) -> Iterator[None]:
        self._expect(start)
        self._due = False
        first = True
        while (mark := self.peek()) != end:
            if not first:
                self._expect(",")
                mark = self.peek()
                if mark == end:  # a comma after the last one
                    break
            if not mark:
                raise BadJson("The text breaks off")
            first = False
            yield
        self._at += 1

    def _expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise BadJson(f"Expecting {mark!r}" if self.peek() else "The text breaks off")
        self._at += 1

    def _more(self, least: int) -> bool:
        """Take at least so many more characters, as far as there are any; drops what was read."""
        pieces, size = [self._text[self._at :]], 0
        while size < least and not self._ended:
            piece = self._stream.read()
            self._ended = not piece
            pieces.append(piece)
            size += len(piece)
        self._text, self._at = "".join(pieces), 0
        return size > 0

    def _may_go_on(self, problem: json.JSONDecodeError) -> bool:
        """Whether the text only seems wrong because its window ends here."""
        return problem.msg.startswith("Unterminated string") or problem.pos >= len(self._text) - WIDEST_TOKEN

    def _left(self, why: str) -> Passed:
        self._pass_over()
        return Passed(why)

    def _pass_over(self) -> None:
        """Go to the end of the value that stands here, by its brackets and quotes alone."""
        if self._text[self._at] in "-0123456789":
            self._find(BEHIND_NUMBER)
            self._at -= 1
            return
        if self._text[self._at] not in '"{[':
            raise BadJson("Expecting a value")
        depth = 0
        while True:
            mark = self._find(BRACKET)
            if mark == '"':
                self._pass_over_string()
            else:
                depth += 1 if mark in "{[" else -1
            if depth == 0:
                return

    def _pass_over_string(self) -> None:
        while self._find(QUOTE) == "\\":
            if self._at == len(self._text):
                self._more(1)
            self._at += 1  # whatever was escaped

    def _find(self, pattern: re.Pattern[str]) -> str:
        """Go behind the next match and return it."""
        while (match := pattern.search(self._text, self._at)) is None:
            self._at = len(self._text)
            if not self._more(1):
                raise BadJson("The text breaks off")
        self._at = match.end()
        return match[0]


def values_at(reader: JsonReader, path: Path) -> Iterator[Any]:
    """Yield the values at `path`, one at a time, in the order of the file.

    Several values in one file are allowed: it makes JSON lines readable too.

    Raises:
        BadJson: the text is not JSON from here on.
    """
    for _ in walk(reader, path):
        yield reader.value()


def walk(reader: JsonReader, path: Path) -> Iterator[None]:
    """Stop before each value at `path`, for the caller to read or to walk into.

    Raises:
        BadJson: the text is not JSON from here on.
    """
    for _ in reader.roots():
        yield from _walk(reader, path)


def _walk(reader: JsonReader, path: Path) -> Iterator[None]:
    if not path:
        yield
        return
    step, rest = path[0], path[1:]
    mark = reader.peek()
    if mark == "[" and step is EACH:
        for _ in reader.elements():
            yield from _walk(reader, rest)
    elif mark == "{":
        for name in reader.fields():
            if step in (EACH, name):
                yield from _walk(reader, rest)
    else:
        reader.skip()


def find_key(reader: JsonReader, name: str, within: int) -> Path | None:
    """Find the first object that has the field `name`, at most `within` levels down, and return its path.

    Raises:
        BadJson: the text stopped being JSON before the field was met.
    """
    for _ in reader.roots():
        if (found := _find_key(reader, name, within)) is not None:
            return found
    return None


def _find_key(reader: JsonReader, name: str, within: int) -> Path | None:
    mark = reader.peek()
    if mark == "{":
        for field in reader.fields():
            if field == name:
                return ()
            if within and (found := _find_key(reader, name, within - 1)) is not None:
                return (field, *found)
    elif mark == "[" and within:
        for _ in reader.elements():
            if (found := _find_key(reader, name, within - 1)) is not None:
                return (EACH, *found)
    else:
        reader.skip()
    return None


def top_fields(reader: JsonReader) -> dict[str, Any]:
    """The fields of the object a file is: texts, numbers and flags as they are, anything larger as None.

    What is not JSON, or no object, has no fields; text that breaks off keeps those that came before.
    """
    fields: dict[str, Any] = {}
    try:
        if reader.peek() == "{":
            for name in reader.fields():
                fields[name] = None if reader.peek() in ("{", "[") else reader.value()
    except BadJson:
        pass
    return fields


def begun(reader: JsonReader, within: int) -> dict[str, Any]:
    """The object that begins here, as far as the text goes, with those that stand in it, so many levels deep."""
    fields: dict[str, Any] = {}
    with suppress(BadJson):
        _begun(reader, fields, within)
    return fields


def _begun(reader: JsonReader, into: dict[str, Any], within: int) -> None:
    for name in reader.fields():
        if reader.peek() == "{" and within:
            inner: dict[str, Any] = {}
            into[name] = inner  # of two fields of one name the last counts
            _begun(reader, inner, within - 1)
        else:
            into[name] = reader.value()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; JSON readers silently lose the first of two fields of one name."""
    record = dict(pairs)
    return record if len(record) == len(pairs) else _with_repeats(pairs)


def _with_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name, value in pairs:
        while name in record:
            name = f"{name}#{len(record)}"  # noqa: PLW2901  (the name it is kept under)
        record[name] = value
    return record


def _nothing(_: str) -> None:
    """NaN and the infinities, which JSON does not have."""


DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_float=Decimal, parse_constant=_nothing, strict=False)
