"""Runs inside a peer's environment, with nothing of this repository: `runner.py <adapter> <task> <data> <folder> …`.

Tasks: `measure` (insert, search, count), `cold` (open, one search), `write` (some texts, beside other processes),
`count`. The answer is one line of JSON on standard output, the last one.
"""

import importlib
import json
import sys
import time
from pathlib import Path
from statistics import median, quantiles

import numpy as np

SINGLES = 300
K = 10


class Lookup:
    """The vector of every text and question, made before."""

    def __init__(self, data):
        told = json.loads((data / "texts.json").read_text(encoding="utf-8"))
        self.texts, self.topics = told["texts"], told["topics"]
        self.questions, self.asked = told["questions"], told["asked"]
        self._rows = np.load(data / "vectors.npy")
        self._at = {text: n for n, text in enumerate([*self.texts, *self.questions])}
        self.dim = self._rows.shape[1]

    def __call__(self, text):
        return self._rows[self._at[text]]


def measure(store, lookup, patience):
    """Insert for so many seconds at most, what is not in by then stays out and the answer says how much was; search."""
    found = {}
    start, busy = time.perf_counter(), time.process_time()
    for text in lookup.texts[:SINGLES]:
        store.add(text)
    found["singles per s"] = SINGLES / (time.perf_counter() - start)
    found["singles per CPU s"] = SINGLES / (time.process_time() - busy)
    rest, start, busy, done = lookup.texts[SINGLES:], time.perf_counter(), time.process_time(), 0
    step = 1000 if store.add_many else 50
    for at in range(0, len(rest), step):
        if time.perf_counter() - start > patience:
            break
        part = rest[at : at + step]
        if store.add_many:
            store.add_many(part)
        else:
            for text in part:
                store.add(text)
        done += len(part)
    found["bulk per s"] = done / (time.perf_counter() - start)
    found["bulk per CPU s"] = done / (time.process_time() - busy)
    found["stored"] = SINGLES + done
    return found | search(store, lookup)


def search(store, lookup):
    topic = dict(zip(lookup.texts, lookup.topics, strict=True))
    for question in lookup.questions[:20]:
        store.search(question, K)
    wall, cpu, right, given = [], [], 0, 0
    for question, asked in zip(lookup.questions, lookup.asked, strict=True):
        start, busy = time.perf_counter(), time.process_time()
        hits = store.search(question, K)
        cpu.append((time.process_time() - busy) * 1000)
        wall.append((time.perf_counter() - start) * 1000)
        right += sum(topic.get(hit) == asked for hit in hits)
        given += K
    return {
        "search wall ms p50": median(wall),
        "search wall ms p95": quantiles(wall, n=20)[-1],
        "search cpu ms p50": median(cpu),
        "of the topic": right / given,
    }


def main():
    adapter, task, data, folder = sys.argv[1:5]
    sys.path.insert(0, str(Path(__file__).parent / "adapters"))
    lookup = Lookup(Path(data))
    start = time.perf_counter()
    store = importlib.import_module(adapter).Store(folder, lookup)
    if task == "measure":
        answer = measure(store, lookup, int(sys.argv[5]))
    elif task == "cold":
        store.search(lookup.questions[int(sys.argv[5])], K)
        answer = {"ms": (time.perf_counter() - start) * 1000}
    elif task == "write":
        number, count = int(sys.argv[5]), int(sys.argv[6])
        failed = 0
        for text in lookup.texts[number * count : (number + 1) * count]:
            try:
                store.add(text)
            except Exception:  # noqa: BLE001  (whatever a peer raises is a text that was not stored)
                failed += 1
        answer = {"failed": failed}
    else:
        answer = {"count": store.count()}
    store.close()
    sys.stdout.write(f"\n{json.dumps(answer)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
