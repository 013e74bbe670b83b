"""The measurements: inserts, ranking by parts, cold starts, sizes; medians of CPU time, ratios in the same run."""

from __future__ import annotations

import compileall
import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import apsw

import noosphere
from benchmarks.embedder import TopicEmbedder, WithRealQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.corpus import Corpus
    from benchmarks.plain import Plain
    from noosphere.providers.ports import Embedder, LateEmbedder

QUESTIONS = 500  # distinct, so that nothing is answered from a cache of results
SINGLES = 2000
TURNS_OF_CONVERSATION = 400
COLD_RUNS = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """CPU milliseconds per call."""

    p50: float
    p95: float
    n: int


def timed(call: Callable[[Any], object], inputs: list[Any]) -> Timed:
    """Time a call over many inputs by the CPU time of this process."""
    spent: list[float] = []
    for one in inputs:
        start = time.process_time()
        call(one)
        spent.append((time.process_time() - start) * 1000)
    return Timed(median(spent), quantiles(spent, n=20)[-1], len(spent))


def build(path: Path, frames: int, corpus: Corpus, embedder: Embedder) -> dict[str, float]:
    """Fill a mind: nine tenths turns of conversations, half between people; one tenth memories. Embed all of it."""
    talk = list(corpus.turns(frames))
    memories = talk[: frames // 10]
    spent: dict[str, float] = {}
    settings = noosphere.Settings(background=False, rerank="deep", token_units=frames)
    with noosphere.open_mind(path, settings=settings, embedder=embedder) as mind:
        start = time.process_time()
        mind.remember_many([t.text for t in memories])
        spent["remember_many per s"] = len(memories) / (time.process_time() - start)
        start = time.process_time()
        for n, first in enumerate(range(len(memories), frames, TURNS_OF_CONVERSATION)):
            record(mind, n, [t.text for t in talk[first : first + TURNS_OF_CONVERSATION]])
        spent["record turns per s"] = (frames - len(memories)) / (time.process_time() - start)
        start = time.process_time()
        mind.flush()
        spent["embed rows per s (vectors and tokens injected)"] = frames / (time.process_time() - start)
    return spent


def quiet() -> noosphere.Settings:
    """No worker beside what is measured."""
    return noosphere.Settings(background=False)


def record(mind: noosphere.Mind, number: int, texts: list[str]) -> None:
    """Record one conversation, of every other number between people."""
    people = number % 2 == 0
    speakers, roles = (("Ann", "Bob"), (None, None)) if people else (("User", "Assistant"), ("user", "assistant"))
    turns = [
        noosphere.Turn(
            key=str(n), speaker=speakers[n % 2], speaker_role=roles[n % 2], text=text,
            at=f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T{n // 60 % 24:02}:{n % 60:02}:00Z",
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    mind.record(f"talk-{number}", turns, participants=list(speakers))


def inserts(folder: Path, corpus: Corpus) -> dict[str, Any]:
    """Single and batched inserts at default durability, embedding off."""
    texts = [t.text for t in corpus.turns(SINGLES + 10_000)]
    settings = noosphere.Settings(background=False, semantic="off")
    with noosphere.open_mind(folder / "inserts.db", settings=settings) as mind:
        start, cpu = time.perf_counter(), time.process_time()
        for text in texts[:SINGLES]:
            mind.remember(text)
        single = SINGLES / (time.perf_counter() - start), SINGLES / (time.process_time() - cpu)
        start, cpu = time.perf_counter(), time.process_time()
        mind.remember_many(texts[SINGLES:])
        batch = 10_000 / (time.perf_counter() - start), 10_000 / (time.process_time() - cpu)
    return {
        "single per s (wall, cpu)": single,
        "batched per s (wall, cpu)": batch,
    }


def ranking(path: Path, corpus: Corpus, plain: Plain, real: LateEmbedder) -> dict[str, Any]:
    """`rank` by parts, the plain baseline interleaved question by question."""
    questions = [t.text for t in corpus.questions(QUESTIONS)]
    synthetic = TopicEmbedder(corpus)
    synthetic.know(questions)
    found: dict[str, Any] = {}
    with noosphere.open_mind(path, settings=quiet(), embedder=synthetic, read_only=True) as mind:
        for question in questions[:50]:
            mind.rank(question)
        ours, theirs = _interleaved(mind, plain, synthetic, questions)
        found["rank, without the query's embedding"] = ours
        found["plain baseline, without the query's embedding"] = theirs
        found["ratio plain / ours (p50)"] = theirs.p50 / ours.p50
        for lane in ("keyword", "semantic"):
            found[f"rank, {lane} lane alone"] = timed(lambda q, lane=lane: mind.rank(q, lanes=[lane]), questions)
        found["profile"] = profile(mind, questions[:200])
    with noosphere.open_mind(path, settings=quiet(), embedder=WithRealQuery(corpus, real), read_only=True) as mind:
        mind.rank(questions[0])
        found["rank, with the real query encoder"] = timed(mind.rank, questions)
        found["recall, with the real query encoder"] = timed(mind.recall, questions)
        found["recall, deep from stored tokens"] = timed(lambda q: mind.recall(q, rerank="deep"), questions)
        found["recall, keyword lane alone"] = timed(lambda q: mind.recall(q, lanes=["keyword"]), questions)
        found["rank, deep from stored tokens"] = timed(lambda q: mind.rank(q, rerank="deep"), questions)
    return found


def _interleaved(mind: noosphere.Mind, plain: Plain, embedder: Embedder, questions: list[str]) -> tuple[Timed, Timed]:
    ours: list[float] = []
    theirs: list[float] = []
    for question in questions:
        query = embedder.embed_query(question)
        start = time.process_time()
        mind.rank(question)
        middle = time.process_time()
        plain.rank(question, query)
        ours.append((middle - start) * 1000)
        theirs.append((time.process_time() - middle) * 1000)
    return tuple(Timed(median(v), quantiles(v, n=20)[-1], len(v)) for v in (ours, theirs))  # type: ignore[return-value]


def profile(mind: noosphere.Mind, questions: list[str]) -> dict[str, float]:
    """Where the time of `rank` goes: the share of each part, by cumulative time of its function."""
    watcher = cProfile.Profile()
    watcher.enable()
    for question in questions:
        mind.rank(question)
    watcher.disable()
    stats = pstats.Stats(watcher).stats  # type: ignore[attr-defined]
    total = sum(row[2] for row in stats.values())
    parts = {
        "keyword lane": ("keyword.py", "find"), "semantic lane": ("semantic.py", "find"),
        "hydration and predicate": ("gather.py", "look"), "order": ("order.py", "order"),
        "pool": ("pool.py", "add_candidates"),
        "times": ("plan.py", "named_periods"), "hits": ("hits.py", "make_hit"), "plan": ("plan.py", "make_plan"),
    }  # fmt: skip
    spent = {
        part: sum(row[3] for (file, _, name), row in stats.items() if file.endswith(ending) and name == function)
        for part, (ending, function) in parts.items()
    }
    return {part: round(100 * seconds / total, 1) for part, seconds in spent.items()}


def cold(path: Path, question: str) -> dict[str, Any]:
    """A cold process to its first answer: CPU, wall and peak memory of the child, by what it may load."""
    as_installed()
    found: dict[str, Any] = {}
    for semantic in ("off", "static", "encoder"):
        runs = [_child(path, question, semantic) for _ in range(COLD_RUNS)]
        found[f"noosphere recall, {semantic}"] = _medians(runs)
    hook = [*COMMAND, "hook", "prompt-submit", "--mind", str(path), "--home", str(path.parent / "home")]
    payload = json.dumps({"session_id": "bench", "prompt": question}).encode()
    found["hook before a prompt"] = _medians([_run(hook, {}, payload) for _ in range(COLD_RUNS)])
    helped = [_run([*COMMAND, "--help"], {}) for _ in range(COLD_RUNS)]
    found["noosphere --help"] = {"cpu ms": median(r[0] for r in helped), "wall ms": median(r[1] for r in helped)}
    return found


def as_installed() -> None:
    """Compile the modules, as an installation does: where Python may not, a cold process would spend half on it."""
    compileall.compile_dir(Path(noosphere.__file__).parent, quiet=2)


COMMAND = [sys.executable, "-c", "from noosphere.serve.cli.entry import run; run()"]


def _medians(runs: list[tuple[float, float, float]]) -> dict[str, float]:
    cpu, wall, peak = zip(*runs, strict=True)
    return {"cpu ms": median(cpu), "wall ms": median(wall), "peak MB": max(peak)}


def _child(path: Path, question: str, semantic: str) -> tuple[float, float, float]:
    return _run([*COMMAND, "--mind", str(path), "recall", question, "--json"], {"NOOSPHERE_SEMANTIC": semantic})


def _run(command: list[str], extra: dict[str, str], given: bytes = b"") -> tuple[float, float, float]:
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen(command, env={**os.environ, **extra}, stdin=file, stdout=subprocess.DEVNULL)  # noqa: S603
        _, status, usage = os.wait4(child.pid, 0)
    wall = (time.perf_counter() - start) * 1000
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise RuntimeError(f"{command} ended with {child.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000, wall, usage.ru_maxrss / 1024


def sizes(path: Path) -> dict[str, float]:
    """Megabytes on disk, by part."""
    db = apsw.Connection(str(path))
    by_table = dict(db.execute("SELECT name, sum(pgsize) / 1e6 FROM dbstat GROUP BY name"))
    db.close()
    groups = {
        "full text": "text_",
        "vectors": "vec",
        "frames": "frame",
        "versions": "node_version",
        "journal": "journal",
    }
    found = {part: sum(v for name, v in by_table.items() if start in name) for part, start in groups.items()}
    found["other"] = sum(by_table.values()) - sum(found.values())
    found["segments"] = sum(f.stat().st_size for f in path.parent.glob("*.q8")) / 1e6
    return {part: round(size, 1) for part, size in found.items()}
