"""The seed's capture prefixes: parsed on the way in, columns inside.

Two layers may stand before a text, in this order: where it was captured, `[hm session:… src:…]`, and what it is,
`[mind-fact]`, `[mind-event] [2026-05-14]`, `[mind-profile NAME]` or `[mind-rawturn conv:KEY turn:N speaker:S]`.
"""

from __future__ import annotations

import re

from noosphere.records import dataclass

CAPTURED = re.compile(r"\s*\[hm(?:\s+(?P<fields>[^\]\n]*))?\]\s*")
LABELLED = re.compile(
    r"\s*\[mind-(?P<label>fact|event|profile|rawturn)(?:\s+(?P<rest>[^\]\n]*))?\](?:\s*\[(?P<day>\d{4}-\d{2}-\d{2})\])?\s*"
)
FIELD = re.compile(r"(\w+):(\S+)")


@dataclass(frozen=True, slots=True)
class Captured:
    """A text without its prefixes, and what the prefixes said."""

    text: str
    session: str | None = None
    source_id: str | None = None
    role: str | None = None
    subject: str | None = None
    day: str | None = None
    conversation: str | None = None
    turn: str | None = None
    speaker: str | None = None


def read_prefixes(text: str) -> Captured:
    """Take the prefixes off a text and read them."""
    if text.lstrip()[:1] != "[":
        return Captured(text)
    where, body = _take(CAPTURED, text)
    what, body = _take(LABELLED, body)
    fields = dict(FIELD.findall((where or {}).get("fields") or ""))
    label, rest = (what or {}).get("label"), (what or {}).get("rest") or ""
    turn = dict(FIELD.findall(rest)) if label == "rawturn" else {}
    return Captured(
        text=body,
        session=fields.get("session"),
        source_id=fields.get("src"),
        role=label if label in {"fact", "event", "profile"} else None,
        subject=(rest.strip() or None) if label == "profile" else None,
        day=(what or {}).get("day"),
        conversation=turn.get("conv"),
        turn=turn.get("turn"),
        speaker=turn.get("speaker"),
    )


def strip_prefixes(text: str) -> str:
    """Take the prefixes off a text."""
    if text.lstrip()[:1] != "[":
        return text
    _, body = _take(CAPTURED, text)
    return _take(LABELLED, body)[1]


def _take(pattern: re.Pattern[str], text: str) -> tuple[dict[str, str | None] | None, str]:
    found = pattern.match(text)
    return (found.groupdict(), text[found.end() :]) if found else (None, text)
