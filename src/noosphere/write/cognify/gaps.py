"""gaps: the sentences of a user that say what the assistant cannot do, by rules read from data."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from noosphere.write.cognify.cues import WORD, rulebook
from noosphere.write.cognify.spoken import sentences

MOST_WORDS = 12  # of what is missing: more is a story


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to say that something cannot be done: `what` of its pattern is the thing."""

    id: str
    on: frozenset[str]
    pattern: re.Pattern[str]
    needs: re.Pattern[str] | None
    unless: re.Pattern[str] | None

    def missing(self, sentence: str, words: frozenset[str]) -> str | None:
        """What a sentence, without its opener, says is missing."""
        if self.on.isdisjoint(words) or (self.unless is not None and self.unless.search(sentence)):
            return None
        if self.needs is not None and self.needs.search(sentence) is None:
            return None
        found = self.pattern.search(sentence)
        return None if found is None else next(part for part in found.groupdict().values() if part is not None)


@dataclass(frozen=True, slots=True)
class Gap:
    """A sentence that says what is missing, and the key by which the same is known again."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules in their order."""

    rules: tuple[Rule, ...]
    silent: frozenset[str]
    stop: re.Pattern[str]

    def find(self, sentence: str) -> str | None:
        """The key of what a sentence says is missing, if it says so."""
        bare = rulebook().bare(sentence)
        words = frozenset(WORD.findall(bare.lower()))
        for rule in self.rules:
            if (what := rule.missing(bare, words)) is not None and (key := self._key(what)):
                return key
        return None

    def _key(self, what: str) -> str | None:
        said = re.findall(r"[^\W_][\w+#'’.-]*[\w+#]|[^\W_]", self.stop.sub("", what).casefold())
        kept = [word for word in said if word not in self.silent]
        return " ".join(kept) if len(kept) <= MOST_WORDS else None


def gaps(text: str) -> list[Gap]:
    """What a user says is missing, in order, each once."""
    found: dict[str, Gap] = {}
    for sentence in sentences(text):
        if (key := rules().find(sentence)) is not None:
            found.setdefault(key, Gap(sentence, key))
    return list(found.values())


@cache
def rules() -> Rules:
    """Read the rules, once."""
    given = data()
    return Rules(
        rules=tuple(
            Rule(
                id=rule["id"],
                on=frozenset(rule["on"]),
                pattern=re.compile(rule["pattern"], re.IGNORECASE),
                needs=_optional(rule, "needs"),
                unless=_optional(rule, "unless"),
            )
            for rule in given["gap"]
        ),
        silent=frozenset(given["silent"]),
        stop=re.compile(given["stop"], re.IGNORECASE),
    )


def _optional(rule: dict[str, Any], name: str) -> re.Pattern[str] | None:
    return re.compile(rule[name], re.IGNORECASE) if name in rule else None


@cache
def data() -> dict[str, Any]:
    """The file of rules as it stands."""
    return tomllib.loads(resources.files("noosphere.write.cognify").joinpath("gaps.toml").read_text(encoding="utf-8"))
