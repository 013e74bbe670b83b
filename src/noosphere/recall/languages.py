"""A question in one language, its answer in another: what they share is lower by cosine, and nothing by words.

A model of many languages says by how much (`Space.across`); with another model this does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.recall.pool import Pool


def level(pool: Pool, first: int, question: str, across: float) -> None:
    """Raise the cosines of texts in another language than the question's, from the unit `first` of the pool on."""
    if across == 1:
        return
    from noosphere.model.tongue import tongue  # noqa: PLC0415  (its words are read for such models alone)

    asked = tongue(question)
    if asked is None:
        return
    for number in range(first, len(pool.units)):
        if tongue(pool.units[number].text) not in {asked, None}:
            pool.foreign[number] = True
            pool.cosine[number] = _raised(pool.cosine[number], across)
            pool.next_cosine[number] = _raised(pool.next_cosine[number], across)


def _raised(cosine: float | None, across: float) -> float | None:
    return None if cosine is None else min(1.0, cosine * across)
