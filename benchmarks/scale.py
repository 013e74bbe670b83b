"""`python -m benchmarks.scale`: one large mind, built in bulk, asked on one core; what grows with it and by how much.

A mind of a million frames takes the better part of an hour and 6 GB. One that is there already is asked again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core is what is measured
os.environ.setdefault("OMP_NUM_THREADS", "1")

import noosphere
from benchmarks import speed
from benchmarks.corpus import Corpus
from benchmarks.lifelike import LifelikeEmbedder
from noosphere.providers.embed import files
from noosphere.providers.embed.static import Static
from noosphere.store import index_recall, vectors
from noosphere.store.fulltext import Era
from noosphere.store.scan import quantize
from noosphere.store.segment_build import build_segments
from noosphere.write.embed import RECIPE, input_hash

if TYPE_CHECKING:
    from noosphere.mind import Mind

MEMORIES = 10_000  # the first of the frames; the others are turns
STEP = 125  # conversations between two flushes: what waits stays small
WARM, QUESTIONS = 50, 300
MANY = 2000  # vectors written in one transaction
PROBED = 200  # questions of which the ten nearest are looked for exactly


def main() -> int:
    """Parse, build what is missing, measure, report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--frames", nargs="+", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--folder", type=Path, required=True, help="where the minds are made; they stay there")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    for frames in given.frames:
        folder = given.folder / str(frames)
        folder.mkdir(parents=True, exist_ok=True)
        built = build(folder / "mind.db", frames)
        found[f"{frames} frames"] = {"build": built, **measure(folder / "mind.db", frames)}
        print(json.dumps({frames: found[f"{frames} frames"]}, indent=1, default=speed_line), flush=True)
    return 0


def speed_line(value: Any) -> Any:
    """A timing as text."""
    return f"p50 {value.p50:.2f} ms, p95 {value.p95:.2f} ms, n = {value.n}" if isinstance(value, speed.Timed) else value


def build(path: Path, frames: int) -> dict[str, float]:
    """Fill a mind up to so many frames, going on where an earlier run stopped."""
    corpus = Corpus()
    embedder, talk = LifelikeEmbedder(corpus), corpus.turns(frames)
    start, cpu = time.perf_counter(), time.process_time()
    with noosphere.open_mind(path, settings=speed.quiet(), embedder=embedder) as mind:
        memories = [next(talk).text for _ in range(min(MEMORIES, frames // 10))]
        there = mind.stats().memories + mind.stats().turns
        if not there:
            mind.remember_many(memories)
            mind.flush()
        for number, first in enumerate(range(len(memories), frames, speed.TURNS_OF_CONVERSATION)):
            texts = [t.text for _, t in zip(range(speed.TURNS_OF_CONVERSATION), talk, strict=False)]
            if first < there:
                continue
            speed.record(mind, number, texts)
            if number % STEP == 0:
                embed_turns(mind, embedder)
                print(f"{first} frames, {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        embed_turns(mind, embedder)
        mind.flush()
    return {"wall s": time.perf_counter() - start, "cpu s": time.process_time() - cpu}


def embed_turns(mind: Mind, embedder: LifelikeEmbedder) -> None:
    """Write the vectors of turns that wait, as the worker does, but many at once and without its look for duplicates.

    Only memories repeat each other; the texts of the corpus name nobody.
    """
    file = mind._file  # noqa: SLF001  (a worker of our own)
    models = {embedder.space.name: embedder, files.STATIC.name: Static()}
    for name, pair in file.spaces().items():
        while True:
            with file.read() as sql:
                waiting = vectors.waiting(sql, pair[Era.NOW].id, MANY)
                texts = [sql.execute("SELECT text FROM frame WHERE id = ?", (frame,)).get for frame in waiting]
            if not waiting:
                break
            made = models[name].embed_documents(texts)
            small, half = quantize(made, pair[Era.NOW].scale), made.astype("float16")
            with file.write(rows=MANY) as tx:
                for n, (frame, text) in enumerate(zip(waiting, texts, strict=True)):
                    row = vectors.NewVector(0, 0, len(text), small[n].tobytes(), half[n].tobytes())
                    vectors.write(tx, pair, frame, Era.NOW, RECIPE, input_hash(text), [row])
    build_segments(file)


def measure(path: Path, frames: int) -> dict[str, Any]:
    """The first answer of a fresh opening, warm answers by lane, the index against an exact search, and sizes."""
    corpus = Corpus()
    embedder = LifelikeEmbedder(corpus)
    questions = [t.text for t in corpus.questions(WARM + QUESTIONS)]
    found: dict[str, Any] = {}
    with noosphere.open_mind(path, settings=speed.quiet(), embedder=Ready(embedder, questions), read_only=True) as mind:
        start, cpu = time.perf_counter(), time.process_time()
        mind.rank(questions[0])
        found["first answer ms (wall, cpu)"] = [
            round(1000 * (time.perf_counter() - start)),
            round(1000 * (time.process_time() - cpu)),
        ]
        for question in questions[:WARM]:
            mind.rank(question)
        found["rank, without the query's embedding"] = speed.timed(mind.rank, questions[WARM:])
        for lane in ("keyword", "semantic"):
            found[f"rank, {lane} lane alone"] = speed.timed(
                lambda q, lane=lane: mind.rank(q, lanes=[lane]), questions[WARM:]
            )
        found |= _index(mind, corpus, embedder)
        found["parts of rank, %"] = speed.profile(mind, questions[WARM : WARM + 100])
    found["sizes MB"] = speed.sizes(path)
    found["bytes a frame, the file"] = round(path.stat().st_size / frames)
    found["bytes a frame, segments"] = round(found["sizes MB"]["segments"] * 1e6 / frames)
    found["peak resident MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return found


class Ready(LifelikeEmbedder):
    """Has the questions' vectors made before, so that none is made while the clock runs."""

    def __init__(self, embedder: LifelikeEmbedder, questions: list[str]) -> None:
        self.__dict__.update(embedder.__dict__)
        self._made = dict(zip(questions, embedder.embed_documents(questions), strict=True))

    def embed_query(self, text: str) -> Any:
        """The row that was made."""
        return self._made[text]


def _index(mind: Mind, corpus: Corpus, embedder: LifelikeEmbedder) -> dict[str, Any]:
    """How much of the ten nearest the index finds, and what one search of it takes."""
    file = mind._file  # noqa: SLF001  (a lane alone is measured here, not a verb)
    queries = embedder.embed_documents([t.text for t in corpus.questions(WARM + QUESTIONS + PROBED)[-PROBED:]])
    index = file.index(file.spaces()[embedder.space.name][Era.NOW])
    with file.read() as sql:
        return {
            "recall@10 of the index, questions": index_recall.recall(sql, index, queries),
            "recall@10 of the index, as doctor asks": index_recall.recall(sql, index),
            "search of the index alone": speed.timed(lambda query: index.search(sql, query, 100), list(queries)),
        }


if __name__ == "__main__":
    sys.exit(main())
