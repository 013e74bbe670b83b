"""Rendering: hits as dated, sourced lines inside a fence, fitted to a budget of characters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.guard.delimit import defuse, fence
from noosphere.model.argument import read_count
from noosphere.model.trace import Fitted
from noosphere.model.when import day_of, iso
from noosphere.recall.excerpt import excerpt
from noosphere.recall.sections import IMPORTANT, by_time, in_order, section_of
from noosphere.recall.standing import standing
from noosphere.recall.weights import FULL_SHARE, LONG, SHORT
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from noosphere.model.hit import Hit
    from noosphere.recall.sections import Section

MIN_BUDGET = 400  # room for the fence and one short hit
MAX_NAME = 60  # characters of a speaker's name or a title in front of a line
INDENT = "\n  "  # further lines of a text, so that none of them passes for a hit of its own
NOTHING = "(nothing relevant was found)"
GLIMPSE = 200  # characters shown of a turn beside a hit
BESIDE_SHARE = 0.2  # of the budget, at most, for what stands beside the hits
MAX_BUDGET = 100_000_000  # characters; no prompt is so long


@dataclass(frozen=True, slots=True)
class Rendered:
    """The block for a prompt, the hits as they stand in it, and how the budget was spent."""

    text: str
    hits: tuple[Hit, ...]
    fitted: Fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is rendered.

    Attributes:
        hits: best first.
        important: what the asked minds hold important, whether it matches or not.
        names: of the asked minds, by their UUID.
        window: the time that the question names, in its words.
        beside: a titled block of lines that stands below the hits; its first line is the title.
        now: the reader's present.
    """

    hits: Sequence[Hit]
    important: Sequence[Hit] = ()
    names: dict[str, str]
    window: str | None = None
    beside: Sequence[str] = ()
    now: int
    zone: tzinfo


def render(answer: Answer, *, budget: int) -> Rendered:
    """Render as many hits as fit, best first; the best one is always there, cut to fit.

    Raises:
        InvalidInput: the budget has no room even for one short hit.
    """
    read_count(budget, "budget", MIN_BUDGET, MAX_BUDGET)
    mind, today = ", ".join(answer.names.values()), iso(answer.now, answer.zone) or ""
    beside = _beside(answer.beside, int(budget * BESIDE_SHARE))
    page = Page(answer, budget - len(fence(NOTHING, mind=mind, now=today)) - 1 - len(beside))
    skipped: list[tuple[Hit, float]] = []
    for hit, full in zip(answer.hits, _shares(answer.hits), strict=True):
        if not page.add(hit, page.section(hit), LONG if full >= FULL_SHARE else SHORT, passage=full >= FULL_SHARE):
            skipped.append((hit, full))
    matched = {hit.frame for hit in answer.hits}
    for hit in answer.important:
        if hit.frame not in matched:
            page.add(hit, IMPORTANT, SHORT)
    for hit, full in skipped:
        page.add(hit, page.section(hit), LONG if full >= FULL_SHARE else SHORT, over_quota=True)
    text = fence(page.text() + beside, mind=mind, now=today)
    shown = tuple(page.shown[hit.frame] for hit in answer.hits if hit.frame in page.shown)
    left_out = tuple(h.id for h in answer.hits if h.frame not in page.shown)
    return Rendered(text, shown, Fitted(budget, len(text), len(shown), tuple(page.shortened), left_out))


