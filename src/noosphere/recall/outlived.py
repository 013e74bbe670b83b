"""Outlived: a turn of which nothing holds any more stands behind what took its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.trace import Outlived
from noosphere.model.vocabulary import NodeClass
from noosphere.store.outlived import outlived, told_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.trace import Step
    from noosphere.recall.gathering import Reader
    from noosphere.recall.later import Found


def outlived_last(
    found: Sequence[Found], readers: Sequence[Reader], minds: Sequence[int], at: int, steps: list[Step]
) -> list[Found]:
    """Put a turn of which nothing holds any more behind what took its place, and let it name that.

    Args:
        found: best first.
        readers: what the minds are read with.
        minds: of every unit of the pool which of them it is from.
        at: the moment at which it would have to hold, in microseconds.
        steps: takes a record of those turns.
    """
    order, over = list(found), list[tuple[str, str]]()
    turns: dict[int, list[Found]] = {}
    for item in found:
        if item[0].unit.node_class is NodeClass.CONVERSATION:
            turns.setdefault(minds[item[0].at], []).append(item)
    for number, said in turns.items():
        with readers[number].mind.read() as sql:
            heirs = outlived(sql, [placed.unit.frame_uid for placed, _ in said], at)
            tellers = {heir: told_in(sql, heir) for heir in heirs.values()}
        for item in said:
            placed, hit = item
            if (heir := heirs.get(placed.unit.frame_uid)) is not None:
                place = order.index(item)
                order[place] = placed, replace(hit, overtaken_by=uid_text(heir))
                behind = [n for n, (one, _) in enumerate(order) if one.unit.id in {heir, *tellers[heir]}]
                if behind and behind[0] > place:
                    order.insert(behind[0], order.pop(place))
                over.append((hit.id, uid_text(heir)))
    if over:
        steps.append(Outlived(tuple(over)))
    return order
