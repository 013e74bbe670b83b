"""The worker: ties names, embeds what is pending and builds segments, in the background."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from noosphere.errors import ClosedMind, ModelUnavailable, NoosphereError
from noosphere.forking import Lock
from noosphere.providers.chain import Unavailable
from noosphere.providers.ports import LateEmbedder
from noosphere.store.fulltext import Era
from noosphere.store.segment_build import build_segments
from noosphere.write.embed import BATCH, embed_pending, is_due
from noosphere.write.graph import name_waiting, names_wait
from noosphere.write.spaces import swap_when_whole
from noosphere.write.tokens import store_tokens, tokens_due

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.providers.chain import Chain
    from noosphere.store.mind_file import MindFile

log = logging.getLogger(__name__)
NO_LIMIT = 1 << 62


def embed_all(
    mind: MindFile, chain: Chain, limit: int | None = None, *, token_units: int = 0
) -> tuple[int, tuple[str, ...]]:
    """Embed what is pending in every space this process can fill, at most `limit` units in each, then build segments.

    With `token_units` the newest so many units also get their token vectors, for the late interaction.

    Returns:
        How many units were embedded, and why spaces could not be filled.
    """
    done, off = 0, list[str]()
    for name, pair in mind.spaces().items():
        if not is_due(mind, pair):
            continue  # a model is loaded only when there is work for it
        embedder = chain.of_space(name)
        if isinstance(embedder, Unavailable):
            off.append(embedder.message)
            continue
        if embedder.space.fingerprint != pair[Era.NOW].fingerprint:
            off.append(
                f"model {name}: this mind's vectors are of another model of this name. Use the one that made them"
            )
            continue
        try:
            done = max(done, embed_pending(mind, embedder, pair, NO_LIMIT if limit is None else limit))
        except ModelUnavailable as problem:  # the other spaces are filled all the same
            off.append(str(problem))
    swap_when_whole(mind)
    if token_units:
        done = max(done, _store_tokens(mind, chain, token_units, NO_LIMIT if limit is None else limit))
    build_segments(mind)
    return done, tuple(off)


def _store_tokens(mind: MindFile, chain: Chain, cap: int, limit: int) -> int:
    """Fill the token store of the active space, when its embedder shows its tokens."""
    active = mind.facts().active_space
    pair = mind.spaces().get(active or "")
    if active is None or pair is None or not tokens_due(mind, pair, cap):
        return 0
    embedder = chain.of_space(active)
    return store_tokens(mind, embedder, pair, cap, limit) if isinstance(embedder, LateEmbedder) else 0


class Worker:
    """A thread that wakes when something was written; it never loads a model before there is work for it."""

    def __init__(
        self, mind: MindFile, chain: Chain, *, token_units: int = 0, also: Callable[[MindFile], int] | None = None
    ) -> None:
        """Start when there is work; `also` does a little other work each time, and says how much it did."""
        self._mind = mind
        self._chain = chain
        self._token_units = token_units
        self._also = also
        self._due = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = Lock()
        if names_wait(mind) or any(is_due(mind, pair) for pair in mind.spaces().values()):
            self.wake()  # what an earlier process left

    def wake(self) -> None:
        """Say that there may be work."""
        with self._lock:
            self._due.set()
            if self._thread is None or not self._thread.is_alive():  # a fork has no threads of its parent
                self._thread = threading.Thread(target=self._run, name="noosphere-embed", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Finish the batch in hand and end; what is pending stays pending."""
        self._stopping.set()
        self._due.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _work(self) -> int:
        named = name_waiting(self._mind, BATCH)
        also = 0 if self._also is None else self._also(self._mind)
        return named + also + embed_all(self._mind, self._chain, BATCH, token_units=self._token_units)[0]

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._due.wait()
            self._due.clear()
            try:
                while not self._stopping.is_set() and self._work():
                    pass
            except ClosedMind:
                return
            except NoosphereError as problem:  # a full disk, a busy file, a model that fails: none stays so for ever
                log.warning("work in the background waits for the next write: %s", problem)
