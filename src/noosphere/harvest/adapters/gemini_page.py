"""A Takeout's activity as a page: cells with a verb, a prompt, a local time with its zone, and a reply."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.harvest.adapters.gemini_activity import Activity, is_product
from noosphere.harvest.encoding import TextStream
from noosphere.harvest.items import Found, Left, Omission
from noosphere.harvest.markup import SeenText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

# Minutes from UTC, of the zones whose abbreviation means one thing to the product that wrote it.
ZONES = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "MEZ": 60, "SEČ": 60, "SEC": 60,
    "CEST": 120, "MESZ": 120, "SELČ": 120, "SELC": 120, "EET": 120, "EEST": 180, "MSK": 180, "IST": 330,
    "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "EST": -300, "EDT": -240,
    "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480,
    "HST": -600,
}  # fmt: skip
NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(NAMES, 1)}
CLOCK = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2})\s*(?P<half>[AaPp]\.?[Mm]\.?)?\s*"
    r"(?P<zone>[^\W\d_]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?)?"
)
DATES = tuple(
    re.compile(rf"\s*{date},?\s*(?:at\s+)?{CLOCK}\s*\Z")
    for date in (
        r"(?P<name>[A-Za-z]{3})[a-z]*\.?\s+(?P<day>\d{1,2}),\s*(?P<year>\d{4})",
        r"(?P<day>\d{1,2})\s+(?P<name>[A-Za-z]{3})[a-z]*\.?\s+(?P<year>\d{4})",
        r"(?P<day>\d{1,2})\.\s*(?P<month>\d{1,2})\.\s*(?P<year>\d{4})",
        r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})",
    )
)
OFFSET = re.compile(r"(?:GMT|UTC)(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?\Z")


def read_page(member: Member) -> Iterator[Found]:
    """Yield the conversations of a page, read piece by piece."""
    activity = Activity(member.origin)
    cells = _Cells(activity)
    with member.open() as raw:
        stream = TextStream(raw)
        while piece := stream.read():
            cells.feed(piece)
        cells.close()
    cells.end()
    yield from activity.found()
    if stream.replaced:
        yield Left(member.origin, Omission.UNREADABLE_BYTES, stream.replaced)


def read_local(text: str) -> int | None:
    """A time of a page, in microseconds UTC; None when it is none, or its zone is not one that is known."""
    for pattern in DATES:
        if match := pattern.match(text.replace("\u202f", " ").replace("\u00a0", " ")):
            return _moment(match)
    return None


def _moment(match: re.Match[str]) -> int | None:
    told = match.groupdict()
    month = int(told["month"]) if told.get("month") else MONTHS.get((told.get("name") or "").lower())
    zone = _zone(told["zone"])
    if month is None or zone is None:
        return None
    hour = int(told["hour"])
    if half := told["half"]:
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    try:
        local = datetime(
            int(told["year"]), month, int(told["day"]), hour, int(told["minute"]), int(told["second"]), tzinfo=zone
        )
        return micros(local)
    except (ValueError, OverflowError):
        return None


def _zone(name: str | None) -> timezone | None:
    if name is None:
        return timezone(timedelta(0))
    if offset := OFFSET.match(name):
        minutes = int(offset["hours"]) * 60 + int(offset["minutes"] or 0)
        return timezone(timedelta(minutes=-minutes if offset["sign"] == "-" else minutes))
    minutes = ZONES.get(name.upper())
    return None if minutes is None else timezone(timedelta(minutes=minutes))


class _Cells(SeenText):
    """Takes the cells of an activity's page as they go by."""

    def __init__(self, activity: Activity) -> None:
        super().__init__()
        self._activity = activity
        self._place = 0
        self._cell: str | None = None
        self._told: dict[str, str] = {}
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        names = (attributes.get("class") or "").split() if tag == "div" else []
        if "outer-cell" in names:
            self.end()
        elif "header-cell" in names:
            self._begin("header")
        elif "content-cell" in names:
            self._begin("caption" if "mdl-typography--caption" in names else "content")
        elif tag == "a" and (link := attributes.get("href")):
            self._links.append(link)
        super().handle_starttag(tag, attrs)

    def _begin(self, cell: str) -> None:
        self._close()
        self._cell = cell

    def _close(self) -> None:
        if self._cell is not None:
            self._told.setdefault(self._cell, self.text())
        self._cell = None
        self.clear()

    def end(self) -> None:
        """Take the row that was gathered."""
        self._close()
        told, links = self._told, " ".join(self._links)
        self._told, self._links = {}, []
        if "content" not in told:
            return
        self._place += 1
        if not is_product(f"{told.get('header', '')}\n{told.get('caption', '')}"):
            self._activity.leave(Omission.OTHER_PRODUCT)
            return
        lines = told["content"].split("\n")
        stamp = next((place for place, line in enumerate(lines) if read_local(line) is not None), None)
        title = "\n".join(lines[:stamp]) if stamp is not None else told["content"]
        reply = "\n".join(lines[stamp + 1 :]).strip() if stamp is not None else ""
        at = read_local(lines[stamp]) if stamp is not None else None
        self._activity.take(title, reply, at, self._place, link=links)
