"""The chain of embedders: encoder, what was named of hosted models, static, none; what does not work says why.

Importing this module loads neither numpy nor a model runtime; each arm loads when first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from noosphere.errors import InvalidInput, ModelDown, ModelUnavailable
from noosphere.forking import Lock
from noosphere.providers.embed import files
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from noosphere.providers.ports import Embedder, Space

ArmName = Literal["encoder", "static", "hosted", "multilingual"]
Semantic = Literal["encoder", "static", "off"]

SWITCHES: dict[Semantic, tuple[ArmName, ...]] = {"encoder": ("encoder", "static"), "static": ("static",), "off": ()}
MODELS: dict[ArmName, files.Vendored] = {
    "encoder": files.ENCODER, "static": files.STATIC, "multilingual": files.MULTILINGUAL,
}  # fmt: skip
SHORT = {"minilm": files.ENCODER.name, "multilingual": files.MULTILINGUAL.name, "static": files.STATIC.name}
NEEDED: dict[ArmName, tuple[str, ...]] = {
    "encoder": ("numpy", "tokenizers", "onnxruntime"),
    "static": ("numpy", "tokenizers"),
    "multilingual": ("numpy", "tokenizers", "onnxruntime"),
}


@dataclass(frozen=True, slots=True)
class Unavailable:
    """An arm that cannot be used.

    Attributes:
        arm: which one.
        reason: why, in a few words.
        message: why and what to do about it, in full.
    """

    arm: ArmName
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm of the chain as status shows it.

    Attributes:
        name: which one.
        model: the name of its space.
        loaded: whether it has been loaded; if not, `unavailable` is what a look from outside can tell.
        unavailable: why it does not work, None when it does.
    """

    name: ArmName
    model: str
    loaded: bool
    unavailable: Unavailable | None

    @property
    def works(self) -> bool:
        """Whether it can be used."""
        return self.unavailable is None


