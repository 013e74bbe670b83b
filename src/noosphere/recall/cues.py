"""Cues in words that the order listens to; the patterns and their examples are data (cues.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Literal

CueName = Literal[
    "asks_assistant",
    "standing",
    "instruction",
    "preference",
    "asks_name",
    "asks_time",
    "asks_number",
    "tells_time",
    "tells_number",
]


def says(cue: CueName, text: str) -> bool:
    """Whether a text gives this cue."""
    return _patterns()[cue].search(text) is not None


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = resources.files("noosphere.recall").joinpath("cues.toml").read_text(encoding="utf-8")
    return {name: re.compile(cue["pattern"], re.IGNORECASE) for name, cue in tomllib.loads(data).items()}
