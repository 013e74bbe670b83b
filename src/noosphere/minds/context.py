"""The block that an agent puts before a prompt: who it is, what it is at, what bears on the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.clock import micros
from noosphere.errors import InvalidInput
from noosphere.guard.delimit import defuse, fence_context
from noosphere.model.argument import read_count, read_flag
from noosphere.model.when import iso
from noosphere.recall.render import MAX_BUDGET, MIN_BUDGET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.minds.noosphere import Noosphere
    from noosphere.model.awareness import AwarenessItem
    from noosphere.model.hit import Recall
    from noosphere.model.identity import Identity

LEAST = 600  # characters: room for the fence and something in it
SHARES = {"identity": 0.3, "awareness": 0.3}  # of the budget, at most; recalled memories get what is left
STYLES = ("openai", "anthropic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What stands before a prompt.

    Attributes:
        text: the block, fenced.
        recall: the recalled memories in it; None when there was no question or they were not wanted.
        left_out: how many lines of each section had no room.
    """

    text: str
    query: str
    identity: Identity
    awareness: tuple[AwarenessItem, ...]
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
    wanted = bool(read_flag(recall, "recall")) and bool(query.strip())
    with noosphere.personal() as mind:
        identity = mind.identity.get()
    awareness = tuple(noosphere.awareness(minds))
    now = iso(noosphere.now()) or ""
    room = budget - len(fence_context("", now=now))
    sections: list[str] = []
    left_out: dict[str, int] = {}
    for name, title, lines in (
        ("identity", "Who you are:", identity.lines()),
        ("awareness", "What you are at:", [_item(item) for item in awareness]),
    ):
        share = room if not wanted else int(budget * SHARES[name])
        section, left = _fit(title, lines, min(share, room))
        if left:
            left_out[name] = left
        if section:
            sections.append(section)
            room -= len(section) + 1
    found = None
    if wanted and room > MIN_BUDGET:
        found = noosphere.recall(query, room - 1, minds=minds, **options)
        sections.append(found.text)
    elif wanted:
        left_out["recall"] = 1
    text = fence_context("\n".join(sections) or "(nothing is known yet)", now=now)
    return Context(text=text, query=query, identity=identity, awareness=awareness, recall=found, left_out=left_out)


def _item(item: AwarenessItem) -> str:
    until = f", until {iso(micros(item.expires_at))}" if item.expires_at else ""
    return f"- [{item.category}, priority {item.priority}{until}] {item.text}"


def _fit(title: str, lines: Sequence[str], room: int) -> tuple[str, int]:
    """A titled section of the lines that fit, each on one line, and how many did not."""
    if not lines:
        return "", 0
    kept = [title]
    used = len(title)
    for line in (" ".join(defuse(line).split()) for line in lines):
        if used + 1 + len(line) > room:
            break
        kept.append(line)
        used += 1 + len(line)
    left = len(lines) - (len(kept) - 1)
    return ("\n".join(kept) if len(kept) > 1 else ""), left
