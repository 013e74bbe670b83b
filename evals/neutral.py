"""`python -m evals neutral`: what is taken out of the multilingual vectors (providers/embed/neutral.py), and how much
lower the cosine of a question with its answer is when they are in two languages.

Learnt from 48 written sentences in 19 languages each; none of the sets that measure it is looked at.
"""  # noqa: D205

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from noosphere.providers.embed import files
from noosphere.providers.embed.encoder import Pooled

if TYPE_CHECKING:
    from numpy.typing import NDArray

SENTENCES = Path(__file__).parent / "languages" / "parallel.txt"
DIRECTIONS = 12
ANSWERS = ((2, 3), (6, 5), (8, 9), (11, 10), (16, 15), (18, 17), (20, 19), (23, 22), (26, 25), (28, 27))
ANSWERS += ((31, 30), (33, 32), (35, 34), (38, 37), (45, 46))
"""The sentences that are questions, and those that answer them, by their lines."""


def read() -> list[list[str]]:
    """The sentences, each in all languages."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if not line.startswith("#")]


def embed() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """All sentences as questions and as documents, with nothing taken out: shape (sentences, languages, 384)."""
    rows, model = read(), Pooled(files.MULTILINGUAL, neutral=False)
    texts = [text for row in rows for text in row]
    shape = (len(rows), len(rows[0]), files.MULTILINGUAL.dim)
    asked = np.stack([model.embed_query(text) for text in texts])
    return asked.reshape(shape).astype(float), model.embed_documents(texts).reshape(shape).astype(float)


def directions(*spaces: NDArray[np.float64]) -> NDArray[np.float64]:
    """The directions in which translations of a sentence differ most."""
    apart = np.concatenate([(each - each.mean(1, keepdims=True)).reshape(-1, each.shape[2]) for each in spaces])
    return np.linalg.eigh(apart.T @ apart)[1][:, ::-1][:, :DIRECTIONS].T


def across(asked: NDArray[np.float64], told: NDArray[np.float64], rows: NDArray[np.float64]) -> float:
    """How many times higher the cosine of a question with its answer is in one language than in two."""
    left = [_left(each, mean, rows[2:]) for each, mean in ((asked, rows[0]), (told, rows[1]))]
    found = [left[0][question] @ left[1][answer].T for question, answer in ANSWERS]
    others = ~np.eye(asked.shape[1], dtype=bool)
    return float(np.mean([np.diag(each).mean() for each in found]) / np.mean([each[others].mean() for each in found]))


def _left(each: NDArray[np.float64], mean: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.float64]:
    left = each - mean
    left = left - left @ ways.T @ ways
    return left / np.linalg.norm(left, axis=2, keepdims=True)


def main(_data: Path, _cache: Path) -> None:
    """Write the rows beside the model, with their checksum, and print the factor."""
    asked, told = embed()
    rows = np.concatenate([[asked.mean((0, 1)), told.mean((0, 1))], directions(asked, told)])
    print(f"across languages a cosine is {across(asked, told, rows):.2f} times lower; files.MULTILINGUAL says "
          f"{files.MULTILINGUAL.across}")  # fmt: skip
    path = files.folder(files.MULTILINGUAL) / files.MULTILINGUAL.neutral
    np.save(path, rows.astype(np.float32))
    listed = path.with_name("checksums.json")
    sums = json.loads(listed.read_text(encoding="utf-8"))
    content = path.read_bytes()
    sums[path.name] = {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
    listed.write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
    print(f"written to {path}")
