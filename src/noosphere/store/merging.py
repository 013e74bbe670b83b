"""Which segments are written anew: small neighbours as one, and one of which much is gone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.store.connection import Connection

FAN = 4  # so many neighbours of one size become one: each row is written anew once for each four times as many rows
GONE = 4  # a segment is written anew when a quarter of its rows is gone


@dataclass(frozen=True, slots=True)
class Listed:
    """A segment of the manifest, with how many of its rows live."""

    lo: int
    hi: int
    rows: int
    living: int
    file: str


def listed(sql: Connection, space: int, incarnation: str) -> list[Listed]:
    """The segments of a space, oldest first."""
    rows = sql.execute(
        "SELECT lo, hi, rows, file FROM segment WHERE space = ? AND incarnation = ? ORDER BY lo", (space, incarnation)
    ).fetchall()
    gone = sorted(vec for (vec,) in sql.execute("SELECT vec FROM vec_tomb WHERE space = ?", (space,))) if rows else []
    return [
        Listed(lo, hi, count, count - (bisect_right(gone, hi) - bisect_left(gone, lo)), file)
        for lo, hi, count, file in rows
    ]


def due(segments: Sequence[Listed], smallest: int, largest: int) -> Sequence[Listed]:
    """The neighbours to write anew as one segment, one alone whose rows are gone, or none.

    Args:
        segments: of one space, oldest first.
        smallest: how many rows the smallest segments have about.
        largest: how many rows a segment may have.
    """
    bound = smallest * FAN
    while bound < largest * FAN:
        for run in _runs(segments, bound):
            if len(run) >= FAN and _is_worth_it(fitting := _fitting(run, largest)):
                return fitting
        bound *= FAN
    return [one for one in segments if (one.rows - one.living) * GONE > one.rows][:1]


def _runs(segments: Sequence[Listed], bound: int) -> list[list[Listed]]:
    """Neighbours that are all smaller than a bound, as long as they reach."""
    runs: list[list[Listed]] = [[]]
    for one in segments:
        if one.living < bound:
            runs[-1].append(one)
        else:
            runs.append([])
    return runs


def _is_worth_it(segments: list[Listed]) -> bool:
    """Whether no large one would be written anew for the sake of a few rows."""
    rows = [one.living for one in segments]
    return len(rows) > 1 and 2 * max(rows) <= sum(rows)


def _fitting(run: list[Listed], largest: int) -> list[Listed]:
    """The first of a run that fit into one segment together."""
    rows, taken = 0, list[Listed]()
    for one in run:
        rows += one.living
        if rows > largest:
            break
        taken.append(one)
    return taken
