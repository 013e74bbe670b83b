"""A transcript in plain text: lines that begin with who speaks, and perhaps with when."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from noosphere.harvest.items import ImportTurn, TurnRole
from noosphere.harvest.times import Instant, read_instant

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_TURNS = 4  # fewer labelled lines are a form, a letter's head or chance
MIN_SPEAKERS = 2
MIN_CHANGES = 1 / 3  # of the steps from turn to turn: people alternate, lists of `Note:` and `Example:` do not
MIN_SHARE = 1 / 2  # of the lines with words that are labelled, unless the speakers are known roles or times are given
DIGEST = 12  # hexadecimal digits: 48 bits, for the turns of one file

STAMP = r"\d{4}-\d{2}-\d{2}[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?"
LABEL = r"[^\W\d_][\w.'’() -]{0,39}?"
LINE = re.compile(
    rf"(?:\[?(?P<at>{STAMP})\]?[ \t]*(?:[-–—][ \t]*)?)?"
    rf"\*{{0,2}}(?P<label>{LABEL})\*{{0,2}}(?::\*{{0,2}}(?=\s|$)|：)[ \t]*(?P<text>.*)"
)
NAME_LIKE = re.compile(r"[^\W\d_]\S*(?: [^\W\d_]\S*){0,2}")
ROLES = {
    "user": TurnRole.USER,
    "human": TurnRole.USER,
    "you": TurnRole.USER,
    "assistant": TurnRole.ASSISTANT,
    "ai": TurnRole.ASSISTANT,
    "chatgpt": TurnRole.ASSISTANT,
    "claude": TurnRole.ASSISTANT,
    "gemini": TurnRole.ASSISTANT,
    "bot": TurnRole.ASSISTANT,
    "system": TurnRole.SYSTEM,
}


@dataclass(frozen=True, slots=True)
class _Line:
    at: str | None
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of a transcript, and what stands before the first of them."""

    preamble: str
    turns: tuple[ImportTurn, ...]
    repairs: tuple[str, ...] = ()


def read_transcript(text: str) -> Transcript | None:
    """Read a text as a conversation; None when it is not one."""
    lines = text.split("\n")
    labelled = [_line(line) for line in lines]
    speakers = _speakers(labelled, sum(bool(line.strip()) for line in lines))
    if not speakers:
        return None
    starts = [line if line and line.label in speakers else None for line in labelled]
    first = next(n for n, start in enumerate(starts) if start)
    turns = _Turns(is_with_assistant=TurnRole.ASSISTANT in {ROLES.get(name.lower()) for name in speakers})
    for line, start in zip(lines[first:], starts[first:], strict=True):
        turns.take(line, start)
    turns.close()
    return Transcript("\n".join(lines[:first]).strip(), tuple(turns.done), tuple(sorted(turns.repairs)))


def _line(line: str) -> _Line | None:
    match = LINE.match(line)
    return _Line(match["at"], match["label"].strip(), match["text"]) if match else None


def _speakers(labelled: Iterable[_Line | None], worded: int) -> frozenset[str]:
    """The labels that are people speaking in turn; none when the text does not read as a conversation."""
    lines = [line for line in labelled if line]
    stamped = [line for line in lines if line.at]
    if len(stamped) >= MIN_TURNS:
        lines = stamped
    counts = Counter(line.label for line in lines)
    steady = {name for name, count in counts.items() if count > 1}
    order = [line.label for line in lines if line.label in steady]
    changes = sum(before != after for before, after in pairwise(order))
    is_dense = len(lines) >= MIN_SHARE * worded
    is_known = is_dense or lines is stamped or len(steady & _roles(steady)) >= MIN_SPEAKERS
    if len(order) < MIN_TURNS or len(steady) < MIN_SPEAKERS or changes < MIN_CHANGES * (len(order) - 1) or not is_known:
        return frozenset()
    # Who speaks once is a speaker too where nearly every line is someone's: words must not go to the one before.
    once = {name for name in counts if (is_dense or lines is stamped) and NAME_LIKE.fullmatch(name) and name.istitle()}
    return frozenset(steady | once)


def _roles(names: Iterable[str]) -> set[str]:
    return {name for name in names if name.lower() in ROLES}


class _Turns:
    """Turns being gathered line by line; a line without a speaker goes on with the turn before."""

    def __init__(self, *, is_with_assistant: bool) -> None:
        self.done: list[ImportTurn] = []
        self.repairs: set[str] = set()
        self._is_with_assistant = is_with_assistant
        self._seen: Counter[str] = Counter()
        self._speaker = ""
        self._instant: Instant | None = None
        self._lines: list[str] = []

    def take(self, line: str, start: _Line | None) -> None:
        if start is None:
            self._lines.append(line)
            return
        self.close()
        self._speaker, self._lines = start.label, [start.text]
        self._instant = read_instant(start.at.replace("UTC", "Z").replace(" Z", "Z")) if start.at else None

    def close(self) -> None:
        text = "\n".join(self._lines).strip()
        if not text:
            return
        at = self._instant.at if self._instant else None
        if self._instant and self._instant.repair:
            self.repairs.add(self._instant.repair)
        role = ROLES.get(self._speaker.lower()) if self._is_with_assistant else None
        parent = self.done[-1].key if self.done else None
        key = self._key(text, at)
        self.done.append(ImportTurn(key=key, speaker=self._speaker, text=text, at=at, role=role, parent=parent))

    def _key(self, text: str, at: int | None) -> str:
        """A hash of the turn, and which of its equals it is: a line put in later leaves all other keys as they are."""
        said = f"{at}\n{self._speaker}\n{text}".encode("utf-8", "replace")
        digest = hashlib.sha256(said).hexdigest()[:DIGEST]
        self._seen[digest] += 1
        return f"{self._seen[digest]}-{digest}"
