"""The cues of learning, read from data: what makes a sentence worth keeping, and where it belongs."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from noosphere.graph.names.lists import given, ordinary

if TYPE_CHECKING:
    from collections.abc import Iterator

Target = Literal["personal", "workspace"]
Asked = Literal["personal", "workspace", "topic", "self"]
WORD = re.compile(r"[\w'’:;-]*\w")
SELF = re.compile(r"i\b", re.IGNORECASE)
STRONG = ("kin", "body", "home", "life", "other")  # topics that a word of work does not turn
FIRST = re.compile(r"[^\W\d_][\w'’-]*")
OF_CUES = (
    "corrections", "decisions", "style", "preferences", "tasks", "findings", "work", "recommendations", "events",
    "facts", "languages", "stated",
)  # fmt: skip
# of all cues the first that is met counts, so that the order of the files is the order of what weighs more


@dataclass(frozen=True, slots=True)
class Cue:
    """A way to say something worth keeping.

    Attributes:
        by: which sides of a conversation may say it: user, assistant.
        target: personal, workspace, or "topic": the workspace unless its words are of one's own life; "self" is
            personal also when it is its speaker who does or has something.
        on: words of which a sentence must hold one; none when empty, for scripts without spaces.
        needs: what else must stand in the sentence.
        unless: what must not.
        after: what the other side must have said before: a proposal that is taken up.
        broad: whether it goes by the form alone, and is tried when nothing else is met.
        named: whether the sentence must begin with a name.
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
    broad: bool = False
    named: bool = False

    def meets(self, sentence: str, words: frozenset[str], previous: str = "") -> bool:
        """Whether a sentence, without its opener, gives this cue after what the other side said last."""
        if self.after is not None and self.after.search(previous) is None:
            return False
        if (self.on and self.on.isdisjoint(words)) or self.pattern.search(sentence) is None:
            return False
        if self.needs is not None and self.needs.search(sentence) is None:
            return False
        if self.named and not begins_with_name(sentence):
            return False
        return self.unless is None or self.unless.search(sentence) is None


@dataclass(frozen=True, slots=True)
class Skip:
    """What keeps a sentence from being kept, unless its role is spared.

    Attributes:
        by: whose sentences it is for.
        after: what the other side must have said before.
        whole: whether it holds for a sentence when it holds for any clause.
    """

    id: str
    pattern: re.Pattern[str]
    spares: frozenset[str]
    by: tuple[str, ...]
    after: re.Pattern[str] | None
    whole: bool

    def holds(self, sentence: str, role: str, by: str, previous: str) -> bool:
        """Whether a sentence of this role is left out by it."""
        if role in self.spares or by not in self.by:
            return False
        if self.after is not None and self.after.search(previous) is None:
            return False
        return self.pattern.search(sentence) is not None


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All cues and skips in their order."""

    opener: re.Pattern[str]
    leading: re.Pattern[str]
    joint: re.Pattern[str]
    cues: tuple[Cue, ...]
    broad: tuple[Cue, ...]
    skips: tuple[Skip, ...]
    topics: dict[str, re.Pattern[str]]

    def bare(self, sentence: str) -> str:
        """A sentence without what only opens it."""
        return self.opener.sub("", sentence.strip("\"“”' "))

    def parts(self, bare: str) -> Iterator[str]:
        """The clauses of a sentence in which somebody says something of themselves, or asks for something."""
        rest = self.leading.sub("", bare, count=1)
        if rest != bare:
            yield rest
        yield from self.joint.split(bare)[1:]

    def find(self, sentence: str, by: str, previous: str = "", *, broad: bool = False) -> Cue | None:
        """The first cue that a sentence of this side gives, after what the other side said last."""
        words = frozenset(WORD.findall(sentence.lower()))
        cues = self.broad if broad else self.cues
        return next((cue for cue in cues if by in cue.by and cue.meets(sentence, words, previous)), None)

    def hinders(self, sentence: str, role: str, by: str = "user", previous: str = "", part: str = "") -> str | None:
        """Why a sentence is left out, if it is; `part` is the clause that gave the cue, when that is not the whole."""
        for skip in self.skips:
            if skip.holds(sentence if skip.whole or not part else part, role, by, previous):
                return skip.id
        return None

    def target(self, sentence: str, asked: Asked) -> Target:
        """Where a sentence belongs."""
        if asked in ("personal", "workspace"):
            return asked
        if asked == "self" and SELF.match(sentence):
            return "personal"
        if self.topics["firm"].search(sentence) is not None:
            return "workspace"
        own = self.topics["own"].search(sentence) is not None and self.topics["work"].search(sentence) is None
        return "personal" if own or any(self.topics[name].search(sentence) for name in STRONG) else "workspace"


def begins_with_name(sentence: str) -> bool:
    """Whether a sentence begins with what is no ordinary word, or is a given name too."""
    first = FIRST.match(sentence)
    if first is None or not first[0][0].isupper():
        return False
    word = first[0].lower().removesuffix("'s").removesuffix("’s")
    return word not in ordinary() or word in given()


@cache
def rulebook() -> Rulebook:
    """Read the rules, once."""
    found = data()
    cues = tuple(_cue(cue) for cue in found["cue"])
    return Rulebook(
        opener=_pattern(found["opener"]),
        leading=_pattern(found["leading"]),
        joint=_pattern(found["joint"]),
        cues=tuple(cue for cue in cues if not cue.broad),
        broad=tuple(cue for cue in cues if cue.broad),
        skips=tuple(_skip(skip) for skip in found["skip"]),
        topics={name: _pattern(pattern) for name, pattern in found["topic"].items()},
    )


@cache
def data() -> dict[str, Any]:
    """The files of cues as they stand, together."""
    return _file("reading") | _file("left_out") | {"cue": [cue for name in OF_CUES for cue in _file(name)["cue"]]}


def _file(name: str) -> dict[str, Any]:
    folder = resources.files("noosphere.write.cognify").joinpath("cues")
    return tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _cue(found: dict[str, Any]) -> Cue:
    return Cue(
        id=found["id"],
        role=found["role"],
        importance=found["importance"],
        target=found["target"],
        by=tuple(found.get("by", ("user",))),
        on=frozenset(found["on"]),
        pattern=_pattern(found["pattern"]),
        needs=_optional(found, "needs"),
        unless=_optional(found, "unless"),
        after=_optional(found, "after"),
        broad=found.get("broad", False),
        named=found.get("named", False),
    )


def _skip(found: dict[str, Any]) -> Skip:
    return Skip(
        id=found["id"],
        pattern=_pattern(found["pattern"]),
        spares=frozenset(found["spares"]),
        by=tuple(found.get("by", ("user", "assistant"))),
        after=_optional(found, "after"),
        whole=found.get("whole", False),
    )


def _optional(found: dict[str, Any], name: str) -> re.Pattern[str] | None:
    return _pattern(found[name]) if name in found else None


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)
