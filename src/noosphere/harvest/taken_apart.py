"""What stands beside another mind's graph: who the agent is, what it is at and has learnt, what waits for review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.guard.screen import screen
from noosphere.ids import uid_text
from noosphere.model.awareness import MOST
from noosphere.store import agent, apart

if TYPE_CHECKING:
    from noosphere.harvest.taking_in import Taking
    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx


BARRED = "that looks like an attack"


def take_apart(taking: Taking, tx: Tx, there: Connection) -> None:
    """Take it in: what is here already stays, and what is told differently is listed."""
    _identity(taking, tx, there)
    for table in apart.TABLES:
        for found in apart.take(tx, there, table, may_come=_may_come):
            match found:
                case None:
                    taking.apart[table.name] += 1
                case apart.Barred():
                    taking.left[f"{table.name} {BARRED}"] += 1
                case apart.Other():
                    taking.differ(uid_text(found.uid), found.about, found.here, found.there)
    apart.hear(tx, there)
    _ten(tx)


def _identity(taking: Taking, tx: Tx, there: Connection) -> None:
    """A mind without an identity gets it; one that has its own keeps it whole."""
    theirs = agent.identity(there)
    if theirs is None:
        return
    ours = agent.identity(tx.sql)
    if not _may_come("\n".join(filter(None, theirs[0].values()))):
        taking.left[f"identity {BARRED}"] += 1
    elif ours is None:
        entry = tx.open("identity.take_in")
        agent.put_identity(tx, entry, theirs[0])
        tx.close(entry)
        taking.apart["identity"] += 1
    else:
        for name, told in theirs[0].items():
            if told is not None and told != ours[0][name]:
                taking.differ(None, f"identity {name}", ours[0][name], told)


def _may_come(words: str) -> bool:
    """Nothing of this is held back for review: what looks like an attack stays where it is."""
    return not screen(words, "import").hostile


def _ten(tx: Tx) -> None:
    """No more is live than a mind may be at: the least important goes, as when it is noted here."""
    over = agent.live(tx.sql, tx.now)[MOST:]
    if over:
        entry = tx.open("awareness.take_in")
        for row in over:
            agent.end_item(tx, entry, row.uid, "pushed_out")
        tx.close(entry)
