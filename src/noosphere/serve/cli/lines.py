"""Values as lines for people: hits with their reasons, things in full, histories, reports."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from noosphere.clock import micros
from noosphere.model.when import day_of, iso
from noosphere.recall.standing import standing
from noosphere.serve.cli.output import split
from noosphere.serve.cli.wording import in_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from noosphere.insight.stats import Stats
    from noosphere.insight.status import Status
    from noosphere.model.hit import Hit
    from noosphere.model.record import History, JournalEntry, Session
    from noosphere.serve.cli.output import Line
    from noosphere.store.salvage import Salvaged
    from noosphere.upkeep.doctor import Broken, Diagnosis
    from noosphere.write.models import Model

WIDTH = 16  # of the names in front of values
ABOUT = ("id", "conversation", "edge", "session", "path", "ids", "undone")  # what an outcome is about: the first there
IDS = frozenset({"id", "frame", "journal", "session", "conversation", "edge", "head", "target", "previous", "next"})


def field(name: str, value: object, style: str = "") -> Line:
    """One named value."""
    return ((f"  {name:<{WIDTH}} ", "faint"), (_shown(value), style or ("id" if name in IDS else "")))


def fields(document: Mapping[str, Any], *, leave_out: Sequence[str] = ()) -> Iterator[Line]:
    """The named values of a document, without those that say nothing."""
    for name, value in document.items():
        shown = _counted(value) if name == "rows" else value
        if name not in leave_out and not _says_nothing(shown):
            yield field(name, shown)


def _counted(rows: Mapping[str, int]) -> dict[str, int]:
    """The tables of which there are rows."""
    return {name: count for name, count in rows.items() if count}


def body(text: str, indent: str = "  ") -> Iterator[Line]:
    """A text, indented."""
    for line in split(text):
        yield ((f"{indent}{line}", ""),)


def outcome_lines(document: Mapping[str, Any]) -> Iterator[Line]:
    """What a writing verb answered: the word, what it is about, and the rest."""
    word = str(document["outcome"])
    if word == "refused":
        yield (("refused", "bad"), (f": {in_commands(document['message'])} ({document['reason']})", ""))
        yield from fields(document, leave_out=("outcome", "message", "reason"))
        return
    about = next((name for name in ABOUT if document.get(name)), "")
    yield ((word, "good"), (f" {_shown(document.get(about, ''))}".rstrip(), "id"))
    yield from fields(document, leave_out=("outcome", about, *(("journals",) if _is_one(document) else ())))


def _is_one(document: Mapping[str, Any]) -> bool:
    """Whether a call has one journal entry, so that naming them all says nothing new."""
    return document.get("journals") == [document.get("journal")]


def thing_lines(document: Mapping[str, Any]) -> Iterator[Line]:
    """A memory, a turn, a conversation or an entity in full."""
    name = document.get("title") or document.get("name") or document.get("speaker") or document.get("key") or ""
    yield ((str(document["id"]), "id"), (f"  {name}".rstrip(), "strong"))
    if "text" in document:
        yield from body(document["text"])
    yield from fields(document, leave_out=("id", "text", "title", "name", "speaker"))


def hit_lines(hits: Iterable[Hit], zone: tzinfo) -> Iterator[Line]:
    """Hits in order: when and who, what, and why it is here."""
    for place, hit in enumerate(hits, start=1):
        who = hit.speaker or (hit.title if not hit.conversation else None)
        first, *rest = split(hit.text)
        said = ((f"{who}: ", "strong"),) if who else ()
        yield ((f"{place:3}. ", "faint"), (f"{hit_day(hit, zone)}  ", "good"), *said, (first, ""))
        for line in rest:
            yield ((f"     {line}", ""),)
        yield ((f"     {'; '.join(_origin(hit, zone))}", "faint"),)
        yield ((f"     {_because(hit)}", "faint"),)
        yield (("     id ", "faint"), (hit.id, "id"))


def hit_day(hit: Hit, zone: tzinfo) -> str:
    """The date of a hit: when it happened, else was said, else holds from."""
    return hit.dates.happened or day_of(micros(hit.dates.said or hit.dates.valid_from), zone)


def _origin(hit: Hit, zone: tzinfo) -> list[str]:
    said = [f"{hit.source}, claim {hit.claim}"]
    if hit.confidence is not None:
        said.append(f"confidence {hit.confidence:.2f}")
    if hit.status != "active":
        said.append(hit.status)
    if hit.alternative:
        said.append("an alternative, not what was settled on")
    if hit.conflict:
        said.append("disputed")
    said += standing(hit, zone)
    if hit.conversation:
        said.append(f"in {hit.conversation}")
    return said + [f"#{tag}" for tag in hit.tags]


def _because(hit: Hit) -> str:
    lanes = ", ".join(f"{lane.name} {lane.rank}" for lane in hit.lanes) or "its neighbours"
    words = f"; words: {', '.join(hit.terms)}" if hit.terms else ""
    return f"found by {lanes}{words}"


def history_lines(history: History) -> Iterator[Line]:
    """Every version, every text, and the spells of a slot."""
    yield ((history.id, "id"), (f"  {history.node_class}", ""))
    for version in history.versions:
        end = f" to {_shown(version.known_to)}" if version.known_to else ""
        yield ((f"  version {version.version}", "strong"), (f"  {version.verb}, {_shown(version.known_from)}{end}", ""))
        yield from (((f"    {name:<{WIDTH}} ", "faint"), (_shown(said), "")) for name, said in version.state.items())
    for frame, text in history.texts:
        yield (("  text ", "strong"), (frame, "id"))
        yield from body(text or "(purged)", "    ")
    for node, start, end in history.spells:
        yield (("  held ", "strong"), (node, "id"), (f"  {_shown(start)} to {_shown(end) if end else 'now'}", ""))


def journal_lines(entries: Iterable[JournalEntry]) -> Iterator[Line]:
    """Changes, one a line."""
    for entry in entries:
        about = f" {entry.target}" if entry.target else ""
        undone = ((" undone", "warn"),) if entry.undone_by else ()
        yield (
            (entry.id, "id"),
            (f"  {_shown(entry.at)}  {entry.verb}{about}", ""),
            (f"  {entry.actor} through {entry.channel}", "faint"),
            *undone,
        )


def session_lines(sessions: Iterable[Session]) -> Iterator[Line]:
    """Sessions, one a line."""
    for session in sessions:
        name = "  ".join(part for part in (session.key, session.project, session.title) if part)
        size = f"{session.frames} frame{'s' * (session.frames != 1)}"
        yield (
            (session.id, "id"),
            (f"  {_shown(session.started_at)}  {session.status}  {size}", ""),
            (f"  {name}".rstrip(), "strong"),
        )


def model_lines(models: Iterable[Model]) -> Iterator[Line]:
    """Embedding models, one a line, with what keeps one from running."""
    for model in models:
        waits = f", {model.pending} waiting" if model.pending else ""
        yield (
            (model.short or model.name, "id"),
            (f"  {model.name}  {model.state}  {model.embedded} embedded{waits}", ""),
            (f"  {model.problem}" if model.problem else "", "warn"),
        )


def count_lines(counts: Mapping[str, int]) -> Iterator[Line]:
    """Counts by name."""
    for name, count in counts.items():
        yield ((f"{count:8}  ", ""), (name, "strong"))


def stats_lines(stats: Stats, document: Mapping[str, Any]) -> Iterator[Line]:
    """How much a mind knows."""
    yield from (field(name, value) for name, value in document.items() if isinstance(value, int))
    groups = {"role": stats.by_role, "kind": stats.by_kind, "status": stats.by_status}
    groups |= {"importance": stats.by_importance, "source": stats.by_source, "pending": stats.pending}
    for name, counts in groups.items():
        if counts:
            yield field(name, ", ".join(f"{word} {count}" for word, count in counts.items()))


def status_lines(status: Status) -> Iterator[Line]:
    """What is in force."""
    yield ((status.mind, "strong"), (f"  {status.path}", ""))
    yield field("id", status.uuid)
    yield field("schema", f"{status.schema}{', read-only' if status.read_only else ''}")
    yield field("zone", status.zone)
    yield field("lanes", ", ".join(status.lanes))
    yield field("duplicates", ", ".join(status.duplicates))
    for embedder in status.embedders:
        pending = f", {embedder.pending} waiting" if embedder.pending else ""
        yield field(embedder.arm, f"{embedder.space}: {'works' if embedder.works else embedder.problem}{pending}")
    if status.unnamed:
        yield field("names", f"of {status.unnamed} memories wait to be tied")
    if status.unlearnt:
        yield field("learning", f"from {status.unlearnt} harvested turns is still to be done (`harvest learn`)")
    for setting in status.settings:
        yield (*field(setting.name, setting.value), (f"  ({setting.origin})", "faint"))


def diagnosis_lines(found: Diagnosis) -> Iterator[Line]:
    """What doctor found, with the counts before and after."""
    yield (("healthy", "good"),) if found.healthy else (("not healthy", "bad"),)
    for name, before in found.before.items():
        after = found.after.get(name, 0)
        yield field(
            name, f"{before} before, {after} after" if found.fixed else before, "" if before == after else "bad"
        )
    for title, broken in (("broken", found.broken), ("still broken", found.remaining if found.fixed else ())):
        for one in broken:
            yield from _broken(title, one)
    yield field("sampled", f"{found.sampled} looked up, {len(found.lost)} not found")
    yield from (((f"    {lost}", "bad"),) for lost in found.lost)
    if found.index_recall is not None:
        yield field("index recall", f"{found.index_recall:.3f} of the ten nearest")
    yield from (((f"  rehearsal: {wrong}", "bad"),) for wrong in found.rehearsal)
    if any(one.derived for one in found.remaining) and not found.fixed:
        yield (("run `noosphere doctor --fix` to rebuild what is derived", "faint"),)


def salvaged_lines(found: Salvaged) -> Iterator[Line]:
    """What came out of a damaged mind, table by table."""
    word, style = ("salvaged whole", "good") if found.whole else ("salvaged in part", "warn")
    yield ((word, style), (f" {found.path}", "id"))
    for table, count in found.read.items():
        lost = found.lost.get(table, 0)
        if count or lost or table in found.torn:
            more = f", {lost} lost" if lost else ", not read whole" if table in found.torn else ""
            yield field(table, f"{count} read{more}", "warn" if more else "")
    yield from (field(name, count) for name in ("refused", "standing", "dropped") if (count := getattr(found, name)))


def _broken(title: str, one: Broken) -> Iterator[Line]:
    kind = "derived" if one.derived else "truth"
    yield ((f"  {title}: {one.rule}", "bad"), (f"  {one.count} x, {kind}", ""))
    yield from (((f"    {example}", "faint"),) for example in one.examples)


def _says_nothing(value: object) -> bool:
    return value is None or value is False or value in ("", (), [], {})


def _shown(value: Any) -> str:
    """A value in a line."""
    match value:
        case None | () | []:
            return "none"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return (iso(micros(value)) or "").partition(".")[0].removesuffix("Z").replace("T", " ") + "Z"
        case list() | tuple():
            return ", ".join(_shown(item) for item in cast("Iterable[Any]", value))
        case dict():
            said = {n: item for n, item in cast("dict[str, Any]", value).items() if not _says_nothing(item)}
            return ", ".join(f"{name} {_shown(item)}" for name, item in said.items())
        case _:
            return str(value)
