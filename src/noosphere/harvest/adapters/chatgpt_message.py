"""One message of a ChatGPT export: the words a person saw, a memory ChatGPT kept, or why it is left out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from noosphere.harvest.adapters.chatgpt_citations import readable
from noosphere.harvest.items import USER, Omission, TurnRole
from noosphere.harvest.untrusted import as_flag, as_list, as_record, as_text, first_text

ASSISTANT = "ChatGPT"
UNKNOWN = "Unknown"  # speaker of a message that names nobody
ROLES = {
    "user": TurnRole.USER,
    "human": TurnRole.USER,
    "assistant": TurnRole.ASSISTANT,
    "tool": TurnRole.TOOL,
    "function": TurnRole.TOOL,
    "system": TurnRole.SYSTEM,
    "developer": TurnRole.SYSTEM,
}
PROFILES = frozenset({"user_editable_context", "model_editable_context"})
REASONING = frozenset({"thoughts", "reasoning_recap"})
DUMPS = frozenset(
    {"execution_output", "tether_browsing_display", "tether_quote", "sonic_webpage", "system_error", "computer_output"}
)
EVERYONE = frozenset({"", "all", "user"})  # recipients a person reads
CANVAS = "canmore."
MEMORY = "bio"  # ChatGPT's own memory tool
NO_TOOL = EVERYONE | {MEMORY}
PAINTERS = ("dalle", "image_gen")  # tools whose output is a picture made for the person
SILENT_PARTS = ("audio_asset_pointer", "real_time_user_audio_video_asset_pointer")  # the transcription holds the words


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What someone said; `unread` names kinds of parts that hold no words we know of."""

    speaker: str
    role: TurnRole | None
    text: str
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence ChatGPT put into its own memory of the person."""

    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message that is none, and why."""

    why: str


Reading = Said | Kept | Omission | Unreadable


class _Message(NamedTuple):
    """The fields of a message we look at, narrowed."""

    raw: dict[str, Any]
    role: TurnRole | None
    kind: str
    recipient: str
    content: Any
    metadata: dict[str, Any]
    author: dict[str, Any]


def read_message(value: Any) -> Reading:
    """Read one message; nothing in it can raise."""
    if not isinstance(value, dict):
        return Unreadable("is not an object")
    message = _narrow(as_record(value))
    if withheld := _withheld(message):
        return withheld
    if message.recipient == MEMORY:
        words = _words(message).text
        return Kept(words) if words.strip() else Omission.EMPTY_MESSAGE
    return _pictures(message) if message.role is TurnRole.TOOL else _spoken(message)


def _narrow(raw: dict[str, Any]) -> _Message:
    author, content = as_record(raw.get("author")), raw.get("content")
    role = first_text(author, "role") or first_text(raw, "role") or ""
    return _Message(
        raw=raw,
        role=ROLES.get(role.strip().lower()),
        kind=first_text(as_record(content), "content_type") or "",
        recipient=first_text(raw, "recipient") or "",
        content=content,
        metadata=as_record(raw.get("metadata")),
        author=author,
    )


def _withheld(message: _Message) -> Omission | None:
    """Why a message is not for a person's eyes, by what it is and not by what it says."""
    metadata, recipient = message.metadata, message.recipient
    if (
        "user_context_message_data" in metadata
        or as_flag(metadata.get("is_user_system_message"))
        or message.kind in PROFILES
    ):
        return Omission.PROFILE
    if message.role is TurnRole.SYSTEM:
        return Omission.SYSTEM_MESSAGE
    if as_flag(metadata.get("is_visually_hidden_from_conversation")) and recipient != MEMORY:
        return Omission.HIDDEN_MESSAGE
    if message.role is TurnRole.ASSISTANT and recipient not in NO_TOOL and not recipient.startswith(CANVAS):
        return Omission.TOOL_CALL
    if message.kind in REASONING or message.raw.get("channel") == "analysis":
        return Omission.REASONING
    return Omission.TOOL_OUTPUT if message.kind in DUMPS else None


def _pictures(message: _Message) -> Reading:
    """A picture made for the person is part of the talk; everything else a tool gives out is for the model."""
    parts = map(as_record, as_list(as_record(message.content).get("parts")))
    pictures = [part for part in parts if "asset_pointer" in part]
    is_painter = (first_text(message.author, "name") or "").startswith(PAINTERS)
    if not pictures or not (is_painter or any(_is_made(picture) for picture in pictures)):
        return Omission.TOOL_OUTPUT
    files = _Attachments(message.metadata)
    return Said(speaker=ASSISTANT, role=TurnRole.TOOL, text="\n".join(files.photo(picture) for picture in pictures))


def _is_made(picture: dict[str, Any]) -> bool:
    made = as_record(picture.get("metadata"))
    return bool(made.get("dalle") or made.get("generation"))


