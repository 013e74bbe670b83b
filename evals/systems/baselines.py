"""The baselines everyone knows: FTS5 as it comes, the usual hybrid of BM25 and pooled vectors, and vectors alone."""

from __future__ import annotations

import re
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from evals.datasets.case import Case, Question
    from noosphere.providers.ports import Embedder

RRF_K = 60  # Cormack 2009
DEPTH = 200  # of each list that is fused
WORD = re.compile(r"[A-Za-z0-9]+")
STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "for",
        "from",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "should",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "too",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "about",
        "after",
        "before",
    ]
)


class Fts5:
    """SQLite FTS5 with porter: a turn with its speaker is a document, the question's content words are joined by OR."""

    name = "fts5"

    @contextmanager
    def fill(self, case: Case, folder: Path) -> Generator[_Words]:
        """Index the turns."""
        del folder
        yield _Words(case)


class Dense:
    """Cosine of pooled vectors over whole turns, speaker included: what most memories do."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = "dense"
        self._embedder = embedder

    @contextmanager
    def fill(self, case: Case, folder: Path) -> Generator[_Meaning]:
        """Embed the turns."""
        del folder
        yield _Meaning(case, self._embedder)


class Hybrid:
    """The usual hybrid: reciprocal rank fusion of the two above."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = "hybrid"
        self._embedder = embedder

    @contextmanager
    def fill(self, case: Case, folder: Path) -> Generator[_Fused]:
        """Fill both."""
        del folder
        yield _Fused(_Words(case), _Meaning(case, self._embedder))


class _Words:
    def __init__(self, case: Case) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE f USING fts5(t, tokenize = 'porter unicode61')")
        self._ids = [t.id for s in case.sittings for t in s.turns]
        texts = [f"{t.speaker}: {t.text}" for s in case.sittings for t in s.turns]
        self._db.executemany("INSERT INTO f (rowid, t) VALUES (?, ?)", enumerate(texts))

    def rank(self, question: Question, k: int) -> list[str]:
        words = WORD.findall(question.text)
        match = " OR ".join(f'"{w}"' for w in [w for w in words if w.lower() not in STOP] or words)
        if not match:
            return []
        rows = self._db.execute("SELECT rowid FROM f WHERE f MATCH ? ORDER BY rank, rowid LIMIT ?", (match, k))
        return [self._ids[row] for (row,) in rows]


class _Meaning:
    def __init__(self, case: Case, embedder: Embedder) -> None:
        self._embedder = embedder
        turns = [t for s in case.sittings for t in s.turns]
        self._ids = [t.id for t in turns]
        chunks = [(n, f"{t.speaker}: {t.text}"[c.start : c.stop]) for n, t in enumerate(turns)
                  for c in embedder.chunk(f"{t.speaker}: {t.text}")]  # fmt: skip
        self._rows = embedder.embed_documents([text for _, text in chunks])
        self._owner = np.array([n for n, _ in chunks])

    def rank(self, question: Question, k: int) -> list[str]:
        scores = np.full(len(self._ids), -np.inf)
        np.maximum.at(scores, self._owner, self._rows @ self._embedder.embed_query(question.text))
        return [self._ids[n] for n in np.argsort(-scores, kind="stable")[:k]]


class _Fused:
    def __init__(self, words: _Words, meaning: _Meaning) -> None:
        self._arms = (words, meaning)

    def rank(self, question: Question, k: int) -> list[str]:
        scores: dict[str, float] = {}
        for arm in self._arms:
            for rank, turn in enumerate(arm.rank(question, DEPTH), start=1):
                scores[turn] = scores.get(turn, 0.0) + 1 / (RRF_K + rank)
        return sorted(scores, key=lambda turn: (-scores[turn], turn))[:k]
