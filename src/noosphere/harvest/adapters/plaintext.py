"""Plain text: a note, or a conversation when its lines are said by people in turn (`Ann: …`, `Bob: …`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.plaintext_transcript import Transcript, read_transcript
from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Omission, Reject
from noosphere.harvest.prose import day_of, prose_of, stem_of
from noosphere.harvest.times import read_instant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "plaintext"
MARKUP = re.compile(r"\s*<[a-z][^<>]*>.*</", re.IGNORECASE | re.DOTALL)  # a fragment of HTML or XML; not `<Ann> hello`


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Take any text that is no data of another kind; be surer of a transcript."""
    text = prose_of(head)
    if text is None or MARKUP.match(text):
        return Match.NO
    is_transcript = read_transcript(text.replace("\r\n", "\n")) is not None
    return Match.STRUCTURE if is_transcript else Match.ANY_TEXT


def read(member: Member) -> Iterator[Found]:
    """Yield the note, or the conversation and what stands before it."""
    decoded = member.text()
    if isinstance(decoded, Reject):
        yield decoded
    elif not decoded.text.strip():
        yield Left(member.origin, Omission.EMPTY_NOTE)
    elif transcript := read_transcript(decoded.text):
        yield from _conversation(member, transcript, decoded.repairs)
    else:
        yield _note(member, member.name, decoded.text, decoded.repairs)


def _conversation(member: Member, transcript: Transcript, repairs: tuple[str, ...]) -> Iterator[Found]:
    """A single line before the first turn is a title; more of it is a note of its own."""
    before, stem = transcript.preamble, stem_of(member.name)
    is_title = "\n" not in before
    if before and not is_title:
        yield _note(member, f"{member.name}#preamble", before, repairs)
    turns, day = transcript.turns, day_of(stem)
    first = next((turn.at for turn in turns if turn.at is not None), None)
    yield ImportItem(
        id=member.name,
        source=NAME,
        type=ItemType.CONVERSATION,
        title=before if before and is_title else stem,
        origin=member.origin,
        at=_day_start(day) if first is None else first,
        occurred=day,
        turns=turns,
        participants=tuple(dict.fromkeys(turn.speaker for turn in turns)),
        head=turns[-1].key,
        path=member.name,
        metadata={"path": member.name},
        notes=(*repairs, *transcript.repairs),
    )


def _note(member: Member, key: str, text: str, repairs: tuple[str, ...]) -> ImportItem:
    """A note's time is only ever the day its name is: the file's own times change with every copy."""
    stem = stem_of(member.name)
    day = day_of(stem)
    return ImportItem(
        id=key,
        source=NAME,
        type=ItemType.NOTE,
        title=stem,
        origin=member.origin,
        at=_day_start(day) if day == stem else None,
        text=text.strip("\n"),
        occurred=day,
        path=member.name,
        metadata={"path": member.name},
        notes=repairs,
    )


def _day_start(day: str | None) -> int | None:
    instant = read_instant(day)
    return instant.at if instant else None
