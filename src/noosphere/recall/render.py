"""Rendering: hits as dated, sourced lines inside a fence, fitted to a budget of characters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from noosphere.clock import DAY, micros
from noosphere.guard.delimit import defuse, fence
from noosphere.model.argument import read_count
from noosphere.model.trace import Fitted
from noosphere.model.when import day_of, iso
from noosphere.recall.excerpt import excerpt
from noosphere.recall.weights import FULL_SHARE, LONG, SHORT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from noosphere.model.hit import Hit

MIN_BUDGET = 400  # room for the fence and one short hit
MAX_NAME = 60  # characters of a speaker's name or a title in front of a line
INDENT = "\n  "  # further lines of a text, so that none of them passes for a hit of its own
MAX_BUDGET = 100_000_000  # characters; no prompt is so long
STALE_AFTER = 90 * DAY  # what may have changed and was not looked at for so long says so (seed)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The block for a prompt, the hits as they stand in it, and how the budget was spent."""

    text: str
    hits: tuple[Hit, ...]
    fitted: Fitted


def render(hits: Sequence[Hit], *, budget: int, mind: str, now: int, zone: tzinfo) -> Rendered:
    """Render as many hits as fit, best first; the best one is always there, cut to fit.

    Raises:
        InvalidInput: the budget has no room even for one short hit.
    """
    read_count(budget, "budget", MIN_BUDGET, MAX_BUDGET)
    today = iso(now, zone) or ""
    room = budget - len(fence("", mind=mind, now=today)) - 1
    lines: list[str] = []
    shown: list[Hit] = []
    shortened: list[str] = []
    for hit, full in zip(hits, _shares(hits), strict=True):
        frame = Line(hit, now, zone)
        limit = min(LONG if full >= FULL_SHARE else SHORT, room - frame.overhead)
        if limit < len(hit.text) and limit < SHORT and lines:
            continue
        text = _cut(hit, frame, limit, room)
        line = frame.around(text)
        if len(line) + 1 > room and lines:
            continue
        lines.append(line[:room])
        room -= len(lines[-1]) + 1
        shown.append(replace(hit, text=text))
        if len(text) < len(hit.text):
            shortened.append(hit.id)
    body = "\n".join(lines) if lines else "(nothing relevant was found)"
    text = fence(body, mind=mind, now=today)
    left_out = tuple(h.id for h in hits if h.id not in {s.id for s in shown})
    return Rendered(text, tuple(shown), Fitted(budget, len(text), len(shown), tuple(shortened), left_out))


def _cut(hit: Hit, frame: Line, limit: int, room: int) -> str:
    """A hit's text within `limit`, and shorter still when its indented lines would not fit the room."""
    while True:
        text = excerpt(defuse(hit.text), hit.span, limit, f'get("{hit.id}")')
        over = len(frame.around(text)) - room
        if over <= 0 or limit <= 0:
            return text
        limit = max(0, limit - over)


def _shares(hits: Sequence[Hit]) -> list[float]:
    """Scores scaled to 0..1 over the hits: the best is 1."""
    if not hits:
        return []
    low, high = min(h.score for h in hits), max(h.score for h in hits)
    return [1.0 if high == low else (h.score - low) / (high - low) for h in hits]


class Line:
    """One hit's line: its date in front, its source, claim and id behind."""

    def __init__(self, hit: Hit, now: int, zone: tzinfo) -> None:
        speaker = f"{_named(hit.speaker)}: " if hit.speaker else ""
        title = f"{_named(hit.title)}: " if hit.title and not hit.conversation else ""
        self._front = f"- [{_date(hit, zone)}] {speaker}{title}"
        remarks = [hit.source, hit.claim, *_remarks(hit, now, zone), f"id {hit.id}"]
        self._back = f" ({', '.join(remarks)})"

    @property
    def overhead(self) -> int:
        """Characters beside the text."""
        return len(self._front) + len(self._back) + 1

    def around(self, text: str) -> str:
        """The line with its text; further lines of the text are indented."""
        return f"{self._front}{INDENT.join(text.splitlines())}{self._back}"


def _named(name: str) -> str:
    """A speaker's name or a title on one line, cut short."""
    line = " ".join(defuse(name).split())
    return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"


def _date(hit: Hit, zone: tzinfo) -> str:
    if hit.dates.happened:
        return hit.dates.happened
    at = hit.dates.said or hit.dates.valid_from
    return day_of(micros(at), zone)


def _remarks(hit: Hit, now: int, zone: tzinfo) -> list[str]:
    remarks: list[str] = []
    if hit.alternative:
        remarks.append("alternative, not what was settled on")
    if hit.status != "active":
        remarks.append(hit.status)
    if hit.conflict:
        remarks.append("disputed")
    if not hit.current:
        remarks.append(f"no longer true since {_day(hit.dates.valid_to, zone)}" if hit.dates.valid_to else "past")
    if hit.volatility in {"state", "volatile"} and micros(hit.dates.changed) < now - STALE_AFTER:
        remarks.append(f"as of {_day(hit.dates.changed, zone)}, verify")
    return remarks


def _day(at: datetime, zone: tzinfo) -> str:
    return day_of(micros(at), zone)
