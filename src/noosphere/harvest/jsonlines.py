"""JSON lines: one value a line, where a line that is broken costs only itself."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.jsonstream import DECODER, MAX_VALUE, JsonReader, begun
from noosphere.harvest.untrusted import as_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

FEW = 40  # lines are enough to know a format by
LEVELS = 2  # of a line that is cut: a format is known by its outer fields


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number, and its value or why it has none."""

    number: int
    value: Any = None
    bad: str | None = None


def lines_of(raw: IO[bytes]) -> Iterator[Line]:
    """Yield the value of every line that is not blank."""
    for number, text in enumerate(_split(TextStream(raw)), 1):
        if text is None:
            yield Line(number, bad=f"is longer than {MAX_VALUE} characters")
        elif text.strip():
            yield _line(number, text)


def first_records(head: bytes) -> list[dict[str, Any]]:
    """The objects among a file's first lines; none when it is no file of JSON lines."""
    text = decode(head).text
    texts = [line for line in text.split("\n")[:FEW] if line.strip()]
    objects = [line for line in texts if line.lstrip().startswith("{")]
    if not text.lstrip().startswith("{") or len(objects) * 2 < len(texts):  # a document of many lines is none
        return []
    return [record for line in objects if (record := as_record(_line(0, line).value))]


def first_lines(head: bytes) -> list[dict[str, Any]]:
    """The objects among a file's first lines; of the one that goes on behind them, what it begins with."""
    found = first_records(head)
    *whole, last = decode(head).text.split("\n")
    if not last.lstrip().startswith("{") or len(whole) >= FEW or (not found and "".join(whole).strip()):
        return found
    cut = begun(JsonReader(TextStream(io.BytesIO(last.encode()))), LEVELS)
    return [*found, cut] if cut else found


def _line(number: int, text: str) -> Line:
    try:
        return Line(number, DECODER.decode(text.strip()))
    except json.JSONDecodeError as problem:
        return Line(number, bad=f"is not JSON: {problem.msg}")
    except RecursionError:
        return Line(number, bad="is nested too deeply")
    except ValueError:
        return Line(number, bad="holds a number of too many digits")


def _split(stream: TextStream) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long to be held."""
    held: list[str] = []
    size = 0
    while piece := stream.read():
        *whole, rest = piece.split("\n")
        for line in whole:
            yield None if size > MAX_VALUE else "".join(held) + line
            held, size = [], 0
        size += len(rest)
        held = [] if size > MAX_VALUE else [*held, rest]
    if size:
        yield None if size > MAX_VALUE else "".join(held)
