"""Cues in words that the order listens to; the patterns and their examples are data (cues.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal

CueName = Literal[
    "asks_assistant",
    "standing",
    "instruction",
    "preference",
    "asks_past",
    "asks_help",
    "asks_summary",
    "asks_account",
    "asks_name",
    "asks_time",
    "asks_ahead",
    "asks_number",
    "tells_time",
    "tells_number",
]


def says(cue: CueName, text: str) -> bool:
    """Whether a text gives this cue."""
    return _pattern(cue).search(text) is not None


class Heard:
    """A text that is listened to for several cues."""

    __slots__ = ("_plain", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain = text.lower() if text.isascii() else None

    def gives(self, cue: CueName) -> bool:
        """Whether it gives this cue."""
        pieces, plain = _needs(cue), self._plain
        if pieces and plain is not None:
            for piece in pieces:
                if piece in plain:
                    break
            else:
                return False
        return says(cue, self._text)


@cache
def _pattern(cue: CueName) -> re.Pattern[str]:
    """Compiled when first asked: most questions ask for few of them."""
    return re.compile(_data()[cue]["pattern"], re.IGNORECASE)


@cache
def _needs(cue: CueName) -> tuple[str, ...]:
    """Pieces of which every match in ASCII holds one: to look for them takes a tenth of the time of the pattern."""
    return tuple(piece for piece in _data()[cue].get("needs", ()) if piece.isascii())


@cache
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("noosphere.recall").joinpath("cues.toml").read_text(encoding="utf-8"))
