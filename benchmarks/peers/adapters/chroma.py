"""chromadb: a persistent client, one collection, vectors given."""

import hashlib

import chromadb
from chromadb.config import Settings


class Store:
    def __init__(self, folder, lookup):
        client = chromadb.PersistentClient(path=str(folder), settings=Settings(anonymized_telemetry=False))
        self._texts = client.get_or_create_collection(
            "memories", metadata={"hnsw:space": "cosine"}, embedding_function=None
        )
        self._lookup = lookup

    def add(self, text):
        self.add_many([text])

    def add_many(self, texts):
        for at in range(0, len(texts), 1000):
            part = texts[at : at + 1000]
            ids = [hashlib.sha256(t.encode()).hexdigest() for t in part]
            self._texts.add(ids=ids, documents=part, embeddings=[self._lookup(t) for t in part])

    def search(self, text, k):
        found = self._texts.query(query_embeddings=[self._lookup(text)], n_results=k, include=["documents"])
        return found["documents"][0]

    def count(self):
        return self._texts.count()

    def close(self):
        pass
