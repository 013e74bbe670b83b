"""What a mind knows about what is said: shown to a model beside it, so that it can point at contradictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.ids import uid_text
from noosphere.model.vocabulary import NodeClass
from noosphere.store import frames, fulltext, nodes
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.store.words.query import query_terms
from noosphere.write.identity import is_current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile

PROBED = 8  # words of a sentence, the longest
LOOKED_AT = 20  # texts that hold one of them, turns among them
EACH = 2  # memories shown for a sentence
MOST = 20  # for all of them
LONGEST = 400  # characters: a longer text is a document


class Known(NamedTuple):
    """A memory as it is shown to a model."""

    id: str
    text: str


def known_beside(mind: MindFile, shown: Iterable[str]) -> list[Known]:
    """Memories in use that may bear on sentences, each once; none that is withheld, or says just the same."""
    found: dict[str, Known] = {}
    said = set(shown)
    with mind.read() as sql:
        for text in sorted(said):
            beside = [one for one in _near(sql, text, mind.clock.now()) if one.text not in said]
            found |= {one.id: one for one in beside[:EACH]}
    return list(found.values())[:MOST]


def _near(sql: Connection, text: str, now: int) -> Iterator[Known]:
    terms = sorted(
        (term for term in query_terms(text) if not term.stop), key=lambda term: (-len(term.shown), term.match)
    )
    match = " OR ".join(term.match for term in terms[:PROBED])
    for frame, _ in fulltext.search(sql, Era.NOW, match, LOOKED_AT) if match else ():
        node = nodes.by_id(sql, frames.by_id(sql, frame).node)
        if node.node_class is not NodeClass.MEMORY:
            continue
        version, words = nodes.current(sql, node.id), fold(sql, frame)
        state = version.state
        fit = state.head == frame and not state.secret and state.suspect is None and is_current(sql, version, now)
        if fit and words is not None and len(words) <= LONGEST:
            yield Known(uid_text(node.uid), words)
