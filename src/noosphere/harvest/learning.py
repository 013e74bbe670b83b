"""learn: what harvested turns say that is worth keeping: facts, decisions, events with their days, and profiles.

The turns are in and searchable before; this goes over them by rules, batch by batch, and goes on where it stopped.
Several processes may do it at once: each batch is read and learnt from in one transaction.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

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
from noosphere.write.candidates import Beside, compare_stored
from noosphere.write.cognify.capture import capture
from noosphere.write.remember import remember

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.model.outcome import Remembered
    from noosphere.store.imports import TurnRow
    from noosphere.store.mind_file import MindFile
    from noosphere.write.cognify.capture import Capture

BATCH = 200  # turns in one transaction
A_FEW = 25  # turns in one transaction in the background, where somebody else may wait to write
COUNTS = ("turns", "added", "known", "left", "candidates", "profiles")
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
        candidates: memories that may contradict what is known; `review` lists them.
        profiles: people of whom something new is known.
        waiting: whether turns were not read yet.
        skipped: turns that a quick model found worth nothing, if one was asked.
        problem: why a language model could not go on, if one was asked; what it answered for is kept.
    """

    turns: int
    added: int
    known: int
    left: int
    candidates: int
    profiles: int
    waiting: bool
    skipped: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnStep:
    """One batch further.

    Attributes:
        turns: how many were read so far, of `size` that waited.
        added: memories that are new so far.
        seconds_left: how long the rest will take at the pace so far.
    """

    turns: int
    size: int
    added: int
    seconds_left: float


class LearnWatcher(Protocol):
    """Is told how far learning has come."""

    def __call__(self, step: LearnStep, /) -> None:
        """Called after every batch."""
        ...


def learn(mind: MindFile, limit: int = MOST, watcher: LearnWatcher | None = None) -> LearntFromTurns:
    """Learn from at most so many turns that were not learnt from; a run that was killed goes on where it was.

    Raises:
        InvalidInput: the limit is out of range.
    """
    room, done, begun = read_count(limit, "limit", 1, MOST), Counter[str](), time.monotonic()
    size = min(room, waiting(mind)) if watcher is not None else 0
    while room > done["turns"]:
        found = learn_some(mind, min(BATCH, room - done["turns"]))
        if not found:
            break
        done += found
        if watcher is not None:
            left = (time.monotonic() - begun) * max(0, size - done["turns"]) / done["turns"]
            watcher(LearnStep(turns=done["turns"], size=size, added=done["added"], seconds_left=left))
    with mind.read() as sql:
        more = imports.is_to_learn(sql) and bool(imports.unlearnt(sql, imports.learnt_to(sql), 1))
    return LearntFromTurns(**{name: done[name] for name in COUNTS}, waiting=more, problem=None)


def learn_some(mind: MindFile, limit: int = A_FEW) -> Counter[str]:
    """Learn from the next turns, at most so many, in one transaction; counts nothing when none waits."""
    with mind.read() as sql:
        if not imports.is_to_learn(sql):
            return Counter()
    with mind.together(rows=limit, channel=Channel.IMPORT) as tx:
        rows = imports.unlearnt(tx.sql, imports.learnt_to(tx.sql), limit)
        if not rows:
            imports.learn_to(tx, imports.came_to(tx.sql))
            return Counter()
        done = _learn(mind, rows)
        imports.learn_to(tx, rows[-1].frame)
    return done


def waiting(mind: MindFile) -> int:
    """How many turns wait to be learnt from."""
    with mind.read() as sql:
        return sum(imports.count_unlearnt(sql).values())


def _learn(mind: MindFile, rows: list[TurnRow]) -> Counter[str]:
    found = [(row, one) for row in rows for one in captures(row)]
    kept = [(row, one) for row, one in found if one.why is None]
    done = Counter(turns=len(rows), left=len(found) - len(kept))
    done += counted(mind, remember(mind, [draft(row, one) for row, one in kept], importing=True))
    people = {normal(name): name for row, _ in kept if (name := _person(row)) is not None}
    done["profiles"] = sum(profile(mind, people[key]) for key in sorted(people))
    return done


def counted(mind: MindFile, outcomes: Iterable[Remembered]) -> Counter[str]:
    """What became of sentences, each new one compared with what is there: it may repeat or contradict that."""
    done: Counter[str] = Counter()
    for outcome in outcomes:
        if isinstance(outcome, (Refused, Duplicate)):
            done["left" if isinstance(outcome, Refused) else "known"] += 1
            continue
        beside = compare_stored(mind, outcome.id)
        done["known" if beside is Beside.REPETITION else "added"] += 1
        done["candidates"] += beside is Beside.CANDIDATE
    return done


def captures(row: TurnRow) -> list[Capture]:
    """What the rules find in a turn."""
    if row.speaker_role in SILENT:
        return []
    side = "assistant" if row.speaker_role == SpeakerRole.ASSISTANT else "user"
    if side == "assistant" and row.said_at is None:
        return []  # its "yesterday" would be another day in every run
    return capture(row.text, side)


def draft(row: TurnRow, one: Capture, domain: str | None = None) -> Draft:
    """The memory that a sentence of a turn becomes; what it is about is a tag."""
    guessed = row.speaker_role == SpeakerRole.ASSISTANT
    return Draft(
        text=one.text,
        role=one.role,
        importance=one.importance,
        source=Source.AGENT_INFERRED if guessed else Source.IMPORT,
        kind=one.kind,
        volatility=one.volatility,
        status=one.status,
        confidence=one.confidence,
        tags=[tag for tag in (LEARNT, domain, *one.tags) if tag is not None],
        evidence=uid_text(row.uid),
        said_at=None if row.said_at is None else moment(row.said_at),
        speaker=None if _person(row) == "user" else row.speaker,
    )


def _person(row: TurnRow) -> str | None:
    """Of whom "I" tells: the owner of an export is the user, anybody else has a name; no person is an assistant."""
    if row.speaker_role == SpeakerRole.ASSISTANT:
        return None
    return "user" if row.speaker in (None, USER) else row.speaker
