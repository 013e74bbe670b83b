"""`python -m evals`: run datasets through systems, print the tables, write JSON and Markdown.

`python -m evals NAME` runs a measurement of its own instead: each is a module of that name with `main(data, cache)`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import sys
from pathlib import Path

from evals import report, run

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_DATA = ROOT.parent / "shared" / "data" / "bench"


MEASUREMENTS = {
    "truth": "evals.truth.measure",
    "updates": "evals.truth.updates",
    "overtaking": "evals.truth.overtaking",
    "dates": "evals.dates",
    "ablation": "evals.ablation",
    "fit": "evals.fit",
    "confidence": "evals.confidence",
    "nothing": "evals.nothing",
    "guard": "evals.guard",
    "learning": "evals.learning.measure",
    "junk": "evals.learning.junk",
    "graph": "evals.learning.graph",
    "projection": "evals.projection",
    "neutral": "evals.neutral",
    "languages": "evals.across",
}
# On sets of this repository alone.
WRITTEN = frozenset({"truth", "overtaking", "learning", "graph", "neutral", "languages"})


def main() -> int:
    """Parse, run, report."""
    given = _parse()
    data = Path(given.data)
    if given.measurement not in WRITTEN and not data.is_dir():
        print(
            f"The benchmark data is not at {data}. It is not part of the repository (licences differ): "
            "give its folder with --data, or set NOOSPHERE_BENCH.",
            file=sys.stderr,
        )
        return 2
    if given.measurement:
        chosen = {"grades": given.grades} if given.grades else {}
        importlib.import_module(MEASUREMENTS[given.measurement]).main(data, Path(given.out) / "vectors", **chosen)
        return 0
    out = Path(given.out) / given.name
    if given.fresh:
        shutil.rmtree(out, ignore_errors=True)
    chosen = run.systems(given.systems, Path(given.out) / "vectors")
    answers = [a for name in given.datasets for a in run.run(name, data, chosen, out, _tick(len(chosen)))]
    print(file=sys.stderr)
    summed = report.summary(answers)
    fields = run.Answer.__dataclass_fields__
    document = {"summary": summed, "answers": [{f: getattr(a, f) for f in fields} for a in answers]}
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(json.dumps(document), encoding="utf-8")
    (out / "results.md").write_text(report.markdown(summed), encoding="utf-8")
    print(report.markdown(summed))
    print(f"written to {out / 'results.json'} and results.md", file=sys.stderr)
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals", description="Measure recall on public benchmarks.")
    parser.add_argument(
        "measurement", nargs="?", choices=list(MEASUREMENTS), help="instead of the benchmarks of recall"
    )
    parser.add_argument("--data", default=os.environ.get("NOOSPHERE_BENCH", str(DEFAULT_DATA)))
    parser.add_argument("--grades", nargs="+", help="of fit, confidence and nothing: these alone")
    parser.add_argument("--out", default=str(ROOT / ".cache" / "evals"))
    parser.add_argument("--name", default="latest", help="of the run; a run of the same name goes on where it stopped")
    parser.add_argument("--fresh", action="store_true", help="forget what a run of this name has answered")
    parser.add_argument("--datasets", nargs="+", default=["locomo", "longmemeval", "beam"], choices=list(run.DATASETS))
    parser.add_argument("--systems", nargs="+", default=list(run.SYSTEMS), choices=[*run.SYSTEMS, run.MULTILINGUAL])
    return parser.parse_args()


def _tick(systems: int):  # noqa: ANN202
    done = [0]

    def tick(what: str) -> None:
        done[0] += 1
        if sys.stderr.isatty() or done[0] % systems == 0:
            print(
                f"\r\x1b[K{done[0]} {what}" if sys.stderr.isatty() else f"{done[0]} {what}",
                end="" if sys.stderr.isatty() else "\n",
                file=sys.stderr,
                flush=True,
            )

    return tick


if __name__ == "__main__":
    sys.exit(main())
