"""What a text means, less what tells its language: a vector without the mean of all texts and the ways of languages.

An encoder of many languages puts two texts of one language nearer to each other than a text and its translation. The
directions that do so are few; they are learnt from sentences that say the same in many languages (`python -m evals
neutral`) and taken out of every vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from noosphere.providers.embed.pooling import unit
from noosphere.records import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.providers.ports import Matrix


@dataclass(frozen=True, slots=True)
class Neutral:
    """What is taken out of unit vectors.

    Attributes:
        query: the mean of questions, shape (dim,).
        document: of other texts.
        directions: of languages, orthonormal rows, shape (n, dim).
    """

    query: Matrix
    document: Matrix
    directions: Matrix

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the rows in this order: both means, then the directions."""
        rows: Matrix = np.load(path)
        return cls(rows[0], rows[1], rows[2:])

    def of(self, vector: Matrix, mean: Matrix) -> Matrix:
        """The unit vector of what is left; zeros stay zeros."""
        if not vector.any():
            return vector
        left = vector - mean
        told = left @ self.directions.T @ self.directions
        return unit((left - told).astype(np.float32))
