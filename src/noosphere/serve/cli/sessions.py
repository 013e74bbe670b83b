"""The commands of sessions: list, ensure, ensure-active, close, archive."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Limit
from noosphere.serve.cli.parameters import Group

commands = typer.Typer(name="session", cls=Group, help="Work with sessions: the sittings in which things were said.")

Session = Annotated[str, typer.Argument(metavar="SESSION", help="Its key or its id.")]


@command(
    commands,
    "list",
    examples="""
    noosphere session list --limit 5
    """,
)
def list_sessions(call: Call, limit: Limit = 100) -> int:
    """List sessions, the newest first."""
    from noosphere.serve.cli.lines import session_lines

    found = call.reading().sessions.list(limit)
    return call.answer(found, session_lines(found), none="no session yet")


@command(
    commands,
    "ensure",
    examples="""
    noosphere session ensure 2026-05-14-standup --project search --title "Standup"
    """,
)
def ensure(
    call: Call,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The session's own stable name.")],
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="The project it is for.")] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="A title.")] = None,
) -> int:
    """Start the session of this key, or find it; doing it again changes nothing."""
    return call.outcome(call.creating().sessions.ensure(key, project=project, title=title), "ensured")


@command(
    commands,
    "ensure-active",
    examples="""
    noosphere session ensure-active --actor claude --json
    """,
)
def ensure_active(call: Call) -> int:
    """Show the actor's ongoing session, or start one when the last is older than six hours."""
    return call.outcome(call.creating().sessions.ensure_active(), "ensured")


@command(
    commands,
    "close",
    examples="""
    noosphere session close 2026-05-14-standup
    """,
)
def close(call: Call, session: Session) -> int:
    """Close a session: it takes no more frames."""
    return call.outcome(call.changing().sessions.close(session))


@command(
    commands,
    "archive",
    examples="""
    noosphere session archive 2026-05-14-standup
    """,
)
def archive(call: Call, session: Session) -> int:
    """Archive a session: it takes no more frames."""
    return call.outcome(call.changing().sessions.archive(session))
