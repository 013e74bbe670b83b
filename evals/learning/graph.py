"""`python -m evals graph`: written paragraphs, the entities and relations that a mind learns from them.

A name is right when it is the same as entities are identified; its type is scored apart. A relation is right when both
ends, the relation and its direction are. All parts were read once their first figures stood (README.md has those).
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.learning.cases import HERE
from noosphere import open_mind
from noosphere.graph.normalize import normalize

if TYPE_CHECKING:
    from noosphere.mind import Mind

FIRST_READ = 8  # the first paragraphs were all read while the rules were made, of the others three in four


@dataclass(slots=True)
class Counts:
    """Right, wrong and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    typed: int = 0
    lines: list[str] = field(default_factory=list[str])

    def add(self, got: set[Any], want: set[Any]) -> None:
        """Compare two sets."""
        self.right += len(got & want)
        self.wrong += len(got - want)
        self.missed += len(want - got)

    def shown(self) -> str:
        """Precision, recall and F1 in percent."""
        precision = self.right / max(1, self.right + self.wrong)
        recall = self.right / max(1, self.right + self.missed)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        count = self.right + self.missed
        return f"precision {100 * precision:5.1f}  recall {100 * recall:5.1f}  F1 {100 * f1:5.1f}  of {count}"


def main(_data: Path, _cache: Path) -> None:
    """Print the parts apart, English and other languages apart."""
    lines = (HERE / "independent" / "paragraphs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    later = {
        name: (HERE / f"{name}_paragraphs.jsonl").read_text(encoding="utf-8").splitlines()
        for name in ("fourth", "fifth")
    }
    parts = {
        "read first": [row for n, row in enumerate(rows) if n < FIRST_READ or n % 4 != 3],  # noqa: PLR2004
        "read later": [row for n, row in enumerate(rows) if n >= FIRST_READ and n % 4 == 3],  # noqa: PLR2004
        **{name: [json.loads(line) for line in found] for name, found in later.items()},
    }
    _report("kinds, all languages", _kinds())
    for name, part in parts.items():
        for language in ("en", "other"):
            _report(f"{name}, {language}", [row for row in part if (row["language"] == "en") == (language == "en")])


def _kinds() -> list[dict[str, Any]]:
    """Single sentences by the ways to say a relation, or to say none; their names are not judged."""
    lines = (HERE / "relations.tsv").read_text(encoding="utf-8").splitlines()
    return [_row(*line.split("\t")) for line in lines]


def _row(text: str, stated: str) -> dict[str, Any]:
    told = [] if stated == "-" else [one.split("|") for one in stated.split(";")]
    return {"text": text, "relations": [dict(zip(("src", "type", "dst"), one, strict=True)) for one in told]}


def _report(name: str, rows: list[dict[str, Any]]) -> None:
    entities, relations = Counts(), Counts()
    for row in rows:
        with tempfile.TemporaryDirectory() as folder, open_mind(Path(folder) / "mind.db", embedder=None) as mind:
            mind.remember(row["text"])
            types, edges = learnt(mind)
        if "entities" in row:
            want = {normalize(one["name"]): one["type"] for one in row["entities"]}
            entities.add(set(types), set(want))
            entities.typed += sum(types.get(key) == kind for key, kind in want.items())
        relations.add(edges, {(normalize(r["src"]), r["type"], normalize(r["dst"])) for r in row["relations"]})
    print(f"{name}: {len(rows)} paragraphs")
    if entities.right:
        print(f"  entities   {entities.shown()}, type right {100 * entities.typed / max(1, entities.right):.1f}")
    print(f"  relations  {relations.shown()}")


def learnt(mind: Mind) -> tuple[dict[str, str], set[tuple[str, str, str]]]:
    """The entities of a mind by name with their types, and the relations stated between them."""
    with mind.reader.mind.read() as sql:
        types = dict(
            sql.execute(
                "SELECT norm_name, entity_type FROM node_version WHERE entity_type IS NOT NULL AND known_to IS NULL"
            )
        )
        edges = sql.execute(
            """SELECT s.norm_name, e.type, d.norm_name FROM edge AS e
               JOIN node_version AS s ON s.node = e.src AND s.known_to IS NULL AND s.norm_name IS NOT NULL
               JOIN node_version AS d ON d.node = e.dst AND d.known_to IS NULL
               WHERE e.known_to IS NULL AND e.type <> 'co_occurs_with'"""
        ).fetchall()
    return types, set(edges)
