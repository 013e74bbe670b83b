"""hops, connections and list_recent: what lies around a thing on the map and how it was reached, and what is new."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.graph.hops import DEEPEST, MOST, Place, Reached, Sight, walk
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.hop import Connected, Crossed, Hop
from noosphere.model.query import NO_FILTERS, Filters
from noosphere.model.staleness import unit_stale_since
from noosphere.model.unit import hidden
from noosphere.model.vocabulary import NodeClass
from noosphere.store import evidence, frames, listing, nodes, surroundings
from noosphere.store.hydrate import units

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from noosphere.model.query import View
    from noosphere.model.unit import Unit
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import VersionRow
    from noosphere.store.surroundings import Way

SNIPPET = 400
MAX_RECENT = 1000
ALL = 2**62


def hops(
    sql: Connection,
    seeds: Sequence[Place],
    view: View,
    *,
    depth: int = 2,
    limit: int = MOST,
    filters: Filters = NO_FILTERS,
) -> list[Hop]:
    """What is reached from the seeds, the best first; filters choose what is told, not what is walked through.

    Raises:
        InvalidInput: a depth outside 0..3 or a limit outside 1..50.
    """
    depth, limit = read_count(depth, "depth", 0, DEEPEST), read_count(limit, "limit", 1, MOST)
    told = (_hop(sql, one, view, filters) for one in walk(sql, seeds, view, depth))
    return [hop for hop in told if hop is not None][:limit]


def connections(sql: Connection, place: Place, view: View, *, limit: int = MOST) -> list[Connected]:
    """The edges that stand at a thing, the heaviest first, also those that lead to what is past.

    Raises:
        InvalidInput: a limit outside 1..256.
    """
    sight = Sight(sql, view)
    found = [way for way in surroundings.ways(sql, place.node, view) if not place.turn or way.here == place.turn]
    return [_connected(sql, way, sight, view) for way in found[: read_count(limit, "limit", 1, surroundings.LOOKED_AT)]]


def list_recent(sql: Connection, view: View, *, limit: int = 20, filters: Filters = NO_FILTERS) -> list[Hop]:
    """The memories last written that pass, the newest first; nothing was walked, so there is no path.

    Raises:
        InvalidInput: a limit outside 1..1000.
    """
    limit, most = read_count(limit, "limit", 1, MAX_RECENT), 2 * MAX_RECENT
    shown: list[Hop] = []
    most_pass = filters.ask_nothing and view.as_of is None and view.known_at is None
    for frame in listing.newest(sql, most if most_pass else ALL, view.known_at):
        place = Place(frames.by_id(sql, frame).node)
        hop = _hop(sql, Reached(place, 1.0, place), view, filters)
        shown += [] if hop is None else [hop]
        if len(shown) == limit:
            break
    return shown


def _connected(sql: Connection, way: Way, sight: Sight, view: View) -> Connected:
    there = Place(way.node, way.there or 0) if sight.is_talk(way.node) else Place(way.node)
    hop = _hop(sql, Reached(there, 1.0, there), replace(view, include_past=True), NO_FILTERS)
    return Connected(
        edge=_crossed(sql, way),
        id=uid_text(_uid(sql, there)),
        node_class=nodes.by_id(sql, there.node).node_class,
        text=None if hop is None else hop.text,
        current=sight.shows(there),
        stale_since=None if hop is None else hop.stale_since,
    )


def _hop(sql: Connection, one: Reached, view: View, filters: Filters) -> Hop | None:
    node = nodes.by_id(sql, one.place.node)
    version = nodes.current(sql, node.id)
    state = surroundings.standing(sql, node.id, view)
    frame = one.place.turn or (state.head if state and node.node_class is NodeClass.MEMORY else None)
    unit = None if frame is None else units(sql, [frame], view.known_at).get(frame)
    if unit is None:
        only_classes = filters == Filters(classes=filters.classes)
        if not filters.ask_nothing and not (only_classes and node.node_class in filters.classes):
            return None
    elif hidden(unit, view, filters) is not None:
        return None
    withheld = _withheld(unit)
    uid = frames.by_id(sql, one.place.turn).uid if one.place.turn else node.uid
    return Hop(
        id=uid_text(uid),
        node_class=node.node_class,
        text=None if withheld else _text(unit, version),
        claim=unit.claim if unit else version.state.claim,
        evidence=len(evidence.of(sql, uid)),
        score=one.score,
        depth=len(one.path),
        seed=uid_text(_uid(sql, one.seed)),
        path=tuple(_crossed(sql, way) for way in one.path),
        withheld=withheld,
        stale_since=None if unit is None else _moment(unit_stale_since(unit, view.now)),
    )


def _uid(sql: Connection, place: Place) -> bytes:
    return frames.by_id(sql, place.turn).uid if place.turn else nodes.by_id(sql, place.node).uid


def _text(unit: Unit | None, version: VersionRow) -> str | None:
    return version.state.name or version.state.title if unit is None else unit.text[:SNIPPET]


def _moment(at: int | None) -> datetime | None:
    return None if at is None else moment(at)


def _withheld(unit: Unit | None) -> str | None:
    if unit is None or not (unit.secret or unit.suspect is not None):
        return None
    return "holds a secret" if unit.secret else "looks like an attack"


def _crossed(sql: Connection, way: Way) -> Crossed:
    told = surroundings.told(sql, way.edge)
    return Crossed(
        edge=uid_text(told.uid),
        src=uid_text(told.src),
        type=told.type,
        dst=uid_text(told.dst),
        outward=bool(way.outward),
        weight=told.weight,
        provenance=told.provenance,
        claim=told.claim,
        linked_by=told.actor,
        evidence=told.evidence,
    )
