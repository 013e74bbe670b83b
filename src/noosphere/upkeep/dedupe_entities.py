"""dedupe_entities: merge entities of one type whose names are one by today's rules and aliases.

A name is normalised when it is stored, so two can only be there when the rules grew since, or an import brought them.
The one with most edges stays, of those the oldest; one that is canonical always stays, and two that are are left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.normalize import normalize
from noosphere.model.vocabulary import Status
from noosphere.store import nodes
from noosphere.store.entities import in_use

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.entities import EntityRow
    from noosphere.store.transaction import Tx
    from noosphere.upkeep.run import Run


class Group(NamedTuple):
    """Entities that are one: the first stays; `name` is what it is known by."""

    name: str
    members: list[EntityRow]


def due(sql: Connection, _: int) -> int:
    """How many groups there are."""
    return len(_groups(sql))


def dedupe(run: Run) -> None:
    """Merge each group, with a journal entry of its own."""
    while run.batch:
        with run.step() as tx:
            groups = _groups(tx.sql)[: run.batch]
            if not groups:
                break
            for group in groups:
                run.journals.append(_merge(run, tx, group))
            run.took(len(groups))


def _groups(sql: Connection) -> list[Group]:
    by_name: dict[tuple[str, str], list[EntityRow]] = {}
    for row in in_use(sql):
        by_name.setdefault((row.type, normalize(row.name)), []).append(row)
    found = (Group(name, sorted(rows, key=_first)) for (_, name), rows in by_name.items() if name)
    return [group for group in found if _is_due(group)]


def _first(row: EntityRow) -> tuple[bool, int, bytes]:
    return row.status != Status.CANONICAL, -row.edges, row.uid


def _is_due(group: Group) -> bool:
    if sum(row.status == Status.CANONICAL for row in group.members) > 1:
        return False
    return len(group.members) > 1 or group.members[0].norm_name != group.name


def _merge(run: Run, tx: Tx, group: Group) -> str:
    entry = tx.open("upkeep.dedupe_entities")
    stays, *others = [nodes.by_id(tx.sql, row.node) for row in group.members]
    for other in others:
        run.means.join(tx, entry, other, stays)
    state = nodes.current(tx.sql, stays.id).state
    if state.norm_name != group.name:
        run.means.change(tx, entry, stays, state._replace(norm_name=group.name))
    return tx.close(entry, stays.uid)
