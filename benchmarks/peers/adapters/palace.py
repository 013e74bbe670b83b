"""mempalace: drawers of one room, as its miner files them, and its own search."""

import hashlib
from pathlib import Path

from chromadb.api.types import EmbeddingFunction
from chromadb.utils.embedding_functions import register_embedding_function
from mempalace import embedding

LOOKUP = []


@register_embedding_function
class Looked(EmbeddingFunction):
    """Vectors that were made before, in the place of its model, under its model's name."""

    def __init__(self):
        pass

    def __call__(self, input):
        return [LOOKUP[0](text) for text in input]

    @staticmethod
    def name():
        return "default"

    @staticmethod
    def build_from_config(config):
        return Looked()

    def get_config(self):
        return {}


embedding.get_embedding_function = lambda *_, **__: Looked()

from mempalace.palace import get_collection
from mempalace.searcher import search_memories


class Store:
    def __init__(self, folder, lookup):
        LOOKUP[:] = [lookup]
        self._folder = str(Path(folder))
        self._drawers = get_collection(self._folder)

    def add(self, text):
        self.add_many([text])

    def add_many(self, texts):
        for at in range(0, len(texts), 500):
            part = texts[at : at + 500]
            ids = [hashlib.sha256(t.encode()).hexdigest() for t in part]
            about = [{"wing": "w", "room": "r", "source_file": "f", "chunk_index": at + n} for n, _ in enumerate(part)]
            self._drawers.upsert(documents=part, ids=ids, metadatas=about)

    def search(self, text, k):
        found = search_memories(text, self._folder, n_results=k)
        if "results" not in found:
            raise RuntimeError(str(found))
        return [row["text"] for row in found["results"]]

    def count(self):
        return self._drawers.count()

    def close(self):
        pass
