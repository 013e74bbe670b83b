"""Columns of prose on a page that draws them row by row: read one behind the other; a table stays in its rows.

A page is a drawing, and how its lines lie is all there is. Only a page that is plainly set in columns is read so: most
rows have as many pieces, far apart, and each piece is several words. Anything else is left in the order of drawing.
"""

from __future__ import annotations

import re
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PIECE = re.compile(r"\S+(?: {1,2}\S+)*")
LEAST_ROWS = 5
USUAL = 0.6  # of the rows have a piece in every column
PROSE = 3  # words of a piece: cells of a table have fewer
NEAR = 12  # letters: a piece that stands alone in its row begins so near its column, or is a line across all


class Row(NamedTuple):
    """The pieces of a line, each with the place where it begins."""

    pieces: tuple[tuple[int, str], ...]


def in_columns(laid_out: str) -> str | None:
    """The text of a page that is set in columns, from its lines laid out with spaces; None of any other page."""
    rows = [row for row in map(_row, laid_out.splitlines()) if row.pieces]
    count, whole = Counter(len(row.pieces) for row in rows).most_common(1)[0] if rows else (0, 0)
    if len(rows) < LEAST_ROWS or count < 2 or whole < USUAL * len(rows):  # noqa: PLR2004  (one is no column)
        return None
    full = [row for row in rows if len(row.pieces) == count]
    if any(median(len(row.pieces[n][1].split()) for row in full) < PROSE for n in range(count)):
        return None
    starts = [median(row.pieces[n][0] for row in full) for n in range(count)]
    return "\n".join(_read(rows, starts))


def _row(line: str) -> Row:
    return Row(tuple((found.start(), found[0]) for found in PIECE.finditer(line)))


def _read(rows: Sequence[Row], starts: Sequence[float]) -> Iterator[str]:
    columns: list[list[str]] = [[] for _ in starts]
    for row in rows:
        at = range(len(starts)) if len(row.pieces) == len(starts) else _places(row, starts)
        if at is not None:
            for n, (_, text) in zip(at, row.pieces, strict=True):
                columns[n].append(text)
            continue
        yield from (line for column in columns for line in column)
        columns = [[] for _ in starts]
        yield " ".join(text for _, text in row.pieces)
    yield from (line for column in columns for line in column)


def _places(row: Row, starts: Sequence[float]) -> list[int] | None:
    """In which column each piece of a shorter row is; None of a line that goes across them, as a heading does."""
    found: list[int] = []
    for start, text in row.pieces:
        n = min(range(len(starts)), key=lambda n: abs(starts[n] - start))
        across = n + 1 < len(starts) and start + len(text) > starts[n + 1] - NEAR / 2
        if abs(starts[n] - start) > NEAR or across or n in found:
            return None
        found.append(n)
    return found
