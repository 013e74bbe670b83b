"""The two forms of a vector, int8 and float16, held against each other: no checksum stands beside them, so damage to
either shows where they differ.
"""  # noqa: D205

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noosphere.store.scan import quantize
from noosphere.store.vectors import SOUND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.store.connection import Connection
    from noosphere.store.vectors import SpaceRow

PULL = 8192  # rows read at a time
ROUNDED = 1  # between the int8 of a number and that of its float16, which is rounded itself


def differing(sql: Connection, space: SpaceRow) -> Iterator[tuple[int, int]]:
    """The seq and the frame of every vector of a space whose forms are not of one vector, or that is no numbers."""
    cursor = sql.execute(
        f"SELECT seq, frame, q, f FROM vec WHERE space = :space AND {SOUND}", {"space": space.id, "dim": space.dim}
    )
    while rows := [row for _, row in zip(range(PULL), cursor, strict=False)]:
        small = np.frombuffer(b"".join(row[2] for row in rows), np.int8).reshape(len(rows), -1)
        exact = np.frombuffer(b"".join(row[3] for row in rows), np.float16).reshape(len(rows), -1).astype(np.float32)
        finite = np.isfinite(exact)
        made = quantize(np.where(finite, exact, 0), space.scale)
        agree = finite & (np.abs(made.astype(np.int16) - small) <= ROUNDED)
        for at in np.flatnonzero(~agree.all(axis=1)).tolist():
            yield rows[at][0], rows[at][1]