def _spoken(message: _Message) -> Reading:
    words = _words(message)
    if not words.text.strip():
        return Omission.EMPTY_MESSAGE
    is_canvas = message.role is TurnRole.ASSISTANT and message.recipient.startswith(CANVAS)
    cited = message.metadata.get("content_references")
    text = canvas(message.recipient, words.text) if is_canvas else readable(words.text, cited)
    return Said(speaker=_speaker(message), role=message.role, text=text, unread=words.unread)


def _speaker(message: _Message) -> str:
    if message.role is TurnRole.ASSISTANT:
        return ASSISTANT
    if name := first_text(message.author, "name"):
        return name.strip()
    if message.role is TurnRole.USER:
        return USER
    return (first_text(message.author, "role") or first_text(message.raw, "role") or UNKNOWN).strip()


def canvas(recipient: str, raw: str) -> str:
    """The document inside a canvas call; what has another form than the known ones stays as it is."""
    try:
        call = as_record(json.loads(raw))
    except (ValueError, RecursionError):
        call = {}
    if content := as_text(call.get("content")):
        name = as_text(call.get("name"))
        return f"[canvas: {name}]\n\n{content}" if name else f"[canvas]\n\n{content}"
    for field, inner, verb in (("updates", "replacement", "edits"), ("comments", "comment", "comments on")):
        texts = [text for item in as_list(call.get(field)) if (text := as_text(as_record(item).get(inner)))]
        if texts:
            return "\n\n".join([f"[{verb} canvas]", *texts])
    return f"[{recipient.removeprefix(CANVAS)}]\n\n{raw}"


class _Words(NamedTuple):
    """The words of a message or a part of it, and the kinds of parts that hold none we know of."""

    text: str
    unread: tuple[str, ...] = ()


def _words(message: _Message) -> _Words:
    """Everything in a message that is words, one piece a line: text, captions, transcriptions, names of files."""
    files = _Attachments(message.metadata)
    body = as_record(message.content)
    parts = as_list(body.get("parts")) or as_list(message.content)
    if len(parts) == 1 and isinstance(parts[0], str) and not files:
        return _Words(parts[0] if parts[0].strip() else "")
    if not parts:
        parts = [message.content if isinstance(message.content, str) else _bare(body, message.recipient)]
    read = [_part(part, files) for part in parts]
    pieces = [*(words.text for words in read), *files.rest()]
    unread = tuple(kind for words in read for kind in words.unread)
    return _Words("\n".join(piece for piece in pieces if piece.strip()), unread)


def _bare(body: dict[str, Any], recipient: str) -> str:
    """The text of a content without parts; code shown to a person keeps its fence."""
    text = first_text(body, "text", "result", "content") or ""
    if body.get("content_type") != "code" or not text or recipient not in EVERYONE:
        return text
    language = as_text(body.get("language")) or ""
    return f"```{'' if language == 'unknown' else language}\n{text}\n```"


def _part(value: Any, files: _Attachments) -> _Words:
    if isinstance(value, str):
        return _Words(value)
    part = as_record(value)
    kind = as_text(part.get("content_type")) or as_text(part.get("type")) or ""
    if kind in SILENT_PARTS:
        return _Words("")
    if text := as_text(part.get("text")):
        return _Words(text)
    if "asset_pointer" in part and not kind.startswith(("audio", "video")):
        return _Words(files.photo(part))
    return _Words("", (kind or "nameless",) if part else ())


class _Attachments:
    """The files named beside a message, each told once: as a photo's caption where it belongs, else at the end."""

    def __init__(self, metadata: dict[str, Any]) -> None:
        self._title = as_text(metadata.get("image_gen_title"))
        self._files = [file for file in map(as_record, as_list(metadata.get("attachments"))) if _name(file)]

    def __bool__(self) -> bool:
        return bool(self._files)

    def photo(self, part: dict[str, Any]) -> str:
        made = as_record(as_record(part.get("metadata")).get("dalle"))
        caption = as_text(made.get("prompt")) or self._take(part) or self._title
        return f"[shares photo: {caption.strip()}]" if caption else "[shares photo]"

    def _take(self, part: dict[str, Any]) -> str | None:
        pointer = as_text(part.get("asset_pointer")) or ""
        named = [file for file in self._files if (key := as_text(file.get("id"))) and pointer.endswith(key)]
        for file in named or [file for file in self._files if _is_image(file)]:
            self._files.remove(file)
            return _name(file)
        return None

    def rest(self) -> list[str]:
        return [f"[shares {'photo' if _is_image(file) else 'file'}: {_name(file)}]" for file in self._files]


def _name(file: dict[str, Any]) -> str | None:
    return first_text(file, "name", "file_name", "filename")


def _is_image(file: dict[str, Any]) -> bool:
    return (first_text(file, "mime_type", "mimeType") or "").startswith("image/")