@dataclass(frozen=True, slots=True)
class Resolved:
    """The first arm that works, None when none does, and those before it with their reasons."""

    embedder: Embedder | None
    passed: tuple[Unavailable, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A hosted model that the user named.

    Attributes:
        name: of its space.
        load: makes the embedder; it may have to ask its server.
        refused: why it may not be used, as by a tier.
    """

    name: str
    load: Callable[[], Embedder]
    refused: Unavailable | None = None


class Chain:
    """The embedders this process may use, loaded once, at first use, from any thread.

    Args:
        semantic: the highest arm allowed: "encoder" allows both, "static" one, "off" none.
        custom: an embedder that takes the encoder's place.
        threads: how many texts the encoder runs at once.
        folder: where the model files lie; None for those of the package.
        hosted: models that run elsewhere and that the user named, each with what loads it.

    Raises:
        InvalidInput: `semantic` is another word, or `threads` is below one.
    """

    def __init__(
        self,
        semantic: Semantic = "encoder",
        custom: Embedder | None = None,
        *,
        threads: int = 1,
        folder: Path | None = None,
        hosted: Sequence[Offer] = (),
    ) -> None:
        if semantic not in SWITCHES:
            raise InvalidInput.choice("semantic", semantic, SWITCHES)
        if threads < 1:
            raise InvalidInput("threads", f"{threads} is below one", "Give at least 1")
        self._semantic: Semantic = semantic
        self._folder = folder
        self._custom = custom
        self._encoder = _Once("encoder", lambda: _load_encoder(folder, threads) if custom is None else custom)
        self._static = _Once("static", lambda: _load_static(folder))
        self._builtin = _Once("encoder", lambda: _load_encoder(folder, threads))
        self._offers = {offer.name: offer for offer in hosted}
        self._others: dict[str, _Once] = {o.name: _Once("hosted", o.load) for o in hosted}
        self._others[files.MULTILINGUAL.name] = _Once("multilingual", lambda: _load_multilingual(threads))

    def encoder(self) -> Embedder | Unavailable:
        """The encoder, or the embedder that takes its place."""
        return self._switched_off("encoder") or self._encoder.get()

    def static(self) -> Embedder | Unavailable:
        """The static embedder."""
        return self._switched_off("static") or self._static.get()

    def spaces(self) -> tuple[Space, ...]:
        """The spaces of the arms that are switched on, the preferred one first, without loading a model."""
        own = files.space(files.ENCODER) if self._custom is None else self._custom.space
        known: dict[ArmName, Space] = {"encoder": own, "static": files.space(files.STATIC)}
        return tuple(known[arm] for arm in SWITCHES[self._semantic])

    def preferred(self) -> Space | None:
        """The space of a new mind: the encoder's unless it cannot work and a hosted model that was named does."""
        spaces = self.spaces()
        may = spaces and self._offers and self._custom is None and self._semantic == "encoder"
        if may and self.look(files.ENCODER.name) is not None:
            for name in self._offers:
                found = self.of_space(name)
                if not isinstance(found, Unavailable) and _answers(found):
                    return found.space
        return spaces[0] if spaces else None

    def names(self) -> tuple[str, ...]:
        """The models that this process may use, by the names of their spaces, installed or not."""
        first = files.ENCODER.name if self._custom is None else self._custom.space.name
        return tuple(dict.fromkeys((first, files.ENCODER.name, *self._others, files.STATIC.name)))

    def look(self, name: str) -> Unavailable | None:
        """Why a model does not work, as far as can be told without loading it."""
        for arm in self.probe():
            if arm.model == name:
                return arm.unavailable
        if name in self._offers:
            known = self._switched_off("encoder") or self._others[name].known or self._offers[name].refused
            return known if isinstance(known, Unavailable) else None
        arms: list[ArmName] = [arm for arm, model in MODELS.items() if model.name == name]
        if not arms:
            return self._stranger(name)
        return self._switched_off("encoder") or _look(arms[0], None)

    def of_space(self, name: str) -> Embedder | Unavailable:
        """The embedder that fills a space by name."""
        for arm, space in zip(SWITCHES[self._semantic], self.spaces(), strict=True):
            if space.name == name:
                return self.encoder() if arm == "encoder" else self.static()
        if name in self._others or (name == files.ENCODER.name and self._custom is None):
            off = self._switched_off("encoder")
            if off is not None:
                return off
        if name in self._offers and (refused := self._offers[name].refused) is not None:
            return refused
        if name in self._others:
            return self._others[name].get()
        if name == files.ENCODER.name:  # another embedder has its place, and a space of this name is here
            return self._builtin.get()
        return self._stranger(name)

    def _stranger(self, name: str) -> Unavailable:
        reason = f"this process has no model for the space {name}"
        return Unavailable("encoder", reason, f"{reason}. Open the mind with the embedder that made it")

    def resolve(self) -> Resolved:
        """Walk the chain to the first arm that works."""
        passed: list[Unavailable] = []
        for arm in (self.encoder, self.static):
            found = arm()
            if not isinstance(found, Unavailable):
                return Resolved(found, tuple(passed))
            passed.append(found)
        return Resolved(None, tuple(passed))

    def probe(self) -> tuple[Arm, Arm]:
        """Look at both arms without loading them: is the runtime there, are the files whole by size.

        An arm that has been loaded, or failed to, tells what it knows.
        """
        return self._probe("encoder", self._encoder), self._probe("static", self._static)

    def _probe(self, name: ArmName, once: _Once) -> Arm:
        custom = self._custom if name == "encoder" else None
        model = MODELS[name].name if custom is None else custom.space.name
        known = self._switched_off(name) or once.known
        if known is None:
            return Arm(name, model, False, None if custom is not None else _look(name, self._folder))
        failed = known if isinstance(known, Unavailable) else None
        return Arm(name, model, failed is None, failed)

    def _switched_off(self, name: ArmName) -> Unavailable | None:
        if name in SWITCHES[self._semantic]:
            return None
        reason = f'switched off by semantic = "{self._semantic}"'
        return Unavailable(name, reason, f'{reason}. Set semantic = "{name}" to use it')


class _Once:
    """Loads an arm at most once; a failure is kept too, for what was missing stays so in this process."""

    def __init__(self, name: ArmName, load: Callable[[], Embedder]) -> None:
        self._name: ArmName = name
        self._load = load
        self._lock = Lock()
        self.known: Embedder | Unavailable | None = None

    def get(self) -> Embedder | Unavailable:
        with self._lock:
            if self.known is not None:
                return self.known
            try:
                self.known = self._load()
            except ModelDown as error:  # a server that does not answer may do so later
                return _unavailable(self._name, error)
            except ModelUnavailable as error:
                self.known = _unavailable(self._name, error)
            return self.known


def _unavailable(name: ArmName, error: ModelUnavailable) -> Unavailable:
    return Unavailable(name, error.problem, str(error))


def _answers(embedder: Embedder) -> bool:
    try:
        embedder.embed_query("a question that tells whether it works")
    except ModelUnavailable:
        return False
    return True


def _load_encoder(folder: Path | None, threads: int) -> Embedder:
    with files.needs(files.ENCODER, "numpy"):
        from noosphere.providers.embed.encoder import Encoder  # noqa: PLC0415  (imports numpy)
    return Encoder(folder, threads=threads)


def _load_multilingual(threads: int) -> Embedder:
    with files.needs(files.MULTILINGUAL, "numpy"):
        from noosphere.providers.embed.encoder import Pooled  # noqa: PLC0415  (imports numpy)
    return Pooled(files.MULTILINGUAL, threads=threads)


def _load_static(folder: Path | None) -> Embedder:
    with files.needs(files.STATIC, "numpy"):
        from noosphere.providers.embed.static import Static  # noqa: PLC0415  (imports numpy)
    return Static(folder)


def _look(name: ArmName, folder: Path | None) -> Unavailable | None:
    model = MODELS[name]
    try:
        for package in NEEDED[name]:
            files.look_for(model, package)
        files.verify(model, folder)
    except ModelUnavailable as error:
        return _unavailable(name, error)
    return None
