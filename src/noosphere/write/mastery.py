"""The verbs of concept mastery: count an answer, and list what is due, by the FSRS scheduler."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from noosphere.clock import micros, moment
from noosphere.errors import InvalidInput, ModelUnavailable
from noosphere.ids import uid_text
from noosphere.model.argument import read_count, read_flag, read_key
from noosphere.model.mastery import Answered, Concept
from noosphere.model.when import FOREVER, read_time
from noosphere.store import agent
from noosphere.store.agent import ConceptRow

if TYPE_CHECKING:
    from datetime import date, datetime

    from noosphere.store.mind_file import MindFile

    Time = datetime | date | str

MAX_LISTED = 10_000
RATINGS = ("again", "hard", "good", "easy")


class Mastery:
    """How well concepts are known: answer, due, list."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def answer(self, concept: str, *, correct: bool | None = None, rating: str | None = None) -> Answered:
        """Count an answer and say when to ask again.

        Args:
            concept: what was asked about; case and spacing do not matter.
            correct: whether the answer was right; says "good" or "again".
            rating: again, hard, good or easy, in place of `correct`.

        Raises:
            InvalidInput: neither or both of the two were given, or the rating is unknown.
            ModelUnavailable: the scheduler is not installed (extra `mastery`).
        """
        named = " ".join((read_key(concept, "concept") or "").split())
        grade = _rating(read_flag(correct, "correct"), rating)
        scheduler = _fsrs()
        with self._mind.write() as tx:
            known = agent.concept(tx.sql, named.casefold())
            now = moment(tx.now).astimezone(UTC)
            card = scheduler.Card() if known is None else scheduler.Card.from_json(known.card)
            # Fuzz spreads due dates at random; without it an answer always gives the same date.
            reviewed, _ = scheduler.Scheduler(enable_fuzzing=False).review_card(
                card, scheduler.Rating[grade.capitalize()], now
            )
            entry = tx.open("mastery.answer")
            right = int(grade != "again")
            row = ConceptRow(
                uid=tx.ids.new() if known is None else known.uid,
                concept=named if known is None else known.concept,
                norm=named.casefold(),
                card=reviewed.to_json(),
                answers=1 if known is None else known.answers + 1,
                correct=right if known is None else known.correct + right,
                due_at=micros(reviewed.due),
                last_at=entry.at,
            )
            agent.put_concept(tx, entry, row)
            return Answered(
                id=uid_text(row.uid), concept=row.concept, due_at=moment(row.due_at), journal=tx.close(entry, row.uid)
            )

    def due(self, limit: int = 50, *, by: Time | None = None) -> list[Concept]:
        """What is to be asked again, the longest due first.

        Args:
            limit: how many, at most.
            by: due by then; now when None.

        Raises:
            InvalidInput: the limit is out of range, or `by` is not a time.
        """
        until = read_time(by, "by", self._mind.zone)
        return self._listed(self._mind.clock.now() if until is None else until.last, limit)

    def list(self, limit: int = 1000) -> list[Concept]:
        """Every concept, the one to be asked next first.

        Raises:
            InvalidInput: the limit is out of range.
        """
        return self._listed(FOREVER, limit)

    def _listed(self, due_by: int, limit: int) -> list[Concept]:
        with self._mind.read() as sql:
            rows = agent.concepts(sql, due_by, read_count(limit, "limit", 1, MAX_LISTED))
        return [
            Concept(
                id=uid_text(row.uid),
                concept=row.concept,
                answers=row.answers,
                correct=row.correct,
                due_at=moment(row.due_at),
                last_at=moment(row.last_at),
            )
            for row in rows
        ]


def _rating(correct: bool | None, rating: str | None) -> str:  # noqa: FBT001  (an answer is right or wrong)
    if (correct is None) == (rating is None):
        raise InvalidInput("answer", "says neither or both of correct and rating", "Give one of the two")
    if rating is None:
        return "good" if correct else "again"
    if rating not in RATINGS:
        raise InvalidInput.choice("rating", rating, RATINGS)
    return rating


def _fsrs() -> Any:
    try:
        import fsrs  # noqa: PLC0415  (an extra)
    except ImportError:
        raise ModelUnavailable(
            "fsrs", "is not installed", "Install it with `pip install 'noosphere[mastery]'`"
        ) from None
    return fsrs
