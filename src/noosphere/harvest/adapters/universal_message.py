"""One message of a chat of no known product: who spoke, what, and when, under the names people give these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.agent_text import spoken, texts_of
from noosphere.harvest.items import USER, Omission, TurnRole
from noosphere.harvest.untrusted import as_list, as_record, as_text, first_text

if TYPE_CHECKING:
    from collections import Counter

PEOPLE = frozenset({"user", "human", "you", "me", "user.message", "userpromptsubmitted", "user_message", "prompter"})
ASSISTANTS = {
    "assistant": "Assistant",
    "ai": "Assistant",
    "bot": "Assistant",
    "model": "Assistant",
    "gpt": "Assistant",
    "agent": "Assistant",
    "assistant.message": "Assistant",
    "assistantresponse": "Assistant",
    "assistant_message": "Assistant",
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "gemini": "Gemini",
    "grok": "Grok",
    "copilot": "Copilot",
}
IGNORED = {
    "system": Omission.SYSTEM_MESSAGE,
    "developer": Omission.SYSTEM_MESSAGE,
    "info": Omission.SYSTEM_MESSAGE,
    "error": Omission.SYSTEM_MESSAGE,
    "warning": Omission.SYSTEM_MESSAGE,
    "tool": Omission.TOOL_OUTPUT,
    "function": Omission.TOOL_OUTPUT,
    "tool_result": Omission.TOOL_OUTPUT,
    "function_result": Omission.TOOL_OUTPUT,
    "function_call_output": Omission.TOOL_OUTPUT,
    "observation": Omission.TOOL_OUTPUT,
    "tool_call": Omission.TOOL_CALL,
    "function_call": Omission.TOOL_CALL,
    "thinking": Omission.REASONING,
    "reasoning": Omission.REASONING,
}
BESIDE = {  # fields beside what was said that hold something nobody said
    "thoughts": Omission.REASONING,
    "thinking": Omission.REASONING,
    "reasoning": Omission.REASONING,
    "reasoning_content": Omission.REASONING,
    "toolCalls": Omission.TOOL_CALL,
    "tool_calls": Omission.TOOL_CALL,
    "function_call": Omission.TOOL_CALL,
}
WHO = ("role", "sender", "speaker", "author", "from", "type")
WHAT = ("content", "text", "message", "value", "prompt", "output", "result", "response", "parts", "utterance", "body")
WHEN = ("timestamp", "created_at", "createdAt", "create_time", "createTime", "time", "date", "sent_at", "ts")


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a message says."""

    speaker: str
    role: TurnRole | None
    text: str
    at: Any


@dataclass(frozen=True, slots=True)
class Unknown:
    """A message that cannot be read, and why."""

    why: str


def read_message(record: dict[str, Any], left: Counter[Omission]) -> Spoken | Omission | Unknown:
    """Read one message; parts of it that nobody said are counted in `left`."""
    name = _who(record)
    if name is None:
        return Omission.BOOKKEEPING if "type" in record else Unknown("does not say who spoke")
    known = name.strip().lower()
    if known in IGNORED:
        return IGNORED[known]
    parts = [
        what for field, what in BESIDE.items() if (beside := record.get(field)) for _ in as_list(beside) or (beside,)
    ]
    text = _what(record, parts)
    left.update(parts)
    if text is None:
        return Unknown("its content is neither text nor a list")
    if known in PEOPLE:
        text = spoken(text) if text else ""
        if text is None:
            return Omission.HIDDEN_MESSAGE
    if not text:
        return Omission.EMPTY_MESSAGE
    speaker, role = _speaker(name, known)
    return Spoken(speaker, role, text, _when(record))


def _who(record: dict[str, Any]) -> str | None:
    for field in WHO:
        value = record.get(field)
        name = as_text(value) or first_text(as_record(value), "role", "name")
        known = (name or "").strip().lower()
        if name and (field != "type" or known in PEOPLE or known in ASSISTANTS or known in IGNORED):
            return name
    return None


def _speaker(name: str, known: str) -> tuple[str, TurnRole | None]:
    if known in PEOPLE:
        return USER, TurnRole.USER
    if known in ASSISTANTS:
        return ASSISTANTS[known], TurnRole.ASSISTANT
    return name.strip(), None


def _what(record: dict[str, Any], left: list[Omission]) -> str | None:
    """What was said; nothing said is an empty text, and None a value that holds no words in any way."""
    strange = False
    for value in (record[field] for field in WHAT if record.get(field) is not None):
        inner = as_record(value)
        wrapped = next((inner[field] for field in WHAT if inner.get(field) is not None), "")
        texts = texts_of(wrapped if inner else value, left.append)
        if texts:
            return "\n\n".join(texts).strip()
        strange = strange or texts is None
    return None if strange else ""


def _when(record: dict[str, Any]) -> Any:
    value = next((record[field] for field in WHEN if record.get(field)), None)
    return as_record(value).get("created") if isinstance(value, dict) else value
