"""When what a memory tells happened, by its own words: "yesterday" is the day before it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.vocabulary import Source
from noosphere.store import frames
from noosphere.store.fold import fold

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import State
    from noosphere.write.parse import Parsed


def with_occurrence(memory: Parsed, zone: tzinfo, now: int) -> Parsed:
    """Date a memory, and what is drawn from it, where the caller did not.

    An import without a time of its own is dated by absolute words only: "yesterday" would be another day in the next
    run, and the memory another one.
    """
    absolute = memory.said_at is None and memory.state.source is Source.IMPORT
    said = now if memory.said_at is None else memory.said_at
    state = occurring(memory.state, memory.text, said, zone, absolute=absolute)
    if state is memory.state and not memory.drawn:
        return memory
    return memory._replace(
        state=state,
        drawn=tuple(
            fact._replace(state=occurring(fact.state, fact.text, said, zone, absolute=absolute))
            for fact in memory.drawn
        ),
    )


def occurring(state: State, text: str, said: int, zone: tzinfo, *, absolute: bool = False) -> State:
    """A state with the time its text names, as if a caller had given it; a slot keeps the times its rule found."""
    from noosphere.model.when.naming import occurred  # noqa: PLC0415  (brings the grammar of dates)

    if state.occurred_from is not None:
        return state
    span = occurred(text, said, zone, absolute=absolute)
    if span is None:
        return state
    state = state._replace(occurred_from=span.start, occurred_to=span.end, occurred_grain=span.grain)
    if state.attribute is None and state.valid_basis in ("said", "recorded") and span.start <= said:
        return state._replace(valid_from=span.start, valid_basis="occurred")
    return state


def redated(sql: Connection, state: State, text: str, said: int, zone: tzinfo) -> State:
    """A state whose text is replaced: a time that the old words gave goes with them, one that a caller gave stays.

    `state.head` is still that of the old text.
    """
    if state.head is None:
        return state
    old = frames.by_id(sql, state.head)
    told = old.recorded_at if old.said_at is None else old.said_at
    absolute = old.said_at is None and state.source is Source.IMPORT
    undated = state._replace(occurred_from=None, occurred_to=None, occurred_grain=None)
    if state.occurred_from is not None:
        by_words = occurring(undated, fold(sql, state.head) or "", told, zone, absolute=absolute)
        if (by_words.occurred_from, by_words.occurred_to) != (state.occurred_from, state.occurred_to):
            return state
    if state.valid_basis == "occurred" and state.attribute is None:
        basis = "recorded" if old.said_at is None else "said"
        undated = undated._replace(valid_from=told, valid_basis=basis)
    return occurring(undated, text, said, zone, absolute=absolute)
