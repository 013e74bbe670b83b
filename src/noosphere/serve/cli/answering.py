"""How recall answers: the block or the hits, and what every step did."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.model.when import read_zone
from noosphere.recall.excerpt import excerpt
from noosphere.recall.weights import SHORT
from noosphere.serve.cli.failures import NOTHING
from noosphere.serve.cli.lines import hit_lines
from noosphere.serve.cli.output import is_terminal, note, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.mind import Mind
    from noosphere.model.hit import Hit, Recall
    from noosphere.model.trace import Trace
    from noosphere.recall.pipeline import Ranked
    from noosphere.serve.cli.call import Call
    from noosphere.serve.cli.output import Line


def answer_with_block(call: Call, mind: Mind, found: Recall, *, explain: bool) -> int:
    """Answer with what fits a prompt: shown hit by hit to a person, as it is to a program."""
    shown = _hits(mind, found.hits) if is_terminal(sys.stdout) else (((line, ""),) for line in split(found.text))
    _say_degraded(found.trace)
    return call.answer(found, _explained(shown, found.trace, explain=explain), code=0 if found.hits else NOTHING)


def answer_with_hits(call: Call, mind: Mind, found: Ranked, *, explain: bool) -> int:
    """Answer with the ranking itself."""
    cut = [replace(h, text=excerpt(h.text, h.span, SHORT, f"noosphere get {h.id}")) for h in found.hits]
    _say_degraded(found.trace)
    return call.answer(found, _explained(_hits(mind, cut), found.trace, explain=explain), code=0 if cut else NOTHING)


def _hits(mind: Mind, hits: Sequence[Hit]) -> Iterator[Line]:
    if hits:
        return hit_lines(hits, read_zone(mind.status().zone))
    return iter([(("(nothing relevant was found)", "faint"),)])


def _explained(lines: Iterator[Line], trace: Trace, *, explain: bool) -> Iterator[Line]:
    yield from lines
    if explain:
        yield from (((line, "faint"),) for line in split(trace.explain()))


def _say_degraded(trace: Trace) -> None:
    """Say what could not do its work, unless all of it was switched off by somebody."""
    parts = trace.degraded()
    if all("switched off" in part.reason or part.part == "semantic" for part in parts):
        return
    for part in parts:
        note(f"{part.part}: {part.reason}; {part.instead}", style="warn")
