"""Later: of two memories the one told later stands first, when it probably tells what has become of the other.

People say what changed in other words than they ask for it: "who is my GP?" is answered by "my GP is Dr Lund" before
"I've gone over to Dr Nguyen". What rules understood is settled and left alone; turns stand as they were said.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from noosphere.model.slot import normal
from noosphere.model.trace import Overtaken
from noosphere.model.vocabulary import NodeClass
from noosphere.recall.overtaking import features, least, p, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from noosphere.model.hit import Hit
    from noosphere.model.trace import Step
    from noosphere.model.unit import Unit
    from noosphere.recall.order import Placed

LOOKED_AT = 10  # the best memories

Found: TypeAlias = "tuple[Placed, Hit]"
T = TypeVar("T")


def later_first(question: str, found: Sequence[Found], steps: list[Step]) -> list[Found]:
    """Put what was told later before what it probably overtakes, with the score of that, which names it.

    Args:
        question: as it was asked.
        found: best first.
        steps: takes a record of what was moved.
    """
    items = {hit.id: (placed, hit) for placed, hit in found}
    order, moved = before_overtaken(list(items), [(a, b, p(values)) for a, b, values in compared(question, found)])
    for older, newer, _ in moved:
        (first, was), (second, now) = items[older], items[newer]
        items[older] = first, replace(was, overtaken_by=newer)
        items[newer] = second, replace(now, score=was.score)
    if moved:
        steps.append(Overtaken(tuple((newer, older, sureness) for older, newer, sureness in moved)))
    return [items[one] for one in order]


def before_overtaken(order: list[T], pairs: Iterable[tuple[T, T, float]]) -> tuple[list[T], list[tuple[T, T, float]]]:
    """Put what was told later before what it overtakes; the likeliest first, and each is overtaken once.

    Args:
        order: best first.
        pairs: of these an earlier and a later one, and how likely it is, 0 to 1.

    Returns:
        The order, and the pairs by which it was changed.
    """
    moved: list[tuple[T, T, float]] = []
    for older, newer, sureness in sorted(pairs, key=lambda pair: -pair[2]):
        overtaken = any(older == one for one, _, _ in moved)
        if sureness >= least() and not overtaken and order.index(older) < order.index(newer):
            order.remove(newer)
            order.insert(order.index(older), newer)
            moved.append((older, newer, sureness))
    return order, moved


def compared(question: str, found: Sequence[Found]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Each two memories that may tell of one thing: the ids of the better match and the later one, what they share."""
    memories = list(islice(((p.unit, hit) for p, hit in found if p.unit.node_class is NodeClass.MEMORY), LOOKED_AT))
    for place, (one, older) in enumerate(memories):
        for other, newer in memories[place + 1 :]:
            if _is_later(other, one) and not _are_settled(one, other) and _share(one, other):
                yield older.id, newer.id, features(told(question), told(one.text), told(other.text), newer.p or 0.0)


def _is_later(one: Unit, other: Unit) -> bool:
    return (one.holds_from, one.recorded_at, one.frame) > (other.holds_from, other.recorded_at, other.frame)


def _are_settled(one: Unit, other: Unit) -> bool:
    """Whether rules understood that two memories stand beside each other: of two slots, or of two subjects."""
    if one.attribute is not None and other.attribute is not None:
        return True
    return None not in (one.subject, other.subject) and normal(one.subject or "") != normal(other.subject or "")


def _share(one: Unit, other: Unit) -> bool:
    """Whether two texts share a word that carries meaning: among many matches the others tell of something else."""
    return not told(one.text).words.isdisjoint(told(other.text).words)
