"""Keeping an answer short enough for a model's context: lists and texts are cut, and what was left out is said."""

from __future__ import annotations

import json
from typing import Any, cast

MOST_TOKENS = 8_000  # of one answer; clients cut or refuse longer ones, and a model reads them badly
ASCII_PER_TOKEN = 4  # characters; other scripts count a token each, which is on the safe side
CUT = "\n(cut)"
CUT_TOKENS = 2
LEAST_CUT = 200  # characters below which a text is not cut


def tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few."""
    plain = sum(c < "\x80" for c in text)
    return plain // ASCII_PER_TOKEN + (len(text) - plain) + 1


def fit_text(text: str, most: int = MOST_TOKENS) -> str:
    """A text within the cap; a cut is said at its end."""
    kept = text
    while tokens(kept) > most - (CUT_TOKENS if kept is not text else 0):
        kept = kept[: int(len(kept) * 0.9)]
    return text if kept is text else f"{kept.rstrip()}{CUT}"


def fit(document: dict[str, Any], most: int = MOST_TOKENS) -> dict[str, Any]:
    """A JSON object within the cap: its largest list or text is cut until it fits.

    What was cut is counted in `left_out`: by name, how many items or characters.
    """
    fitted, left_out = dict(document), dict[str, int]()
    while fitted and tokens(_json({**fitted, "left_out": left_out})) > most:
        name = max(fitted, key=lambda key: len(_json(fitted[key])))
        cut = _cut(fitted[name])
        if cut is None:
            del fitted[name]
            left_out[name] = left_out.get(name, 0) + 1
            continue
        fitted[name], gone = cut
        left_out[name] = left_out.get(name, 0) + gone
    return {**fitted, "left_out": left_out} if left_out else fitted


def _cut(value: Any) -> tuple[Any, int] | None:
    if isinstance(value, str) and len(value) > LEAST_CUT:
        keep = int(len(value) * 0.8)
        return value[:keep], len(value) - keep
    if isinstance(value, list) and value:
        items = cast("list[Any]", value)
        keep = int(len(items) * 0.8)
        return items[:keep], len(items) - keep
    return None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
