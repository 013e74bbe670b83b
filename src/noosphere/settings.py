"""Settings: defaults, then the user's file, the project's file, the environment, and arguments; later ones win.

Read with tomllib, so that `--help`, hooks and servers start without a settings framework.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any, Literal, cast

from noosphere.errors import InvalidInput, shown
from noosphere.records import dataclass

MAX_VALUE = 4_096  # characters of a setting: as many as a path may have
USER_FILE = "config.toml"  # in the home
PROJECT_FILE = ".noosphere.toml"  # in the working folder or above it
PREFIX = "NOOSPHERE_"
DEFAULT_HOME = "~/.noosphere"
LLM_OFF = "off"
LLM_PROVIDERS = ("ollama", "openai", "litellm", "anthropic")

CHOICES: dict[str, tuple[str, ...]] = {
    "semantic": ("encoder", "static", "off"),
    "durability": ("normal", "full"),
    "rerank": ("fast", "deep", "cross"),
    "secrets": ("flag", "redact", "refuse"),
    "suspects": ("mark", "drop", "strict"),
    "tier": ("all", "free", "pro", "team"),
    "key_from": ("auto", "environment", "keyring", "prompt"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is in force.

    Attributes:
        home: the folder of minds.
        mind: which mind commands use: "personal", a workspace, or a path.
        actor: who writes, as the journal names them.
        zone: the time zone of new minds, for dates without one.
        semantic: the highest embedder allowed: encoder, static, or off.
        durability: "normal" survives a killed process; "full" a power cut too, at a cost per write.
        rerank: "deep" lets the tokens of a question meet those of the best units (late interaction): better, slower,
            and up to 12 kB a unit in the file; "cross" asks a model of your own, cross_model.
        cross_model: the folder of an ONNX cross-encoder, or the address of a rerank endpoint.
        token_units: how many of the newest units keep their token vectors; for the others they are made when asked.
        threads: how many threads one run of the encoder may use.
        background: whether an open mind embeds new memories by itself.
        autolink: whether memories that are alike are linked when they are embedded.
        semantic_dedup: whether memories that say the same in nearly the same words are merged or flagged when they are
            embedded; what is told again word for word is one memory in any case.
        secrets: what becomes of keys, passwords and cards in a text: "flag" keeps the text and shows it only by id,
            "redact" takes them out, "refuse" does not store it.
        suspects: what recall does with a text that looks like an attack: "mark" leaves a line in its place, "drop"
            leaves it out, "strict" then answers nothing at all.
        providers: hosted embedding models that may be used, as provider or provider:model (ollama, voyage, openai,
            litellm); none is used because a key is there. Keys: VOYAGE_API_KEY, OPENAI_API_KEY, LITELLM_API_KEY.
        ollama_url, voyage_url, openai_url, litellm_url, anthropic_url: where they are.
        llm: the language model that `cognify` asks beside its rules, as provider:model (ollama, openai, litellm,
            anthropic); "off" asks none, whatever keys are there. Keys: OPENAI_API_KEY, LITELLM_API_KEY,
            ANTHROPIC_API_KEY.
        llm_fast: a quick language model that sorts before `llm` reads, named in the same way; "off" sorts nothing out.
        llm_prices: what a million tokens cost, those read and those written, to count what calls cost.
        llm_fast_prices: the same of the quick one.
        llm_seconds: how long connecting, sending and each part of an answer may take.
        tier: which kinds of providers may be reached: all, or those of free, pro or team.
        embedding_quota: texts the actor may send to hosted models in a month (UTC); None for no limit.
        key_from: where the key of encrypted minds is: "environment" (the variable NOOSPHERE_KEY), "keyring", "prompt"
            (asked once); "auto" is the variable when it is set, and else no encryption.
        origins: where each setting that is not a default comes from.
    """

    home: Path = field(default_factory=lambda: Path(DEFAULT_HOME).expanduser())
    mind: str = "personal"
    actor: str = "user"
    zone: str = "UTC"
    semantic: Literal["encoder", "static", "off"] = "encoder"
    durability: Literal["normal", "full"] = "normal"
    rerank: Literal["fast", "deep", "cross"] = "fast"
    cross_model: str | None = None
    token_units: int = 50_000
    threads: int = 1
    background: bool = True
    autolink: bool = True
    semantic_dedup: bool = True
    secrets: Literal["flag", "redact", "refuse"] = "flag"
    suspects: Literal["mark", "drop", "strict"] = "mark"
    providers: tuple[str, ...] = ()
    ollama_url: str = "http://127.0.0.1:11434"
    voyage_url: str = "https://api.voyageai.com/v1"
    openai_url: str = "https://api.openai.com/v1"
    litellm_url: str = "http://127.0.0.1:4000"
    anthropic_url: str = "https://api.anthropic.com"
    llm: str = LLM_OFF
    llm_fast: str = LLM_OFF
    llm_prices: tuple[float, ...] = ()
    llm_fast_prices: tuple[float, ...] = ()
    llm_seconds: int = 60
    tier: Literal["all", "free", "pro", "team"] = "all"
    embedding_quota: int | None = None
    key_from: Literal["auto", "environment", "keyring", "prompt"] = "auto"
    origins: dict[str, str] = field(default_factory=dict[str, str], compare=False)

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise InvalidInput.choice(name, getattr(self, name), allowed)
        _check_llm("llm", self.llm, self.llm_prices)
        _check_llm("llm_fast", self.llm_fast, self.llm_fast_prices)

    def origin(self, name: str) -> str:
        """Where a setting comes from: a file, the environment, an argument, the caller, or the default."""
        known = self.origins.get(name)
        return known or ("default" if getattr(self, name) == getattr(Settings(), name) else "caller")

    def override(self, origin: str, values: dict[str, Any]) -> Settings:
        """These settings with others laid over them; None asks nothing.

        Raises:
            InvalidInput: an unknown setting or a value it cannot take.
        """
        read = {name: _read(name, value, origin) for name, value in values.items() if value is not None}
        return replace(self, **read, origins={**self.origins, **dict.fromkeys(read, origin)})


