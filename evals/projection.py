"""Makes the projection of token vectors (providers/embed/projection.py) from the tokens of the dev halves, seeded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals.datasets import beam, locomo, longmemeval
from noosphere.providers.embed import projection
from noosphere.providers.embed.encoder import Encoder

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETS = (locomo, longmemeval, beam)
TEXTS = 1_000  # of each set
EVERY = 2  # of a text's tokens, to see more texts


def sample(data: Path, seed: int = 0) -> NDArray[np.float32]:
    """Token vectors of turns drawn from every set alike: float32 of shape (n, 384)."""
    draw, model = np.random.default_rng(seed), Encoder()
    found: list[NDArray[np.float32]] = []
    for each in SETS:
        texts = sorted({t.text for case in each.read(data) for s in case.talks for x in s.sittings for t in x.turns})
        for number in draw.permutation(len(texts))[:TEXTS]:
            first = [texts[number][chunk.start : chunk.stop] for chunk in model.chunk(texts[number])[:1]]
            found += [model.token_vectors(text).rows[::EVERY] for text in first]
    return np.concatenate(found)


def main(data: Path, _cache: Path) -> None:
    """Write the matrix of the first right singular vectors beside the models."""
    rows = sample(data)
    _, vectors = np.linalg.eigh(rows.T.astype(np.float64) @ rows)
    best = vectors[:, ::-1][:, : projection.DIM]
    best = best * np.sign(best[np.abs(best).argmax(axis=0), range(projection.DIM)])  # a sign for every seed and machine
    path = Path(projection.__file__).parent / "models" / projection.FILE
    np.save(path, best.astype(np.float16))
    print(f"written to {path}")
