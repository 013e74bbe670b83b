"""mcp-memory-service: its sqlite-vec storage, without the check for near-duplicates."""

import asyncio
import hashlib
from pathlib import Path

import numpy as np
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage


class Looked:
    """Vectors that were made before, in the place of its model."""

    def __init__(self, lookup):
        self._lookup = lookup
        self.embedding_dimension = lookup.dim

    def encode(self, texts, **options):
        return np.stack([self._lookup(text) for text in texts])


class Store:
    def __init__(self, folder, lookup):
        self._loop = asyncio.new_event_loop()
        self._storage = SqliteVecMemoryStorage(str(Path(folder) / "memory.db"))

        async def look():
            self._storage.embedding_model = Looked(lookup)
            self._storage.embedding_dimension = lookup.dim

        self._storage._initialize_embedding_model = look
        self._loop.run_until_complete(self._storage.initialize())

    def add(self, text):
        done, why = self._loop.run_until_complete(self._storage.store(_memory(text), skip_semantic_dedup=True))
        if not done:
            raise RuntimeError(why)

    def add_many(self, texts):
        for at in range(0, len(texts), 100):
            part = [_memory(text) for text in texts[at : at + 100]]
            for done, why in self._loop.run_until_complete(self._storage.store_batch(part)):
                if not done:
                    raise RuntimeError(why)

    def search(self, text, k):
        found = self._loop.run_until_complete(self._storage.retrieve(text, n_results=k))
        return [row.memory.content for row in found]

    def count(self):
        return self._storage.conn.execute("SELECT count(*) FROM memories").fetchone()[0]

    def close(self):
        self._storage.conn.close()


def _memory(text):
    return Memory(content=text, content_hash=hashlib.sha256(text.encode()).hexdigest())
