"""Session transcripts of coding agents as lines of `{type, message, uuid, parentUuid, sessionId, timestamp}`.

Claude Code writes them, and so do its companions; archives of other agents' sessions use the same lines with
the agent's name. Tool calls, their output, reasoning, talk with subagents, lines the program wrote and the
context it wraps around a person's words are left out and counted. Memory files, plans and CLAUDE.md are
Markdown and are read as notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.agent_session import Session
from noosphere.harvest.adapters.gathering import REMEDY
from noosphere.harvest.items import Found, Left, Omission, Reject
from noosphere.harvest.jsonlines import first_lines, lines_of
from noosphere.harvest.untrusted import as_record, as_text, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from noosphere.harvest.members import Member

NAME = "claude_code"
SPEAKERS = {"codex": "Codex", "cursor": "Cursor", "gemini": "Gemini", "aider": "Aider", "claude_code": "Claude"}
OTHERS = frozenset({"codex", "cursor"})  # have an adapter of their own, whose name their sessions carry
LINES = frozenset({"user", "assistant", "tool", "summary", "system", "message", "session"})
MARKS = frozenset({"uuid", "parentUuid", "sessionId", "isSidechain", "userType", "gitBranch", "leafUuid", "cwd"})
HELPERS = "subagents"  # the folder beside a session in which the talk with its helpers lies
UNNAMED = "agent"  # the source of a transcript that does not say whose it is
HISTORY = frozenset({"display", "pastedContents", "project"})


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know a transcript by lines that hold a message and say whose it is."""
    records = first_lines(head)
    if any(_is_line(record) for record in records) or _is_history(records):
        return Match.SURE
    empty = bool(records) and "sessionId" in records[0] and records[0].get("messages") == []
    return Match.SURE if empty else Match.NO


def _is_line(record: dict[str, Any]) -> bool:
    kind = as_text(record.get("type"))
    message = record.get("message")
    if "payload" in record or not isinstance(message, dict):
        return False
    return kind in LINES or (kind is None and (first_text(as_record(message), "role") is not None or "role" in record))


def _is_history(records: list[dict[str, Any]]) -> bool:
    """The list of everything typed, which the sessions hold too."""
    return bool(records) and all(record.keys() >= HISTORY for record in records)


def read(member: Member) -> Iterator[Found]:
    """Yield the sessions of a file; a line that cannot be read is a reject and costs only itself."""
    if _is_history(first_lines(member.head())):
        yield Left(member.origin, Omission.COMPANION_FILE)
        return
    sessions: dict[str, Session] = {}
    own = _is_claudes(first_lines(member.head()))
    aside = {"isSidechain": True} if HELPERS in member.name.split("/") else {}
    current = member.name  # known by its place until a line names its session
    with member.open() as raw:
        for line in lines_of(raw):
            record = as_record(line.value)
            if not record:
                yield Reject(member.origin, f"line {line.number}", line.bad or "is not an object", REMEDY)
                continue
            if record.get("type") == "session":
                current = first_text(record, "id") or current
            current = first_text(record, "sessionId") or current
            if current not in sessions:
                sessions[current] = Session(current, *_agent(record, is_claudes=own), member.origin)
            if record.get("type") != "session":
                sessions[current].take(_normal(record) | aside, line.number)
    for session in sessions.values():
        yield from session.found(member.name)


def _is_claudes(records: list[dict[str, Any]]) -> bool:
    """Whether lines that name no agent bear the marks of Claude Code."""
    return any(not MARKS.isdisjoint(record) for record in records if record.get("type") != "session")


def _agent(record: dict[str, Any], *, is_claudes: bool) -> tuple[str, str]:
    """Whose transcript it is: the source its items carry, and who answers in it."""
    agent = as_text(record.get("agent")) or (NAME if is_claudes else UNNAMED)
    return agent if agent in OTHERS or agent == UNNAMED else NAME, SPEAKERS.get(agent, "Assistant")


def _normal(record: dict[str, Any]) -> dict[str, Any]:
    """A line whose message leaves the role to the line."""
    message = record.get("message")
    if record.get("type") in (None, "message") and isinstance(message, dict) and "role" in record:
        return record | {"message": {"role": record["role"]} | as_record(message)}
    return record
