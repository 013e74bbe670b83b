"""harvest: read sources and write what they hold into a mind; a second run adds nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from noosphere.clock import moment
from noosphere.harvest.items import ImportItem, ItemType, Left, Reject
from noosphere.ids import uid_text
from noosphere.model.draft import Draft, Turn
from noosphere.model.outcome import Duplicate, Reason, Recorded, Refused, Revised
from noosphere.store import evidence
from noosphere.write.record import OPENS, read_about, record
from noosphere.write.remember import remember
from noosphere.write.revise import revise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from noosphere.store.mind_file import MindFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvested:
    """What a harvest did.

    Attributes:
        conversations, notes: items read of each kind.
        added: turns and notes that are new.
        known: turns and notes that were there already.
        changed: turns whose text differs from before, kept as alternatives.
        revised: notes whose text differs from before, kept with their history.
        forgotten: items that were forgotten here, and stay so.
        rejects: records that could not be read, with the reason.
        left: what was left out on purpose, counted by name.
        repairs: what had to be mended, in words.
    """

    conversations: int
    notes: int
    added: int
    known: int
    changed: int
    revised: int
    forgotten: int
    rejects: tuple[Reject, ...]
    left: dict[str, int]
    repairs: tuple[str, ...]


class Watcher(Protocol):
    """Is told how far a harvest has come."""

    def __call__(self, *, item: str, items: int, added: int) -> None:
        """Called after every item: where it came from, and the counts so far."""
        ...


@dataclass(slots=True)
class _Tally:
    counts: Counter[str] = field(default_factory=Counter[str])
    left: Counter[str] = field(default_factory=Counter[str])
    rejects: list[Reject] = field(default_factory=list[Reject])
    repairs: dict[str, None] = field(default_factory=dict[str, None])

    def result(self) -> Harvested:
        names = ("conversations", "notes", "added", "known", "changed", "revised", "forgotten")
        return Harvested(
            **{name: self.counts[name] for name in names},
            rejects=tuple(self.rejects),
            left=dict(sorted(self.left.items())),
            repairs=tuple(self.repairs),
        )


def harvest(mind: MindFile, paths: Iterable[Path], watcher: Watcher | None = None) -> Harvested:
    """Import everything the paths hold. What is bad is listed, what is good comes in.

    Raises:
        InvalidInput: there is nothing at a path.
        StorageError: a path cannot be looked at.
    """
    from noosphere.harvest.read import read_source  # noqa: PLC0415  (brings the readers of every format)

    tally = _Tally()
    for path in paths:
        for found in read_source(path):
            match found:
                case ImportItem():
                    _write(mind, found, tally)
                    if watcher is not None:
                        items = tally.counts["conversations"] + tally.counts["notes"]
                        watcher(item=found.origin, items=items, added=tally.counts["added"])
                case Reject():
                    tally.rejects.append(found)
                case Left():
                    tally.left[found.what.value] += found.count
    return tally.result()


def _write(mind: MindFile, item: ImportItem, tally: _Tally) -> None:
    tally.repairs |= dict.fromkeys(item.notes)
    if item.type is ItemType.CONVERSATION:
        tally.counts["conversations"] += 1
        _conversation(mind, item, tally)
    else:
        tally.counts["notes"] += 1
        _note(mind, item, tally)


def _conversation(mind: MindFile, item: ImportItem, tally: _Tally) -> None:
    about = read_about(
        participants=item.participants,
        title=item.title,
        source="import",
        tags=item.tags,
        metadata={**item.metadata, "source": item.source, "origin": item.origin},
    )
    outcome = record(mind, item.id, _turns(item), about, head=item.head)
    if isinstance(outcome, Refused):
        tally.counts["forgotten"] += 1
        return
    _count_turns(outcome, item, tally)


def _turns(item: ImportItem) -> list[Turn]:
    return [
        Turn(
            key=turn.key,
            speaker=turn.speaker,
            text=turn.text,
            at=None if turn.at is None else moment(turn.at),
            speaker_role=turn.role,
            parent=OPENS if turn.parent is None else turn.parent,
        )
        for turn in item.turns
    ]


def _count_turns(outcome: Recorded, item: ImportItem, tally: _Tally) -> None:
    tally.counts["added"] += len(outcome.added)
    tally.counts["known"] += outcome.known
    tally.counts["changed"] += len(outcome.changed)
    tally.repairs |= dict.fromkeys(outcome.repairs)
    tally.rejects += [Reject(f"{item.origin} turn {key}", "turn", why) for key, why in outcome.refused]


def _note(mind: MindFile, item: ImportItem, tally: _Tally) -> None:
    """Store a note once; when its text differs from the last run's, revise it."""
    before = _known_note(mind, item.id)
    if before is not None:
        _renew(mind, before, item, tally)
        return
    draft = Draft(
        text=item.text,
        source="import",
        title=item.title,
        tags=item.tags,
        evidence={"source_id": item.id, "uri": item.origin},
        said_at=None if item.at is None else moment(item.at),
        occurred=item.occurred,
        metadata={**item.metadata, "source": item.source, "origin": item.origin},
    )
    outcome = remember(mind, [draft], importing=True)[0]
    match outcome:
        case Duplicate():
            tally.counts["known"] += 1
        case Refused(reason=Reason.FORGOTTEN):
            tally.counts["forgotten"] += 1
        case Refused():
            tally.rejects.append(Reject(item.origin, "note", outcome.message))
        case _:
            tally.counts["added"] += 1
            tally.repairs |= dict.fromkeys(outcome.repairs)


def _known_note(mind: MindFile, source_id: str) -> str | None:
    with mind.read() as sql:
        found = evidence.target_of_source(sql, source_id)
        return None if found is None else uid_text(found)


def _renew(mind: MindFile, id: str, item: ImportItem, tally: _Tally) -> None:
    said = None if item.at is None else moment(item.at)
    outcome = revise(mind, id, item.text, said_at=said)
    match outcome:
        case Revised():
            tally.counts["revised"] += 1
            tally.repairs |= dict.fromkeys(outcome.repairs)
        case Refused(reason=Reason.FORGOTTEN):
            tally.counts["forgotten"] += 1
        case Refused(reason=Reason.UNCHANGED):
            tally.counts["known"] += 1
        case Refused():
            tally.rejects.append(Reject(item.origin, "note", outcome.message))
