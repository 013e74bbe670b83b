"""Token vectors made small for the late interaction: the directions in which tokens differ most, in int8.

The matrix was made by `python -m evals projection` from the tokens of the dev halves (singular vectors, seeded).
Against full vectors it costs nothing that can be measured, in 96 bytes a token instead of 1,536.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from noosphere.errors import ModelUnavailable
from noosphere.providers.embed.files import REINSTALL
from noosphere.providers.embed.pooling import unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from noosphere.providers.ports import Matrix

DIM = 96
FILE = "all-minilm-l6-v2.tokens-96.npy"
LARGEST = 127  # of an int8


def project(rows: Matrix) -> Matrix:
    """Bring token vectors of shape (n, 384) to unit rows of shape (n, 96)."""
    return unit(rows @ matrix())


def pack(rows: Matrix) -> NDArray[np.int8]:
    """Make unit rows int8, each by its own largest value; `unpack` brings the length back."""
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=1e-9)
    return np.rint(rows * (LARGEST / largest)).astype(np.int8)


def unpack(packed: NDArray[np.int8]) -> Matrix:
    """Unit rows from packed ones, within rounding."""
    return unit(packed.astype(np.float32))


@cache
def matrix() -> Matrix:
    """The projection, float32 of shape (384, 96).

    Raises:
        ModelUnavailable: its file is missing or damaged.
    """
    file = resources.files("noosphere.providers.embed").joinpath("models", FILE)
    try:
        with resources.as_file(file) as path:
            found = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as problem:
        raise ModelUnavailable("projection", f"{FILE} cannot be read ({problem})", REINSTALL) from problem
    return found.astype(np.float32)
