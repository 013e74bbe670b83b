"""One argument of a verb as data: its kind, its bounds and its words, from which every door's schema is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from noosphere.errors import InvalidInput, shown
from noosphere.model.argument import read_count, read_flag, read_many, read_share

Kind = Literal["text", "texts", "word", "words", "whole", "share", "flag", "object", "turns"]
LARGEST = 2**63 - 1  # that SQLite holds
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

    def check(self, name: str, value: object) -> None:
        """Refuse a value of another kind; of several, one alone is left to the verb.

        Raises:
            InvalidInput: it is of another kind, out of bounds, or not in the closed set.
        """
        match self.kind:
            case "text" | "word":
                _check_text(name, value, self.words)
            case "texts" | "words":
                _check_texts(name, value, self.words)
            case "whole":
                read_count(value, name, self.least or 0, LARGEST if self.most is None else self.most)
            case "share":
                read_share(value, name)
            case "flag":
                read_flag(value, name)
            case "object":
                if not isinstance(value, dict):
                    raise InvalidInput(name, f"{shown(value)} is not an object", 'Pass one, such as {"name": "value"}')
            case "turns":
                read_many(value, name)


def _check_text(name: str, value: object, words: tuple[str, ...]) -> None:
    if not isinstance(value, str):
        raise InvalidInput(name, f"{shown(value)} is not text", "Pass a string")
    if words and value not in words:
        raise InvalidInput.choice(name, value, words)


def _check_texts(name: str, value: object, words: tuple[str, ...]) -> None:
    for one in [value] if isinstance(value, str) else read_many(value, name):
        _check_text(name, one, words)
