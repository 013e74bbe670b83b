"""What an import leaves to be done when its turns are in: learning from them, a little at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import imports

if TYPE_CHECKING:
    from noosphere.store.mind_file import MindFile


def learn_next(mind: MindFile) -> int:
    """Learn from the next few turns that wait; how many they were."""
    if not turns_wait(mind):
        return 0
    from noosphere.harvest.learning import learn_some  # noqa: PLC0415  (brings the rules of learning)

    return learn_some(mind)["turns"]


def turns_wait(mind: MindFile) -> bool:
    """Whether turns may wait to be learnt from."""
    with mind.read() as sql:
        return imports.is_to_learn(sql)
