"""Lines for people about the map and its upkeep: what was reached over which edges, what was run, what is stale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.model.when import iso

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.model.hop import Connected, Crossed, Hop
    from noosphere.serve.cli.output import Line
    from noosphere.upkeep.passes import Ran
    from noosphere.upkeep.staleness import Stale

SHOWN = 100  # characters of a text in a line


def hop_lines(found: Sequence[Hop]) -> Iterator[Line]:
    """Each thing with its score, and below it the edges of its path with their claims and who drew them."""
    for hop in found:
        text = f"[withheld: {hop.withheld}]" if hop.withheld else _first(hop.text)
        yield ((f"{hop.score:.3f} ", "good"), (text, ""), (f"  {hop.id}", "id"))
        yield ((f"      {hop.node_class}, {hop.claim}, evidence {hop.evidence}{_stale(hop)}", "faint"),)
        yield from (((f"      {_edge(one, outward=one.outward)}", "faint"),) for one in hop.path)


def connection_lines(found: Sequence[Connected]) -> Iterator[Line]:
    """Each edge with its id, for unlink, and what it leads to."""
    for one in found:
        past = "" if one.current else " (past)"
        yield ((_edge(one.edge, outward=one.edge.outward), ""), (f"  {one.edge.edge}", "id"))
        yield ((f"      {_first(one.text)}{past}{_stale(one)}", ""), (f"  {one.id}", "id"))


def run_lines(found: Sequence[Ran]) -> Iterator[Line]:
    """Each run on a line: when, which pass, how it ended, and how many things it changed of those due."""
    for run in found:
        style = "good" if run.status == "done" else "warn"
        left = "" if run.after is None else f", {run.after} left"
        yield (
            (f"{iso(micros(run.started_at)) or '':.19}  ", "faint"),
            (f"{run.name} ", "strong"),
            (run.status, style),
            (f"  {run.changed} changed of {run.before} due{left}", ""),
            (f"  {run.problem}" if run.problem else "", "bad"),
        )


def stale_lines(found: Sequence[Stale]) -> Iterator[Line]:
    """Each stale memory with the day it was last known to hold."""
    for one in found:
        yield ((f"{iso(micros(one.since)) or '':.10}  ", "warn"), (_first(one.text), ""), (f"  {one.id}", "id"))
        yield ((f"      {one.volatility}, {one.importance}, {one.status}", "faint"),)


def _stale(one: Hop | Connected) -> str:
    return "" if one.stale_since is None else f", as of {iso(micros(one.stale_since)) or '':.10}, verify"


def _edge(edge: Crossed, *, outward: bool) -> str:
    arrow = f"-{edge.type}->" if outward else f"<-{edge.type}-"
    about = f"{edge.provenance}, {edge.claim}, evidence {edge.evidence}, by {edge.linked_by}"
    return f"{arrow} {edge.weight:.2f} ({about})"


def _first(text: str | None) -> str:
    return " ".join((text or "(no text)").split())[:SHOWN]
