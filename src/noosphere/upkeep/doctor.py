"""doctor: checks every rule of a mind, counts before and after, and rebuilds what is derived."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from noosphere.errors import DamagedMind
from noosphere.ids import uid_text
from noosphere.store import checks, probe, segment_files
from noosphere.store.fulltext import Era
from noosphere.store.journal import newest_at
from noosphere.store.rebuild import rebuild
from noosphere.store.transaction import Tx

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.providers.chain import Chain
    from noosphere.store.checks import Finding
    from noosphere.store.mind_file import MindFile

MANY = 1000  # a rebuild is a large batch: synced to disk
SHOWN = 20  # findings named one by one for each rule; the rest are counted
SAMPLES = 50  # texts looked up by word and by meaning
LEAST_RECALL = 0.97  # of the ten nearest: int8 alone keeps 0.99 of them, and the rescore the rest
WORST_RANK = 10  # where a unit must stand when its own words are asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A rule that is broken: how often, and by what (at most SHOWN are named)."""

    rule: str
    count: int
    examples: tuple[str, ...]
    derived: bool


DAMAGED = (Broken(rule=checks.WHOLE, count=1, examples=("SQLite cannot read all of it",), derived=False),)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What doctor found.

    Attributes:
        healthy: nothing is broken, or all of it was mended.
        before, after: counts by name; the same when nothing was mended.
        broken: what was found, before anything was mended.
        remaining: what is still broken.
        sampled: how many units were looked up by their own words and meaning.
        lost: ids of those that were not found, with the way that failed.
        index_recall: the share of the ten nearest units, by an exact search, that the vector index finds; None when
            nothing is embedded or no model serves.
        rehearsal: what went wrong when a scratch mind was written, asked, revised and emptied; a mind that was opened
            read-only is looked at without it.
    """

    healthy: bool
    fixed: bool
    before: dict[str, int]
    after: dict[str, int]
    broken: tuple[Broken, ...]
    remaining: tuple[Broken, ...]
    sampled: int
    lost: tuple[str, ...]
    index_recall: float | None = None
    rehearsal: tuple[str, ...] = ()
    journal: str | None = None


def examine(
    mind: MindFile,
    chain: Chain,
    *,
    fix: bool,
    embed: Callable[[], object],
    rehearse: Callable[[], tuple[str, ...]],
) -> Diagnosis:
    """Check a mind; with `fix`, rebuild what is derived and check again.

    Args:
        mind: the open file.
        chain: the embedders, for looking up by meaning.
        fix: whether to rebuild; truth is never touched.
        embed: embeds what is pending, so that what was lost is found by meaning again.
        rehearse: uses a scratch mind from end to end and returns what went wrong.
    """
    before, broken = _unless_damaged(mind, probe.counts, {}), _unless_damaged(mind, _check, DAMAGED)
    journal = None
    if fix and not _says(broken, checks.WHOLE):  # nothing is written to a damaged file
        journal = _mend(mind)
        embed()
    after = _unless_damaged(mind, probe.counts, {}) if fix else before
    remaining = _unless_damaged(mind, _check, DAMAGED) if fix else broken
    unreadable = _says(remaining, checks.WHOLE, checks.COMPLETE)
    sampled, lost = (0, ()) if unreadable else _look_up(mind, chain)
    found = None if unreadable else _index_recall(mind, chain)
    rehearsed = rehearse()
    return Diagnosis(
        healthy=not remaining and not lost and not rehearsed and (found is None or found >= LEAST_RECALL),
        fixed=fix,
        before=before,
        after=after,
        broken=broken,
        remaining=remaining,
        sampled=sampled,
        lost=lost,
        index_recall=found,
        rehearsal=rehearsed,
        journal=journal,
    )


def _unless_damaged(mind: MindFile, look: Callable[[MindFile], Found], otherwise: Found) -> Found:
    """What a look at the file gives, as far as SQLite can read it."""
    try:
        return look(mind)
    except DamagedMind:
        return otherwise


def _says(broken: tuple[Broken, ...], *rules: str) -> bool:
    return any(b.rule in rules for b in broken)


def _check(mind: MindFile) -> tuple[Broken, ...]:
    findings: list[Finding] = []
    with mind.db.read() as sql:
        for rule in checks.BEFORE:
            findings += rule(sql)
        if not findings:
            now = max(mind.clock.now(), newest_at(sql))  # a clock set back must not make the past current again
            for rule in checks.RULES:
                findings += rule(sql, now)
            findings += segment_files.findings(mind, sql)
    return _grouped(findings)


def _grouped(findings: list[Finding]) -> tuple[Broken, ...]:
    counted = Counter((f.rule, f.derived) for f in findings)
    return tuple(
        Broken(
            rule=rule,
            count=count,
            examples=tuple(f.what for f in findings if f.rule == rule)[:SHOWN],
            derived=derived,
        )
        for (rule, derived), count in counted.items()
    )


def _mend(mind: MindFile) -> str | None:
    with mind.db.write(rows=MANY) as sql:
        tx = Tx(sql, mind.ids, mind.clock.now(), mind.author)
        journal = rebuild(tx, tx.now)
        segment_files.forget(mind, sql)
    segment_files.sweep(mind)
    mind.forget_indexes()
    return journal


def _index_recall(mind: MindFile, chain: Chain) -> float | None:
    """Hold the index of the space that serves against an exact search; None where nothing is found by meaning."""
    pair = mind.spaces().get(mind.facts().active_space or "")
    if pair is None or chain.resolve().embedder is None:
        return None
    from noosphere.store.index_recall import recall  # noqa: PLC0415  (brings numpy)

    with mind.read() as sql:
        return recall(sql, mind.index(pair[Era.NOW]))


def _look_up(mind: MindFile, chain: Chain) -> tuple[int, tuple[str, ...]]:
    """Look sampled units up by their own words, and by their own vectors."""
    resolved = chain.resolve().embedder
    lost: list[str] = []
    with mind.read() as sql:
        samples = probe.sample(sql, SAMPLES)
        lost += [f"{uid_text(unit.uid)} by word" for unit in samples if not probe.found_by_word(sql, unit)]
        if resolved is not None:
            pair = mind.spaces().get(mind.facts().active_space or "")
            if pair is not None:
                lost += [
                    f"{uid_text(unit.uid)} by meaning"
                    for unit in samples
                    if not probe.found_by_meaning(sql, unit, mind.index(pair[unit.era]), WORST_RANK)
                ]
    return len(samples), tuple(lost)