NAMES = tuple(f.name for f in fields(Settings) if f.name != "origins")
URLS = ("ollama_url", "voyage_url", "openai_url", "litellm_url", "anthropic_url")
ASKED = ("llm", "llm_fast", "llm_prices", "llm_fast_prices", "llm_seconds")
HOSTED = ("providers", "cross_model", *URLS, *ASKED, "tier", "embedding_quota")  # where texts are sent, and how many
# a cloned project must not redirect or loosen them
USERS = ("home", "actor", "secrets", "suspects", "key_from", *HOSTED)
PROJECT_MAY_SET = tuple(n for n in NAMES if n not in USERS)


def load(home: Path | str | None = None, *, folder: Path | None = None, **arguments: Any) -> Settings:
    """Read the settings in force.

    Args:
        home: the folder of minds, when given as an argument.
        folder: where to look for the project's file; None for the working folder.
        arguments: settings given by the caller.

    Raises:
        InvalidInput: a file or variable sets something unknown or impossible; the message names it.
    """
    environment = {n: v for n in NAMES if (v := os.environ.get(PREFIX + n.upper()))}
    settings = (
        Settings().override("environment", {"home": environment.get("home")}).override("argument", {"home": home})
    )
    user = settings.home / USER_FILE
    settings = settings.override(f"file {user}", {n: v for n, v in _file(user).items() if n != "home"})
    project = _project_file(folder or Path.cwd())
    if project is not None:
        values = _file(project)
        for name in values:
            if name in NAMES and name not in PROJECT_MAY_SET:
                raise InvalidInput(str(project), f"may not set {name}", f"Move it to {user}")
        settings = settings.override(f"file {project}", values)
    rest = {name: value for name, value in environment.items() if name != "home"}
    return settings.override("environment", rest).override("argument", arguments)


def _project_file(folder: Path) -> Path | None:
    return next((f / PROJECT_FILE for f in (folder, *folder.parents) if (f / PROJECT_FILE).is_file()), None)


def _file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as problem:
        raise InvalidInput(str(path), f"cannot be read ({problem})", "Mend the file or remove it") from problem


def _read(name: str, value: Any, origin: str) -> Any:
    """Read one setting from a file, a variable or an argument."""
    where = f"{name} ({origin})"
    if name not in NAMES:
        raise InvalidInput.choice(f"setting ({origin})", name, NAMES)
    if name in CHOICES and value not in CHOICES[name]:
        raise InvalidInput.choice(where, value, CHOICES[name])
    if name == "home":
        return _folder(where, value)
    if name == "providers":
        return _words(where, value)
    if name in {"llm_prices", "llm_fast_prices"}:
        return _numbers(where, value)
    if name in {"threads", "token_units", "embedding_quota", "llm_seconds"}:
        return _count(where, value)
    if name in {"background", "autolink", "semantic_dedup"}:
        return _switch(where, value)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(where, f"{shown(value)} is not text", "Give some text")
    if len(value) > MAX_VALUE:
        raise InvalidInput(where, f"has {len(value)} characters", f"Give at most {MAX_VALUE}")
    return value


def _folder(where: str, value: Any) -> Path:
    try:
        if str(value).strip() and "\0" not in str(value):
            return Path(value).expanduser().absolute()
    except (TypeError, RuntimeError):  # no path at all, or ~nobody
        pass
    raise InvalidInput(where, f"{shown(value)} cannot name a folder", "Give the path of one")


def _words(where: str, value: Any) -> tuple[str, ...]:
    given: Any = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, (list, tuple)) or not all(isinstance(w, str) for w in cast("list[object]", given)):
        raise InvalidInput(
            where, f"{shown(value)} is not a list of names", 'Give names such as "ollama, voyage:voyage-3"'
        )
    return tuple(word.strip() for word in cast("list[str]", given) if word.strip())


def _numbers(where: str, value: Any) -> tuple[float, ...]:
    given: Any = value.split(",") if isinstance(value, str) else value
    try:
        return tuple(float(number) for number in given)
    except (TypeError, ValueError):
        raise InvalidInput(where, f"{shown(value)} is not a list of numbers", 'Give two, as "0.15, 0.60"') from None


def _check_llm(name: str, llm: str, prices: tuple[float, ...]) -> None:
    provider, _, model = llm.partition(":")
    if llm != LLM_OFF and (provider not in LLM_PROVIDERS or not model.strip()):
        remedy = f'Give provider:model with one of {", ".join(LLM_PROVIDERS)}, or "{LLM_OFF}"'
        raise InvalidInput(name, f"{shown(llm)} names no language model", remedy)
    if prices and (len(prices) != len(("read", "written")) or not all(0 <= p < float("inf") for p in prices)):
        raise InvalidInput(f"{name}_prices", f"{shown(prices)} are not two prices", 'Give two, as "0.15, 0.60"')


def _count(where: str, value: Any) -> int:
    if isinstance(value, bool) or not str(value).isdecimal() or int(value) < 1:
        raise InvalidInput(where, f"{shown(value)} is not a count", "Give 1 or more")
    return int(value)


def _switch(where: str, value: Any) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if str(value).casefold() not in words:
        raise InvalidInput(where, f"{shown(value)} is not a switch", "Use true or false")
    return words[str(value).casefold()]
