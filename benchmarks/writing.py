"""`python -m benchmarks.writing`: how many texts a second are written, by wall and by CPU time, without embedding.

Two kinds of text: turns of real conversations (LoCoMo, where its dev file lies) and the seeded corpus, whose words are
invented, so that hardly a rule meets them. What is compiled at first sight is compiled before the clock runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from evals.datasets import locomo

import noosphere
from benchmarks.corpus import Corpus
from benchmarks.speed import TURNS_OF_CONVERSATION, record

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
SINGLES, MANY = 600, 1000


def main() -> int:
    """Print a line for each way to write and each kind of text."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writing", description="Measure writing.")
    parser.add_argument("--data", default=os.environ.get("NOOSPHERE_BENCH", str(ROOT.parent / "shared/data/bench")))
    given = parser.parse_args()
    kinds = {"corpus": [talk.text for talk in Corpus().turns(2 * (SINGLES + MANY))]}
    if (Path(given.data) / "locomo").is_dir():
        kinds["LoCoMo"] = said_in_locomo(Path(given.data))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for kind, texts in kinds.items():
        for way, (wall, cpu) in rates(texts).items():
            print(f"{kind:8} {way:14} {wall:8.0f} a second, {cpu:8.0f} a CPU second")
    return 0


def said_in_locomo(data: Path) -> list[str]:
    """What was said in the conversations, turn by turn."""
    turns = (turn for case in locomo.read(data) for talk in case.talks for one in talk.sittings for turn in one.turns)
    return [turn.text for turn in turns if turn.text.strip()]


def rates(texts: list[str]) -> dict[str, tuple[float, float]]:
    """Texts a second and a CPU second, for each way to write them; the first third only warms up."""
    warm, rest = texts[: len(texts) // 3], texts[len(texts) // 3 :]
    singles, many = rest[:SINGLES], rest[SINGLES : SINGLES + MANY]
    quiet = noosphere.Settings(background=False, semantic="off")
    with tempfile.TemporaryDirectory() as folder, noosphere.open_mind(Path(folder) / "m.db", settings=quiet) as mind:
        mind.remember_many(warm)
        mind.flush()
        talks = [rest[at : at + TURNS_OF_CONVERSATION] for at in range(0, len(rest), TURNS_OF_CONVERSATION)]
        return {
            "remember": _rate(lambda: [mind.remember(text) for text in singles], len(singles)),
            "remember_many": _rate(lambda: mind.remember_many(many), len(many)),
            "tie names": _rate(mind.flush, len(singles) + len(many)),
            "record": _rate(lambda: [record(mind, n, talk) for n, talk in enumerate(talks)], len(rest)),
        }


def _rate(work: Callable[[], object], count: int) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return count / (time.perf_counter() - wall), count / (time.process_time() - cpu)


if __name__ == "__main__":
    sys.exit(main())
