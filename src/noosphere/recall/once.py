"""Once: memories that say one thing in other words are shown by the best of them, which names the others.

Turns stand as they were said. Two memories that differ in what they are about, when it happened, when it ends or
whether it is disputed are two.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from noosphere.model.persons import KIN
from noosphere.model.slot import normal
from noosphere.model.trace import ShownOnce
from noosphere.model.vocabulary import NodeClass
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from noosphere.graph.paraphrase import Statement
    from noosphere.model.hit import Hit
    from noosphere.model.trace import Step
    from noosphere.model.unit import Unit

    Told = tuple[str, str, str | None, tuple[object, ...]]

SPEAKER = "user"  # whom "I" means where nobody else is named
SPARE = 10  # how many more of the best are looked at, so that as many as wanted are left

T = TypeVar("T")


@dataclass(slots=True)
class _Kept:
    """What is shown, and what it stands for."""

    said: list[tuple[Told, Statement]]

    @property
    def also(self) -> tuple[str, ...]:
        """The ids of all but the first."""
        return tuple(told[0] for told, _ in self.said[1:])


def shown_once(
    items: Sequence[T], told: Callable[[T], Told | None], steps: list[Step]
) -> list[tuple[T, tuple[str, ...]]]:
    """Leave out what a better item says already.

    Args:
        items: best first.
        told: an item's id, text, subject, and what else has to be equal; None for what always stands for itself.
        steps: takes a record of what was left out for what.

    Returns:
        Each item that stays, with the ids of those that it stands for.
    """
    told_of = [told(item) for item in items]
    alike = Counter(said[3] for said in told_of if said is not None)
    if not alike or alike.most_common(1)[0][1] == 1:
        return [(item, ()) for item in items]
    from noosphere.graph.paraphrase import statement  # noqa: PLC0415  (brings lists of words: 6 ms of a cold read)

    shown: list[tuple[T, _Kept]] = []
    for item, said in zip(items, told_of, strict=True):
        read = None if said is None or alike[said[3]] == 1 else statement(said[1])
        if said is None or read is None:
            shown.append((item, _Kept([])))
            continue
        twins = [kept for _, kept in shown if any(_same(*one, said, read) for one in kept.said)]
        if not twins:
            shown.append((item, _Kept([(said, read)])))
            continue
        first, *others = twins
        first.said += [(said, read), *(one for kept in others for one in kept.said)]
        shown = [(one, kept) for one, kept in shown if all(kept is not other for other in others)]
    if groups := tuple((kept.said[0][0][0], kept.also) for _, kept in shown if kept.also):
        steps.append(ShownOnce(groups))
    return [(item, kept.also) for item, kept in shown]


def _same(one: Told, read: Statement, other: Told, also_read: Statement) -> bool:
    """Whether two say one thing of one subject; "I like tea" is another thing of whoever says it."""
    from noosphere.graph.paraphrase import is_personal, restates  # noqa: PLC0415  (as above)

    (_, _, about, rest), (_, _, also_about, also_rest) = one, other
    if rest != also_rest or not restates(read, also_read):
        return False
    personal = is_personal(read) or is_personal(also_read)
    return not personal or _whose(about) == _whose(also_about)


def _whose(subject: str | None) -> str:
    """Who says it: the person a memory is about, or whose thing that is; else whom "I" means, as of "my sister"."""
    from noosphere.graph.facts.subjects import names_person  # noqa: PLC0415  (brings lists of words, as above)

    owner, has, _ = (subject or SPEAKER).partition("'s ")
    named = names_person(owner) and owner.rsplit(maxsplit=1)[-1].lower() not in KIN
    return normal(owner if has or named else SPEAKER)


def of_unit(unit: Unit, id: str) -> Told | None:
    """What a candidate says; a turn stands for itself."""
    if unit.node_class is not NodeClass.MEMORY or unit.suspect is not None or unit.secret:
        return None
    rest = (unit.occurred_from, unit.occurred_to, unit.holds_to, unit.alternative, unit.conflict, unit.title)
    return id, unit.text, unit.subject, rest


def of_hit(hit: Hit) -> Told | None:
    """The same of a hit."""
    if hit.conversation is not None or hit.suspect is not None or hit.secret:
        return None
    return (
        hit.id,
        hit.text,
        hit.subject,
        (hit.dates.happened, hit.dates.valid_to, hit.alternative, hit.conflict, hit.title),
    )
