"""Questions about entities: what is alike by name, what stands beside one, and how far things lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from noosphere.clock import moment
from noosphere.errors import InvalidInput, NotFound
from noosphere.graph.hops import Place, Sight
from noosphere.graph.normalize import normalize
from noosphere.graph.rules import rules_of
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.argument import read_count, read_line
from noosphere.model.edge import SYMMETRIC
from noosphere.model.related import Alike, Distance, Related, Traversed
from noosphere.model.vocabulary import NodeClass
from noosphere.store import edges, graph_edges, nodes, surroundings, usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.graph.ontology import Ontology
    from noosphere.model.query import View
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow
    from noosphere.store.surroundings import Way

LIKE = 60.0  # of 100: below it two names share a few letters
DEEPEST = 6  # edges along one relation or between two entities
MOST = 1000  # entities that one question visits


def search(sql: Connection, text: str, *, type_: str | None = None, limit: int = 10) -> list[Alike]:
    """Entities whose names are like a text, the most alike first; look-ups by exact name are `entity(name)`.

    Raises:
        InvalidInput: an unknown type, or a limit outside 1..100.
    """
    limit, wanted = read_count(limit, "limit", 1, 100), normalize(read_line(text, "text") or "")
    if type_ is not None and type_ not in nodes.entity_types(sql):
        raise InvalidInput.choice("type", type_, nodes.entity_types(sql))
    names = {node: norm for node, norm, kind in graph_edges.all_names(sql) if type_ in (None, kind)}
    found = process.extract(wanted, names, scorer=fuzz.WRatio, score_cutoff=LIKE, limit=4 * limit)
    ranked = sorted(found, key=lambda one: (one[0] != wanted, -one[1], -usage.of_node(sql, one[2])[3], one[2]))
    return [_alike(sql, node, score) for _, score, node in ranked[:limit]]


def neighbours(
    sql: Connection, name: str, view: View, *, relation: str | None = None, limit: int = 50
) -> list[Related]:
    """What stands beside an entity, the heaviest edge first.

    Raises:
        InvalidInput: an unknown relation, or a limit outside 1..256.
        NotFound: no entity has this name or id.
    """
    limit, rules = read_count(limit, "limit", 1, surroundings.LOOKED_AT), rules_of(sql)
    found: list[Related] = []
    for node in resolve(sql, name):
        for way, read in _ways(sql, node, view, rules):
            if relation is None or relation == read:
                found.append(_related(sql, way, read))
    if relation is not None:
        _known(sql, rules, relation)
    return found[:limit]


def traverse(sql: Connection, name: str, relation: str, view: View, *, depth: int = DEEPEST) -> list[Traversed]:
    """The entities reached by following one relation (or its inverse) from an entity, the nearest first.

    Raises:
        InvalidInput: an unknown relation, or a depth outside 1..6.
        NotFound: no entity has this name or id.
    """
    depth, rules = read_count(depth, "depth", 1, DEEPEST), rules_of(sql)
    _known(sql, rules, relation)
    paths: dict[int, tuple[int, ...]] = {node.id: (node.id,) for node in resolve(sql, name)}
    starts, ahead = set(paths), sorted(paths)
    for _ in range(depth):
        nearer: list[int] = []
        for node in ahead:
            for way, read in _ways(sql, nodes.by_id(sql, node), view, rules):
                if read == relation and way.node not in paths and len(paths) < MOST:
                    paths[way.node] = (*paths[node], way.node)
                    nearer.append(way.node)
        ahead = nearer
    return [_traversed(sql, node, path) for node, path in paths.items() if node not in starts]


def distances(sql: Connection, seeds: Sequence[str], view: View, *, depth: int = 3) -> list[Distance]:
    """How far entities lie from the nearest of the seeds, the nearest first; the seeds are at 0.

    Raises:
        InvalidInput: a depth outside 1..6, or no seeds.
        NotFound: no entity has one of the names or ids.
    """
    depth, rules = read_count(depth, "depth", 1, DEEPEST), rules_of(sql)
    if not seeds:
        raise InvalidInput("seeds", "names nothing", "Give names or ids of entities")
    far = {node.id: 0 for seed in seeds for node in resolve(sql, seed)}
    ahead = sorted(far)
    for step in range(1, depth + 1):
        nearer: list[int] = []
        for node in ahead:
            for way, _ in _ways(sql, nodes.by_id(sql, node), view, rules):
                if way.node not in far and len(far) < MOST:
                    far[way.node] = step
                    nearer.append(way.node)
        ahead = nearer
    return [_distance(sql, node, step) for node, step in far.items()]


def resolve(sql: Connection, name: str) -> list[NodeRow]:
    """The entities of an id or of exactly this name.

    Raises:
        NotFound: there is none.
    """
    shown = read_line(name, "name") or ""
    if looks_like_uid(shown):
        node = nodes.by_uid(sql, parse_uid(shown, "name"))
        node = None if node is None else nodes.survivor(sql, node)
        found = [] if node is None or node.node_class is not NodeClass.ENTITY else [node]
    else:
        found = [node for node, _ in nodes.entities_called(sql, normalize(shown))]
    if not found:
        raise NotFound("entity", shown, "Look for its name with search_entities()")
    return found


def _ways(sql: Connection, node: NodeRow, view: View, rules: Ontology) -> Iterator[tuple[Way, str]]:
    """The edges from an entity to others that may be shown, and each as it reads from there."""
    sight = Sight(sql, view)
    for way in surroundings.ways(sql, node.id, view):
        if nodes.by_id(sql, way.node).node_class is NodeClass.ENTITY and sight.shows(Place(way.node)):
            type_ = edges.by_id(sql, way.edge).type
            relation = rules.relations.get(type_)
            outward = bool(way.outward) or relation is None or type_ in SYMMETRIC
            yield way, type_ if outward or relation is None else relation.inverse


def _known(sql: Connection, rules: Ontology, relation: str) -> None:
    names = sorted({*edges.types(sql), *rules.inverses})
    if relation not in names:
        raise InvalidInput.choice("relation", relation, names)


def _related(sql: Connection, way: Way, read: str) -> Related:
    node, state, told = nodes.by_id(sql, way.node), nodes.current(sql, way.node).state, surroundings.told(sql, way.edge)
    row = edges.by_id(sql, way.edge)
    return Related(
        id=uid_text(node.uid),
        name=state.name or "",
        type=state.entity_type or "",
        relation=read,
        edge=uid_text(told.uid),
        outward=bool(way.outward),
        weight=told.weight,
        provenance=told.provenance,
        evidence=told.evidence,
        valid_from=None if row.valid_from is None else moment(row.valid_from),
        valid_to=None if row.valid_to is None else moment(row.valid_to),
    )


def _traversed(sql: Connection, node: int, path: tuple[int, ...]) -> Traversed:
    uid, name, type_ = _told(sql, node)
    ids = tuple(uid_text(nodes.by_id(sql, one).uid) for one in path)
    return Traversed(id=uid, name=name, type=type_, depth=len(path) - 1, path=ids)


def _distance(sql: Connection, node: int, step: int) -> Distance:
    uid, name, type_ = _told(sql, node)
    return Distance(id=uid, name=name, type=type_, distance=step)


def _alike(sql: Connection, node: int, score: float) -> Alike:
    uid, name, type_ = _told(sql, node)
    return Alike(id=uid, name=name, type=type_, seen_count=usage.of_node(sql, node)[3], score=round(score / 100, 3))


def _told(sql: Connection, node: int) -> tuple[str, str, str]:
    state = nodes.current(sql, node).state
    return uid_text(nodes.by_id(sql, node).uid), state.name or "", state.entity_type or ""
