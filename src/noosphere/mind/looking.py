"""The verbs that look at what is there: get, history, journal, hops, connections, lists and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.ids import parse_uid
from noosphere.mind.opened import Opened
from noosphere.model.query import read_filters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from noosphere.graph.hops import Place
    from noosphere.insight.lookup import Thing
    from noosphere.insight.stats import Stats
    from noosphere.insight.status import Status
    from noosphere.model.hop import Connected, Hop
    from noosphere.model.query import Filters
    from noosphere.model.record import History, JournalEntry
    from noosphere.write.target import Target

    Time = datetime | date | str


class Looking(Opened):
    """Nothing is searched here: an id, a neighbourhood, a list, a count."""

    def get(self, id: str) -> Thing:
        """One memory, turn, conversation or entity in full; counts as a use.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.insight import lookup

        with self._seen.read() as sql:
            thing = lookup.get(sql, id, now=self._present(), zone=self._file.zone)
        if not self._file.read_only:
            self._file.note_use([parse_uid(thing.id)])
        return thing

    def history(self, id: str) -> History:
        """Every version and text a node had, and the spells of its slots.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.insight import history as past
        from noosphere.write.target import find

        with self._file.read() as sql:
            return past.history(sql, find(sql, id).node)

    def journal(self, limit: int = 50, *, target: str | None = None) -> list[JournalEntry]:
        """The newest changes first, of one node or of the whole mind.

        Raises:
            InvalidInput: the limit is out of range.
        """
        from noosphere.insight import history as past

        with self._file.read() as sql:
            return past.entries(sql, limit=limit, target=None if target is None else parse_uid(target, "target"))

    def hops(
        self,
        id: str,
        depth: int = 2,
        *,
        limit: int = 50,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
    ) -> list[Hop]:
        """What lies within `depth` edges of a thing, the best first, and over which edges it was reached.

        Raises:
            InvalidInput: a depth outside 0..3, a limit outside 1..50, or a malformed time or filter.
            NotFound: nothing here has this id.
        """
        from noosphere.insight import map as around
        from noosphere.write.target import find

        asked = read_filters(filters, self._file.zone)
        view = self._view(as_of=as_of, known_at=known_at, include_past=include_past)
        with self._seen.read() as sql:
            return around.hops(sql, [_place(find(sql, id))], view, depth=depth, limit=limit, filters=asked)

    def connections(
        self,
        id: str,
        limit: int = 50,
        *,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
    ) -> list[Connected]:
        """The edges at a thing, the heaviest first, and what they lead to, past or current.

        Those that stand now, stood at `as_of` or were known at `known_at`; `include_past` brings what has ended too.

        Raises:
            InvalidInput: a limit outside 1..256, or a malformed time.
            NotFound: nothing here has this id.
        """
        from noosphere.insight import map as around
        from noosphere.write.target import find

        view = self._view(as_of=as_of, known_at=known_at, include_past=include_past)
        with self._seen.read() as sql:
            return around.connections(sql, _place(find(sql, id)), view, limit=limit)

    def list_recent(
        self,
        limit: int = 20,
        *,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
    ) -> list[Hop]:
        """The memories last written, the newest first: of those that hold now, held at `as_of`, or were believed then.

        Raises:
            InvalidInput: a limit outside 1..1000, or a malformed time or filter.
        """
        from noosphere.insight import map as around

        asked = read_filters(filters, self._file.zone)
        view = self._view(as_of=as_of, known_at=known_at, include_past=include_past)
        with self._file.read() as sql:
            return around.list_recent(sql, view, limit=limit, filters=asked)

    def tags(self) -> dict[str, int]:
        """Every tag in use, with how many nodes carry it, the most used first."""
        from noosphere.store import tags

        with self._file.read() as sql:
            return dict(tags.counts(sql))

    def stats(self) -> Stats:
        """How much it knows."""
        from noosphere.insight.stats import stats

        with self._seen.read() as sql:
            return stats(sql)

    def status(self) -> Status:
        """What is in force: settings and where they come from, embedders, lanes, what is pending or off."""
        from noosphere.insight.status import status

        return status(self._file, self._chain, self.settings, name=self.name)


def _place(target: Target) -> Place:
    from noosphere.graph.hops import Place

    return Place(target.node.id, target.turn.id if target.turn else 0)
