"""mem0: `add(infer=False)`, so that no language model is asked, over its local qdrant."""

import os
from pathlib import Path

os.environ["MEM0_TELEMETRY"] = "False"
os.environ.setdefault("OPENAI_API_KEY", "none is asked")

from mem0 import Memory


class Looked:
    """Vectors that were made before, in the place of a hosted model."""

    def __init__(self, lookup):
        self._lookup = lookup

    def embed(self, text, memory_action=None):
        return self._lookup(text).tolist()

    def embed_batch(self, texts, memory_action=None):
        return [self.embed(text) for text in texts]


class Store:
    def __init__(self, folder, lookup):
        os.environ["MEM0_DIR"] = str(Path(folder) / "mem0")
        store = {"path": str(Path(folder) / "qdrant"), "on_disk": True, "embedding_model_dims": lookup.dim}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(Path(folder) / "history.db"),
            }
        )
        self._memory.embedding_model = Looked(lookup)

    def add(self, text):
        self._memory.add(text, user_id="u", infer=False)

    add_many = None

    def search(self, text, k):
        found = self._memory.search(text, filters={"user_id": "u"}, top_k=k)
        return [row["memory"] for row in found["results"]]

    def count(self):
        return len(self._memory.get_all(filters={"user_id": "u"}, top_k=1_000_000)["results"])

    def close(self):
        self._memory.vector_store.client.close()
