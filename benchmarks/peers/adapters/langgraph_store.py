"""langgraph: its SqliteStore with a vector index (sqlite-vec)."""

import hashlib
from pathlib import Path

from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore

SPACE = ("memories",)


class Store:
    def __init__(self, folder, lookup):
        index = {"dims": lookup.dim, "embed": lambda texts: [lookup(t).tolist() for t in texts], "fields": ["text"]}
        self._opened = SqliteStore.from_conn_string(str(Path(folder) / "store.db"), index=index)
        self._store = self._opened.__enter__()
        self._store.setup()

    def add(self, text):
        self.add_many([text])

    def add_many(self, texts):
        for at in range(0, len(texts), 100):
            part = texts[at : at + 100]
            self._store.batch(
                [PutOp(SPACE, hashlib.sha256(t.encode()).hexdigest(), {"text": t}, ["text"]) for t in part]
            )

    def search(self, text, k):
        return [item.value["text"] for item in self._store.search(SPACE, query=text, limit=k)]

    def count(self):
        return len(self._store.search(SPACE, limit=1_000_000))

    def close(self):
        self._opened.__exit__(None, None, None)
