"""The reference page of the commands, written from the commands: `python -m noosphere.serve.cli.reference`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.serve.cli.app import make_command
from noosphere.serve.cli.options import EVERYWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = """# Every command

Written from the commands themselves; a test compares the two. `--home PATH`, `--mind NAME|PATH`, `--actor NAME` and
`--json` go with every one, before or after its name; [the guide](../guides/command-line.md) says what they do.
"""


def page() -> str:
    """The whole page as Markdown."""
    parts = [HEAD, *(_command(name, command) for name, command in _walk(make_command()))]
    return "\n".join(parts)


def _walk(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, found in sorted(group.commands.items()):
        words = f"{before} {name}".strip()
        if hasattr(found, "commands"):
            yield from _walk(found, words)
        else:
            yield words, found


def _command(name: str, command: Any) -> str:
    own = [p for p in command.params if p.name not in EVERYWHERE]
    arguments = [p for p in own if p.param_type_name == "argument"]
    options = [p for p in own if p.param_type_name == "option"]
    usage = " ".join(["noosphere", name, *(_argument(p) for p in arguments)])
    rows = [f"- `{p.metavar}`: {p.help}" for p in arguments]
    rows += [f"- `{_option(p)}`: {p.help}" for p in options]
    examples = (line.removeprefix("  ") for line in (command.epilog or "").splitlines()[2:])
    blocks = [f"## {name}", f"`{usage}`", command.help]
    blocks += ["\n".join(rows)] if rows else []
    blocks += ["\n".join(["```text", *examples, "```"])]
    return "\n\n".join(blocks) + "\n"


def _argument(param: Any) -> str:
    return param.metavar if param.required else f"[{param.metavar}]"


def _option(param: Any) -> str:
    names = "/".join([*param.opts, *param.secondary_opts])
    return f"{names} {param.metavar}" if param.metavar else names


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201  (a page for standard output)
