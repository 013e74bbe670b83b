"""Lines for people about entities and how they bear on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.model.related import Alike, Distance, Related, Traversed
    from noosphere.serve.cli.output import Line


def alike_lines(found: Sequence[Alike]) -> Iterator[Line]:
    """Each name with how much it is alike."""
    for one in found:
        yield (
            (f"{one.score:.2f} ", "good"),
            (f"{one.name} ({one.type}, seen {one.seen_count})", ""),
            (f"  {one.id}", "id"),
        )


def related_lines(found: Sequence[Related]) -> Iterator[Line]:
    """Each edge as it reads from the entity that was asked about."""
    for one in found:
        yield ((f"{one.relation} ", "strong"), (f"{one.name} ({one.type})", ""), (f"  {one.id}", "id"))
        yield ((f"      {one.weight:.2f}, {one.provenance}, evidence {one.evidence}", "faint"), (f"  {one.edge}", "id"))


def traversed_lines(found: Sequence[Traversed]) -> Iterator[Line]:
    """Each entity, set in by how far it lies."""
    for one in found:
        yield ((f"{'  ' * (one.depth - 1)}{one.name} ({one.type})", ""), (f"  {one.id}", "id"))


def distance_lines(found: Sequence[Distance]) -> Iterator[Line]:
    """Each entity with its distance."""
    for one in found:
        yield ((f"{one.distance} ", "good"), (f"{one.name} ({one.type})", ""), (f"  {one.id}", "id"))
