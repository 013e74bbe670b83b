"""The trace of one recall: a frozen record from every step, written by the pipeline itself."""

from __future__ import annotations

from dataclasses import field

from noosphere.records import dataclass


@dataclass(frozen=True, slots=True)
class Planned:
    """What was asked and how it was understood."""

    query: str
    query_used: str
    lanes: tuple[str, ...]
    as_of: str | None
    known_at: str | None
    include_past: bool
    step: str = field(init=False, default="plan")

    def lines(self) -> list[str]:
        """Say it."""
        when = [f"as of {self.as_of}"] * bool(self.as_of) + [f"known at {self.known_at}"] * bool(self.known_at)
        when += ["the past included"] * self.include_past
        return [
            f"plan: {self.query_used!r} through {', '.join(self.lanes) or 'no lane'}" + "".join(f"; {w}" for w in when)
        ]


@dataclass(frozen=True, slots=True)
class Searched:
    """The mind that the next steps looked in."""

    mind: str
    step: str = field(init=False, default="mind")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"in {self.mind}:"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one lane found: ids with scores, best first, and what the predicate left out."""

    lane: str
    found: tuple[tuple[str, float], ...]
    hidden: tuple[tuple[str, int], ...]
    widened: int
    exhausted: bool
    step: str = field(init=False, default="lane")

    def lines(self) -> list[str]:
        """Say it."""
        left_out = ", ".join(f"{count} {reason}" for reason, count in self.hidden)
        more = f"; left out {left_out}" if left_out else ""
        more += f"; widened {self.widened} times" if self.widened else ""
        return [
            f"{self.lane}: {len(self.found)} found{more}",
            *(f"  {score:8.3f}  {uid}" for uid, score in self.found[:10]),
        ]


@dataclass(frozen=True, slots=True)
class Degraded:
    """A part that could not do its work, and what stood in for it."""

    part: str
    reason: str
    instead: str
    step: str = field(init=False, default="degraded")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"degraded: {self.part}: {self.reason}; {self.instead}"]


@dataclass(frozen=True, slots=True)
class Pooled:
    """The pool that fusion built over the lanes."""

    size: int
    rule: str
    step: str = field(init=False, default="pool")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"pool: {self.size} units by {self.rule}"]


@dataclass(frozen=True, slots=True)
class Reranked:
    """The pool measured more finely: how many units from the store, how many made now, how many left as they were."""

    by: str
    stored: int
    computed: int
    skipped: int
    step: str = field(init=False, default="rerank")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"rerank: {self.by}, {self.stored} from the store, {self.computed} computed, {self.skipped} skipped"]


@dataclass(frozen=True, slots=True)
class Ordered:
    """The order inside the pool: each unit's score and the terms it is made of."""

    recipe: str
    rows: tuple[tuple[str, float, tuple[tuple[str, float], ...]], ...]
    step: str = field(init=False, default="order")

    def lines(self) -> list[str]:
        """Say it."""
        return [
            f"order: {self.recipe}",
            *(
                f"  {score:8.3f}  {uid}  " + " ".join(f"{name} {value:+.2f}" for name, value in terms)
                for uid, score, terms in self.rows[:10]
            ),
        ]


@dataclass(frozen=True, slots=True)
class ShownOnce:
    """Memories left out because a better one says the same in other words: each that stays, and what it stands for."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    step: str = field(init=False, default="once")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"once: {len(also)} say the same as {uid} in other words" for uid, also in self.groups]


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Memories put before an earlier one of which they probably tell what became: later, earlier, and how likely."""

    pairs: tuple[tuple[str, str, float], ...]
    step: str = field(init=False, default="later")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"later: {newer} before {older}, which it overtakes by p {p:.2f}" for newer, older, p in self.pairs]


@dataclass(frozen=True, slots=True)
class Outlived:
    """Turns of which nothing holds any more, each with the memory that took its place."""

    pairs: tuple[tuple[str, str], ...]
    step: str = field(init=False, default="outlived")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"outlived: nothing of {turn} holds any more, {heir} took its place" for turn, heir in self.pairs]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Values that do not hold yet, put behind the one that does."""

    ids: tuple[str, ...]
    step: str = field(init=False, default="waiting")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"waiting: {len(self.ids)} do not hold yet, and stand behind what does"]


@dataclass(frozen=True, slots=True)
class Listed:
    """Units taken for what they are, not for matching."""

    by: str
    found: int
    step: str = field(init=False, default="list")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"{self.by}: {self.found} by importance, then by time"]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing relevant: how sure the best match was, and how many were left out for it."""

    best: float
    left_out: int
    step: str = field(init=False, default="nothing")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"nothing relevant: the best of {self.left_out} is sure to {self.best:.2f}; `unsure` shows them"]


@dataclass(frozen=True, slots=True)
class Screened:
    """What was withheld, and why; suspects says what becomes of texts that look like an attack."""

    suspects: str
    withheld: tuple[tuple[str, str], ...]
    step: str = field(init=False, default="screen")

    def lines(self) -> list[str]:
        """Say it."""
        return [
            f"screen: {len(self.withheld)} withheld ({self.suspects})",
            *(f"  {uid}  {reason}" for uid, reason in self.withheld),
        ]


@dataclass(frozen=True, slots=True)
class Fitted:
    """How the budget was spent, in characters."""

    budget: int
    used: int
    shown: int
    shortened: tuple[str, ...]
    left_out: tuple[str, ...]
    step: str = field(init=False, default="fit")

    def lines(self) -> list[str]:
        """Say it."""
        cut = f"; shortened {len(self.shortened)}" if self.shortened else ""
        gone = f"; left out {len(self.left_out)} for want of room" if self.left_out else ""
        return [f"fit: {self.shown} shown, {self.used} of {self.budget} characters{cut}{gone}"]


@dataclass(frozen=True, slots=True)
class Counted:
    """How a budget of tokens was spent."""

    tokens: int
    used: int
    step: str = field(init=False, default="tokens")

    def lines(self) -> list[str]:
        """Say it."""
        return [f"tokens: {self.used} of {self.tokens}"]


Step = (
    Planned
    | Searched
    | Gathered
    | Degraded
    | Pooled
    | Reranked
    | Ordered
    | ShownOnce
    | Overtaken
    | Outlived
    | Waiting
    | Listed
    | Nothing
    | Screened
    | Counted
    | Fitted
)


@dataclass(frozen=True, slots=True)
class Trace:
    """Every step in order; equal for equal questions to an unchanged mind (times are not compared)."""

    steps: tuple[Step, ...]
    milliseconds: float = field(default=0.0, compare=False)

    def explain(self) -> str:
        """Tell in plain lines what every step did."""
        return "\n".join(line for step in self.steps for line in step.lines())

    def degraded(self) -> tuple[Degraded, ...]:
        """The parts that could not do their work."""
        return tuple(step for step in self.steps if isinstance(step, Degraded))
