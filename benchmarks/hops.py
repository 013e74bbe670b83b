"""How long hops take: p50 and p95 over a map of many nodes and edges; `python -m benchmarks.hops --nodes 100000`."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from typing import TYPE_CHECKING

from noosphere.graph.hops import Place, walk
from noosphere.model.query import View
from noosphere.model.vocabulary import Claim, NodeClass, Provenance
from noosphere.store import edges, nodes
from noosphere.store.edges import NewEdge
from noosphere.testing.minds import scratch_mind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.store.mind_file import MindFile

QUERIES = 1000
FROM_HUBS = 0.2  # of the edges, whose sources are the first hundredth of the nodes


def fill(file: MindFile, count: int, links: int, seed: int) -> list[int]:
    """Make entities and edges between them; one end in five is among the first hundredth, which become hubs."""
    chance = random.Random(seed)
    with file.write() as tx:
        entry = tx.open("benchmark")
        made: list[int] = []
        for n in range(count):
            state = nodes.State(entity_type="concept", name=f"concept {n}", norm_name=f"concept {n}")
            node = nodes.create(tx, entry, NodeClass.ENTITY)
            nodes.open_first(tx, entry, node, state)
            made.append(node.id)
        for _ in range(links):
            src = made[chance.randrange(count // 100 if chance.random() < FROM_HUBS else count)]
            dst = made[chance.randrange(count)]
            new = NewEdge(
                src=src, dst=dst, type="caused_by", weight=chance.random(), provenance=Provenance.INFERRED,
                claim=Claim.INFERRED,
            )  # fmt: skip
            if src != dst and edges.between(tx.sql, new) is None:
                edges.insert(tx, entry, new)
        tx.close(entry)
    return made


def measure(file: MindFile, seeds: Sequence[int]) -> list[float]:
    """Milliseconds of process time of each walk of depth 3."""
    spent: list[float] = []
    with file.read() as sql:
        for seed in seeds:
            view = View(now=file.clock.now())
            start = time.process_time()
            walk(sql, [Place(seed)], view, 3)
            spent.append((time.process_time() - start) * 1000)
    return sorted(spent)


def main() -> None:
    """Build the map, walk it, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=500_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, scratch_mind(folder) as mind:
        file = mind._file  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  (a benchmark looks inside)
        made = fill(file, asked.nodes, asked.edges, seed=7)
        chance = random.Random(8)
        for name, among in (("anywhere", made), ("hubs", made[: len(made) // 100])):
            spent = measure(file, [chance.choice(among) for _ in range(QUERIES)])
            print(f"{name}: p50 {spent[QUERIES // 2]:.2f} ms, p95 {spent[QUERIES * 95 // 100]:.2f} ms, n {QUERIES}")


if __name__ == "__main__":
    main()
