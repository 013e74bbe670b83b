"""What was learnt from an exchange, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.model.exchange import Cognified
    from noosphere.serve.cli.output import Line


def learning_lines(report: Cognified) -> Iterator[Line]:
    """Every sentence that was kept, with its role and where it belongs; then what was left out, and why."""
    yield (("cognified", "good"), (f" {report.conversation}", "id"))
    yield ((f"  {len(report.turns)} turns, {len(report.learnt)} learnt, {len(report.left)} left out", "faint"),)
    for one in report.learnt:
        yield ((f"  {one.outcome} ", "good"), (f"{one.role}, {one.target}: ", "faint"), (one.text, ""))
        yield ((f"    {one.id}", "id"),)
    for why, text in dict.fromkeys((other.why, other.text) for other in report.left):
        yield ((f"  left out ({why})" + (f": {text}" if text else ""), "faint"),)
