"""One argument of a verb as data: its kind, its bounds and its words, from which every door's schema is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "texts", "word", "words", "whole", "share", "flag", "object", "turns"]
TYPES = {"whole": "integer", "share": "number", "flag": "boolean", "object": "object"}
TURN: dict[str, Any] = {
    "type": "object",
    "properties": {
        name: {"type": "string"} for name in ("key", "speaker", "text", "at", "speaker_role", "session", "parent")
    },
    "required": ["key", "speaker", "text"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """An argument.

    Attributes:
        kind: text, a word of a closed set, several of either, a whole number, a number from 0 to 1, a yes or no, a
            JSON object, or turns of a conversation.
        help: one sentence that says what it is.
        words: the closed set.
        least: the smallest whole number.
        most: the largest whole number.
    """

    kind: Kind
    help: str
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema: flat, without references or alternatives."""
        match self.kind:
            case "text":
                core: dict[str, Any] = {"type": "string"}
            case "word":
                core = {"type": "string", "enum": list(self.words)}
            case "texts":
                core = {"type": "array", "items": {"type": "string"}}
            case "words":
                core = {"type": "array", "items": {"type": "string", "enum": list(self.words)}}
            case "turns":
                core = {"type": "array", "items": TURN, "maxItems": 1000}
            case "share":
                core = {"type": "number", "minimum": 0, "maximum": 1}
            case _:
                core = {"type": TYPES[self.kind]}
        bounds = {"minimum": self.least, "maximum": self.most}
        return {**core, **{n: v for n, v in bounds.items() if v is not None}, "description": self.help}
