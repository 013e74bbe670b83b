"""Conversations of another mind: turns that are not here yet come in, under their own ids, where they stood."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.ids import uid_text
from noosphere.model.draft import Turn
from noosphere.model.outcome import Reason, Refused
from noosphere.store import frame_versions, frames, nodes, path, tags
from noosphere.write.record import read_about, record, switch_head
from noosphere.write.turn_writer import find_conversation
from noosphere.write.turns import OPENS

if TYPE_CHECKING:
    from noosphere.harvest.taking_in import Taking
    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow


def take_talk(taking: Taking, there: Connection, node: NodeRow) -> None:
    """Take a conversation in, or what is new in it."""
    with taking.mind.read() as sql:
        found = nodes.by_uid(sql, node.uid) or (nodes.by_key(sql, node.key) if node.key else None)
        if found is not None and nodes.current(sql, found.id).state.retracted_at is not None:
            taking.counts["forgotten"] += 1
            return
    rounds = _rounds(there, node)
    before = taking.counts["turns"]
    for turns in rounds:
        _record(taking, there, node, found, turns)
    with taking.mind.read() as sql:
        here = find_conversation(sql, uid_text(node.uid) if node.key is None else node.key)
    here = here or found
    if here is None:
        return
    taking.here[node.id] = here
    if found is None:
        taking.counts["conversations"] += 1
        leaf = frames.by_id(there, path.leaf_of(there, node.id))
        if leaf.turn_key is not None and frame_versions.retracted_at(there, leaf.id) is None:
            switch_head(taking.mind, here, leaf.turn_key)
    else:
        taking.counts["known"] += taking.counts["turns"] == before


def _record(
    taking: Taking, there: Connection, node: NodeRow, found: NodeRow | None, turns: list[tuple[Turn, FrameRow]]
) -> None:
    state = nodes.current(there, node.id).state
    about = read_about(
        participants=frames.participant_names(there, frames.opening(there, node.id)),
        title=state.title,
        source=state.source,
        tags=tags.of_node(there, node.id),
        metadata=json.loads(state.metadata or "null"),
    )
    with taking.mind.read() as sql:
        uids = {turn.key: frame.uid for turn, frame in turns if frames.by_uid(sql, frame.uid) is None}
    uids[OPENS] = node.uid
    key = node.key or uid_text(node.uid)
    outcome = record(
        taking.mind, key if found is None else uid_text(found.uid), [t for t, _ in turns], about, uids=uids
    )
    if isinstance(outcome, Refused):
        if outcome.reason is Reason.FORGOTTEN:
            taking.counts["forgotten"] += 1
        else:
            taking.differ(uid_text(node.uid), "turns", outcome.message, f"{len(turns)} turns")
        return
    taking.counts["turns"] += len(outcome.added) + len(outcome.changed)


def _rounds(there: Connection, node: NodeRow) -> list[list[tuple[Turn, FrameRow]]]:
    """The living turns, parents first; texts of one key come in one after the other, as they did there."""
    rows = {frame.id: frame for frame in frames.of_node(there, node.id)}
    gone = frame_versions.forgotten(there, node.id)
    rounds: list[list[tuple[Turn, FrameRow]]] = []
    times: dict[str, int] = {}
    for frame in rows.values():
        if not frame.is_turn or frame.text is None or frame.id in gone:
            continue
        key = str(frame.turn_key)
        place = times[key] = times.get(key, -1) + 1
        if place == len(rounds):
            rounds.append([])
        rounds[place].append((_turn(rows, gone, frame), frame))
    return rounds


def _turn(rows: dict[int, FrameRow], gone: set[int], frame: FrameRow) -> Turn:
    above = rows.get(frame.parent or 0)
    while above is not None and above.is_turn and (above.text is None or above.id in gone):
        above = rows.get(above.parent or 0)
    return Turn(
        key=str(frame.turn_key),
        speaker=str(frame.speaker),
        text=frame.text or "",
        at=moment(frame.recorded_at if frame.said_at is None else frame.said_at),
        speaker_role=frame.speaker_role,
        parent=OPENS if above is None or above.turn_key is None else above.turn_key,
    )
