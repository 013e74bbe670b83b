"""Signals, traces, procedures and calls of models, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.serve.cli.lines import field

MICROS = 1_000_000

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from noosphere.model.execution import ExecutionTrace, Procedure
    from noosphere.model.interaction import ModelCall, ModelTotal
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


def call_lines(found: Iterable[ModelCall]) -> Iterator[Line]:
    """Each with its model, what it was for, how it ended and what it cost."""
    for one in found:
        yield ((f"{one.model}", "strong"), (f"  {one.purpose}", ""), (f"  {one.ended}", _shade(one.ended)))
        yield field("tokens", f"{_count(one.prompt_tokens)} read, {_count(one.completion_tokens)} written")
        yield field("cost", "not known" if one.cost_micros is None else _cost(one.cost_micros))
        yield from (field(name, said) for name in ("provider", "at") if (said := getattr(one, name)) is not None)


def total_lines(found: Iterable[ModelTotal]) -> Iterator[Line]:
    """Each model with its calls, tokens and cost."""
    for one in found:
        failed = f", {one.failed} of them failed" if one.failed else ""
        yield ((f"{one.model}", "strong"), (f"  {one.purpose}", ""), (f"  {one.calls} calls{failed}", "faint"))
        yield field("tokens", f"{one.prompt_tokens} read, {one.completion_tokens} written")
        unpriced = f", {one.unpriced} calls without a price" if one.unpriced else ""
        yield field("cost", f"{_cost(one.cost_micros)}{unpriced}")
        yield from (field(name, getattr(one, name)) for name in ("provider", "first_at", "last_at"))


def _count(tokens: int | None) -> str:
    return "?" if tokens is None else str(tokens)


def _cost(micros: int) -> str:
    return f"{micros / MICROS:.6f}"


def _shade(ended: str) -> str:
    return "good" if ended == "done" else "warn"
