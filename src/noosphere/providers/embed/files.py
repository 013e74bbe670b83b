"""The vendored model files: where they lie, whether they are whole, and what to do when they are not."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import ModelUnavailable
from noosphere.providers.ports import Space
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

RUNTIMES = {  # the versions of pyproject.toml, repeated here because a remedy must name them
    "numpy": "numpy>=2.2,<3",
    "tokenizers": "tokenizers>=0.22,<1",
    "onnxruntime": "onnxruntime>=1.23,<2",
}
OLDEST_ONNXRUNTIME = (1, 23)  # older ones lack operators the vendored encoders use
FINGERPRINT_DIGITS = 16  # 64 bits: never shown to an adversary, only compared with a handful of others
REINSTALL = "Reinstall it: pip install --force-reinstall noosphere"
PACKAGE = "noosphere.providers.embed"
COMPANION = "noosphere_multilingual"  # a distribution of its own: 59 MB that not everybody needs


@dataclass(frozen=True, slots=True)
class Vendored:
    """A model that comes with the package: its files, and the space it makes.

    Attributes:
        dim: numbers in a vector.
        scale: the factor from a unit vector to its int8 form.
        recipe: how vectors are made of the model's output.
        package: whose folder `models` holds the files.
        query, document: what stands before a text of each kind, for models that were trained with it.
        unknown: the token of what the tokenizer does not know.
        types: whether the model also reads the kind of each token.
        neutral: the file of what is taken out of its vectors so that they tell no language; none when empty.
        across: how many times lower a cosine is when the two texts are in different languages.
        plain: whether ASCII can be read without its tokenizer, see `plain`.
    """

    name: str
    weights: str
    tokenizer: str
    dim: int
    scale: float
    recipe: str
    package: str = PACKAGE
    query: str = ""
    document: str = ""
    unknown: str = "[UNK]"
    types: bool = True
    neutral: str = ""
    across: float = 1.0
    plain: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(name for name in (self.weights, self.tokenizer, self.neutral) if name)


@dataclass(frozen=True, slots=True)
class Checksum:
    """What a whole file looks like."""

    size: int
    sha256: str


ENCODER = Vendored(
    "minilm-l6-v2.int8",
    "all-minilm-l6-v2.int8.onnx",
    "all-minilm-l6-v2.tokenizer.json",
    dim=384,
    scale=400.0,  # 127 / 400 = 0.32; the largest value in 3,000 chunks of LoCoMo and LongMemEval was 0.27
    recipe="encoder 1: mean of all token vectors, the two special ones included, unit length",
    plain=True,
)
# The static scale, measured over 7,661 chunks of LoCoMo and LongMemEval: 127 / 200 = 0.635 is passed by 14 values in a
# million (in 0.35 % of the rows), mean cosine of the int8 form 0.9997, worst 0.998. At 400, the encoder's scale, 93 %
# of the rows would clip: a mean of static vectors leans on few dimensions.
STATIC = Vendored(
    "static-256.int8",
    "static-256.int8.safetensors",
    "static-256.tokenizer.json",
    dim=256,
    scale=200.0,
    recipe="static 1: mean of the known tokens' vectors, no special tokens, unit length",
    plain=True,
)
MULTILINGUAL = Vendored(
    "multilingual-e5-small.int8",
    "multilingual-e5-small.int8.onnx",
    "tokenizer.json",
    dim=384,
    scale=450.0,  # 127 / 450 = 0.28; the largest value of 600 texts in 19 languages was 0.26
    recipe="encoder 2: mean of all token vectors, the two special ones included, unit length, made neutral",
    package=COMPANION,
    query="query: ",
    document="passage: ",
    unknown="<unk>",
    types=False,
    neutral="languages.npy",
    across=1.72,  # 15 written questions with their answers, in 19 languages each (`python -m evals neutral`)
)


def folder(model: Vendored = ENCODER) -> Path:
    """Find the folder of a vendored model.

    Raises:
        ModelUnavailable: its companion is not installed, or the package runs from an archive.
    """
    try:
        found = resources.files(model.package).joinpath("models")
    except ModuleNotFoundError as error:
        remedy = 'Install it: pip install "noosphere[multilingual]"'
        raise ModelUnavailable(model.name, f"{model.package} is not installed", remedy) from error
    if isinstance(found, Path):
        return found
    raise ModelUnavailable(
        "files", "the package is not unpacked, and models are read in place", "Install noosphere with pip"
    )


@cache
def checksums(model: Vendored = ENCODER) -> Mapping[str, Checksum]:
    """Read the sizes and hashes the files had when they were vendored.

    Raises:
        ModelUnavailable: the list is missing or unreadable.
    """
    try:
        entries = json.loads((folder(model) / "checksums.json").read_text(encoding="utf-8"))
        return {name: Checksum(int(entry["bytes"]), str(entry["sha256"])) for name, entry in entries.items()}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelUnavailable("files", f"checksums.json cannot be read ({error})", REINSTALL) from error


def space(model: Vendored) -> Space:
    """Describe the space of a vendored model, without loading it.

    Raises:
        ModelUnavailable: the list of checksums is missing or unreadable.
    """
    return Space(model.name, fingerprint(model), model.dim, model.scale, model.across)


def fingerprint(model: Vendored) -> str:
    """Name a space's content: its files by their recorded hashes, and the way they are used.

    The files are not hashed again: that would cost a start some 20 ms for what `verify` finds out.
    """
    parts = [model.recipe, *(checksums(model)[name].sha256 for name in model.files)]
    parts += [text for text in (model.query, model.document) if text]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:FINGERPRINT_DIGITS]


def verify(model: Vendored, where: Path | None = None, *, hashes: bool = False) -> None:
    """Check that a model's files are there and whole: by size, and by sha256 when asked.

    Raises:
        ModelUnavailable: a file is missing, cut short or changed.
    """
    for name in model.files:
        path = (where or folder(model)) / name
        _check_size(model, path, checksums(model)[name].size)
        if hashes and _sha256(path) != checksums(model)[name].sha256:
            raise ModelUnavailable(model.name, f"{path} is not the file that was shipped (sha256 differs)", REINSTALL)


def _check_size(model: Vendored, path: Path, expected: int) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise ModelUnavailable(model.name, f"{path} cannot be read ({error.strerror})", REINSTALL) from error
    if size != expected:
        raise ModelUnavailable(model.name, f"{path} has {size} bytes, not {expected}", REINSTALL)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def look_for(model: Vendored, package: str) -> None:
    """Check that a runtime is installed, without importing it.

    Raises:
        ModelUnavailable: it is not.
    """
    try:
        found = find_spec(package)
    except (ImportError, ValueError):  # as of a package that is blocked, or half there
        found = None
    if found is None:
        raise ModelUnavailable(model.name, f"{package} is not installed", remedy(package))


@contextmanager
def needs(model: Vendored, package: str) -> Generator[None]:
    """Turn whatever goes wrong while a runtime is imported into ModelUnavailable with its remedy.

    A broken runtime fails in many ways (ImportError, OSError of a missing library, RuntimeError of
    an unfit numpy); none of them may end the program that could do without it.
    """
    try:
        yield
    except Exception as error:
        raise ModelUnavailable(model.name, f"{package} cannot be imported ({error})", remedy(package)) from error


@contextmanager
def reading(model: Vendored, path: Path) -> Generator[None]:
    """Turn whatever a runtime raises while it reads a file into ModelUnavailable."""
    try:
        yield
    except ModelUnavailable:
        raise
    except Exception as error:
        raise ModelUnavailable(model.name, f"{path} cannot be loaded ({error})", REINSTALL) from error


def remedy(package: str) -> str:
    """Say how to get a runtime, and how to do without it."""
    instead = "static" if package == "onnxruntime" else "off"
    return f'Install it: pip install "{RUNTIMES[package]}", or set semantic = "{instead}"'
