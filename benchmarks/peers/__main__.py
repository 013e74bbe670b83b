"""`python -m benchmarks.peers`: install each peer, run noosphere and the peer in turn, print ratios, write JSON."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpus import Corpus
from benchmarks.embedder import TopicEmbedder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
QUESTIONS, MANY = 200, 10_000  # of many, those whose topic was spoken of often enough
K = 10
WRITERS, WRITES = 4, 25
COLD_RUNS = 3
OURS = "noosphere_mind"
LOADS = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
SLOWER = (
    "search wall ms p50",
    "search wall ms p95",
    "search cpu ms p50",
    "cold ms",
    "MB",
)  # more is worse; of the others less is


def main() -> int:
    """Parse, prepare, measure, report."""
    known = tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--patience", type=int, default=240, help="seconds for inserting in bulk; the rest stays out")
    parser.add_argument("--peers", nargs="+", choices=sorted(known), default=list(known))
    parser.add_argument("--envs", default=str(ROOT / ".cache" / "peers"), help="where their environments are made")
    parser.add_argument("--out", default=str(ROOT / ".cache" / "bench" / "peers.json"))
    given = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="noosphere-peers-") as scratch:
        data = Path(scratch) / "data"
        data.mkdir()
        _prepare(data, given.turns)
        for name in given.peers:
            python = _environment(name, known[name], Path(given.envs))
            if python is None:
                print(f"{name}: no Python here has a sqlite3 that loads extensions; left out", flush=True)
                continue
            try:
                found[name] = {
                    "noosphere": _run(sys.executable, OURS, data, Path(scratch) / f"ours-{name}", given.patience),
                    "peer": _run(python, known[name]["adapter"], data, Path(scratch) / name, given.patience),
                }
            except RuntimeError as problem:  # one peer that does not run must not hide the others
                print(f"{name}: {problem}", flush=True)
                continue
            print("\n".join(_lines(name, found[name])), flush=True)
    out = Path(given.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"turns": given.turns, **found}, indent=1), encoding="utf-8")
    return 0


def _prepare(data: Path, turns: int) -> None:
    corpus = Corpus()
    talk = list(corpus.turns(turns))
    said = Counter(t.topic for t in talk)
    questions = [q for q in corpus.questions(MANY) if said[q.topic] >= K][:QUESTIONS]
    embedder = TopicEmbedder(corpus)
    rows = embedder.embed_documents([t.text for t in [*talk, *questions]])
    np.save(data / "vectors.npy", rows)
    told = {
        "texts": [t.text for t in talk],
        "topics": [t.topic for t in talk],
        "questions": [q.text for q in questions],
        "asked": [q.topic for q in questions],
    }
    (data / "texts.json").write_text(json.dumps(told), encoding="utf-8")


def _environment(name: str, peer: dict[str, Any], folder: Path) -> str | None:
    """The Python of a peer's environment, made when it is not there."""
    python = folder / name / "bin" / "python"
    if not python.exists():
        base = _base(needs_extensions=peer.get("extensions", False))
        if base is None:
            return None
        subprocess.run([base, "-m", "venv", str(folder / name)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *peer["requires"]], check=True)
    return str(python)


def _base(*, needs_extensions: bool) -> str | None:
    if not needs_extensions:
        return sys.executable
    candidates = [sys.executable, *filter(None, map(shutil.which, ("/usr/bin/python3", "python3", "python")))]
    return next((c for c in candidates if subprocess.run([c, "-c", LOADS], check=False).returncode == 0), None)


def _run(python: str, adapter: str, data: Path, folder: Path, patience: int) -> dict[str, Any]:
    folder.mkdir()
    (folder / "store").mkdir()
    (folder / "shared").mkdir()
    found = _ask(python, adapter, "measure", data, folder / "store", patience)
    found["MB"] = sum(f.stat().st_size for f in (folder / "store").rglob("*") if f.is_file()) / 1e6
    cold = [_ask(python, adapter, "cold", data, folder / "store", str(n))["ms"] for n in range(COLD_RUNS)]
    found["cold ms"] = sorted(cold)[COLD_RUNS // 2]
    _ask(python, adapter, "count", data, folder / "shared")  # makes the store, so that nobody races for that
    writers = [_start(python, adapter, "write", data, folder / "shared", str(n), str(WRITES)) for n in range(WRITERS)]
    for writer in writers:
        writer.communicate()
    found["kept of 100 by 4 processes"] = _ask(python, adapter, "count", data, folder / "shared").get("count", 0)
    return found


def _ask(python: str, *words: object) -> dict[str, Any]:
    child = _start(python, *words)
    out, errors = child.communicate()
    if child.returncode != 0:
        raise RuntimeError(f"{words}: {errors[-2000:]}")
    return json.loads(out.strip().splitlines()[-1])


def _start(python: str, *words: object) -> subprocess.Popen[str]:
    one_core = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    return subprocess.Popen(
        [python, str(HERE / "runner.py"), *map(str, words)],
        env={**os.environ, **one_core},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _lines(name: str, found: dict[str, dict[str, float]]) -> list[str]:
    ours, theirs = found["noosphere"], found["peer"]
    lines = [f"{name} ({theirs['stored']} texts)"]
    for what, value in theirs.items():
        better = value / ours[what] if what in SLOWER else ours[what] / value if value else float("inf")
        lines.append(f"  {what:28} noosphere {ours[what]:10.2f}  {name} {value:10.2f}  noosphere is {better:.2f} times")
    return lines


if __name__ == "__main__":
    sys.exit(main())
