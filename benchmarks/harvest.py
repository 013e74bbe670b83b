"""A large ChatGPT export made from a seed, and what harvesting it costs: `python -m benchmarks.harvest --megabytes N`.

The export has 20 conversations for each megabyte outside its one long conversation, which takes a fifth of the file;
a tenth of the questions were edited, so that there are branches; roots are null, hidden and tool messages are there.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from benchmarks.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20260514
PER_MEGABYTE = 25  # conversations: 20,000 in the 800 MB beside the long one of 200 MB
LONG_SHARE = 0.2
TALKS, SENTENCE = 20_000, 12  # turns of the corpus whose words are used, and words of a sentence
BEGUN = 1_600_000_000.0
EDITED, HIDDEN, TOOL = 0.1, 0.03, 0.05  # shares of the questions
SAMPLE_SECONDS = 0.05
MEGABYTE = 1_000_000


class Author:
    """Writes conversations from a seed."""

    def __init__(self, seed: int = SEED) -> None:
        self._chance = random.Random(seed)
        words = [word for talk in Corpus(seed).turns(TALKS) for word in talk.text.split()]
        self._sentences = [
            " ".join(words[start : start + SENTENCE]).capitalize() + "."
            for start in range(0, len(words) - SENTENCE, SENTENCE)
        ]
        self._number = 0

    def text(self, sentences: int) -> str:
        """A text with a number of its own in it."""
        self._number += 1
        return " ".join((*self._chance.choices(self._sentences, k=sentences), f"Reference {self._number}x."))

    def nodes(self, size: int, at: float) -> Iterator[tuple[str, dict[str, Any]]]:
        """The tree of a conversation of about so many bytes."""
        yield "root", {"id": "root", "message": None, "parent": None, "children": []}
        parent, written, number = "root", 0, 0
        while written < size:
            number += 1
            at += 60
            for role, sentences in (("user", self._chance.randint(1, 4)), ("assistant", self._chance.randint(4, 24))):
                for key, node in self._turn(f"{role[0]}{number}", parent, role, sentences, at):
                    written += 480 + 66 * sentences
                    parent = key
                    yield key, node

    def _turn(
        self, key: str, parent: str, role: str, sentences: int, at: float
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        chance = self._chance.random()
        if role == "user" and chance < EDITED:
            yield _node(f"{key}-before", parent, role, self.text(sentences), at)
            parent_of_next = parent
        else:
            parent_of_next = parent
        if role == "assistant" and chance < TOOL:
            yield _node(f"{key}-tool", parent, "tool", self.text(sentences), None)
            parent_of_next = f"{key}-tool"
        if role == "user" and chance > 1 - HIDDEN:
            hidden = {"is_visually_hidden_from_conversation": True}
            yield _node(f"{key}-hidden", parent, "system", "", None, **hidden)
            parent_of_next = f"{key}-hidden"
        yield _node(key, parent_of_next, role, self.text(sentences), at)


def _node(key: str, parent: str, role: str, text: str, at: float | None, **metadata: Any) -> tuple[str, dict[str, Any]]:
    message = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-5", "request_id": f"request-{key}", "timestamp_": "absolute", **metadata},
        "recipient": "all",
        "channel": None,
    }
    return key, {"id": key, "message": message, "parent": parent, "children": []}


def generate(path: Path, megabytes: int, seed: int = SEED) -> dict[str, int]:
    """Write an export of about so many megabytes; returns what a reader should find in it."""
    author = Author(seed)
    wanted = {"conversations": 0, "turns": 0}
    long = int(megabytes * LONG_SHARE * MEGABYTE)
    count = max(1, int(megabytes * (1 - LONG_SHARE) * PER_MEGABYTE))
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number in range(count + 1):
            size = long if number == count // 2 else (megabytes * MEGABYTE - long) // count
            file.write(",\n" if number else "")
            wanted["turns"] += _conversation(file, author, number, size)
            wanted["conversations"] += 1
        file.write("]")
    return wanted


def _conversation(file: IO[str], author: Author, number: int, size: int) -> int:
    at = BEGUN + number * 7_200
    about = {"conversation_id": f"c{number:06}", "title": f"Talk {number}", "create_time": at, "moderation_results": []}
    file.write(f'{json.dumps(about)[:-1]}, "mapping": {{')
    turns, last = 0, "root"
    for place, (key, node) in enumerate(author.nodes(size, at)):
        file.write(f"{', ' if place else ''}{json.dumps(key)}: {json.dumps(node)}")
        turns += key[0] in "ua" and not key.endswith(("-tool", "-hidden"))
        last = key
    file.write(f'}}, "current_node": {json.dumps(last)}, "update_time": {at + 60.0}}}')
    return turns


class Memory(threading.Thread):
    """Watches the private memory of this process: what it alone uses, without the pages of files it only reads."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._ended = threading.Event()

    def run(self) -> None:
        """Look until told to stop."""
        while not self._ended.wait(SAMPLE_SECONDS):
            self.peak = max(self.peak, private_bytes())

    def finish(self) -> int:
        """Stop, and return the most that was seen, in megabytes."""
        self._ended.set()
        self.join()
        return self.peak // MEGABYTE


def private_bytes() -> int:
    """The private memory of this process now (Linux)."""
    lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))


def measure(export: Path, mind_path: Path, wanted: dict[str, int]) -> dict[str, Any]:
    """Harvest into a new mind, search at once, harvest again."""
    from noosphere import Settings, open_mind

    settings = Settings(semantic="off", background=False)
    memory = Memory()
    memory.start()
    with open_mind(mind_path, settings=settings) as mind:
        begun, cpu = time.perf_counter(), time.process_time()
        done = mind.harvest(export)
        wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
        beside = resource.getrusage(resource.RUSAGE_CHILDREN)  # what looked its texts through has ended
        begun = time.perf_counter()
        found = mind.rank(f"Reference {wanted['turns'] // 2}x", 5)
        search = time.perf_counter() - begun
        begun = time.perf_counter()
        again = mind.harvest(export)
        second = time.perf_counter() - begun
    return {
        "megabytes": export.stat().st_size // MEGABYTE,
        "conversations": done.conversations,
        "turns": done.added,
        "as expected": (done.conversations, done.added, done.quarantined) == (*wanted.values(), 0),
        "quarantined": done.quarantined,
        "rejects": len(done.rejects),
        "seconds": round(wall, 1),
        "turns per second": round(done.added / wall),
        "turns per CPU second of the import": round(done.added / cpu),
        "turns per CPU second of it and the process beside it": round(
            done.added / (cpu + beside.ru_utime + beside.ru_stime)
        ),
        "MB of the process beside it at most, shared pages too": beside.ru_maxrss * 1024 // MEGABYTE,
        "private MB at most": memory.finish(),
        "found by word at once": bool(found),
        "first search ms": round(1000 * search),
        "second run adds": again.added,
        "second run seconds": round(second, 1),
        "mind MB": mind_path.stat().st_size // MEGABYTE,
    }


def main() -> None:
    """Generate, measure, print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--folder", type=Path, help="where the export stays; a temporary one when left out")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="noosphere-harvest-") as scratch:
        folder = given.folder or Path(scratch)
        export, counts = folder / f"conversations-{given.megabytes}.json", folder / f"wanted-{given.megabytes}.json"
        if not counts.exists():
            counts.write_text(json.dumps(generate(export, given.megabytes)))
        found = measure(export, Path(scratch) / "mind.db", json.loads(counts.read_text()))
    sys.stdout.write(f"{json.dumps(found, indent=2)}\n")


if __name__ == "__main__":
    main()
