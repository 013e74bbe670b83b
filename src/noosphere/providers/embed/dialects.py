"""How each provider is asked for vectors, and where they are in its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Purpose = Literal["query", "document"]


def ollama(model: str, texts: Sequence[str], _: Purpose) -> dict[str, Any]:
    """A request to /api/embed; what is too long is refused rather than cut in silence."""
    return {"model": model, "input": list(texts), "truncate": False}


def voyage(model: str, texts: Sequence[str], purpose: Purpose) -> dict[str, Any]:
    """A request to Voyage's /embeddings, which puts its own words before each kind of text."""
    return {"model": model, "input": list(texts), "input_type": purpose, "truncation": False}


def openai(model: str, texts: Sequence[str], _: Purpose) -> dict[str, Any]:
    """A request to an OpenAI-compatible /embeddings."""
    return {"model": model, "input": list(texts), "encoding_format": "float"}


def read_ollama(answer: Any) -> list[Any]:
    """The vectors of Ollama's answer.

    Raises:
        LookupError, TypeError, ValueError: it has another form.
    """
    return list(answer["embeddings"])


def read_openai(answer: Any) -> list[Any]:
    """The vectors of the answer of everybody else, in the order of the texts.

    Raises:
        LookupError, TypeError, ValueError: it has another form.
    """
    data = answer["data"]
    rows: list[Any] = [None] * len(data)
    for place, item in enumerate(data):
        rows[item.get("index", place)] = item["embedding"]
    return rows


DIALECTS: dict[str, tuple[str, Callable[[str, Sequence[str], Purpose], dict[str, Any]], Callable[[Any], list[Any]]]] = {
    "ollama": ("/api/embed", ollama, read_ollama),
    "voyage": ("/embeddings", voyage, read_openai),
    "openai": ("/embeddings", openai, read_openai),
    "litellm": ("/v1/embeddings", openai, read_openai),
}
