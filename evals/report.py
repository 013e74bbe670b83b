"""Reporting: one table per dataset, with n, intervals, and paired differences to the baselines."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from evals.metrics import difference, interval, mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evals.run import Answer

HEAD = (
    ("session", "hit@1"),
    ("session", "all@5"),
    ("session", "ndcg@10"),
    ("turn", "any@5"),
    ("turn", "all@5"),
    ("turn", "r@5"),
    ("turn", "r@10"),
    ("turn", "r@20"),
    ("turn", "ndcg@10"),
    ("turn", "mrr"),
)
MAIN = ("turn", "r@10")
BASELINES = ("fts5", "hybrid")


def summary(answers: Iterable[Answer]) -> dict[str, Any]:
    """Means, intervals and paired differences, by dataset and system."""
    grouped: dict[str, dict[str, list[Answer]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        if answer.abstain:
            continue  # asked apart: there is nothing to find
        if answer.scored:
            grouped[answer.dataset][answer.system].append(answer)
    return {
        dataset: {name: _system(name, rows, by_system) for name, rows in by_system.items()}
        for dataset, by_system in grouped.items()
    }


def _system(name: str, rows: Sequence[Answer], others: dict[str, list[Answer]]) -> dict[str, Any]:
    kinds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        kinds[row.kind].append(_value(row, MAIN))
    return {
        "n": len(rows),
        "metrics": {f"{level} {metric}": _stat([_value(r, (level, metric)) for r in rows]) for level, metric in HEAD},
        "kinds": {kind: {"n": len(v), **_stat(v)} for kind, v in sorted(kinds.items())},
        "against": {other: _paired(rows, others[other]) for other in _rivals(name, others)},
    }


def _rivals(name: str, others: dict[str, list[Answer]]) -> list[str]:
    lanes = [o for o in others if o.startswith("noosphere/")] if name == "noosphere" else []
    return [o for o in (*BASELINES, *lanes) if o in others and o != name]


def _stat(values: Sequence[float]) -> dict[str, Any]:
    low, high = interval(values)
    return {"mean": mean(values), "low": low, "high": high}


def _paired(ours: Sequence[Answer], theirs: Sequence[Answer]) -> dict[str, float]:
    known = {row.question: _value(row, MAIN) for row in theirs}
    both = [(row, known[row.question]) for row in ours if row.question in known]
    middle, low, high = difference([_value(row, MAIN) for row, _ in both], [other for _, other in both])
    return {"n": len(both), "difference": middle, "low": low, "high": high}


def _value(row: Answer, metric: tuple[str, str]) -> float:
    return (row.session if metric[0] == "session" else row.turn)[metric[1]]


def markdown(summed: dict[str, Any]) -> str:
    """The tables as Markdown, in points."""
    parts: list[str] = []
    for dataset, by_system in summed.items():
        n = next(iter(by_system.values()))["n"]
        parts.append(f"### {dataset} (n = {n})\n")
        parts.append("| system | " + " | ".join(f"{level} {metric}" for level, metric in HEAD) + " |")
        parts.append("|---|" + "---|" * len(HEAD))
        for name, found in by_system.items():
            cells = [
                _cell(found["metrics"][f"{level} {metric}"], wide=(level, metric) == MAIN) for level, metric in HEAD
            ]
            parts.append(f"| {name} | " + " | ".join(cells) + " |")
        parts += ["", *_kinds(by_system), "", *_against(by_system), ""]
    return "\n".join(parts)


def _cell(stat: dict[str, float], *, wide: bool) -> str:
    text = f"{100 * stat['mean']:.1f}"
    return f"**{text}** ({100 * stat['low']:.1f}–{100 * stat['high']:.1f})" if wide else text


def _kinds(by_system: dict[str, Any]) -> list[str]:
    kinds = sorted({k for found in by_system.values() for k in found["kinds"]})
    sizes = next(iter(by_system.values()))["kinds"]
    lines = ["Turn R@10 by type:", "", "| system | " + " | ".join(f"{k} ({sizes[k]['n']})" for k in kinds) + " |"]
    lines.append("|---|" + "---|" * len(kinds))
    for name, found in by_system.items():
        lines.append(f"| {name} | " + " | ".join(f"{100 * found['kinds'][k]['mean']:.1f}" for k in kinds) + " |")
    return lines


def _against(by_system: dict[str, Any]) -> list[str]:
    lines = ["Paired difference of turn R@10 over the same questions (95 % bootstrap interval):", ""]
    for name, found in by_system.items():
        for other, gap in found["against"].items():
            span = f"{100 * gap['low']:+.1f} to {100 * gap['high']:+.1f}"
            lines.append(f"- {name} against {other}: {100 * gap['difference']:+.1f} ({span})")
    return lines
