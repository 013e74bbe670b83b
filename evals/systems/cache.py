"""An embedder that remembers: vectors by the hash of their text, in a file, so that a second run is quick."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from noosphere.providers.embed import projection
from noosphere.providers.ports import LateEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from noosphere.providers.ports import Chunk, Embedder, Matrix, Packed, Space, TokenVectors


class Remembered:
    """Wraps an embedder of the product; its vectors are exactly the embedder's own."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        self._salt = inner.space.fingerprint.encode()

    @property
    def space(self) -> Space:
        """The embedder's own space."""
        return self._inner.space

    def chunk(self, text: str) -> list[Chunk]:
        """Cut as the embedder does."""
        return self._inner.chunk(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed what is not known yet, and remember it."""
        keys = [sha256(self._salt + text.encode("utf-8", "replace")).digest() for text in texts]
        known = {key: value for key in dict.fromkeys(keys) if (value := self._look(key)) is not None}
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if fresh:
            rows = self._inner.embed_documents(list(fresh.values()))
            made = {key: row.astype(np.float32).tobytes() for key, row in zip(fresh, rows, strict=True)}
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", made.items())
            self._db.execute("COMMIT")
            known |= made
        flat = np.frombuffer(b"".join(known[key] for key in keys), np.float32)
        return flat.reshape(len(texts), self.space.dim)

    def embed_query(self, text: str) -> Matrix:
        """Questions are not remembered: they are few and quick."""
        return self._inner.embed_query(text)

    def late_document(self, text: str, before: str) -> Packed:
        """Embed what is not known yet, and remember it."""
        key = sha256(self._salt + f"late\0{before}\0{text}".encode("utf-8", "replace")).digest()
        value = self._look(key)
        if value is None:
            value = self._late.late_document(text, before).tobytes()
            self._db.execute("INSERT OR REPLACE INTO vector VALUES (?, ?)", (key, value))
        return np.frombuffer(value, np.int8).reshape(-1, projection.DIM)

    def late_query(self, text: str) -> TokenVectors:
        """Questions are not remembered."""
        return self._late.late_query(text)

    @property
    def _late(self) -> LateEmbedder:
        if not isinstance(self._inner, LateEmbedder):
            raise TypeError(f"{self.space.name} has no tokens to show")
        return self._inner

    def _look(self, key: bytes) -> bytes | None:
        row = self._db.execute("SELECT value FROM vector WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]
