"""learn: what harvested turns say that is worth keeping: facts, decisions, events with their days, and profiles.

The turns are in and searchable before; this goes over them by rules, batch by batch, and goes on where it stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.harvest.items import USER
from noosphere.harvest.profiles import profile
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.draft import Draft
from noosphere.model.outcome import Duplicate, Refused
from noosphere.model.slot import normal
from noosphere.model.vocabulary import Channel, Source, SpeakerRole
from noosphere.store import imports
from noosphere.write.cognify.capture import capture
from noosphere.write.remember import remember

if TYPE_CHECKING:
    from noosphere.store.imports import TurnRow
    from noosphere.store.mind_file import MindFile
    from noosphere.write.cognify.capture import Capture

BATCH = 200  # turns in one transaction
MOST = 100_000_000
LEARNT = "learnt"  # the tag of what came from here
SILENT = frozenset({SpeakerRole.TOOL, SpeakerRole.SYSTEM})


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntFromTurns:
    """What was learnt.

    Attributes:
        turns: how many were read.
        added: memories that are new.
        known: memories that were there, and got the turn as evidence.
        left: sentences that gave a sign and were left out by a rule or refused.
        profiles: people of whom something new is known.
        waiting: turns that were not read yet.
    """

    turns: int
    added: int
    known: int
    left: int
    profiles: int
    waiting: bool


def learn(mind: MindFile, limit: int = MOST) -> LearntFromTurns:
    """Learn from at most so many turns that were not learnt from; a run that was killed goes on where it was.

    Raises:
        InvalidInput: the limit is out of range.
    """
    room, turns, profiles = read_count(limit, "limit", 1, MOST), 0, 0
    counts = {"added": 0, "known": 0, "left": 0}
    while room > turns:
        with mind.read() as sql:
            rows = imports.unlearnt(sql, imports.learnt_to(sql), min(BATCH, room - turns))
        if not rows:
            break
        with mind.together(rows=len(rows), channel=Channel.IMPORT) as tx:
            found = [(row, one) for row in rows for one in _captures(row)]
            kept = [(row, one) for row, one in found if one.why is None]
            counts["left"] += len(found) - len(kept)
            for outcome in remember(mind, [_draft(row, one) for row, one in kept], importing=True):
                name = (
                    "left" if isinstance(outcome, Refused) else "known" if isinstance(outcome, Duplicate) else "added"
                )
                counts[name] += 1
            people = {normal(name): name for row, _ in kept if (name := _person(row)) is not None}
            profiles += sum(profile(mind, people[key]) for key in sorted(people))
            imports.learn_to(tx, rows[-1].frame)
        turns += len(rows)
    with mind.read() as sql:
        waiting = bool(imports.unlearnt(sql, imports.learnt_to(sql), 1))
    return LearntFromTurns(turns=turns, profiles=profiles, waiting=waiting, **counts)


def _captures(row: TurnRow) -> list[Capture]:
    if row.speaker_role in SILENT:
        return []
    side = "assistant" if row.speaker_role == SpeakerRole.ASSISTANT else "user"
    if side == "assistant" and row.said_at is None:
        return []  # its "yesterday" would be another day in every run
    return capture(row.text, side)


def _draft(row: TurnRow, one: Capture) -> Draft:
    guessed = row.speaker_role == SpeakerRole.ASSISTANT
    return Draft(
        text=one.text,
        role=one.role,
        importance=one.importance,
        source=Source.AGENT_INFERRED if guessed else Source.IMPORT,
        tags=LEARNT,
        evidence=uid_text(row.uid),
        said_at=None if row.said_at is None else moment(row.said_at),
        speaker=None if _person(row) == "user" else row.speaker,
    )


def _person(row: TurnRow) -> str | None:
    """Of whom "I" tells: the owner of an export is the user, anybody else has a name; no person is an assistant."""
    if row.speaker_role == SpeakerRole.ASSISTANT:
        return None
    return "user" if row.speaker in (None, USER) else row.speaker
