"""Codex rollouts: lines of `{timestamp, type, payload}`, and the older ones whose messages stand at the top.

What a person or Codex said is written twice, as an event and as an item of the answer: it is counted once,
wherever it comes first. Context put before a person's words (environment, AGENTS.md), developer messages, tool
calls, their output, reasoning and compacted history are left out and counted.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.agent_text import spoken, texts_of
from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.items import USER, Found, Omission, Reject, TurnRole
from noosphere.harvest.jsonlines import first_lines, lines_of
from noosphere.harvest.untrusted import as_list, as_record, as_text, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "codex"
SPEAKER = "Codex"
WRAPPED = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"})
BLOCKS = frozenset({"input_text", "output_text"})
ROLES = {"user": (USER, TurnRole.USER), "assistant": (SPEAKER, TurnRole.ASSISTANT)}
EVENTS = {"user_message": "user", "agent_message": "assistant"}
TITLE = "thread_name_updated"


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know a rollout by its wrapped lines, or by the kinds of its blocks."""
    records = first_lines(head)
    wrapped = any(as_text(one.get("type")) in WRAPPED and isinstance(one.get("payload"), dict) for one in records)
    return Match.SURE if wrapped or any(_is_old(record) for record in records) else Match.NO


def _is_old(record: dict[str, Any]) -> bool:
    blocks = as_list(record.get("content")) if "role" in record else []
    return any(as_record(block).get("type") in BLOCKS for block in blocks)


def read(member: Member) -> Iterator[Found]:
    """Yield the session; a line that cannot be read is a reject and costs only itself."""
    rollout = _Rollout(member.origin)
    with member.open() as raw:
        for line in lines_of(raw):
            record = as_record(line.value)
            if record:
                rollout.take(record, line.number)
            else:
                yield Reject(member.origin, f"line {line.number}", line.bad or "is not an object", REMEDY)
    yield from rollout.found(member.name)


class _Rollout:
    def __init__(self, origin: str) -> None:
        self._gathering = Gathering(NAME, origin)
        self._fields: dict[str, Any] = {}
        self._title: str | None = None
        self._last: str | None = None
        self._told = {True: Counter[tuple[str, str]](), False: Counter[tuple[str, str]]()}

    def take(self, record: dict[str, Any], number: int) -> None:
        kind, payload = as_text(record.get("type")), record.get("payload")
        if not isinstance(payload, dict):
            if kind in WRAPPED:
                self._refuse(number, "has no payload")
            else:
                self._item(record, record, number)
        elif kind == "response_item":
            self._item(as_record(payload), record, number)
        elif kind == "event_msg":
            self._event(as_record(payload), record, number)
        else:
            if kind == "session_meta" and not self._fields:
                self._fields = as_record(payload)
            self._leave(Omission.BOOKKEEPING)

    def found(self, name: str) -> Iterator[Found]:
        key = first_text(self._fields, "id", "session_id")
        yield from self._gathering.found(
            key or name,
            title=self._title,
            path=None if key else name,
            metadata={field: first_text(self._fields, field) for field in ("cwd", "cli_version")},
        )

    def _leave(self, what: Omission) -> None:
        self._gathering.left[what] += 1

    def _refuse(self, number: int, why: str) -> None:
        self._gathering.refuse(f"line {number}", why)

    def _event(self, payload: dict[str, Any], record: dict[str, Any], number: int) -> None:
        kind = as_text(payload.get("type")) or ""
        if kind == TITLE:
            self._title = first_text(payload, "thread_name", "name", "title") or self._title
        if role := EVENTS.get(kind):
            if text := as_text(payload.get("message")):
                self._say(role, [text], payload, record, number, is_event=True)
            else:
                self._leave(Omission.EMPTY_MESSAGE)
        elif "reasoning" in kind:
            self._leave(Omission.REASONING)
        elif "tool_call" in kind:
            self._leave(Omission.TOOL_CALL)
        else:
            self._leave(Omission.BOOKKEEPING)

    def _item(self, item: dict[str, Any], record: dict[str, Any], number: int) -> None:
        kind, role = as_text(item.get("type")) or "", as_text(item.get("role"))
        if kind == "message" or (not kind and role):
            self._message(item, role, record, number)
        elif "reasoning" in kind:
            self._leave(Omission.REASONING)
        elif kind == "agent_message":
            self._leave(Omission.SUBAGENT)
        elif kind.endswith(("_output", "_result")):
            self._leave(Omission.TOOL_OUTPUT)
        elif kind.endswith("_call"):
            self._leave(Omission.TOOL_CALL)
        elif kind or "id" in item or "record_type" in item:
            if not kind and not self._fields:
                self._fields = item
            self._leave(Omission.BOOKKEEPING)
        else:
            self._refuse(number, "is of no kind that is known")

    def _message(self, item: dict[str, Any], role: str | None, record: dict[str, Any], number: int) -> None:
        if role in ("tool", "function"):
            self._leave(Omission.TOOL_OUTPUT)
        elif role in ("system", "developer"):
            self._leave(Omission.SYSTEM_MESSAGE)
        elif role not in ROLES:
            self._refuse(number, f"has no role that is known: {role}")
        elif "function_call" in item and item.get("content") is None:
            self._leave(Omission.TOOL_CALL)
        else:
            content = item["content"] if "content" in item else item.get("message")
            texts = texts_of(content, self._leave)
            if texts is None:
                self._refuse(number, "its content is neither text nor a list")
            elif texts:
                self._say(role, texts, item, record, number, is_event=False)
            else:
                self._leave(Omission.EMPTY_MESSAGE)

    def _say(
        self,
        role: str,
        texts: list[str],
        item: dict[str, Any],
        record: dict[str, Any],
        number: int,
        *,
        is_event: bool,
    ) -> None:
        words = [text for part in texts if (text := spoken(part) if role == "user" else part.strip())]
        if not words:
            self._leave(Omission.HIDDEN_MESSAGE)
            return
        text = "\n\n".join(words)
        told = self._told[is_event]
        told[role, text] += 1
        if told[role, text] <= self._told[not is_event][role, text]:
            self._leave(Omission.REPEATED_MESSAGE)
            return
        key = self._gathering.unique(f"line-{number}")
        self._gathering.talk.place(key, self._last)
        at = next((at for name in ("timestamp", "created_at") if (at := record.get(name) or item.get(name))), None)
        self._gathering.talk.say(key, *ROLES[role], text, at)
        self._last = key
