"""The spaces a mind fills: the active one, always the static one, and one that is to take the active one's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.providers.chain import SHORT
from noosphere.store import meta, shadow, vectors

if TYPE_CHECKING:
    from noosphere.providers.chain import Chain
    from noosphere.providers.ports import Space
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Tx

STATIC = SHORT["static"]


def register_spaces(mind: MindFile, chain: Chain) -> None:
    """Make sure a mind has its static space and an active one; of a new mind that is the first of the chain.

    A mind keeps its active space whatever a later process prefers; only `model use` changes it. The one exception
    is a mind that was made where nothing but the static model ran: what comes later fills beside it and replaces it.
    """
    wanted = chain.spaces()
    if mind.read_only or not wanted:
        return
    active, spaces = mind.facts().active_space, mind.spaces()
    better = active == STATIC and wanted[0].name not in (STATIC, *spaces)
    if active is not None and wanted[-1].name in spaces and not better:
        return
    first = chain.preferred() if active is None else wanted[0]
    with mind.write() as tx:
        facts = meta.read(tx.sql)
        ensure(tx, wanted[-1])
        if first is not None and (facts is None or facts.active_space is None):
            ensure(tx, first)
            meta.put(tx.sql, "active_space", first.name)
        elif better:
            ensure(tx, wanted[0], shadow.FILLING)


def ensure(tx: Tx, space: Space, state: str = shadow.FILLED) -> None:
    """Make sure a space is known; a new one has everything that is stored embedded."""
    vectors.ensure_space(tx, space.name, space.fingerprint, space.dim, space.scale, state)


def choice(sql: Connection) -> str | None:
    """The model that was chosen last: the one that is being filled, else the one that serves."""
    facts, ahead = meta.read(sql), shadow.filling(sql)
    return ahead[-1] if ahead else None if facts is None else facts.active_space


def choose(tx: Tx, name: str) -> str | None:
    """Have a space that is there take the active one's place once it is whole; another that was to gives up.

    Returns:
        What was chosen before.
    """
    before, facts = choice(tx.sql), meta.read(tx.sql)
    for other in shadow.filling(tx.sql):
        if other not in (name, STATIC):
            shadow.rest(tx, other)
    if facts is not None and name == facts.active_space:
        shadow.begin(tx, name)
    else:
        shadow.fill(tx, name)
    return before


def swap_when_whole(mind: MindFile) -> None:
    """Put a space that has become whole in the place of the active one."""
    with mind.read() as sql:
        ready = [name for name in shadow.filling(sql) if shadow.is_whole(sql, name)]
    for name in ready:
        with mind.write() as tx:
            if name in shadow.filling(tx.sql) and shadow.is_whole(tx.sql, name):
                shadow.swap(tx, name, STATIC)
