"""Imports for people: what a harvest did or would do, places, runs, and what waits for review."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from noosphere.serve.cli.lines import field
from noosphere.serve.cli.output import split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from noosphere.harvest.items import Reject
    from noosphere.harvest.learning import LearntFromTurns
    from noosphere.harvest.pipeline import Harvested
    from noosphere.harvest.preview import Preview
    from noosphere.harvest.review import Held
    from noosphere.harvest.taking_in import TakenIn
    from noosphere.harvest.verbs import Run, Source
    from noosphere.serve.cli.output import Line

REJECTS = 20  # reasons told one by one; JSON has them all
TOLD = ("what", "why", "remedy", "origin")
EXCERPT = 400  # characters of a held text
NEVER = ("quarantined", "edges")  # shown when there are some


def harvest_lines(found: Harvested) -> Iterator[Line]:
    """What a harvest did; of the rejects the first ones by name."""
    counts = ("conversations", "notes", "added", "known", "changed", "revised", "forgotten")
    nothing_new = not (found.added or found.changed or found.revised or found.quarantined)
    yield (("harvested: nothing new" if nothing_new else "harvested", "good"),)
    yield from (field(name, getattr(found, name)) for name in counts)
    yield from (field(name, getattr(found, name)) for name in NEVER if getattr(found, name))
    yield from _left(found.left)
    yield from (field("mended", repair) for repair in found.repairs[:REJECTS])
    yield from _rejects(found.rejects)
    if found.quarantined:
        yield (("    `noosphere harvest review` shows what was held back", "faint"),)


def taken_lines(found: TakenIn) -> Iterator[Line]:
    """What came in from another mind, and where the two differ."""
    counts = ("entities", "memories", "conversations", "turns", "edges", "known", "revised", "forgotten")
    new = bool(found.apart) or any(getattr(found, name) for name in counts if name not in ("known", "forgotten"))
    yield (("taken in" if new else "taken in: nothing new", "good"), (f" {found.mind}", "id"))
    yield from (field(name, getattr(found, name)) for name in counts)
    yield from (field("beside", f"{count} x {name}") for name, count in found.apart.items())
    yield from (field("left there", f"{count} x {name}") for name, count in found.left.items())
    yield field("differences", len(found.differences), "warn" if found.differences else "")
    for one in found.differences[:REJECTS]:
        yield (("    ", ""), (one.id or "", "id"), (f" {one.about}: here {one.here!r}, there {one.there!r}", ""))
    if len(found.differences) > REJECTS:
        yield ((f"    and {len(found.differences) - REJECTS} more; --json lists them all", "faint"),)


def learnt_lines(found: LearntFromTurns) -> Iterator[Line]:
    """What was learnt from harvested turns."""
    yield (("learnt" if found.added or found.profiles else "learnt: nothing new", "good"),)
    yield from (field(name, getattr(found, name)) for name in ("turns", "added", "known", "left", "profiles"))
    if found.candidates:
        yield field(
            "to review", f"{found.candidates} that may contradict what is known; see `noosphere review`", "warn"
        )
    if found.skipped:
        yield field("not read", f"{found.skipped} turns that the quick model found worth nothing")
    if found.problem is not None:
        yield field("stopped", found.problem, "bad")
    if found.waiting:
        yield (("    more turns wait; run it again", "faint"),)


def preview_lines(found: Preview) -> Iterator[Line]:
    """What a harvest would bring in."""
    yield (("would harvest", "good"),)
    for name in ("conversations", "notes", "turns", "new", "grown", "known", "held"):
        yield field(name, getattr(found, name))
    for name, counts in (("format", found.by_source), ("type", found.by_type), ("month", found.by_month)):
        yield from (field(name, f"{count} x {key or 'without a date'}") for key, count in counts.items())
    yield from (field("title", title) for title in found.titles)
    if (more := found.new + found.grown - len(found.titles)) > 0:
        yield ((f"    and {more} more", "faint"),)
    yield from _left(found.left)
    yield from _rejects(found.rejects)


def source_lines(found: Sequence[Source]) -> Iterator[Line]:
    """Places that were harvested."""
    for one in found:
        yield ((one.place, "strong"),)
        yield field("id", one.id)
        yield field("formats", ", ".join(one.adapters) or "none")
        yield field("conversations", one.conversations)
        yield field("notes", one.notes)
        yield field("last", one.last_at or one.added_at)


def run_lines(found: Sequence[Run]) -> Iterator[Line]:
    """Runs, each with its counts and rejects."""
    for one in found:
        yield ((one.status, "good" if one.status == "done" else "warn"), (f"  {', '.join(one.places)}", "strong"))
        yield field("id", one.id)
        yield field("started", one.started_at)
        yield from (field(name, count) for name, count in one.counts.items() if count)
        if one.unlearnt:
            yield field("unlearnt", f"{one.unlearnt} turns; `noosphere harvest learn` goes on")
        yield from _alike(tuple(str(reject[name] or "") for name in TOLD) for reject in one.rejects)


def held_lines(found: Sequence[Held]) -> Iterator[Line]:
    """What waits for review. The texts are data and are shown as such."""
    for one in found:
        yield ((f"held back, score {one.score:.2f}", "warn"), (f"  {', '.join(one.hits)}", "faint"))
        yield field("id", one.id)
        yield field("from", f"{one.source}, {one.origin}")
        if one.title:
            yield field("title", one.title)
        if one.speaker:
            yield field("speaker", one.speaker)
        text = one.text if len(one.text) <= EXCERPT else f"{one.text[:EXCERPT]} …"
        yield from ((("    | ", "faint"), (line, "")) for line in split(text))


def _left(left: dict[str, int]) -> Iterator[Line]:
    return (field("left out", f"{count} x {name}") for name, count in left.items())


def _rejects(rejects: Sequence[Reject]) -> Iterator[Line]:
    yield field("rejects", len(rejects), "bad" if rejects else "")
    yield from _alike((reject.what, reject.why, reject.remedy or "", reject.origin) for reject in rejects)


def _alike(rejects: Iterable[tuple[str, ...]]) -> Iterator[Line]:
    """One line for all that could not be read for one reason, with what to do about it."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for *reason, origin in rejects:
        alike.setdefault(tuple(reason), []).append(origin)
    for (what, why, remedy), origins in islice(alike.items(), REJECTS):
        more = f" and {len(origins) - 1} more" if len(origins) > 1 else ""
        told = f"{more} ({what}): {why}{f'. {remedy}' if remedy else ''}"
        yield (("    ", ""), (origins[0], "strong"), (told, ""))
    if untold := sum(map(len, list(alike.values())[REJECTS:])):
        yield ((f"    and {untold} more; --json lists them all", "faint"),)
