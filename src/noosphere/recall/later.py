"""Later: of two memories the one told later stands first, when it probably tells what has become of the other.

People say what changed in other words than they ask for it: "who is my GP?" is answered by "my GP is Dr Lund" before
"I've gone over to Dr Nguyen". What rules understood is settled and left alone, and so are turns, which stand as they
were said.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from noosphere.ids import uid_text
from noosphere.model.slot import normal
from noosphere.model.trace import Overtaken
from noosphere.model.vocabulary import NodeClass
from noosphere.recall.overtaking import features, least, p, told
from noosphere.store.outlived import outlived, told_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.model.hit import Hit
    from noosphere.model.trace import Step
    from noosphere.model.unit import Unit
    from noosphere.recall.gathering import Reader
    from noosphere.recall.order import Placed

LOOKED_AT = 10  # the best memories

Found: TypeAlias = "tuple[Placed, Hit]"


def later_first(question: str, found: Sequence[Found], steps: list[Step]) -> list[Found]:
    """Put what was told later before what it probably overtakes, with the score of that, which names it.

    Args:
        question: as it was asked.
        found: best first.
        steps: takes a record of what was moved.
    """
    order, moved = list(found), list[tuple[str, str, float]]()
    for older, newer, sureness in _overtaken(question, order):
        at, by = _place(order, older), _place(order, newer)
        if at > by or order[at][1].overtaken_by is not None:
            continue
        (first, was), (second, now) = order[at], order[by]
        order[at] = first, replace(was, overtaken_by=now.id)
        order.insert(at, (second, replace(order.pop(by)[1], score=was.score)))
        moved.append((now.id, was.id, sureness))
    if moved:
        steps.append(Overtaken(tuple(moved)))
    return order


def waiting_last(found: Sequence[Found]) -> list[Found]:
    """Put a value that does not hold yet behind the one of its slot that does, unless it was asked for by its words."""
    order = list(found)
    for item in found:
        if item[1].begins is not None:
            held = [at for at, (_, hit) in enumerate(order) if _holds_instead(hit, item[1])]
            if held and held[-1] > order.index(item):
                order.insert(held[-1], order.pop(order.index(item)))
    return order


def outlived_last(found: Sequence[Found], readers: Sequence[Reader], minds: Sequence[int], at: int) -> list[Found]:
    """Put a turn of which nothing holds any more behind what took its place, and let it name that.

    Args:
        found: best first.
        readers: what the minds are read with.
        minds: of every unit of the pool which of them it is from.
        at: the moment at which it would have to hold, in microseconds.
    """
    order = list(found)
    turns: dict[int, list[Found]] = {}
    for item in found:
        if item[0].unit.node_class is NodeClass.CONVERSATION:
            turns.setdefault(minds[item[0].at], []).append(item)
    for number, said in turns.items():
        with readers[number].mind.read() as sql:
            heirs = outlived(sql, [placed.unit.frame_uid for placed, _ in said], at)
            tellers = {heir: told_in(sql, heir) for heir in heirs.values()}
        for placed, hit in said:
            if (heir := heirs.get(placed.unit.frame_uid)) is not None:
                place = _place(order, hit.id)
                order[place] = placed, replace(hit, overtaken_by=uid_text(heir))
                behind = [n for n, (one, _) in enumerate(order) if one.unit.id in {heir, *tellers[heir]}]
                if behind and behind[0] > place:
                    order.insert(behind[0], order.pop(place))
    return order


def _holds_instead(hit: Hit, waiting: Hit) -> bool:
    """Whether a hit is what holds in the slot of one that waits, and has as many words of the question."""
    same = hit.attribute == waiting.attribute and normal(hit.subject or "") == normal(waiting.subject or "")
    return same and hit.begins is None and len(hit.terms) >= len(waiting.terms)


def _overtaken(question: str, found: Sequence[Found]) -> list[tuple[str, str, float]]:
    """The ids of each earlier memory and of a later one that probably overtakes it, with p; the likeliest first."""
    pairs = [(older, newer, p(values)) for older, newer, values in compared(question, found)]
    return sorted((pair for pair in pairs if pair[2] >= least()), key=lambda pair: -pair[2])


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


def _place(found: Sequence[Found], id: str) -> int:
    return next(at for at, (_, hit) in enumerate(found) if hit.id == id)
