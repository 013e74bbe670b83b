"""The block that an agent puts before a prompt: who it is, what it is at, what is new, what bears on the question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.clock import micros
from noosphere.errors import InvalidInput
from noosphere.guard.delimit import defuse, fence_context
from noosphere.model.argument import read_count, read_flag, read_text
from noosphere.model.signal import MOST_SHOWN, TITLE
from noosphere.model.when import iso
from noosphere.recall.render import MAX_BUDGET, MIN_BUDGET, Line
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from noosphere.minds.noosphere import Noosphere
    from noosphere.model.awareness import AwarenessItem
    from noosphere.model.hit import Hit, Recall
    from noosphere.model.identity import Identity
    from noosphere.model.signal import Signal

LEAST = 600  # characters: room for the fence and something in it
# of the budget, at most; recall gets what is left
SHARES = {"identity": 0.3, "awareness": 0.3, "signals": 0.1, "brief": 0.2}
BRIEF = 12  # memories and turns of the brief, at most
GLIMPSE = 240  # characters shown of each
STYLES = ("openai", "anthropic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What stands before a prompt.

    Attributes:
        text: the block, fenced.
        signals: what could be done better, as far as it is shown; with a turn that succeeds it counts as surfaced.
        brief: what matters and what is new, as far as recall does not show it.
        recall: the recalled memories in it; None when there was no question or they were not wanted.
        left_out: how many lines of each section had no room.
    """

    text: str
    query: str
    identity: Identity
    awareness: tuple[AwarenessItem, ...]
    signals: tuple[Signal, ...]
    brief: tuple[Hit, ...]
    recall: Recall | None
    left_out: dict[str, int]

    def messages(self, style: str = "openai") -> dict[str, Any]:
        """The block and the question as a chat API takes them.

        Args:
            style: "openai" puts a system message in front; "anthropic" has a system text beside the messages.

        Raises:
            InvalidInput: another style.
        """
        if style not in STYLES:
            raise InvalidInput.choice("style", style, STYLES)
        asked = [{"role": "user", "content": self.query}] if self.query.strip() else []
        if style == "anthropic":
            return {"system": self.text, "messages": asked}
        return {"messages": [{"role": "system", "content": self.text}, *asked]}


def build(
    noosphere: Noosphere,
    query: str,
    *,
    budget: int,
    recall: bool,
    minds: str | Sequence[str] | None,
    options: dict[str, Any],
) -> Context:
    """Put the block together.

    Raises:
        InvalidInput: an argument has the wrong form; the budget is too small for anything.
    """
    read_count(budget, "budget", LEAST, MAX_BUDGET)
    query = read_text(query, "query") or ""
    memories = bool(read_flag(recall, "recall"))
    wanted = memories and bool(query.strip())
    with noosphere.personal() as mind:
        identity = mind.identity.get()
    awareness = tuple(noosphere.awareness(minds))
    now = iso(noosphere.now()) or ""
    told = _told(noosphere, minds) if memories else []
    waiting = _waiting(noosphere, minds) if memories else []
    parts = (
        ("identity", "Who you are:", identity.lines()),
        ("awareness", "What you are at:", [_item(item) for item in awareness]),
        ("signals", TITLE, [one.line() for one in waiting]),
        ("brief", "What matters and what is new:", [line for _, line in told]),
    )
    shares = {name: int(budget * SHARES[name]) if wanted else budget for name in SHARES}
    fitted, room = _fill(parts, shares, budget - len(fence_context("", now=now)))
    found = None
    if wanted and room > MIN_BUDGET:
        found = noosphere.recall(query, room - 1, minds=minds, **options)
    brief = fitted["brief"]
    news = [(hit, line) for hit, line in told[: len(brief.lines)] if found is None or hit.id not in found.text]
    fitted["brief"] = replace(brief, lines=tuple(line for _, line in news))
    left_out = {name: section.left for name, section in fitted.items() if section.left}
    left_out |= {"recall": 1} if wanted and found is None else {}
    texts = [*(section.text for section in fitted.values() if section.lines), *([found.text] if found else [])]
    return Context(
        text=fence_context("\n".join(texts) or "(nothing is known yet)", now=now),
        query=query,
        identity=identity,
        awareness=awareness,
        signals=tuple(waiting[: len(fitted["signals"].lines)]),
        brief=tuple(hit for hit, _ in news),
        recall=found,
        left_out=left_out,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled part of the block: the lines that fit, and how many did not."""

    name: str
    title: str
    lines: tuple[str, ...]
    left: int

    @property
    def text(self) -> str:
        """The title and the lines below it."""
        return "\n".join((self.title, *self.lines))

    @property
    def size(self) -> int:
        """The characters it takes, the line break after it included."""
        return len(self.text) + 1 if self.lines else 0


def _told(noosphere: Noosphere, minds: str | Sequence[str] | None) -> list[tuple[Hit, str]]:
    """What matters and what is new in these minds, each with its line."""
    from noosphere.recall import pipeline

    with noosphere.minds(minds) as chosen:
        plan = replace(chosen[0].plan("", BRIEF), catch_up=True)
        hits = pipeline.rank([mind.reader for mind in chosen], plan).hits
        zone = chosen[0].reader.mind.zone
        names = {mind.uuid: mind.name for mind in chosen} if len(chosen) > 1 else {}
    return [(hit, _line(hit, zone, names.get(hit.mind))) for hit in hits if hit.withheld is None]


def _waiting(noosphere: Noosphere, minds: str | Sequence[str] | None) -> list[Signal]:
    """What could be done better by these minds, the most counted first."""
    with noosphere.minds(minds) as chosen:
        found = [one for mind in chosen for one in mind.signals(limit=MOST_SHOWN)]
    return sorted(found, key=lambda one: -one.count)[:MOST_SHOWN]


def _line(hit: Hit, zone: tzinfo, of: str | None) -> str:
    text = " ".join(hit.text.split())
    return Line(hit, zone, of).around(text if len(text) <= GLIMPSE else f"{text[: GLIMPSE - 1]}…")


def _item(item: AwarenessItem) -> str:
    until = f", until {iso(micros(item.expires_at))}" if item.expires_at else ""
    return f"- [{item.category}, priority {item.priority}{until}] {item.text}"


def _fill(
    parts: Iterable[tuple[str, str, Sequence[str]]], shares: Mapping[str, int], room: int
) -> tuple[dict[str, Section], int]:
    """The sections by name, in their order, each in its share of the room; and the room that is left."""
    fitted: dict[str, Section] = {}
    for name, title, lines in parts:
        fitted[name] = _fit(name, title, lines, min(shares[name], room))
        room -= fitted[name].size
    return fitted, room


def _fit(name: str, title: str, lines: Sequence[str], room: int) -> Section:
    """A titled section of the lines that fit, each on one line."""
    kept: list[str] = []
    used = len(title)
    for line in (" ".join(defuse(line).split()) for line in lines):
        if used + 1 + len(line) > room:
            break
        kept.append(line)
        used += 1 + len(line)
    return Section(name=name, title=title, lines=tuple(kept), left=len(lines) - len(kept))
