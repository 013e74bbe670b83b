"""One session of a coding agent whose transcript is lines of messages: replays, streamed blocks, and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.agent_text import spoken, texts_of
from noosphere.harvest.adapters.gathering import Gathering
from noosphere.harvest.items import USER, Found, Omission, TurnRole
from noosphere.harvest.tree import Claim
from noosphere.harvest.untrusted import as_flag, as_record, as_text, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

MESSAGES = frozenset({"user", "assistant", "human"})
META = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
SYNTHETIC = "<synthetic>"  # the model's name on lines the program wrote itself


class Session:
    """Takes the lines of one session in the order of the file."""

    def __init__(self, key: str, source: str, speaker: str, origin: str) -> None:
        self.key = key
        self.gathering = Gathering(source, origin)
        self._speaker = speaker
        self._title: str | None = None
        self._last: str | None = None
        self._before: dict[str, str | None] = {}
        self._streamed: dict[str, tuple[str, list[str]]] = {}  # by the message's id: its first line's key, its blocks
        self._about: dict[str, str] = {}

    def take(self, record: dict[str, Any], number: int) -> None:
        """Take one line."""
        for name in ("cwd", "gitBranch", "workspace"):
            if text := first_text(record, name):
                self._about.setdefault(name, text)
        kind = as_text(record.get("type"))
        if kind in TITLES:
            self._title = first_text(record, TITLES[kind], "title") or self._title
            self._leave(Omission.BOOKKEEPING)
        elif "message" not in record:
            self._other(record, kind, number)
        elif as_flag(record.get("isSidechain")):
            self._leave(Omission.SUBAGENT)
        else:
            self._message(record, kind, number)

    def found(self, name: str) -> Iterator[Found]:
        """Yield the session, and what was not taken of it."""
        talk = self.gathering.talk
        for key, claim in talk.claims.items():
            if claim.parent not in talk.claims:  # absent lines break no chain: what follows in the file goes on
                talk.claims[key] = Claim(self._before[key], claim.children)
        yield from self.gathering.found(
            self.key,
            title=self._title,
            current=self._last,
            path=name if self.key == name else None,
            metadata=dict(self._about),
        )

    def _leave(self, what: Omission) -> None:
        self.gathering.left[what] += 1

    def _other(self, record: dict[str, Any], kind: str | None, number: int) -> None:
        if kind == "system":
            self._leave(Omission.SYSTEM_MESSAGE)
        elif kind in MESSAGES or (kind is None and "messages" not in record):
            self.gathering.refuse(f"line {number}", "holds no message")
        else:
            self._leave(Omission.BOOKKEEPING)

    def _message(self, record: dict[str, Any], kind: str | None, number: int) -> None:
        message = record["message"]
        if not isinstance(message, dict):
            self.gathering.refuse(f"line {number}", "its message is not an object")
            return
        message = as_record(message)
        own = first_text(record, "uuid", "id")
        if own in self._before:
            self._leave(Omission.REPEATED_MESSAGE)
            return
        key = own or f"line-{number}"
        self._before[key] = self._last
        self.gathering.talk.place(key, first_text(record, "parentUuid", "logicalParentUuid", "parentId") or self._last)
        self._last = key
        role = first_text(message, "role") or kind
        if role in ("tool", "function", "toolResult"):
            self._leave(Omission.TOOL_OUTPUT)
        elif role in ("system", "developer") or as_flag(record.get("isApiErrorMessage")):
            self._leave(Omission.SYSTEM_MESSAGE)
        elif any(as_flag(record.get(flag)) for flag in META):
            self._leave(Omission.HIDDEN_MESSAGE)
        elif message.get("model") == SYNTHETIC:
            self._leave(Omission.SYSTEM_MESSAGE)
        elif role in MESSAGES:
            self._say(key, record, message, number, is_person=role != "assistant")
        else:
            self.gathering.refuse(f"line {number}", f"has no role that is known: {role}")

    def _say(self, key: str, record: dict[str, Any], message: dict[str, Any], number: int, *, is_person: bool) -> None:
        left: list[Omission] = []
        texts = texts_of(message.get("content"), left.append)
        if texts is None:
            self.gathering.refuse(f"line {number}", "its content is neither text nor a list")
            return
        self.gathering.left.update(left)
        at = record.get("timestamp")
        if is_person:
            words = [text for part in texts if (text := spoken(part))]
            if words:
                self.gathering.talk.say(key, USER, TurnRole.USER, "\n\n".join(words), at)
            elif texts:
                self._leave(Omission.HIDDEN_MESSAGE)
        elif texts:
            first, words = self._merged(key, first_text(message, "id"), texts)
            if first == key:
                self.gathering.talk.say(key, self._speaker, TurnRole.ASSISTANT, "\n\n".join(words), at)
            else:
                self.gathering.talk.change(first, "\n\n".join(words))
        if not texts and not left:
            self._leave(Omission.EMPTY_MESSAGE)

    def _merged(self, key: str, message: str | None, texts: list[str]) -> tuple[str, list[str]]:
        """A message streamed over several lines: a longer state of a block takes its place, another block is added."""
        if message is None:
            return key, texts
        first, blocks = self._streamed.setdefault(message, (key, []))
        for text in texts:
            if blocks and text.startswith(blocks[-1]):
                blocks[-1] = text
            elif text not in blocks:
                blocks.append(text)
        return first, blocks
