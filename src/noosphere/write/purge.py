"""purge: the only real erase: from the rows, then from the files, and a search of their bytes proves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.ids import parse_uid, uid_text
from noosphere.model.outcome import Purged, PurgePending, Reason, Refused
from noosphere.model.vocabulary import NodeClass
from noosphere.store import cleaning, erasure, frame_versions, frames, nodes, residue, unnamed
from noosphere.write.apply import apply
from noosphere.write.forget import hide
from noosphere.write.graph import loosen
from noosphere.write.target import find

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx


@dataclass(slots=True)
class _Going:
    """What one purge takes: ids, what they said, and their vectors."""

    ids: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    rows: list[bytes] = field(default_factory=list[bytes])
    drawn: list[str] = field(default_factory=list[str])
    journal: str = ""


def purge(
    mind: MindFile, id: str, *, drawn: bool = False, backups: Iterable[Path] = ()
) -> Purged | PurgePending | Refused:
    """Erase a memory with every text it had, a turn with its other texts, or a branch.

    Called again after it was pending or was killed, it finishes the work.

    Args:
        mind: the open file.
        id: a memory, a turn or a branch.
        drawn: also the memories drawn from it or resting on it as evidence; else they are listed.
        backups: files and folders to look in for copies, beside the mind's own folder.

    Raises:
        InvalidInput: the id names a conversation or an entity.
        NotFound: nothing has this id.
    """
    going = _Going()
    with mind.write() as tx:
        node, parts = _aim(tx.sql, id)
        again = all(f.purged_at is not None for f in parts)
        if again and not erasure.is_cleaning(tx.sql):
            return Refused(reason=Reason.UNCHANGED, message="this was purged already")
        if again:
            going.ids = [id]
        else:
            _erase_all(tx, node, parts, going, drawn=drawn)
    empty = cleaning.clean(mind)
    return _prove(mind, going, backups, empty=empty)


def _aim(sql: Connection, id: str) -> tuple[NodeRow, list[FrameRow]]:
    """The node an id names and the frames that go; of a merged memory, its own and not its survivor's."""
    target = find(sql, id)
    if target.turn is not None:
        return target.node, frames.turn(sql, target.node.id, target.turn.turn_key or "")
    if target.branch is not None:
        return nodes.by_id(sql, target.branch.node), [target.branch]
    named = nodes.by_uid(sql, parse_uid(id))
    node = named or target.node
    if node.node_class is not NodeClass.MEMORY:
        raise InvalidInput("id", f"names a {node.node_class}", "Purge its turns one by one, or forget it")
    return node, frames.of_node(sql, node.id)


def _erase_all(tx: Tx, node: NodeRow, parts: list[FrameRow], going: _Going, *, drawn: bool) -> None:
    entry = tx.open("purge")
    first = _is_part(parts)
    uid = parts[0].uid if first else node.uid
    ahead, seen = [(node, parts)], {node.id}
    while ahead:
        one, its = ahead.pop()
        for number in _drawn(tx.sql, one, its):
            if number in seen:
                continue
            seen.add(number)
            other = nodes.by_id(tx.sql, number)
            if drawn:
                ahead.append((other, frames.of_node(tx.sql, number)))
            elif nodes.current(tx.sql, number).state.retracted_at is None:
                going.drawn.append(uid_text(other.uid))
        _erase(tx, entry, one, its, going)
    going.journal = tx.close(entry, uid)


def _is_part(parts: list[FrameRow]) -> bool:
    return parts[0].is_turn or parts[0].type == "B"


def _drawn(sql: Connection, node: NodeRow, parts: list[FrameRow]) -> list[int]:
    if not _is_part(parts):
        return erasure.drawn_from(sql, node.id)
    return sorted({n for part in parts for n in erasure.drawn_from_frame(sql, part.id)})


def _erase(tx: Tx, entry: Entry, node: NodeRow, parts: list[FrameRow], going: _Going) -> None:
    """Take one memory, turn or branch out of every index, then blank its rows."""
    whole = None if _is_part(parts) else node
    going.texts += erasure.texts(tx.sql, parts, whole)
    going.rows += erasure.rows(tx.sql, parts)
    unnamed.done(tx, [f.id for f in parts])
    if whole is None:
        shown = [f for f in parts if frame_versions.retracted_at(tx.sql, f.id) is None]
        if shown:
            hide(tx, entry, node, [(f, entry.at) for f in shown])
        going.ids += [uid_text(f.uid) for f in parts]
    else:
        state = nodes.current(tx.sql, node.id).state
        gone = entry.at if state.retracted_at is None else state.retracted_at
        apply(tx, entry, node, state._replace(retracted_at=gone))
        loosen(tx, entry, node)
        for number in erasure.named_by(tx.sql, node.id):
            entity = nodes.current(tx.sql, number).state
            apply(tx, entry, nodes.by_id(tx.sql, number), entity._replace(retracted_at=entity.retracted_at or gone))
        going.ids.append(uid_text(node.uid))
    erasure.erase(tx, entry.at, parts, whole)


def _prove(mind: MindFile, going: _Going, backups: Iterable[Path], *, empty: bool) -> Purged | PurgePending:
    """Search the files for what was erased; what other memories say with the same words is told apart."""
    wanted = residue.pieces(going.texts, going.rows)
    holds = {path: residue.present(path, wanted, mind.db.key) for path in residue.own_files(mind)}
    ids: dict[str, None] = {}
    columns: dict[str, None] = {}
    accounted: set[bytes] = set()
    with mind.read() as sql:
        for piece in wanted:
            where = residue.living(sql, piece) if any(piece in found for found in holds.values()) else None
            if where is not None and (where.ids or where.columns):
                accounted.add(piece)
                ids |= dict.fromkeys(where.ids)
                columns |= dict.fromkeys(where.columns)
    left = tuple(str(path) for path, found in holds.items() if found - accounted)
    if left or not empty:
        holders = left or (f"{mind.path}-wal",)
        return PurgePending(ids=tuple(going.ids), journal=going.journal or None, holders=holders)
    with mind.db.write() as sql:
        erasure.cleaned(sql)
    own = [piece for piece in wanted if piece not in accounted]
    copies = [str(path) for path in residue.beside(mind, backups) if residue.present(path, own, mind.db.key)]
    return Purged(
        ids=tuple(going.ids),
        journal=going.journal or None,
        pieces=len(own),
        searched=tuple(str(path) for path in holds),
        shared=tuple(ids),
        elsewhere=tuple(columns),
        drawn=tuple(going.drawn),
        backups=tuple(dict.fromkeys(copies)),
    )
