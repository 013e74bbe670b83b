"""Registering the spaces a mind fills: the active encoder's, and always the static one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import meta, vectors

if TYPE_CHECKING:
    from noosphere.providers.chain import Chain
    from noosphere.store.mind_file import MindFile


def register_spaces(mind: MindFile, chain: Chain) -> None:
    """Make sure the spaces of this process's embedders are known; the first one becomes the active space.

    A mind keeps its active space whatever a later process prefers; only `model use` changes it.
    """
    wanted = chain.spaces()
    if mind.read_only or not wanted or (mind.facts().active_space and all(s.name in mind.spaces() for s in wanted)):
        return
    with mind.write() as tx:
        facts = meta.read(tx.sql)
        for space in wanted:
            vectors.ensure_space(tx, space.name, space.fingerprint, space.dim, space.scale)
        if facts is None or facts.active_space is None:
            meta.put(tx.sql, "active_space", wanted[0].name)
