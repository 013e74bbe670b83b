"""learn with a language model: what the rules left of harvested turns, pointed at by a model and kept word for word.

Where a quick model is named too, it first sorts out turns that are worth nothing, and says what the rest is about. It
goes over all turns in batches, several calls at a time, and goes on where it stopped: a batch is written when the
model answered for all of it. A call that fails is tried again, and then ends the run, which says why.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from noosphere.graph.rules import rules_of
from noosphere.harvest.learning import COUNTS, MOST, LearnStep, LearntFromTurns, captures, counted, draft
from noosphere.harvest.sorting import Sorted, Sorting, sort_turns
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.vocabulary import Channel, Source, SpeakerRole
from noosphere.store import evidence, imports, nodes
from noosphere.store.fold import fold
from noosphere.write.candidates import propose
from noosphere.write.cognify.model_pass import READ, Pointed, pointed
from noosphere.write.cognify.spoken import sentences
from noosphere.write.graph.pointed import tie_pointed
from noosphere.write.remember import remember

if TYPE_CHECKING:
    from noosphere.graph.ontology import Ontology
    from noosphere.harvest.learning import LearnWatcher
    from noosphere.providers.llm.port import LLM
    from noosphere.store.connection import Connection
    from noosphere.store.imports import TurnRow
    from noosphere.store.mind_file import MindFile

BATCH = 20  # turns that are asked about together and written in one transaction
AT_ONCE = 4  # calls on their way at one time
TRIES = 3  # of one call
SILENT = frozenset({SpeakerRole.TOOL, SpeakerRole.SYSTEM})


def point(
    mind: MindFile,
    llm: LLM,
    limit: int,
    watcher: LearnWatcher | None,
    ruled: LearntFromTurns,
    *,
    fast: LLM | None = None,
) -> LearntFromTurns:
    """Ask a model about at most so many turns that it was not asked about.

    Args:
        mind: the open file.
        llm: the model.
        limit: of turns.
        watcher: is told how far it is.
        ruled: what the rules learnt before, which is told with the rest.
        fast: a quick model that says before which turns are worth asking about; without one all are.

    Raises:
        InvalidInput: the limit is out of range.
    """
    room, done, begun = read_count(limit, "limit", 1, MOST), Counter[str](), time.monotonic()
    with mind.read() as sql:
        size = min(room, sum(imports.count_unlearnt(sql, imports.POINTED_TO).values()))
    problem: str | None = None
    with ThreadPoolExecutor(AT_ONCE, "noosphere-pointing") as pool:
        while room > done["turns"] and problem is None:
            with mind.read() as sql:
                start, rules = imports.learnt_to(sql, imports.POINTED_TO), rules_of(sql)
                rows = imports.unlearnt(sql, start, min(BATCH, room - done["turns"]))
            if not rows:
                break
            sorting = Sorting({}) if fast is None else sort_turns(mind, fast, rows, pool.map)
            about = [sorting.turns.get(place, Sorted()) for place in range(len(rows))]
            found = [] if sorting.why is not None else list(pool.map(partial(_ask, mind, llm, rules), rows, about))
            problem = sorting.why or next((one.why for one in found if one.why is not None), None)
            if problem is None:
                done += _write(mind, start, rows, about, found)
                if watcher is not None:
                    left = (time.monotonic() - begun) * max(0, size - done["turns"]) / max(1, done["turns"])
                    watcher(LearnStep(turns=done["turns"], size=size, added=done["added"], seconds_left=left))
    with mind.read() as sql:
        waiting = bool(imports.unlearnt(sql, imports.learnt_to(sql, imports.POINTED_TO), 1))
    counts = {name: done[name] + getattr(ruled, name) for name in COUNTS[1:]}
    more = waiting or ruled.waiting
    return LearntFromTurns(turns=done["turns"], **counts, waiting=more, skipped=done["skipped"], problem=problem)


def _ask(mind: MindFile, llm: LLM, rules: Ontology, row: TurnRow, about: Sorted) -> Pointed:
    """Ask about the whole of a turn that is worth it, in as many calls as it takes."""
    whole = Pointed()
    if row.speaker_role in SILENT or about.is_skipped:
        return whole
    source = Source.AGENT_INFERRED if row.speaker_role == SpeakerRole.ASSISTANT else Source.IMPORT
    kept = [one for one in captures(row) if one.why is None]
    said = list(dict.fromkeys(sentences(row.text)))
    for start in range(0, len(said), READ):
        part = "\n\n".join(said[start : start + READ])
        found = Pointed()
        for _ in range(TRIES):
            found = pointed(mind, llm, part, source, kept, rules)
            if found.why is None:
                break
        if found.why is not None:
            return Pointed(why=found.why)
        whole.captures.extend(found.captures)
        whole.said.update(found.said)
        whole.against.update(found.against)
    return whole


def _write(mind: MindFile, start: int, rows: list[TurnRow], about: list[Sorted], found: list[Pointed]) -> Counter[str]:
    """Keep what a model pointed at, unless another process did so meanwhile."""
    done: Counter[str] = Counter()
    kept = [
        (row, one, sort.domain) for row, sort, more in zip(rows, about, found, strict=True) for one in more.captures
    ]
    with mind.together(rows=len(rows), channel=Channel.IMPORT) as tx:
        if imports.learnt_to(tx.sql, imports.POINTED_TO) != start:
            return done
        fit = [one for one in kept if one[1].why is None]
        done.update(turns=len(rows), left=len(kept) - len(fit), skipped=sum(one.is_skipped for one in about))
        done += counted(mind, remember(mind, [draft(*one) for one in fit], importing=True))
        for row, more in zip(rows, found, strict=True):
            told = _memories(tx.sql, row, more)
            tie_pointed(mind, {uid: more.said[text] for text, uid in told.items() if text in more.said}, [])
            against = [(uid, more.against[text]) for text, uid in told.items() if text in more.against]
            done["candidates"] += sum(propose(mind, uid, others) for uid, others in against)
        imports.learn_to(tx, rows[-1].frame, imports.POINTED_TO)
    return done


def _memories(sql: Connection, row: TurnRow, more: Pointed) -> dict[str, str]:
    """The memories of those sentences of a turn of which a model says something, whoever found them, by their text."""
    if not more.said and not more.against:
        return {}
    there: dict[str, str] = {}
    for uid in evidence.resting_on(sql, row.uid):
        node = nodes.by_uid(sql, uid)
        state = None if node is None else nodes.current(sql, node.id).state
        text = None if state is None or state.head is None or state.merged_into else fold(sql, state.head)
        if text is not None and (text in more.said or text in more.against):
            there.setdefault(text, uid_text(uid))
    return there
