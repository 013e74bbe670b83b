"""The cues of learning, read from data: what makes a sentence worth keeping, and where it belongs."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

Target = Literal["personal", "workspace"]
Asked = Literal["personal", "workspace", "topic"]
WORD = re.compile(r"[\w'’:;-]*\w")


@dataclass(frozen=True, slots=True)
class Cue:
    """A way to say something worth keeping.

    Attributes:
        by: which sides of a conversation may say it: user, assistant.
        target: personal, workspace, or "topic": the workspace unless its words are of one's own life.
        on: words of which a sentence must hold one; none when empty, for scripts without spaces.
        needs: what else must stand in the sentence.
        unless: what must not.
        after: what the other side must have said before: a proposal that is taken up.
    """

    id: str
    role: str
    importance: str
    target: Asked
    by: tuple[str, ...]
    on: frozenset[str]
    pattern: re.Pattern[str]
    needs: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    after: re.Pattern[str] | None = None

    def meets(self, sentence: str, words: frozenset[str], previous: str = "") -> bool:
        """Whether a sentence, without its opener, gives this cue after what the other side said last."""
        if self.after is not None and self.after.search(previous) is None:
            return False
        if (self.on and self.on.isdisjoint(words)) or self.pattern.search(sentence) is None:
            return False
        if self.needs is not None and self.needs.search(sentence) is None:
            return False
        return self.unless is None or self.unless.search(sentence) is None


@dataclass(frozen=True, slots=True)
class Skip:
    """What keeps a sentence from being kept, unless its role is spared."""

    id: str
    pattern: re.Pattern[str]
    spares: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All cues and skips in their order."""

    opener: re.Pattern[str]
    cues: tuple[Cue, ...]
    skips: tuple[Skip, ...]
    topics: dict[str, re.Pattern[str]]

    def bare(self, sentence: str) -> str:
        """A sentence without what only opens it."""
        return self.opener.sub("", sentence.strip("\"“”' "))

    def find(self, sentence: str, by: str, previous: str = "") -> Cue | None:
        """The first cue that a sentence of this side gives, after what the other side said last."""
        words = frozenset(WORD.findall(sentence.lower()))
        return next((cue for cue in self.cues if by in cue.by and cue.meets(sentence, words, previous)), None)

    def hinders(self, sentence: str, role: str) -> str | None:
        """Why a sentence is left out, if it is."""
        return next((s.id for s in self.skips if role not in s.spares and s.pattern.search(sentence)), None)

    def target(self, sentence: str, asked: Asked) -> Target:
        """Where a sentence belongs."""
        if asked in ("personal", "workspace"):
            return asked
        return "personal" if self.topics["personal"].search(sentence) else "workspace"


@cache
def rulebook() -> Rulebook:
    """Read the rules, once."""
    given = data()
    return Rulebook(
        opener=_pattern(given["opener"]),
        cues=tuple(_cue(cue) for cue in given["cue"]),
        skips=tuple(Skip(s["id"], _pattern(s["pattern"]), frozenset(s["spares"])) for s in given["skip"]),
        topics={name: _pattern(pattern) for name, pattern in given["topic"].items()},
    )


@cache
def data() -> dict[str, Any]:
    """The file of cues as it stands."""
    return tomllib.loads(resources.files("noosphere.write.cognify").joinpath("cues.toml").read_text(encoding="utf-8"))


def _cue(given: dict[str, Any]) -> Cue:
    return Cue(
        id=given["id"],
        role=given["role"],
        importance=given["importance"],
        target=given["target"],
        by=tuple(given.get("by", ("user",))),
        on=frozenset(given["on"]),
        pattern=_pattern(given["pattern"]),
        needs=_pattern(given["needs"]) if "needs" in given else None,
        unless=_pattern(given["unless"]) if "unless" in given else None,
        after=_pattern(given["after"]) if "after" in given else None,
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
