"""What every stored text goes through: it is looked through for secrets, and screened for orders to its reader."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from noosphere.guard.rulebook import rulebook
from noosphere.guard.screen import screen
from noosphere.guard.secrets import find_secrets, redact
from noosphere.model.outcome import Reason as Why
from noosphere.model.outcome import Refused
from noosphere.model.slot import normal_value
from noosphere.model.vocabulary import Source, SpeakerRole, Status
from noosphere.store.frame_versions import Flags
from noosphere.store.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from noosphere.guard.screen import Origin
    from noosphere.store.nodes import State
    from noosphere.write.parse import Parsed

ORIGINS: dict[str, Origin] = {
    Source.USER_STATED: "user",
    Source.TOOL_VERIFIED: "tool",
    Source.AGENT_INFERRED: "memory",
    Source.IMPORT: "import",
    Source.SYSTEM: "memory",
}
SPEAKERS: dict[str | None, Origin] = {SpeakerRole.USER: "user", SpeakerRole.TOOL: "tool"}
NEUTRAL: Origin = "memory"
LONGEST_NAME = 20  # characters of a name that has no room for an order


class Looked(NamedTuple):
    """A text as it is to be stored.

    Attributes:
        text: without its secrets, when they are taken out.
        secret: whether it holds one.
        repairs: what was taken out, in words.
        refused: why it may not be stored, if it may not.
    """

    text: str
    secret: bool = False
    repairs: tuple[str, ...] = ()
    refused: str | None = None


NOTHING = Looked("")


def look_through(text: str, policy: str) -> Looked:
    """Look a text through for secrets, and do with them as the policy says: flag, redact or refuse."""
    if not text:
        return NOTHING
    if policy == "redact":
        out, rules = redact(text)
        return Looked(out, repairs=tuple(f"took out a secret ({rule})" for rule in rules))
    rules = tuple(dict.fromkeys(secret.rule for secret in find_secrets(text)))
    if policy == "refuse" and rules:
        return Looked(text, refused=f"it holds a secret ({', '.join(rules)}); take that out and store the rest")
    return Looked(text, secret=bool(rules))


def line_without_secrets(line: str | None, policy: str) -> str | Refused | None:
    """A title or a value as it is to be stored, or why it may not be."""
    looked = look_through(line or "", policy)
    return Refused(reason=Why.SECRET, message=looked.refused) if looked.refused is not None else looked.text or None


def suspicion(text: str, origin: Origin, *, vouched: bool = False) -> tuple[float | None, str]:
    """The score of a text that looks like an attack, if it does and nobody vouched for it; and the rules' version."""
    if vouched:
        return None, rulebook().version
    found = screen(text, origin)
    return (found.score if found.hostile else None), found.version


def origin_of_turn(source: Source, speaker_role: str | None) -> Origin:
    """Where a turn comes from, as screening weighs it."""
    if source is Source.IMPORT and speaker_role != SpeakerRole.TOOL:
        return "import"
    return SPEAKERS.get(speaker_role, NEUTRAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """How the turns of one call are looked at.

    Attributes:
        secrets: what becomes of secrets: flag, redact, refuse.
        source: who vouches for the conversation.
        vouched: whether somebody looked at the turns and found that they are no attack.
        free: texts that were looked through before and hold no secret.
    """

    secrets: str
    source: Source
    vouched: bool = False
    free: Container[str] = ()

    def turn(self, text: str, speaker_role: str | None, speaker: str = "") -> tuple[Looked, Flags]:
        """A turn's text as it is to be stored, and the flags that take it out of the default state.

        The speaker's name is shown with the text, so it is screened too.
        """
        looked = Looked(text) if text in self.free else look_through(text, self.secrets)
        score, rules = suspicion(looked.text, origin_of_turn(self.source, speaker_role), vouched=self.vouched)
        if score is None and not self.vouched and len(speaker) > LONGEST_NAME:
            score = _of_name(speaker)
        return looked, Flags(looked.secret, score, rules)


@lru_cache(maxsize=256)  # a conversation has few speakers and many turns
def _of_name(name: str) -> float | None:
    return suspicion(name, NEUTRAL)[0]


def guard_memory(memory: Parsed, policy: str, *, vouched: bool = False) -> Parsed | Refused:
    """A new memory with its flags, and without its secrets when they are taken out."""
    state = memory.state
    text, title, value = (look_through(t or "", policy) for t in (memory.text, state.title, state.value))
    beside = look_through(_beside(state, memory.tags), "refuse" if policy == "refuse" else "flag")
    refused = next((looked.refused for looked in (text, title, value, beside) if looked.refused), None)
    if refused is not None:
        return Refused(reason=Why.SECRET, message=refused)
    repairs = tuple(dict.fromkeys((*text.repairs, *title.repairs, *value.repairs)))
    if repairs:
        state = _rewritten(state, text.text, title.text, value.text)
    secret = text.secret or title.secret or value.secret or beside.secret
    state = flagged(state, text.text, memory.tags, secret=secret, vouched=vouched)
    if state.suspect is not None and state.attribute is not None and state.status is Status.ACTIVE:
        state = state._replace(status=Status.DRAFT)  # a draft retires nothing: an attack may not end what is true
    return memory._replace(text=text.text, state=state, repairs=(*memory.repairs, *repairs))


def whole_of(state: State, text: str, tags: Iterable[str] = ()) -> str:
    """Everything of a memory that is shown to somebody: what is screened."""
    return "\n\n".join(filter(None, (text, state.title, state.value, _beside(state, tags))))


def _beside(state: State, tags: Iterable[str]) -> str:
    """What stands beside a memory's text without being read for meaning: subject, tags, metadata."""
    return "\n\n".join(filter(None, (state.subject, *tags, state.metadata)))


def flagged(
    state: State, text: str, tags: Iterable[str] = (), *, secret: bool | None = None, vouched: bool = False
) -> State:
    """The state with the flags that its text and what stands beside it call for."""
    whole = whole_of(state, text, tags)
    score, rules = suspicion(whole, ORIGINS[state.source], vouched=vouched)
    if secret is None:
        secret = bool(find_secrets(whole))
    return state._replace(secret=int(secret), suspect=score, rules=rules)


def reflagged(state: State, text: str, *, before: State, told: str, new: str) -> State:
    """The flags of a memory that was added to or renamed.

    What somebody let in stays in, unless what is new is an attack by itself.

    Args:
        state: what it will be.
        text: its whole text.
        before: what it was.
        told: its text until now.
        new: what came to it.
    """
    after, first = flagged(state, text), flagged(before, told)
    if after.suspect is not None and before.suspect is None and first.suspect is not None:
        after = after._replace(suspect=suspicion(new, ORIGINS[state.source])[0])
    if after.secret and not before.secret and first.secret:
        after = after._replace(secret=int(bool(find_secrets(new))))
    return after


def flags(text: str) -> Flags:
    """The flags of a text that stands by itself."""
    return Flags(bool(find_secrets(text)), *suspicion(text, NEUTRAL))


def _rewritten(state: State, text: str, title: str, value: str) -> State:
    digest = content_hash(text)
    norm = state.value_norm
    if state.attribute is not None:
        norm = normal_value(value) if state.value else digest.hex()
    return state._replace(fold_hash=digest, title=title or None, value=value or None, value_norm=norm)
