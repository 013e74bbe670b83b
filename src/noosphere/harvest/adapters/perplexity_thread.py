"""One thread of Perplexity: entries of a query and an answer, or the Markdown made of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.gathering import Gathering
from noosphere.harvest.items import USER, Found, Omission, TurnRole
from noosphere.harvest.untrusted import as_flag, as_list, as_record, as_text, as_texts, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "perplexity"
SPEAKER = "Perplexity"
MORE = "the thread has more pages than this file holds"
IDS = ("context_uuid", "thread_id", "uuid", "backend_uuid", "id")
TITLES = ("context_title", "thread_title", "title", "name")
TIMES = ("created_at", "entry_created_datetime", "entry_updated_datetime", "updated_datetime", "timestamp")

LOGO = re.compile(r"\A\s*<img [^>]*>\s*")
DIVIDER = "\N{ASTERISM}"
DEFINITION = re.compile(r"^\[\^\d+(?:_\d+)?\]:\s*(\S+)\s*$")
UNSEEN = re.compile(
    r"<span style=\"display:\s*none\">.*?</span>|<div style=\"text-align: center\">\s*⁂\s*</div>", re.DOTALL
)
MARK = re.compile(r"\[\^\d+(?:_\d+)?\]|\[\]\(citation\)|(?<=\S)(?:\[\d{1,3}\])+(?![(\w])")
FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
HEADING = re.compile(r"^# (?=\S)")
RULE = re.compile(r"^-{3,}\s*$")


def read_thread(thread: dict[str, Any], entries: list[Any], member: Member, origin: str) -> Iterator[Found]:
    """Yield the thread of these entries."""
    gathering = Gathering(NAME, origin)
    last: str | None = None
    first = as_record(next(iter(entries), None))
    for place, value in enumerate(entries, 1):
        if entry := as_record(value):
            last = say(entry, place, last, gathering)
        else:
            gathering.refuse(f"entry {place}", "is not an object")
    if as_flag(thread.get("has_next_page")):
        gathering.talk.notes.append(MORE)
    gathering.talk.begun = gathering.talk.instant(thread.get("created_at"))
    key = first_text(thread, *IDS) or first_text(first, "context_uuid")
    yield from gathering.found(
        key or origin,
        title=first_text(thread, *TITLES) or first_text(first, "thread_title"),
        path=None if key else member.name,
        metadata={"mode": first_text(thread, "mode"), "url": first_text(thread, "url")},
    )


def say(entry: dict[str, Any], place: int, last: str | None, gathering: Gathering) -> str | None:
    """Take one entry and return the key of the latest turn."""
    key = gathering.unique(first_text(entry, "uuid", "backend_uuid", "id") or f"entry-{place}")
    at = next((entry[name] for name in TIMES if entry.get(name)), None)
    query, answer = first_text(entry, "query", "query_str"), _answer(entry)
    said = ((key, USER, TurnRole.USER, query), (f"{key}-answer", SPEAKER, TurnRole.ASSISTANT, answer))
    for own, speaker, role, text in said:
        if text:
            gathering.talk.place(own, last)
            gathering.talk.say(own, speaker, role, text.strip(), at)
            last = own
    if not query and not answer:
        gathering.left[Omission.EMPTY_MESSAGE] += 1
    return last


def _answer(entry: dict[str, Any]) -> str | None:
    """The answer in words: a field of its own, blocks meant as text, or steps in JSON that is text itself."""
    if text := first_text(entry, "answer"):
        return clean(text)
    texts: list[str] = []
    for value in as_list(entry.get("blocks")):
        block = as_record(value)
        if "ask_text" in (as_text(block.get("intended_usage")) or ""):
            told = as_record(block.get("markdown_block"))
            texts.append(first_text(told, "answer") or "".join(as_texts(told.get("chunks"))))
    words = "\n\n".join(dict.fromkeys(text for text in texts if text))
    return clean(words) if words else _steps(entry.get("text"))


def _steps(value: Any) -> str | None:
    text = as_text(value)
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return clean(text) if text else None
    try:
        steps = json.loads(text)
    except (ValueError, RecursionError):
        return clean(text)
    records = [as_record(steps), *map(as_record, as_list(steps))]
    for record in reversed(records):
        told = first_text(record, "answer") or first_text(as_record(record.get("content")), "answer")
        if told:
            return _steps(told) if told.lstrip().startswith("{") else clean(told)
    return None


def clean(text: str) -> str:
    """An answer without the marks of its citations."""
    return MARK.sub("", UNSEEN.sub("", text)).strip()


def read_markdown(member: Member, text: str) -> Iterator[Found]:
    """Yield the thread of an exported Markdown: a heading is a query only where the answer before it has ended."""
    gathering = Gathering(NAME, member.origin)
    turns, sources = _parts(LOGO.sub("", text.replace("\r\n", "\n")).split("\n"))
    last: str | None = None
    for place, (query, answer) in enumerate(turns, 1):
        entry = {"query": query, "answer": answer}
        last = say(entry, place, last, gathering)
    title = turns[0][0] if turns else None
    yield from gathering.found(member.name, title=title, path=member.name, metadata={"sources": sources})


def _parts(lines: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    turns: list[tuple[list[str], list[str]]] = []
    sources: dict[str, None] = {}
    ended, fenced, asking = True, False, False
    for line in lines:
        fenced = fenced != (FENCE.match(line) is not None)
        if not fenced and (definition := DEFINITION.match(line)):
            sources[definition[1]] = None
        elif not fenced and ended and HEADING.match(line):
            turns.append(([line[2:].strip()], []))
            ended, asking = False, True
        elif turns and asking and line.strip():
            turns[-1][0].append(line.strip())
        elif turns:
            asking = False
            ended = ended or DIVIDER in line
            if not (ended and (DIVIDER in line or RULE.match(line))):
                turns[-1][1].append(line)
    return [("\n".join(query), "\n".join(answer)) for query, answer in turns], list(sources)
