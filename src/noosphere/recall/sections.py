"""The sections of a rendered answer, their titles and their shares of the budget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.model.hit import Hit


@dataclass(frozen=True, slots=True)
class Section:
    """Where a hit is shown.

    Attributes:
        key: its place in the text is by the order of SECTIONS, then by mind.
        title: the line above it.
        share: of the budget at most, while others want room; 1 is what the others leave.
        in_time: whether its lines stand by time, the oldest first, not by how well they match.
        shared: whether it holds lines of all the minds that were asked.
    """

    key: str
    title: str
    share: float
    in_time: bool = False
    shared: bool = True


IMPORTANT = Section("important", "Important:", 0.1)
SECTIONS = {
    "profile": Section("profile", "Who is who:", 0.1),
    "fact": Section("fact", "Facts, the oldest first:", 0.3, in_time=True),
    "event": Section("event", "Events in order:", 0.2, in_time=True),
}  # by the role of a memory
DECISIONS = Section("decision", "Decided:", 0.3)
EVIDENCE = Section("evidence", "Evidence, the best match first:", 1.0)
NEWEST = Section("evidence", "Newest first:", 1.0)
ORDER = ("important", "decision", *SECTIONS, "evidence")


def section_of(hit: Hit, names: dict[str, str], window: str | None) -> Section:
    """Where a hit belongs; with several minds asked, evidence is shown mind by mind.

    `names` are those of the asked minds by their UUID, the active one first; `window` the time that the question
    names, in its words.
    """
    if hit.p is None and (caught := _when_catching_up(hit)):
        return caught
    if hit.conversation is None and hit.role in SECTIONS:
        found = SECTIONS[hit.role]
        if found.key == "event" and window:
            return Section("event", f"Events, {window}:", found.share, in_time=True)
        return found
    if len(names) > 1:
        return Section(f"evidence {list(names).index(hit.mind):03}", f"From {names[hit.mind]}:", 1.0, shared=False)
    return EVIDENCE if hit.p is not None else NEWEST


def _when_catching_up(hit: Hit) -> Section | None:
    if hit.importance in {"critical", "important"}:
        return replace(IMPORTANT, share=1.0)
    return DECISIONS if hit.role == "decision" else None


def in_order(sections: Iterable[Section]) -> list[Section]:
    """The sections as they stand in the text."""
    return sorted(set(sections), key=lambda s: (ORDER.index(s.key.split()[0]), s.key))


def by_time(hits: Sequence[Hit]) -> list[Hit]:
    """Hits by when they happened, were said, or began to hold."""
    return sorted(hits, key=lambda h: (h.dates.happened or (h.dates.said or h.dates.valid_from).isoformat(), h.id))
