"""The commands of hooks: install, uninstall, status; and hook, which agent programs call."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.parameters import Group

if TYPE_CHECKING:
    from noosphere.serve.hooks.install import Change

commands = typer.Typer()
hooks = typer.Typer(name="hooks", cls=Group, help="Put memory into Claude Code: its hooks call noosphere hook.")

Settings = Annotated[
    str | None,
    typer.Option("--settings", metavar="PATH", help="The settings file; ~/.claude/settings.json when left out."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; else only the change is shown.")]


def _path(settings: str | None) -> Path | None:
    return None if settings is None else Path(settings)


def _options(home: str | None, mind: str | None, actor: str | None) -> list[str]:
    """The options that were said, to be said to a hook."""
    said = {"--home": home, "--mind": mind, "--actor": actor}
    return [part for name, value in said.items() if value is not None for part in (name, value)]


def _from_anywhere(path: str) -> str:
    """A path that means the same wherever a hook is called."""
    return str(Path(path).expanduser().absolute())


def _change(call: Call, change: "Change", *, yes: bool) -> int:
    from noosphere.serve.cli.output import split

    copy = change.apply() if yes and change.diff else None
    done = "changed" if yes and change.diff else "unchanged" if not change.diff else "shown"
    told = {"outcome": done, "path": change.path, "copy": copy, "diff": change.diff}
    ends = {
        "changed": f"changed {change.path}" + (f"; as it was: {copy}" if copy else ""),
        "unchanged": "nothing to change",
        "shown": "add --yes to do it",
    }
    return call.answer(told, [((line, ""),) for line in [*split(change.diff), ends[done]]])


@command(
    hooks,
    "install",
    examples="""
    noosphere hooks install
    noosphere hooks install --yes
    noosphere hooks install --mind acme --yes
    """,
)
def install(call: Call, settings: Settings = None, yes: Yes = False) -> int:
    """Show what installing the hooks changes, and with --yes do it; a copy of the file is kept.

    A --home, --mind or --actor that is given here is what the hooks will use.
    """
    from noosphere.minds.naming import is_path
    from noosphere.serve.hooks import install as installing

    home, mind = call.said.home, call.said.mind
    home = None if home is None else _from_anywhere(home)
    mind = _from_anywhere(mind) if mind is not None and is_path(mind) else mind
    return _change(call, installing.install(_path(settings), _options(home, mind, call.said.actor)), yes=yes)


@command(hooks, "uninstall", examples="noosphere hooks uninstall --yes")
def uninstall(call: Call, settings: Settings = None, yes: Yes = False) -> int:
    """Show what taking the hooks out changes, and with --yes do it; other hooks stay."""
    from noosphere.serve.hooks import install as installing

    return _change(call, installing.uninstall(_path(settings)), yes=yes)


@command(hooks, "status", examples="noosphere hooks status")
def status(call: Call, settings: Settings = None) -> int:
    """List the hooks that are installed."""
    from noosphere.serve.hooks import install as installing

    found = installing.installed(_path(settings))
    return call.answer(
        found, [((event, "strong"),) for event in found], none="no hook is installed: noosphere hooks install"
    )


@command(
    commands,
    "hook",
    examples="""
    echo '{"session_id": "s1", "prompt": "which port?"}' | noosphere hook prompt-submit
    """,
)
def hook(
    call: Call,
    event: Annotated[
        str, typer.Argument(metavar="EVENT", help="One of: session-start, prompt-submit, stop, pre-compact.")
    ],
) -> int:
    """Answer one event of an agent program: its JSON comes on standard input; it never fails."""
    from noosphere.serve.hooks.run import main

    return main([event, *_options(call.said.home, call.said.mind, call.said.actor)])
