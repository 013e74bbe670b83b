"""`python -m evals dates`: how many of the times that texts name are found, and whether they are the right days."""

from __future__ import annotations

from pathlib import Path

from evals.dates.cases import ANY_DAY, NEEDED, dated, ordinary, public
from evals.dates.score import Tally, score
from evals.metrics import interval
from noosphere.model.when.times import find_times

__all__ = ["HERE", "SETS", "false_times", "main"]

HERE = Path(__file__).parent
SETS = ("own", "independent", "unseen")
CORE = ("date", "daterange")


def main(data: Path, cache: Path) -> None:
    """Print the tables; write every mistake beside the vectors' cache."""
    public_score = score(public(data / "temporal"))
    lines = ["| type | expressions | exact | alike | wrong | missed | extra |", "|---|---|---|---|---|---|---|"]
    for name, tally in sorted(public_score.by_type.items()):
        lines.append(_row(name, tally))
    for title, types in (("days: date, daterange", CORE), ("with a time of day too", NEEDED)):
        lines += ["", _summary(f"public set, {title}", public_score.total((*types, *_no_days(public_score.by_type))))]
    mistakes = [*public_score.mistakes]
    for name in SETS:
        cases, sentences = dated(HERE / name / "dated.jsonl"), ordinary(HERE / name / "ordinary.jsonl")
        lines.append("")
        for language in sorted({case.language for case in cases}):
            found = score([case for case in cases if case.language == language])
            lines.append(_summary(f"{name}, {language}", found.total(found.by_type)))
            mistakes += [f"{name} {m}" for m in found.mistakes]
        false = [(text, times) for text in sentences if (times := false_times(text))]
        lines.append(f"{name}: {len(false)} of {len(sentences)} ordinary sentences dated")
        mistakes += [f"{name} ordinary {text!r} {times}" for text, times in false]
    print("\n".join(lines))
    cache.parent.mkdir(parents=True, exist_ok=True)
    (cache.parent / "dates-mistakes.txt").write_text("\n".join(mistakes), encoding="utf-8")


def _no_days(types: dict[str, Tally]) -> tuple[str, ...]:
    """The types on which any answer is one too many."""
    return tuple(name for name in types if name not in NEEDED)


def false_times(text: str) -> list[str]:
    """The times found in a sentence that has none."""
    return [text[t.start : t.end] for t in find_times(text, ANY_DAY)]


def _row(name: str, tally: Tally) -> str:
    asked = tally.right + tally.wrong + tally.missed
    return f"| {name} | {asked} | {tally.exact} | {tally.alike} | {tally.wrong} | {tally.missed} | {tally.extra} |"


def _summary(name: str, tally: Tally) -> str:
    asked, given = tally.right + tally.wrong + tally.missed, tally.right + tally.wrong + tally.extra
    recall = interval([1.0] * tally.right + [0.0] * (asked - tally.right))
    precision = interval([1.0] * tally.right + [0.0] * (given - tally.right))
    return (
        f"{name}: n = {asked}, precision {100 * tally.precision:.1f} % ({_percent(precision)}), "
        f"recall {100 * tally.recall:.1f} % ({_percent(recall)}); exact days {tally.exact}"
    )


def _percent(ends: tuple[float, float]) -> str:
    return f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f}"
