"""What people type and pipe in: text or standard input, JSON options, turns one a line."""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, shown
from noosphere.model.draft import Turn
from noosphere.model.when import read_time
from noosphere.serve.cli.output import is_terminal, note

if TYPE_CHECKING:
    from typing import BinaryIO

STDIN = "-"
MAX_STDIN = 64_000_000  # bytes: any text that may be stored, and a guard against a pipe without end
TURN_FIELDS = tuple(f.name for f in fields(Turn))
NEEDED = ("key", "speaker", "text")
JSON_OPTIONS = ("metadata", "properties")


def read_text(word: str) -> str:
    """The text as typed, or the whole of standard input for `-`.

    Raises:
        InvalidInput: standard input is not UTF-8, or too large.
    """
    if word != STDIN:
        return word
    raw = _stdin("the text").read(MAX_STDIN + 1)
    if len(raw) > MAX_STDIN:
        raise InvalidInput("stdin", f"holds more than {MAX_STDIN} bytes", "Give it in parts")
    return _decode(raw, "stdin")


def read_options(about: dict[str, Any]) -> dict[str, Any]:
    """Options as the verbs take them: what is JSON is read.

    Raises:
        InvalidInput: an option that must be JSON is not.
    """
    read = {name: read_object(value, name) if name in JSON_OPTIONS else value for name, value in about.items()}
    if "evidence" in read:
        read["evidence"] = [read_object(e, "evidence") if e.startswith("{") else e for e in read["evidence"]]
    return read


def read_object(text: str, field: str) -> dict[str, Any]:
    """Read an option that must be a JSON object.

    Raises:
        InvalidInput: it is something else.
    """
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InvalidInput(
            field, f"{shown(text)} is not JSON ({problem})", """Write it as '{"name": "value"}'"""
        ) from None
    if not isinstance(value, dict):
        raise InvalidInput(field, f"{shown(text)} is not a JSON object", """Write it as '{"name": "value"}'""")
    return value  # pyright: ignore[reportUnknownVariableType]  (JSON)


def read_turns() -> list[Turn]:
    """Read turns from standard input, one JSON object a line; all of them are checked before any is used.

    Raises:
        InvalidInput: a line is not a turn; its number is named.
    """
    turns: list[Turn] = []
    first: dict[str, int] = {}
    for number, raw in enumerate(_stdin("turns, one JSON object a line"), start=1):
        line = _decode(raw, f"line {number}")
        if not line.strip():
            continue
        turn = _turn(line, f"line {number}")
        if turn.key in first:
            problem = f"the key {shown(turn.key)} is that of line {first[turn.key]}"
            raise InvalidInput(f"line {number}", problem, "Give each turn its own stable key")
        first[turn.key] = number
        turns.append(turn)
    return turns


def _turn(line: str, where: str) -> Turn:
    given = read_object(line, where)
    for name, value in given.items():
        if name not in TURN_FIELDS:
            raise InvalidInput.choice(where, name, TURN_FIELDS)
        if not isinstance(value, str) and (value is not None or name in NEEDED):
            raise InvalidInput(where, f"{name} is {shown(value)}, not text", "Write every value in quotes")
    missing = [name for name in NEEDED if not given.get(name, "").strip() and (name != "text" or name not in given)]
    if missing:
        raise InvalidInput(where, f"{' and '.join(missing)} is missing", f"Every turn has {', '.join(NEEDED)}")
    try:
        read_time(given.get("at"), "at")
    except InvalidInput as problem:
        raise InvalidInput(f"{where}: at", problem.problem, problem.remedy) from None
    return Turn(**given)


def _stdin(what: str) -> BinaryIO:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  (closed by the caller)
        raise InvalidInput("stdin", "is closed", f"Pipe in {what}")
    if is_terminal(sys.stdin):
        note(f"reading {what} from standard input; Ctrl-D ends it")
    return sys.stdin.buffer


def _decode(raw: bytes, where: str) -> str:
    """Read bytes as UTF-8, whatever the locale; a mark of the byte order in front is no part of the text."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        found = f"is not UTF-8 (byte 0x{raw[problem.start]:02X} at {problem.start})"
        raise InvalidInput(where, found, "Convert it first, for example with `iconv -t UTF-8`") from None
