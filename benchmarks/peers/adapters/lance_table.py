"""lancedb: one table, exact search, as it is without an index."""

import lancedb
import pyarrow as pa


class Store:
    def __init__(self, folder, lookup):
        self._lookup = lookup
        schema = pa.schema([pa.field("vector", pa.list_(pa.float32(), lookup.dim)), pa.field("text", pa.string())])
        self._table = lancedb.connect(str(folder)).create_table("memories", schema=schema, exist_ok=True)

    def add(self, text):
        self.add_many([text])

    def add_many(self, texts):
        for at in range(0, len(texts), 1000):
            self._table.add([{"vector": self._lookup(t), "text": t} for t in texts[at : at + 1000]])

    def search(self, text, k):
        found = self._table.search(self._lookup(text)).distance_type("cosine").limit(k).to_list()
        return [row["text"] for row in found]

    def count(self):
        return self._table.count_rows()

    def close(self):
        pass
