"""Putting the hooks into Claude Code's settings, and taking them out again; nobody else's hooks are touched."""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import InvalidInput, shown
from noosphere.serve.hooks.run import CLAUDE

if TYPE_CHECKING:
    from collections.abc import Sequence

SETTINGS = Path("~/.claude/settings.json")
PROGRAM = "noosphere"
OURS = re.compile(r"""(?:"[^"]*[/\\]|'[^']*[/\\]|(?:\S*[/\\])?)noosphere(?:\.exe)?["']? hook """)
COPY = ".before-noosphere"
COPY_WITH = ".with-noosphere"
TIMEOUT = 10  # seconds after which the program goes on without the hook


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What would become of a settings file."""

    path: Path
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), str(self.path), str(self.path), lineterm=""
        )
        return "\n".join(lines)

    def apply(self) -> Path | None:
        """Write it, keeping a copy of the file as it was; returns the copy."""
        ours = self.before and any(_is_ours(entry) for entry in _entries(json.loads(self.before).get("hooks")))
        copy = self.path.with_name(self.path.name + (COPY_WITH if ours else COPY))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        kept = None
        if self.path.exists():
            copy.write_text(self.before, encoding="utf-8")
            kept = copy
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.write_text(self.after, encoding="utf-8")
        os.replace(fresh, self.path)  # noqa: PTH105  (replaces in one step on every system)
        return kept


def install(path: Path | None = None, options: Sequence[str] = ()) -> Change:
    """What installing the hooks would change; a second time changes nothing. Each call gets the options."""
    file, before, settings = _read(path)
    hooks = _without(settings.get("hooks"))
    for event, name in CLAUDE.items():
        words = " ".join([_program(), "hook", event, *(shlex.quote(option) for option in options)])
        entry = {"hooks": [{"type": "command", "command": words, "timeout": TIMEOUT}]}
        hooks[name] = [*hooks.get(name, []), entry]
    return Change(path=file, before=before, after=_written({**settings, "hooks": hooks}))


def uninstall(path: Path | None = None) -> Change:
    """What taking the hooks out would change."""
    file, before, settings = _read(path)
    if not installed(file):
        return Change(path=file, before=before, after=before)
    hooks = _without(settings.get("hooks"))
    rest = {name: value for name, value in settings.items() if name != "hooks"}
    return Change(path=file, before=before, after=_written({**rest, **({"hooks": hooks} if hooks else {})}))


def installed(path: Path | None = None) -> list[str]:
    """The events whose hook is in the settings."""
    hooks = cast("dict[str, Any]", _read(path)[2].get("hooks") or {})
    return [event for event, name in CLAUDE.items() if any(_is_ours(entry) for entry in hooks.get(name, []))]


def _read(path: Path | None) -> tuple[Path, str, dict[str, Any]]:
    file = (path or SETTINGS).expanduser()
    if "\0" in str(file):
        raise InvalidInput("settings", "cannot name a file", "Give the path of the program's settings")
    before = ""
    try:
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        settings: Any = json.loads(before or "{}")
    except ValueError:  # of bytes that are no text, too
        settings = None
    if not isinstance(settings, dict):
        raise InvalidInput("settings", f"{shown(str(file))} is no JSON object", "Mend it first; nothing was changed")
    return file, before, cast("dict[str, Any]", settings)


def _without(hooks: Any) -> dict[str, list[Any]]:
    """The hooks of others."""
    kept: dict[str, list[Any]] = {}
    for name, entries in cast("dict[str, list[Any]]", hooks or {}).items():
        others = [entry for entry in entries if not _is_ours(entry)]
        if others:
            kept[name] = others
    return kept


def _entries(hooks: Any) -> list[Any]:
    return [entry for entries in cast("dict[str, list[Any]]", hooks or {}).values() for entry in entries]


def _is_ours(entry: Any) -> bool:
    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    hooks: list[dict[str, Any]] = fields.get("hooks") or []
    return any(OURS.match(str(hook.get("command", ""))) for hook in hooks)


def _program() -> str:
    """The command's path when it lives in an environment of its own, where others would not find its name."""
    own = shutil.which(PROGRAM, path=str(Path(sys.executable).parent)) if sys.prefix != sys.base_prefix else None
    return PROGRAM if own is None else shlex.quote(own)


def _written(settings: dict[str, Any]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"
