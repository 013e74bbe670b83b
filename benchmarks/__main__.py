"""`python -m benchmarks`: build, measure, print, write JSON and Markdown."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core is what is measured
os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks import speed
from benchmarks.corpus import Corpus
from benchmarks.embedder import TopicEmbedder
from benchmarks.plain import Plain

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Parse, measure, report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure speed on a seeded corpus.")
    parser.add_argument("--frames", nargs="+", type=int, default=[10_000, 100_000])
    parser.add_argument("--out", default=str(ROOT / ".cache" / "bench"))
    given = parser.parse_args()
    found: dict[str, Any] = {"machine": f"{platform.machine()} {platform.python_version()}, {os.cpu_count()} cores"}
    with tempfile.TemporaryDirectory(prefix="noosphere-bench-") as scratch:
        found["inserts"] = speed.inserts(Path(scratch), Corpus())
        for frames in given.frames:
            print(f"{frames} frames …", file=sys.stderr, flush=True)
            found[f"{frames} frames"] = _at(frames, Path(scratch) / str(frames))
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    plain = json.loads(json.dumps(found, default=_plain))
    (out / "results.json").write_text(json.dumps(plain, indent=1), encoding="utf-8")
    print("\n".join(_lines(plain)))
    return 0


def _at(frames: int, folder: Path) -> dict[str, Any]:
    from noosphere.providers.embed.encoder import Encoder

    folder.mkdir()
    corpus = Corpus()
    embedder = TopicEmbedder(corpus)
    built = speed.build(folder / "mind.db", frames, corpus, embedder)
    plain = Plain(folder / "plain.db")
    texts = [t.text for t in Corpus().turns(frames)]
    plain.insert(texts)
    plain.embed(texts, embedder)
    question = corpus.questions(1)[0].text
    return {
        "build": built,
        "rank": speed.ranking(folder / "mind.db", corpus, plain, Encoder()),
        "cold": speed.cold(folder / "mind.db", question),
        "sizes MB": speed.sizes(folder / "mind.db"),
    }


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def _lines(found: Any, indent: int = 0) -> list[str]:
    lines: list[str] = []
    for name, value in found.items():
        if isinstance(value, dict) and set(value) != {"p50", "p95", "n"}:
            lines += [f"{'  ' * indent}{name}:", *_lines(value, indent + 1)]
        elif isinstance(value, dict):
            lines.append(
                f"{'  ' * indent}{name}: p50 {value['p50']:.2f} ms, p95 {value['p95']:.2f} ms (n = {value['n']})"
            )
        else:
            lines.append(f"{'  ' * indent}{name}: {_number(value)}")
    return lines


def _number(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_number(v) for v in value)
    return f"{value:,.1f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
