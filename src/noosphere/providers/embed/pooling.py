"""Brings vectors to unit length; one without direction becomes zeros, never NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from noosphere.providers.ports import Matrix

TINY = np.float32(1e-12)  # below this a vector has no direction


def unit(vectors: Matrix) -> Matrix:
    """Scale each row (or the one vector) to length 1, zeros where it has none."""
    lengths = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True, dtype=np.float32))
    return np.where(lengths > TINY, vectors / np.maximum(lengths, TINY), np.float32(0))
