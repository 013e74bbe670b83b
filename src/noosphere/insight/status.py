"""status: what is in force, and from where; what works, what is off and why, and what is pending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.model.plain import plain
from noosphere.model.query import LANES
from noosphere.settings import NAMES
from noosphere.store import counts, imports, migrations, unnamed

if TYPE_CHECKING:
    from noosphere.providers.chain import Chain
    from noosphere.settings import Settings
    from noosphere.store.mind_file import MindFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting in force."""

    name: str
    value: Any
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderStatus:
    """One arm of the embedding chain; `problem` says why it does not work, and the remedy."""

    arm: str
    space: str
    works: bool
    problem: str | None
    pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What is in force in one mind.

    Attributes:
        active_space: the space the meaning lane uses when its model can run.
        lanes: the lanes that can answer now.
        duplicates: how a memory said again is known: "exact", or also by "meaning" once it is embedded.
        unnamed: memories whose names wait to be tied to the graph, as the next question or `flush` does.
        unlearnt: harvested turns that wait to be learnt from, in the background or by `harvest learn`.
        off: what is not working, in words, with the remedy.
    """

    mind: str
    uuid: str
    path: str
    schema: int
    zone: str
    read_only: bool
    active_space: str | None
    lanes: tuple[str, ...]
    duplicates: tuple[str, ...]
    embedders: tuple[EmbedderStatus, ...]
    unnamed: int
    unlearnt: int
    off: tuple[str, ...]
    settings: tuple[Setting, ...]


def status(mind: MindFile, chain: Chain, settings: Settings, *, name: str) -> Status:
    """Say what is in force, without loading a model."""
    with mind.read() as sql:
        waiting, names = counts.pending(sql), unnamed.count(sql)
        unlearnt = sum(imports.count_unlearnt(sql).values())
    spaces = mind.spaces()
    arms = tuple(
        EmbedderStatus(
            arm=arm.name,
            space=arm.model,
            works=arm.works and arm.model in spaces,
            problem=_problem(arm.unavailable.message if arm.unavailable else None, known=arm.model in spaces),
            pending=waiting.get(arm.model, 0),
        )
        for arm in chain.probe()
    )
    return Status(
        mind=name,
        uuid=mind.mind,
        path=str(mind.path),
        schema=migrations.KNOWN,
        zone=str(mind.facts().zone),
        read_only=mind.read_only,
        active_space=mind.facts().active_space,
        lanes=tuple(lane for lane in LANES if lane != "semantic" or any(a.works for a in arms)),
        duplicates=("exact", "meaning") if settings.semantic_dedup and any(a.works for a in arms) else ("exact",),
        embedders=arms,
        unnamed=names,
        unlearnt=unlearnt,
        off=tuple(f"{a.arm}: {a.problem}" for a in arms if a.problem),
        settings=tuple(Setting(name=n, value=plain(getattr(settings, n)), origin=settings.origin(n)) for n in NAMES),
    )


def _problem(message: str | None, *, known: bool) -> str | None:
    if message is not None:
        return message
    return None if known else "this mind was made without it; its space has no vectors here"
