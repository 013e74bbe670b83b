"""Lines for people about the map: what was reached, over which edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.model.hop import Connected, Crossed, Hop
    from noosphere.serve.cli.output import Line

SHOWN = 100  # characters of a text in a line


def hop_lines(found: Sequence[Hop]) -> Iterator[Line]:
    """Each thing with its score, and below it the edges of its path with their claims and who drew them."""
    for hop in found:
        text = f"[withheld: {hop.withheld}]" if hop.withheld else _first(hop.text)
        yield ((f"{hop.score:.3f} ", "good"), (text, ""), (f"  {hop.id}", "id"))
        yield ((f"      {hop.node_class}, {hop.claim}, evidence {hop.evidence}", "faint"),)
        yield from (((f"      {_edge(one, outward=one.outward)}", "faint"),) for one in hop.path)


def connection_lines(found: Sequence[Connected]) -> Iterator[Line]:
    """Each edge with its id, for unlink, and what it leads to."""
    for one in found:
        past = "" if one.current else " (past)"
        yield ((_edge(one.edge, outward=one.edge.outward), ""), (f"  {one.edge.edge}", "id"))
        yield ((f"      {_first(one.text)}{past}", ""), (f"  {one.id}", "id"))


def _edge(edge: Crossed, *, outward: bool) -> str:
    arrow = f"-{edge.type}->" if outward else f"<-{edge.type}-"
    about = f"{edge.provenance}, {edge.claim}, evidence {edge.evidence}, by {edge.linked_by}"
    return f"{arrow} {edge.weight:.2f} ({about})"


def _first(text: str | None) -> str:
    return " ".join((text or "(no text)").split())[:SHOWN]
