"""preview: what a harvest would bring in, by type and date, without writing anything."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.harvest.digest import digest_of
from noosphere.harvest.items import ImportItem, ItemType, Left, Reject
from noosphere.harvest.progress import Meter
from noosphere.harvest.screening import screen_item
from noosphere.harvest.verdicts import judge_item
from noosphere.model.text import clean
from noosphere.store import imports, quarantine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.harvest.adapter import Adapter
    from noosphere.store.mind_file import MindFile

TITLES = 20  # shown of each type, the first met


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would come in.

    Attributes:
        conversations, notes, turns: what there is.
        new, grown, known: items that are not here yet, that differ from what is here, and that are here just so.
        held: texts that would wait for review.
        by_source: items of each adapter.
        by_type: conversations, and notes by what they are.
        by_month: items of each month, by when they were written or begun; "" has no date.
        titles: of the first items that are new or grown.
        rejects, left: as harvest would tell them.
    """

    conversations: int
    notes: int
    turns: int
    new: int
    grown: int
    known: int
    held: int
    by_source: dict[str, int]
    by_type: dict[str, int]
    by_month: dict[str, int]
    titles: tuple[str, ...]
    rejects: tuple[Reject, ...]
    left: dict[str, int]


@dataclass(slots=True)
class _Count:
    counts: Counter[str] = field(default_factory=Counter[str])
    sources: Counter[str] = field(default_factory=Counter[str])
    types: Counter[str] = field(default_factory=Counter[str])
    months: Counter[str] = field(default_factory=Counter[str])
    left: Counter[str] = field(default_factory=Counter[str])
    titles: list[str] = field(default_factory=list[str])
    rejects: list[Reject] = field(default_factory=list[Reject])


def preview(mind: MindFile, places: Iterable[str], *, adapter: Adapter | None = None) -> Preview:
    """Read what the places hold and compare it with what is here.

    Raises:
        InvalidInput: there is nothing at a path.
        StorageError: a path cannot be looked at.
    """
    from noosphere.harvest.read import open_place  # noqa: PLC0415  (brings the readers of every format)

    meter, count = Meter(), _Count()
    for place in [open_place(place, meter, adapter) for place in places]:
        for found in place.found:
            match found:
                case ImportItem():
                    _take(mind, found, count)
                case Reject():
                    count.rejects.append(found)
                case Left():
                    count.left[found.what.value] += found.count
    return Preview(
        **{name: count.counts[name] for name in ("conversations", "notes", "turns", "new", "grown", "known", "held")},
        by_source=dict(count.sources.most_common()),
        by_type=dict(count.types.most_common()),
        by_month=dict(sorted(count.months.items())),
        titles=tuple(count.titles),
        rejects=tuple(count.rejects),
        left=dict(sorted(count.left.items())),
    )


def _take(mind: MindFile, item: ImportItem, count: _Count) -> None:
    is_talk = item.type is ItemType.CONVERSATION
    count.counts["conversations" if is_talk else "notes"] += 1
    count.counts["turns"] += len(item.turns)
    count.sources[item.source] += 1
    count.types["conversation" if is_talk else item.role or "note"] += 1
    count.months["" if item.at is None else f"{moment(item.at):%Y-%m}"] += 1
    key = clean(item.key).text
    with mind.read() as sql:
        before = imports.item(sql, key)
        decided = quarantine.decided(sql, key)
    state = "new" if before is None else "known" if before.digest == digest_of(item) else "grown"
    count.counts[state] += 1
    if state == "known":
        return
    count.counts["held"] += len(screen_item(item, key, judge_item(item), decided).held)
    if len(count.titles) < TITLES:
        count.titles.append(item.title or item.origin)
