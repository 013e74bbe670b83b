"""Writing: one JSON document, or lines for people, in colour on a terminal and plain elsewhere.

What a memory says never reaches a terminal raw: control characters are shown, markup is not interpreted.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

Bit = tuple[str, str]  # a piece of text and the name of its style, "" for none
Line = tuple[Bit, ...]

STYLES = {
    "": "",
    "strong": "bold",
    "faint": "dim",
    "id": "cyan",
    "good": "green",
    "warn": "yellow",
    "bad": "red",
}
C0 = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) != "\t"}  # Unicode's own control pictures
C1 = {code: f"<U+{code:04X}>" for code in range(0x80, 0xA0)}  # some terminals obey these as they obey ESC
REORDERING = {code: f"<U+{code:04X}>" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}  # CVE-2021-42574
SHOWN = {**C0, 0x7F: "\u2421", **C1, **REORDERING}
RISKY = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")  # escaped in JSON: the value is the same


def visible(text: str) -> str:
    """One line of text with control characters as visible signs, line ends among them; tabs stay."""
    return text.translate(SHOWN)


def split(text: str) -> list[str]:
    """The lines of a text: only what everybody sees as the end of a line ends one."""
    return text.replace("\r\n", "\n").split("\n")


def write_json(document: Any) -> None:
    """Write one JSON document and a line end to standard output; indented when a person looks on."""
    indent = 2 if is_terminal(sys.stdout) else None
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent)
    _write(sys.stdout, f"{RISKY.sub(_escape, text)}\n")


def write_lines(lines: Iterable[Line]) -> None:
    """Write lines to standard output."""
    _write_lines(sys.stdout, lines)


def note(text: str, *, style: str = "faint") -> None:
    """Tell the person something beside the answer, on standard error."""
    _write_lines(sys.stderr, [((line, style),) for line in split(text)])


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at this stream."""
    return stream is not None and not stream.closed and stream.isatty()


def is_coloured(stream: TextIO | None) -> bool:
    """Whether to use colour: on a terminal that has some, unless NO_COLOR is set (no-color.org)."""
    return is_lively(stream) and not os.environ.get("NO_COLOR")


def is_lively(stream: TextIO | None) -> bool:
    """Whether what was written on this stream can be changed again: a terminal that is not a plain one."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def _write_lines(stream: TextIO | None, lines: Iterable[Line]) -> None:
    if stream is not None and is_coloured(stream):
        _print(stream, lines)
    else:
        _write(stream, "".join("".join(visible(text) for text, _ in line) + "\n" for line in lines))


def _print(stream: TextIO, lines: Iterable[Line]) -> None:
    """Write lines in colour; rich knows what each terminal can do, and `Text` reads no markup."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, soft_wrap=True, highlight=False, markup=False, emoji=False)
    for line in lines:
        console.print(Text.assemble(*((visible(text), STYLES[style]) for text, style in line)))


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:  # the reader has seen enough, as `head` has; the work goes on
        _discard(stream)
    except OSError:
        _discard(stream)
        raise


def _discard(stream: TextIO) -> None:
    """Send what is still buffered, and all that follows, nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
