"""Rows of a Takeout's activity as conversations: which rows are chat, what was asked, and what belongs together."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.items import USER, Found, Left, Omission, Reject, TurnRole
from noosphere.harvest.markup import text_of
from noosphere.harvest.texts import Texts
from noosphere.harvest.times import read_instant
from noosphere.harvest.untrusted import as_list, as_record, as_text, as_texts, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "gemini"
SPEAKER = "Gemini"
DIGEST = 12  # hexadecimal digits of a prompt's hash: it tells apart the prompts of one second
SECOND = 1_000_000
BY_DAY = "the export names no conversation; what was said on one day (UTC) is put together"

PRODUCT = re.compile(r"\b(?:Gemini|Bard)\b")
VERB = re.compile(r"[^\u00a0\n]{1,40}\u00a0")  # of a page in any language: a no-break space stands behind the verb
LINK = re.compile(r"/app/([0-9A-Za-z_-]{6,})")


WORD_END = r"\b"
BEHIND = {"chat": r"(?::[ \u00a0]*|[ \u00a0]+|\Z)"}  # what may stand behind a verb; else the end of the word


@cache
def opening(kind: str) -> re.Pattern[str]:
    """The words a row or line of a kind opens with (gemini_activity.toml)."""
    file = resources.files("noosphere.harvest.adapters").joinpath("gemini_activity.toml")
    words = tomllib.loads(file.read_text(encoding="utf-8"))[kind]["words"]
    return re.compile(f"(?:{'|'.join(map(re.escape, words))}){BEHIND.get(kind, WORD_END)}")


@dataclass(frozen=True, slots=True)
class _Row:
    at: int
    place: int
    key: str
    prompt: int
    reply: int | None


def is_product(name: str) -> bool:
    """Whether a header or a product's name is Gemini's, in any language."""
    return PRODUCT.search(name) is not None


class Activity:
    """Takes the rows of one file and gives its conversations."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._texts = Texts()
        self._groups: dict[str, list[_Row]] = {}
        self._seen: set[tuple[str, str]] = set()
        self._left: Counter[Omission] = Counter()
        self._refused: list[Reject] = []

    def take_row(self, row: dict[str, Any], place: int) -> None:
        """Take one row of the JSON."""
        names = [name for name in (first_text(row, "header"), *as_texts(row.get("products"))) if name]
        if not any(map(is_product, names)):
            self._left[Omission.OTHER_PRODUCT] += 1
            return
        links = [
            first_text(row, "titleUrl"),
            *(first_text(as_record(one), "url") for one in as_list(row.get("details"))),
        ]
        files = [name for name in (*as_texts(row.get("attachedFiles")), as_text(row.get("imageFile"))) if name]
        instant = read_instant(row.get("time"))
        self.take(
            as_text(row.get("title")) or "",
            _reply(row),
            instant.at if instant else None,
            place,
            link=" ".join(link for link in links if link),
            files=list(dict.fromkeys(files)),
        )

    def take(
        self, title: str, reply: str, at: int | None, place: int, *, link: str = "", files: list[str] | None = None
    ) -> None:
        """Take one row: its title is a verb and a prompt."""
        verb = opening("chat").match(title) or VERB.match(title)
        if opening("no_chat").match(title) or (verb is None and not reply):
            self._left[Omission.BOOKKEEPING] += 1
            return
        prompt = title[verb.end() if verb else 0 :].strip() or "".join(f"[shares {name}]" for name in files or [])
        if at is None:
            self._refused.append(Reject(self._origin, f"row {place}", "has no time that can be read", REMEDY))
        elif not prompt and not reply:
            self._left[Omission.EMPTY_MESSAGE] += 1
        else:
            self._keep(prompt, reply, at, place, link)

    def leave(self, what: Omission) -> None:
        """Count a row that is not taken."""
        self._left[what] += 1

    def _keep(self, prompt: str, reply: str, at: int, place: int, link: str) -> None:
        linked = LINK.search(link)
        group = linked[1] if linked else f"day/{datetime.fromtimestamp(at // SECOND, UTC).date().isoformat()}"
        digest = hashlib.sha256(" ".join(prompt.split()).encode("utf-8", "replace")).hexdigest()[:DIGEST]
        key = f"{at // SECOND}-{digest}"
        if (group, key) in self._seen:
            self._left[Omission.REPEATED_MESSAGE] += 1
            return
        self._seen.add((group, key))
        kept = self._texts.keep(reply) if reply else None
        self._groups.setdefault(group, []).append(_Row(at, place, key, self._texts.keep(prompt), kept))

    def found(self) -> Iterator[Found]:
        """Yield the conversations, each in the order of its times, and counts of what was left out."""
        for group, rows in self._groups.items():
            yield from self._conversation(group, sorted(rows, key=lambda row: (row.at, -row.place)))
        yield from (Left(self._origin, what, count) for what, count in self._left.items())
        yield from self._refused

    def _conversation(self, group: str, rows: list[_Row]) -> Iterator[Found]:
        gathering = Gathering(NAME, self._origin)
        last: str | None = None
        for row in rows:
            for key, said in ((row.key, row.prompt), (f"{row.key}-reply", row.reply)):
                if said is None or not self._texts[said]:
                    continue
                who = (USER, TurnRole.USER) if key == row.key else (SPEAKER, TurnRole.ASSISTANT)
                gathering.talk.place(key, last)
                gathering.talk.say(key, *who, self._texts[said], row.at)
                last = key
        day = group.removeprefix("day/") if group.startswith("day/") else None
        if day:
            gathering.talk.notes.append(BY_DAY)
        yield from gathering.found(group, title=f"{SPEAKER}, {day}" if day else None)


def _reply(row: dict[str, Any]) -> str:
    parts = [
        text_of(html) for item in as_list(row.get("safeHtmlItem")) if (html := first_text(as_record(item), "html"))
    ]
    if parts:
        return "\n\n".join(part for part in parts if part)
    if text := first_text(row, "description", "text"):
        return text.strip()
    names = (first_text(as_record(one), "name") for one in as_list(row.get("subtitles")))
    return "\n\n".join(name for name in names if name and not opening("noise").match(name))
