"""`python -m benchmarks.doors`: a hook before a prompt, MCP's first answers and REST under load, on a large mind.

It prints figures and needs a machine that does nothing else: wall times mean nothing beside another's work.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import noosphere
from benchmarks import load, speed
from benchmarks.corpus import Corpus
from benchmarks.embedder import TopicEmbedder

if TYPE_CHECKING:
    from collections.abc import Generator

RUNS = 9  # of a cold process; the median counts
SATURATED_SECONDS = 10.0
SATURATED_READERS = 8
COMMAND = str(Path(sys.executable).with_name("noosphere"))
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}  # fmt: skip


def main() -> int:
    """Parse, build when there is nothing, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doors", description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--home", help="a folder of minds to measure, built when it is empty; else a temporary one")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the load lasts")
    parser.add_argument("--readers", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2.0, help="requests a second of each reader, and of the writer")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="noosphere-doors-") as scratch:
        home = Path(given.home or scratch)
        frames = _filled(home, given.frames)
        print(f"{frames} frames; load of the machine {os.getloadavg()[0]:.1f}")
        questions = [t.text for t in Corpus().questions(speed.QUESTIONS)]
        os.environ["NOOSPHERE_HOME"] = str(home)
        speed.as_installed()
        print(f"hook before a prompt, cold: {_hook(questions[0])}")
        for line in _mcp(questions[1]):
            print(line)
        alone = _alone(home, questions)
        with _serving(home) as server:
            print(f"hook before a prompt, with a server: {_hook(questions[0])}")
            _under_load(server, questions, given)
            served = _saturated(server, questions)
        print(f"recall in the process, one thread: {alone:.1f} a second; served / in the process {served / alone:.2f}")
    return 0


def _filled(home: Path, frames: int) -> int:
    """The home with a personal mind of so many frames."""
    home.mkdir(parents=True, exist_ok=True)
    with noosphere.open_noosphere(home, background=False) as minds, minds.personal() as mind:
        path, there = mind.path, mind.stats().frames
    if there:
        return there
    print(f"building {frames} frames …", file=sys.stderr, flush=True)
    corpus = Corpus()
    speed.build(path, frames, corpus, TopicEmbedder(corpus))
    return frames


def _hook(prompt: str) -> str:
    payload = json.dumps({"session_id": "bench", "prompt": prompt}).encode()
    cpu, wall = zip(*(_spent([COMMAND, "hook", "prompt-submit"], payload) for _ in range(RUNS)), strict=True)
    return f"{median(cpu):.0f} ms of CPU ({min(cpu):.0f} to {max(cpu):.0f}), {median(wall):.0f} ms on the clock"


def _spent(command: list[str], given: bytes) -> tuple[float, float]:
    """Milliseconds of CPU and on the clock of a process that reads this."""
    with tempfile.TemporaryFile() as file:
        file.write(given)
        file.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=file, stdout=subprocess.DEVNULL)  # noqa: S603
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{command} ended with {child.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000, (time.perf_counter() - start) * 1000


def _mcp(question: str) -> Generator[str]:
    """The first answers of a cold server over standard input and output."""
    cpu, wall = zip(*(_spent([COMMAND, "mcp"], _lines(INITIALIZE)) for _ in range(RUNS)), strict=True)
    yield f"MCP initialize, cold: {median(cpu):.0f} ms of CPU, {median(wall):.0f} ms on the clock"
    ask = {"name": "recall", "arguments": {"query": question}}
    told = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ask},
    ]
    spent: list[float] = []
    for _ in range(RUNS):
        start = time.perf_counter()
        with subprocess.Popen([COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603
            assert child.stdin is not None  # noqa: S101  (both are pipes)
            assert child.stdout is not None  # noqa: S101
            child.stdin.write(_lines(*told))
            child.stdin.flush()
            answers = [json.loads(child.stdout.readline()) for _ in range(2)]
            spent.append((time.perf_counter() - start) * 1000)
            child.stdin.close()
        if not answers[1]["result"]["structuredContent"]["hits"]:
            raise RuntimeError("the first recall found nothing")
    yield f"MCP first recall, cold: {median(spent):.0f} ms on the clock, {max(spent):.0f} at most"


def _lines(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def _alone(home: Path, questions: list[str]) -> float:
    """Recalls a second in this process, over the same minds and questions."""
    with noosphere.open_noosphere(home, background=False) as minds:
        for question in questions[:20]:
            minds.recall(question, k=10)
        start = time.perf_counter()
        done = 0
        while time.perf_counter() - start < SATURATED_SECONDS:
            minds.recall(questions[done % len(questions)], k=10)
            done += 1
        return done / (time.perf_counter() - start)


@contextmanager
def _serving(home: Path) -> Generator[load.Server]:
    """A server of this home in a process of its own."""
    announced = home / "server.json"
    announced.unlink(missing_ok=True)
    with subprocess.Popen([COMMAND, "serve", "--port", "0"], stderr=subprocess.DEVNULL) as process:  # noqa: S603
        while not announced.exists():
            if process.poll() is not None:
                raise RuntimeError("the server did not start")
            time.sleep(0.05)
        port = json.loads(announced.read_text(encoding="utf-8"))["port"]
        token = json.loads((home / "tokens.json").read_text(encoding="utf-8"))["owner"]["token"]
        yield load.Server(port, token)
        process.terminate()


def _under_load(server: load.Server, questions: list[str], given: argparse.Namespace) -> None:
    """Readers and a writer, each at its rate, for as long as asked; the first second warms up and does not count."""
    every, texts = 1 / given.rate, [t.text for t in Corpus().turns(speed.QUESTIONS)]
    load.together([lambda: server.work(load.recalls(questions, 0), time.perf_counter() + 1, 0, time.perf_counter())])
    start = time.perf_counter() + 0.5
    until = start + given.seconds
    spread = every / given.readers
    jobs = [
        lambda n=n: server.work(load.recalls(questions, 31 * n), until, every, start + n * spread)
        for n in range(given.readers)
    ]
    *reads, writes = load.together([*jobs, lambda: server.work(load.memories(texts), until, every, start)])
    print(f"REST recall, {given.readers} readers at {given.rate:g} a second: {load.joined(reads).line(given.seconds)}")
    print(f"REST remember beside them, at {given.rate:g} a second: {writes.line(given.seconds)}")


def _saturated(server: load.Server, questions: list[str]) -> float:
    """Recalls a second when every reader asks again at once."""
    start = time.perf_counter()
    until = start + SATURATED_SECONDS
    jobs = [lambda n=n: server.work(load.recalls(questions, 17 * n), until, 0, start) for n in range(SATURATED_READERS)]
    found = load.joined(load.together(jobs))
    print(f"REST recall, saturated by {SATURATED_READERS} readers: {found.line(SATURATED_SECONDS)}")
    return len(found.spent) / SATURATED_SECONDS


if __name__ == "__main__":
    sys.exit(main())
