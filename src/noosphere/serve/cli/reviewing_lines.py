"""What waits for a decision, as lines for people. The texts are data and are shown as such."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.model.when import iso
from noosphere.serve.cli.lines import WIDTH, body, field
from noosphere.write.conflicts import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from noosphere.serve.cli.output import Line
    from noosphere.write.conflicts import Side
    from noosphere.write.review import Flagged

EXCERPT = 400  # characters of a text


def waiting_lines(found: Iterable[Conflict | Flagged]) -> Iterator[Line]:
    """Conflicts with their sides and what can be done, and withheld texts with the rules that they meet."""
    for one in found:
        yield from _conflict(one) if isinstance(one, Conflict) else _withheld(one)


def _conflict(one: Conflict) -> Iterator[Line]:
    yield (("conflict", "warn"), (f"  {one.why}", "faint"))
    yield field("id", one.id)
    if one.slot is not None:
        yield field("slot", one.slot)
    if one.correction is not None:
        yield from _side(one.correction, "correction")
    for side in one.sides:
        yield from _side(side, "side")
    for words, told in one.options.items():
        yield ((f"  {'can be settled':<{WIDTH}} ", "faint"), (f"--keep {words}", "id"), (f"  {told}", "faint"))


def _side(side: Side, name: str) -> Iterator[Line]:
    held = "never holds" if side.holds_from is None and not side.current else f"holds {_spell(side)}"
    told = f"{side.source}, claim {side.claim}, {side.status}; told {_shown(side.told_at)}; {held}"
    yield ((f"  {name:<{WIDTH}} ", "faint"), (side.id, "id"), (f"  {told}", "faint"))
    yield from body("(withheld itself)" if side.text is None else _excerpt(side.text), "    | ")


def _spell(side: Side) -> str:
    start = "" if side.holds_from is None else f"from {_shown(side.holds_from)} "
    return f"{start}{'on' if side.holds_to is None else f'to {_shown(side.holds_to)}'}"


def _withheld(one: Flagged) -> Iterator[Line]:
    why = "holds a secret" if one.suspect is None else f"looks like an attack, score {one.suspect:.2f}"
    yield ((why, "warn"), (f"  {', '.join(one.found)}", "faint"))
    yield field("id", one.id)
    yield from (field(name, said) for name in ("conversation", "speaker", "title") if (said := getattr(one, name)))
    yield from body(_excerpt(one.text), "    | ")


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]} …"


def _shown(at: datetime) -> str:
    return str(iso(micros(at)))