class Page:
    """A page being filled: lines by section, while there is room."""

    def __init__(self, answer: Answer, room: int) -> None:
        self._answer = answer
        self._room = room
        self._quota: dict[Section, float] = {}
        self._whole = room
        self._lines: dict[Section, list[tuple[Hit, str]]] = {}
        self._titled = bool(answer.important) or len({self.section(hit) for hit in answer.hits}) > 1
        self.shown: dict[str, Hit] = {}
        self.shortened: list[str] = []

    def section(self, hit: Hit) -> Section:
        """Where a hit belongs."""
        return section_of(hit, self._answer.names, self._answer.window)

    def add(self, hit: Hit, section: Section, most: int, *, passage: bool = False, over_quota: bool = False) -> bool:
        """Show a hit with at most so many characters of its text; False when there is no room."""
        first = not self._lines
        title = len(section.title) + 1 if self._titled and section not in self._lines else 0
        quota = self._quota.get(section, section.share * self._whole)
        room = self._room - title if over_quota or first else int(min(self._room - title, quota))
        frame = Line(hit, self._answer.zone, self._of(hit, section))
        limit = min(most, room - frame.overhead)
        if limit < len(hit.text) and limit < SHORT and not first:
            return False
        text = _cut(hit, frame, limit, room)
        line = frame.around(text)
        if len(line) + 1 > room and not first:
            return False
        line = line[:room]
        if passage and len(around := passages(hit)) + len(line) + 1 <= room:
            line += around
        self._lines.setdefault(section, []).append((hit, line))
        self._room -= len(line) + 1 + title
        self._quota[section] = quota - len(line) - 1
        self.shown[hit.frame] = replace(hit, text=text)
        if len(text) < len(hit.text):
            self.shortened.append(hit.id)
        return True

    def _of(self, hit: Hit, section: Section) -> str | None:
        """The mind to name in a line: with several asked, where the section holds lines of all of them."""
        names = self._answer.names
        return names[hit.mind] if len(names) > 1 and section.shared else None

    def text(self) -> str:
        """All sections in their order."""
        lines: list[str] = [] if self._answer.hits else [NOTHING]
        for section in in_order(self._lines):
            if self._titled:
                lines.append(section.title)
            rows = self._lines[section]
            order = by_time([hit for hit, _ in rows]) if section.in_time else [hit for hit, _ in rows]
            line_of = {hit.frame: line for hit, line in rows}
            lines += [line_of[hit.frame] for hit in order]
        return "\n".join(lines)


def passages(hit: Hit) -> str:
    """The turns around a turn, cut short, on lines of their own below it."""
    around = (("before", hit.before), ("after", hit.after))
    return "".join(f"{INDENT}{place}, {_named(said.speaker)}: {_glimpse(said.text)}" for place, said in around if said)


def _beside(lines: Sequence[str], room: int) -> str:
    """As many of the lines as fit, each on one line; nothing when only the title would."""
    text, shown = "", 0
    for line in (f"\n{' '.join(defuse(line).split())}" for line in lines):
        if len(text) + len(line) > room:
            break
        text, shown = text + line, shown + 1
    return text if shown > 1 else ""


def _glimpse(text: str) -> str:
    line = " ".join(defuse(text).split())
    return line if len(line) <= GLIMPSE else f"{line[: GLIMPSE - 1]}…"


def _cut(hit: Hit, frame: Line, limit: int, room: int) -> str:
    """A hit's text within `limit`, and shorter still when its indented lines would not fit the room."""
    while True:
        text = excerpt(defuse(hit.text), hit.span, limit, f"get {hit.id}")
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
    """One hit's line: its date in front, its source, claim and id behind, and its mind if `of` names it."""

    def __init__(self, hit: Hit, zone: tzinfo, of: str | None = None) -> None:
        speaker = f"{_named(hit.speaker)}: " if hit.speaker else ""
        title = f"{_named(hit.title)}: " if hit.title and not hit.conversation else ""
        self._front = f"- [{_date(hit, zone)}] {speaker}{title}"
        remarks = [hit.source, hit.claim, *_remarks(hit, zone), *([f"in {_named(of)}"] if of else []), f"id {hit.id}"]
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


def _remarks(hit: Hit, zone: tzinfo) -> list[str]:
    remarks: list[str] = []
    if hit.alternative:
        remarks.append("alternative, not what was settled on")
    if hit.p is not None and not hit.sure:
        remarks.append("unsure match")
    if hit.confidence is not None:
        remarks.append(f"confidence {hit.confidence:.2f}")
    if hit.status != "active":
        remarks.append(hit.status)
    if hit.conflict:
        remarks.append("disputed")
    return remarks + standing(hit, zone)
