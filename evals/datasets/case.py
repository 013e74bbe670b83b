"""A case: conversations to remember, and questions with the turns that answer them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Said:
    """One turn; `id` is unique in its case."""

    id: str
    speaker: str
    role: str | None
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session of a conversation."""

    id: str
    at: datetime | None
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """What a group of people said to each other.

    Attributes:
        one_conversation: whether the sittings are sessions of one conversation, or each is a conversation.
    """

    id: str
    sittings: tuple[Sitting, ...]
    participants: tuple[str, ...]
    one_conversation: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold: the turns that answer it, none when nothing does.

    Attributes:
        kind: the benchmark's own type, for the breakdown.
        at: when it is asked.
        scored: whether it counts in the headline (LoCoMo's adversarial category does not).
        people: whose talk it is about, for set-ups with several talks in one mind.
    """

    id: str
    text: str
    kind: str
    gold: frozenset[str]
    at: datetime | None = None
    abstain: bool = False
    scored: bool = True
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """What one mind is filled with and asked."""

    id: str
    talks: tuple[Talk, ...]
    questions: tuple[Question, ...]

    @property
    def sittings(self) -> tuple[Sitting, ...]:
        """Every sitting of every talk."""
        return tuple(sitting for talk in self.talks for sitting in talk.sittings)

    def session_of(self) -> dict[str, str]:
        """The session each turn belongs to."""
        return {turn.id: sitting.id for sitting in self.sittings for turn in sitting.turns}


def pooled(name: str, cases: Iterable[Case]) -> Case:
    """All talks of several cases in one mind; ids carry the case they come from."""
    talks: list[Talk] = []
    questions: list[Question] = []
    for case in cases:
        for talk in case.talks:
            sittings = tuple(
                replace(s, id=f"{case.id}/{s.id}", turns=tuple(replace(t, id=f"{case.id}/{t.id}") for t in s.turns))
                for s in talk.sittings
            )
            talks.append(replace(talk, id=f"{case.id}/{talk.id}", sittings=sittings))
        for question in case.questions:
            gold = frozenset(f"{case.id}/{turn}" for turn in question.gold)
            people = case.talks[0].participants
            questions.append(replace(question, id=f"{case.id}/{question.id}", gold=gold, people=people))
    return Case(name, tuple(talks), tuple(questions))
