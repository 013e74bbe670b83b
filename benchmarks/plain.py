"""The plain baseline: FTS5 `ORDER BY rank` and a float32 scan in numpy, fused by reciprocal rank; ten texts out."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from noosphere.providers.ports import Embedder, Matrix

WORD = re.compile(r"\w+")
DEPTH = 100
RRF_K = 60


class Plain:
    """What a weekend's work gives: one table, one full-text index, one matrix in memory."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        self._db.execute(
            "CREATE VIRTUAL TABLE f USING fts5(text, content = 't', content_rowid = 'id', tokenize = 'porter')"
        )
        self.rows: Matrix = np.empty((0, 0), np.float32)

    def insert(self, texts: Iterable[str]) -> None:
        """Insert in one transaction."""
        with self._db:
            for text in texts:
                row = self._db.execute("INSERT INTO t (text) VALUES (?)", (text,)).lastrowid
                self._db.execute("INSERT INTO f (rowid, text) VALUES (?, ?)", (row, text))

    def embed(self, texts: Sequence[str], embedder: Embedder) -> None:
        """Keep the vectors in memory."""
        self.rows = embedder.embed_documents(texts)

    def rank(self, question: str, query: Matrix, k: int = 10) -> list[str]:
        """Ten texts."""
        match = " OR ".join(f'"{w}"' for w in WORD.findall(question))
        words = self._db.execute("SELECT rowid FROM f WHERE f MATCH ? ORDER BY rank LIMIT ?", (match, DEPTH)).fetchall()
        scores = self.rows @ query
        top = np.argpartition(scores, -DEPTH)[-DEPTH:]
        fused: dict[int, float] = {}
        for n, (row,) in enumerate(words, start=1):
            fused[row] = 1 / (RRF_K + n)
        for n, row in enumerate(top[np.argsort(-scores[top])].tolist(), start=1):
            fused[row + 1] = fused.get(row + 1, 0.0) + 1 / (RRF_K + n)
        best = sorted(fused, key=lambda row: -fused[row])[:k]
        return [self._db.execute("SELECT text FROM t WHERE id = ?", (row,)).fetchone()[0] for row in best]
