"""The front matter of a note: YAML between two lines of dashes at the very start, read so that nothing is lost.

Every scalar stays the text its author wrote: YAML 1.1 would turn `10:30` into 630, `no` into false and
`2026` into a number. Invalid YAML (`title: Fwd: x`, `people: [[A]], [[B]]`, a template's `<% … %>`) is
common; its lines stay in the note, and the fields that are valid by themselves are read all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from noosphere.harvest.untrusted import as_plain, as_record

MAX_BLOCK = 64 * 1024  # characters; a longer block between dashes is prose between two rules
FENCE, END = "---", frozenset({"---", "..."})
KEY = re.compile(r"""(["']?)([^\W\d][^:"'\n]{0,99}?)\1[ \t]{0,9}:(?=\s|$)[ \t]*(.*)""")
BAD_YAML = (yaml.YAMLError, ValueError, RecursionError)
INVALID = "front matter is not valid YAML; its lines are kept in the text"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before a note's body.

    Attributes:
        fields: plain JSON; scalars are text.
        lines: the lines of each top-level field as written, in order; comments go with the field before.
        valid: False when the YAML could not be read as a whole.
        body: the rest of the note.
    """

    body: str
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    lines: tuple[tuple[str, str], ...] = ()
    valid: bool = True


def split(text: str) -> FrontMatter:
    """Part a note into its front matter and its body; a note without one is all body."""
    lines = text.split("\n")
    if lines[0].rstrip() != FENCE:
        return FrontMatter(text)
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() in END), None)
    if end is None:
        return FrontMatter(text)
    block, body = lines[1:end], "\n".join(lines[end + 1 :])
    if sum(map(len, block)) > MAX_BLOCK:
        return FrontMatter(text)
    return _read(block, body) or FrontMatter(text)


def _read(block: list[str], body: str) -> FrontMatter | None:
    """Read the block; None when it is not front matter at all, but prose between two rules."""
    parts = _part(block)
    try:
        value = _load("\n".join(block))
    except BAD_YAML:
        fields = {key: _field(key, lines) for key, lines in parts if key}
        return FrontMatter(body, fields, parts, valid=False) if fields else None
    if isinstance(value, dict):
        return FrontMatter(body, as_record(as_plain(value)), parts)
    return FrontMatter(body) if value in (None, "") else None


def _field(key: str, lines: str) -> Any:
    """One field of a block that is not valid as a whole: by itself it may be, else it is text."""
    try:
        value = as_record(as_plain(_load(lines))).get(key)
    except BAD_YAML:
        value = None
    if value is not None:
        return value
    match = KEY.match(lines)
    return match[3].strip() if match else ""


def _part(block: list[str]) -> tuple[tuple[str, str], ...]:
    parts: list[tuple[str, list[str]]] = []
    for line in block:
        match = KEY.match(line)
        if match:
            parts.append((match[2].strip(), [line]))
        elif parts:
            parts[-1][1].append(line)
        elif line.strip():
            parts.append(("", [line]))
    return tuple((key, "\n".join(lines).rstrip()) for key, lines in parts)


class _AsWritten(yaml.SafeLoader):
    """Builds texts, lists and maps only."""


_AsWritten.yaml_implicit_resolvers = {}  # no plain scalar is anything but text


def _load(text: str) -> Any:
    loader = _AsWritten(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()  # pyright: ignore[reportUnknownMemberType]  (its stub has no types)
