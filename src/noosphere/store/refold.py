"""The fold that a mind's full text was made by: a mind of an older one is made anew at opening, or says so.

Words are looked for as today's fold has them, so texts that an older one indexed can be missed. Which one it was stands
in the file. A small mind is made anew by the first opening that may write; a large one, which would keep its writers
waiting, answers meanwhile with a Degraded, until `doctor --fix`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import DamagedMind, MindBusy
from noosphere.store import fulltext, meta, units
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from noosphere.store.connection import Connection, Db
    from noosphere.store.transaction import Tx

FOLD = 2  # 1: before other spellings and hiragana as katakana; to be raised with every change of what words.* makes
FIRST = 1  # of minds that do not say
AT_ONCE = 10_000  # units that an opening makes anew, about a second
MANY = 1000  # a rebuild is a large batch: synced to disk


def is_old(facts: meta.Meta) -> bool:
    """Whether the full text may miss what is asked: an older fold made it."""
    return (facts.fold or FIRST) < FOLD


def complete(db: Db, begin: Callable[[Connection], Tx]) -> None:
    """Make the full text of a small mind anew; one that is damaged or being written to is left as it is."""
    if db.read_only:
        return
    try:
        with db.write(rows=MANY) as sql:
            facts = meta.read(sql)
            if facts is not None and is_old(facts) and sum(fulltext.size(sql, era) for era in Era) <= AT_ONCE:
                tx = begin(sql)
                fill(tx, units.all_wanted(sql, tx.now))
    except (DamagedMind, MindBusy):  # doctor names the one, and the next opening finds the other gone
        return


def fill(tx: Tx, places: Mapping[int, Era]) -> None:
    """Empty the indexes, put every unit where it belongs, and note by which fold."""
    for era in Era:
        fulltext.clear(tx.sql, era)
    for frame, era in sorted(places.items()):
        text = units.text_of(tx.sql, frame)
        if text is not None:
            fulltext.add(tx.sql, era, frame, text.self, text.prev)
    fulltext.merge(tx.sql)
    meta.put(tx.sql, meta.FOLD, str(FOLD))
