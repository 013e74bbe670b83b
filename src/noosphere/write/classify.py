"""Changes to what is said of a node: tags, importance, status, metadata, slot, times and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from noosphere.errors import InvalidInput
from noosphere.ids import uid_text
from noosphere.model.argument import read_flag, read_line, read_share
from noosphere.model.outcome import Classified, Refused
from noosphere.model.outcome import Reason as Why
from noosphere.model.slot import normal, normal_value, read_slot
from noosphere.model.vocabulary import (
    Claim,
    Importance,
    Kind,
    NodeClass,
    Source,
    Status,
    Volatility,
    role_name,
    tag_names,
    word,
)
from noosphere.model.when import read_time
from noosphere.store import nodes, tags
from noosphere.store.fold import fold
from noosphere.write.apply import apply
from noosphere.write.identity import taken
from noosphere.write.parse import read_metadata
from noosphere.write.screening import line_without_secrets, reflagged
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import tzinfo

    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx


class About(NamedTuple):
    """What is said of a node, checked: new values by their names, and tags to add, to remove, or to have exactly."""

    new: Mapping[str, Any]
    add: tuple[str, ...]
    remove: tuple[str, ...]
    exact: tuple[str, ...] | None

    def __bool__(self) -> bool:
        """Whether anything is said at all."""
        return bool(self.new or self.add or self.remove) or self.exact is not None


def classify(mind: MindFile, id: str, changes: Mapping[str, Any]) -> Classified | Refused:
    """Change what is said of a node: tags, importance, status, metadata, slot, times and the like.

    Raises:
        InvalidInput: an unknown field or a value outside its vocabulary.
        NotFound: nothing has this id.
    """
    about = read_about(mind, changes)
    if isinstance(about, Refused):
        return about
    with mind.write() as tx:
        target = find(tx.sql, id)
        if target.turn is not None:
            return Refused(
                reason=Why.NOT_A_MEMORY, message="a turn is as it was said; classify its conversation instead"
            )
        if (refused := forgotten(tx.sql, target)) is not None:
            return refused
        node = target.node
        before = nodes.current(tx.sql, node.id).state
        state = described(before, about)
        if node.node_class is NodeClass.MEMORY and (state.title, state.value) != (before.title, before.value):
            told = "" if before.head is None else fold(tx.sql, before.head) or ""
            said = "\n\n".join(filter(None, (state.title, state.value)))
            state = reflagged(state, told, before=before, told=told, new=said)
        if (refused := _unfit(node, about.new) or taken(tx.sql, node, state, mind.zone, tx.now)) is not None:
            return refused
        entry = tx.open("classify")
        changed = retag(tx, entry, node, about)
        old: tuple[str, ...] = ()
        if state != before:
            old = apply(tx, entry, node, state)
            changed += [n for n in nodes.NAMES if getattr(state, n) != getattr(before, n) and n in _SHOWN]
        if not changed:
            tx.abandon(entry)
            return Refused(reason=Why.UNCHANGED, message="everything asked for is so already")
        journal = tx.close(entry, node.uid)
    return Classified(id=uid_text(node.uid), journal=journal, changed=tuple(changed), old=old)


def read_about(mind: MindFile, changes: Mapping[str, Any]) -> About | Refused:
    """What a caller says of a node, checked, and without the secrets in its title and value.

    Raises:
        InvalidInput: an unknown field or a value outside its vocabulary.
    """
    wanted = dict(changes)
    add, remove, exact = (wanted.pop(n, None) for n in ("add_tags", "remove_tags", "tags"))
    new = _read_changes(wanted, mind.zone)
    for name in {"title", "value"} & new.keys():
        line = line_without_secrets(new[name], mind.secrets)
        if isinstance(line, Refused):
            return line
        new[name] = line
    return About(new, tag_names(add), tag_names(remove), None if exact is None else tag_names(exact))


def _unfit(node: NodeRow, new: Mapping[str, Any]) -> Refused | None:
    """The refusal to give a node what only a memory has."""
    if node.node_class is NodeClass.MEMORY or not new.keys() & _OF_MEMORIES:
        return None
    names = ", ".join(sorted(new.keys() & _OF_MEMORIES))
    return Refused(reason=Why.NOT_A_MEMORY, message=f"only a memory has {names}; leave it out")


def retag(tx: Tx, entry: Entry, node: NodeRow, about: About) -> list[str]:
    """Give a node the tags that are said of it; "tags", if that changed any."""
    add, remove = about.add, about.remove
    if about.exact is not None:
        remove = (*remove, *(set(tags.of_node(tx.sql, node.id)) - set(about.exact)))
        add = (*add, *about.exact)
    gone = tags.remove(tx, entry, node, set(remove) - set(add))
    new = tags.add(tx, entry, node, add)
    return ["tags"] if gone or new else []


_READERS: dict[str, Callable[[Any, tzinfo], Any]] = {
    "status": lambda v, _: word(Status, v, "status"),
    "role": lambda v, _: role_name(v),
    "kind": lambda v, _: word(Kind, v, "kind"),
    "volatility": lambda v, _: word(Volatility, v, "volatility"),
    "importance": lambda v, _: word(Importance, v, "importance"),
    "source": lambda v, _: word(Source, v, "source"),
    "claim": lambda v, _: word(Claim, v, "claim"),
    "confidence": lambda v, _: read_share(v, "confidence"),
    "title": lambda v, _: read_line(v, "title"),
    "metadata": lambda v, _: read_metadata(v),
    "trace_id": lambda v, _: read_line(v, "trace_id"),
    "slot": lambda v, _: read_slot(v, None)[1],
    "subject": lambda v, _: read_slot(None, v)[0],
    "value": lambda v, _: read_line(v, "value"),
    "functional": lambda v, _: None if (flag := read_flag(v, "functional")) is None else int(flag),
    "valid_from": lambda v, zone: read_time(v, "valid_from", zone),
    "valid_to": lambda v, zone: read_time(v, "valid_to", zone),
    "occurred": lambda v, zone: read_time(v, "occurred", zone),
}
_NEVER_EMPTY = ("status", "role", "kind", "volatility", "importance", "source", "claim", "valid_from")
_SHOWN = frozenset(_READERS) | {
    "stated_from", "stated_to", "stated_grain", "occurred_from", "occurred_to", "occurred_grain", "attribute"
}  # fmt: skip
_OF_MEMORIES = frozenset({"slot", "value", "functional", "valid_from", "valid_to", "occurred"})


def _read_changes(wanted: Mapping[str, Any], zone: tzinfo) -> dict[str, Any]:
    new: dict[str, Any] = {}
    for name, value in wanted.items():
        if name not in _READERS:
            raise InvalidInput.choice("classify", name, [*_READERS, "tags", "add_tags", "remove_tags"])
        if value is None and name in _NEVER_EMPTY:
            raise InvalidInput(name, "cannot be empty", "Leave it out to keep it as it is")
        new[name] = _READERS[name](value, zone)
    if new.get("slot") is not None:
        read_slot(wanted["slot"], new.get("subject"))  # they must not contradict each other
    return new


def described(state: State, about: About) -> State:
    """The state with what is said of it."""
    for name, value in sorted(about.new.items(), key=lambda change: change[0] != "slot"):
        match name:
            case "slot":
                state = _in_slot(state, value)
            case "subject":
                state = state._replace(subject=value, slot_subject=normal(value or "") if state.attribute else None)
            case "value":
                state = state._replace(value=value, value_norm=_value_norm(state, value))
            case "valid_from":
                state = _from(state, value)
            case "valid_to":
                state = state._replace(stated_to=None if value is None else value.start)
            case "occurred":
                state = _occurred(state, value)
            case _:
                state = state._replace(**{name: value})
    return _sound(state)


def _sound(state: State) -> State:
    """The state, if what it says fits together."""
    if state.stated_to is not None and state.valid_from is not None and state.stated_to <= state.valid_from:
        raise InvalidInput("valid_to", "lies before valid_from", "Give an end later than the start")
    if state.attribute is not None and state.subject is None:
        raise InvalidInput("subject", "a slot needs its subject", "Take the slot away too: slot=None")
    if state.attribute is None and state.value is not None:
        raise InvalidInput("value", "a value belongs to a slot", 'Name the slot too: slot="subject.attribute"')
    return state


def _in_slot(state: State, slot: Any) -> State:
    if slot is None:
        return state._replace(slot_subject=None, attribute=None, value=None, value_norm=None, functional=None)
    if slot.attribute != state.attribute:
        state = state._replace(functional=None)  # that was said of the other slot
    state = state._replace(subject=slot.subject, slot_subject=slot.key, attribute=slot.attribute)
    return state._replace(value_norm=_value_norm(state, state.value))


def _value_norm(state: State, value: str | None) -> str | None:
    if state.attribute is None:
        return None
    return normal_value(value) if value else (state.fold_hash or b"").hex()


def _from(state: State, span: Any) -> State:
    return state._replace(stated_from=span.start, stated_grain=span.grain, valid_from=span.start, valid_basis="stated")


def _occurred(state: State, span: Any) -> State:
    if span is None:
        return state._replace(occurred_from=None, occurred_to=None, occurred_grain=None)
    state = state._replace(occurred_from=span.start, occurred_to=span.end, occurred_grain=span.grain)
    if state.valid_basis == "occurred" or (state.attribute is not None and state.valid_basis != "stated"):
        return state._replace(valid_from=span.start, valid_basis="occurred")
    return state
