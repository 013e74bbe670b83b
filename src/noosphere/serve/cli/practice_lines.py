"""Signals, traces and procedures, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.serve.cli.lines import field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from noosphere.model.execution import ExecutionTrace, Procedure
    from noosphere.model.signal import Signal
    from noosphere.serve.cli.output import Line


def signal_lines(found: Iterable[Signal]) -> Iterator[Line]:
    """Each with its kind, its words and how often it came."""
    for one in found:
        yield ((one.kind.replace("_", " "), "warn"), (f"  {one.text}", ""))
        yield field("count", one.count)
        yield from (field(name, at) for name in ("last_at", "surfaced_at") if (at := getattr(one, name)) is not None)
        yield field("id", one.id)


def trace_lines(found: Iterable[ExecutionTrace]) -> Iterator[Line]:
    """Each with its task, its steps and how it ended."""
    for one in found:
        yield (
            (one.task, "strong"),
            (f"  {one.outcome or 'not ended'}", "good" if one.outcome == "succeeded" else "warn"),
        )
        yield from (((f"  {place}. {step}", ""),) for place, step in enumerate(one.steps, start=1))
        yield from (
            field(name, said) for name in ("procedure", "note", "at") if (said := getattr(one, name)) is not None
        )
        yield field("id", one.id)


def procedure_lines(found: Iterable[Procedure]) -> Iterator[Line]:
    """Each with its steps and what was counted of it."""
    for one in found:
        counted = f"  used {one.uses}, succeeded {one.succeeded}, failed {one.failed}, abandoned {one.abandoned}"
        yield ((one.name, "strong"), (counted, "faint"))
        yield from (((f"  {place}. {step}", ""),) for place, step in enumerate(one.steps, start=1))
        yield field("id", one.id)
