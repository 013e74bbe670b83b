"""The cases: expressions with the days they mean, from the public set and from the project's own sentences."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

NEEDED = ("date", "daterange", "datetime", "datetimerange")  # the types of the set that hold a day
ALIKE = {"datetimealt": "datetime"}  # one of several choices is a time like any other
NO_SUCH_DAY = date(1, 1, 1)  # what the set calls a day that is not in the calendar
PARTIAL = (
    "Date",
    "DatePeriod",
    "DateTime",
    "DateTimePeriod",
    "Holiday",
    "Time",
    "TimePeriod",
    "TimeZone",
    "Duration",
    "Set",
)
ANY_DAY = datetime(2016, 11, 7, tzinfo=UTC)  # where a case has none: only finding counts there


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of days; None is open."""

    first: date | None
    after: date | None


@dataclass(frozen=True, slots=True)
class Gold:
    """An expression of a text.

    Attributes:
        start: offset in the text.
        end: offset after it.
        type: what it is in the words of its set.
        means: any of these is right; empty where the set does not say.
    """

    start: int
    end: int
    type: str
    means: tuple[Days, ...] = ()

    @property
    def needed(self) -> bool:
        """Whether it names days."""
        return self.type in NEEDED


@dataclass(frozen=True, slots=True)
class Case:
    """A text with its expressions.

    Attributes:
        text: the text.
        now: when it is read.
        golds: its expressions.
        whole: whether these are all of them.
        language: of the text.
    """

    text: str
    now: datetime
    golds: tuple[Gold, ...]
    whole: bool = True
    language: str = "en"
    source: str = field(default="", compare=False)


def public(folder: Path) -> list[Case]:
    """The cases of the public set, each text once per day it is read on, from the fullest file that has it."""
    found: dict[tuple[str, datetime], Case] = {}
    for path in sorted(folder.glob("*.json"), key=lambda p: (_is_partial(p), p.name)):
        for row in json.loads(path.read_text(encoding="utf-8")):
            case = _case(row, path)
            if case is not None:
                found.setdefault((case.text.lower().strip(), case.now), case)
    return list(found.values())


def _is_partial(path: Path) -> bool:
    """Whether a file marks expressions of one type only."""
    return path.stem.removesuffix("Extractor").removesuffix("Parser") in PARTIAL


def _case(row: Mapping[str, Any], path: Path) -> Case | None:
    """A case; None where the set itself calls it unsupported or gives no days to compare."""
    golds = tuple(_gold(row["Input"], result) for result in row["Results"])
    if any(gold.needed and not gold.means for gold in golds):
        return None
    given = row.get("Context", {}).get("ReferenceDateTime")
    now = datetime.fromisoformat(given).replace(tzinfo=UTC) if given else ANY_DAY
    return Case(row["Input"], now, golds, whole=not _is_partial(path), source=path.stem)


def _gold(text: str, result: Mapping[str, Any]) -> Gold:
    name = (result.get("TypeName") or result["Type"]).removeprefix("datetimeV2.")
    start, wanted = result.get("Start", 0), result["Text"].lower()
    if text[start : start + len(wanted)].lower() != wanted:
        start = text.lower().find(wanted)  # some offsets of the set are off
    values = list(_values(result))
    return Gold(start, start + len(result["Text"]), ALIKE.get(name, name), tuple(filter(None, map(_days, values))))


def _values(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from result.get("Resolution", {}).get("values", ())
    value = result.get("Value") or {}
    yield from value.get("values", ())
    for side in ("PastResolution", "FutureResolution"):
        if value.get(side):
            yield value[side]


def _days(value: Mapping[str, Any]) -> Days | None:
    for name in ("value", "date", "dateTime"):
        if name in value:
            at = _day(value[name])
            return at and Days(at, at + timedelta(days=1))
    first, after = (_end(value, side) for side in ("start", "end"))
    if first is None and after is None:
        return None
    return Days(first, after)


def _end(value: Mapping[str, Any], side: str) -> date | None:
    text = next((value[name] for name in (side, f"{side}Date", f"{side}DateTime") if name in value), None)
    at = _day(text)
    if side == "end" and at is not None and ":" in text and not text.endswith(" 00:00:00"):
        return at + timedelta(days=1)  # a clock time of its last day
    return at


def _day(text: str | None) -> date | None:
    try:
        at = None if text is None else date.fromisoformat(text[:10])
    except ValueError:
        return None
    return None if at == NO_SUCH_DAY else at


def dated(path: Path) -> list[Case]:
    """The project's sentences with one expression each: text, span, now, start and end; none without the file."""
    cases: list[Case] = []
    if not path.exists():
        return cases
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        at = row["text"].index(row["span"])
        means = Days(*(date.fromisoformat(row[side]) if row.get(side) else None for side in ("start", "end")))
        gold = Gold(at, at + len(row["span"]), "date", (means,))
        language = row.get("language", "en")
        cases.append(Case(row["text"], datetime.fromisoformat(row["now"]), (gold,), language=language))
    return cases


def ordinary(path: Path) -> list[str]:
    """Sentences that name no time."""
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
