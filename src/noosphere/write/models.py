"""The verbs of embedding models: which there are, which one a mind is asked with, and embedding anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, ModelUnavailable
from noosphere.model.argument import read_line
from noosphere.providers.chain import SHORT, Unavailable
from noosphere.store import shadow
from noosphere.store.fulltext import Era
from noosphere.write.spaces import choice, choose, ensure, swap_when_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.providers.chain import Chain
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vectors import SpaceRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model as one mind knows it.

    Attributes:
        name: of its space; `short` is what one may type.
        state: active, filling (it takes the active one's place when it is whole), filled, resting (it was replaced,
            its vectors are kept) or unused.
        embedded, pending: units with vectors in its space, and units that wait for it.
        problem: why it cannot run here, None when it can.
    """

    name: str
    short: str | None
    state: str
    dim: int | None
    embedded: int
    pending: int
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChosen:
    """A model was chosen: `active` says whether it serves already; else it does when `pending` units are embedded.

    `journal` is the entry that undo takes back; None when the choice was this already, or vectors alone are made anew.
    """

    model: str
    active: bool
    pending: int
    journal: str | None = None


class Models:
    """The embedding models of one mind."""

    def __init__(self, mind: MindFile, chain: Chain, written: Callable[[], None]) -> None:
        self._mind = mind
        self._chain = chain
        self._written = written

    def list(self) -> list[Model]:
        """Every model that this process may use or that the mind has vectors of."""
        names = dict.fromkeys((*self._chain.names(), *self._mind.spaces()))
        return [self._of(name) for name in names]

    def use(self, model: str) -> ModelChosen:
        """Choose the model that meaning is asked with.

        Its space fills beside the present one, which serves until then; a process that ends meanwhile loses nothing.
        Choosing the model that serves gives up one that is being filled. Undo chooses again what was chosen before.

        Raises:
            InvalidInput: there is no such model.
            ModelUnavailable: it cannot run here.
        """
        name = self._named(model)
        embedder = self._chain.of_space(name)
        if isinstance(embedder, Unavailable):
            raise ModelUnavailable(name, embedder.reason, "`noosphere model list` shows what can run")
        with self._mind.write() as tx:
            entry = tx.open("model.use")
            before = choice(tx.sql)
            ensure(tx, embedder.space, shadow.FILLING)
            choose(tx, name)
            journal = None
            if before == name:
                tx.abandon(entry)
            else:
                entry.touched.spaces.append([before, name])
                journal = tx.close(entry)
        swap_when_whole(self._mind)
        self._written()
        return replace(self.chosen(name), journal=journal)

    def reembed(self, model: str | None = None) -> ModelChosen:
        """Embed everything again with a model, the active one when none is named; its vectors serve until then.

        Raises:
            InvalidInput: there is no such model, or the mind has none.
        """
        active = self._mind.facts().active_space
        name = self._named(model) if model is not None else active
        space = None if name is None else self._mind.spaces().get(name, {}).get(Era.NOW)
        if name is None or space is None or space.state == shadow.RESTING:
            problem = "no model serves this mind" if name is None else f"{name} does not serve this mind"
            raise InvalidInput("model", problem, "Choose it first: noosphere model use MODEL")
        with self._mind.write() as tx:
            shadow.again(tx, name)
        self._written()
        return self.chosen(name)

    def _named(self, model: str) -> str:
        known = (*self._chain.names(), *self._mind.spaces())
        model = read_line(model, "model") or ""
        name = SHORT.get(model, model)
        if name not in known:
            raise InvalidInput.choice("model", model, dict.fromkeys((*SHORT, *known)))
        return name

    def chosen(self, name: str) -> ModelChosen:
        """How a model that was chosen stands, by the name of its space."""
        with self._mind.read() as sql:
            waiting = shadow.waiting(sql, name)
        return ModelChosen(model=name, active=self._mind.facts().active_space == name, pending=waiting)

    def _of(self, name: str) -> Model:
        space: SpaceRow | None = self._mind.spaces().get(name, {}).get(Era.NOW)
        missing = self._chain.look(name)
        with self._mind.read() as sql:
            embedded, pending = shadow.size(sql, name), shadow.waiting(sql, name)
        state = "unused" if space is None else space.state
        return Model(
            name=name,
            short=next((short for short, whole in SHORT.items() if whole == name), None),
            state="active" if self._mind.facts().active_space == name else state,
            dim=None if space is None else space.dim,
            embedded=embedded,
            pending=pending,
            problem=None if missing is None else missing.message,
        )
