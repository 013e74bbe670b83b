"""Screening of hits: a text that looks like an attack, or holds a secret, is withheld; the other hits stay as they are.

The scores were stored when the texts were written; nothing is scanned here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from noosphere.model.trace import Screened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.hit import Hit
    from noosphere.model.trace import Step

Suspects = Literal["mark", "drop", "strict"]
ATTACK = "looks like an attack"
LONGEST_NAME = 20  # characters of a name that has no room for an order
SECRET = "holds a secret"  # noqa: S105  (words for a reader)


def screen(hits: Sequence[Hit], suspects: Suspects, steps: list[Step]) -> tuple[Hit, ...]:
    """Withhold what may not be shown unasked.

    Args:
        hits: best first.
        suspects: what becomes of those that look like an attack: "mark" leaves a line with the id and the reason,
            "drop" leaves them out, "strict" leaves everything out as soon as there is one.
        steps: takes a record of what was withheld and why.
    """
    withheld = [(hit.id, reason) for hit in hits if (reason := _reason(hit)) is not None]
    if not withheld:
        return tuple(hits)
    steps.append(Screened(suspects, tuple(withheld)))
    attacked = any(hit.suspect is not None for hit in hits)
    if attacked and suspects == "strict":
        return ()
    kept = hits if suspects == "mark" else [hit for hit in hits if hit.suspect is None]
    return tuple(hit if (reason := _reason(hit)) is None else _marked(hit, reason) for hit in kept)


def _reason(hit: Hit) -> str | None:
    if hit.suspect is not None:
        return f"{ATTACK} ({hit.suspect:.2f})"
    return SECRET if hit.secret else None


def _marked(hit: Hit, reason: str) -> Hit:
    """The hit without a word of what it says."""
    note = f"[withheld: {reason}; get {hit.id} shows it as data, review lists it]"
    return replace(
        hit,
        text=note,
        span=(0, len(note)),
        speaker=hit.speaker and hit.speaker[:LONGEST_NAME],
        tags=(),
        title=None,
        subject=None,
        value=None,
        before=None,
        after=None,
        terms=(),
        withheld=reason,
    )
