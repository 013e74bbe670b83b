"""Models that run elsewhere, by name: `provider` or `provider:model`, with what is known of each (hosted.toml)."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from noosphere.errors import InvalidInput
from noosphere.records import dataclass

PROVIDERS = ("ollama", "voyage", "openai", "litellm")  # in the order in which they are tried
UNKNOWN_CHARACTERS = 6_000  # of a text for a model whose limit is not known
FINGERPRINT_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Hosted:
    """A model that runs elsewhere.

    Attributes:
        provider: ollama, voyage, openai or litellm.
        model: its name there.
        reach: local, cloud or proxy: what a tier allows or not.
        dim: numbers in a vector; None when it must be asked.
        tokens: what it reads at most; None when that is not known.
        query, document: what stands before a text of each kind.
        seconds: how long an answer may take.
        batch: texts in one request.
    """

    provider: str
    model: str
    reach: str
    dim: int | None
    tokens: int | None
    query: str
    document: str
    seconds: float
    batch: int

    @property
    def name(self) -> str:
        """The name of its space."""
        return f"{self.provider}:{self.model}"

    def fingerprint(self, dim: int) -> str:
        """Name the content of its space: what it is asked, and what it gives."""
        parts = ("hosted 1", self.name, str(dim), self.query, self.document)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:FINGERPRINT_DIGITS]


def read_hosted(name: str) -> Hosted:
    """Read the name of a hosted model: a provider for its default model, or provider:model.

    Raises:
        InvalidInput: there is no such provider.
    """
    provider, _, model = name.strip().partition(":")
    if provider not in PROVIDERS:
        raise InvalidInput.choice("providers", provider, PROVIDERS)
    about = _table()[provider]
    model = model or about["default"]
    known = about["models"].get(model.removesuffix(":latest"), {})
    return Hosted(
        provider=provider,
        model=model,
        reach=about["tier"],
        dim=known.get("dim"),
        tokens=known.get("tokens"),
        query=known.get("query", ""),
        document=known.get("document", ""),
        seconds=float(about["seconds"]),
        batch=about["batch"],
    )


def in_order(names: tuple[str, ...]) -> tuple[Hosted, ...]:
    """The named models in the order of the chain, each once."""
    found = {(hosted := read_hosted(name)).name: hosted for name in names}
    return tuple(sorted(found.values(), key=lambda hosted: PROVIDERS.index(hosted.provider)))


def allowed(hosted: Hosted, tier: str) -> bool:
    """Whether a tier may reach a model; "all" reaches everything that was named."""
    return _within(hosted.reach, tier)


def reachable(provider: str, tier: str) -> bool:
    """Whether a tier may reach a provider."""
    return _within(_table()[provider]["tier"], tier)


def _within(reach: str, tier: str) -> bool:
    return tier == "all" or reach in _table()["tiers"][tier]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resources.files("noosphere.providers").joinpath("hosted.toml").read_text(encoding="utf-8"))
