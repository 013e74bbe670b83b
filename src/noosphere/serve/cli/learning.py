"""The command that learns from an exchange."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command

commands = typer.Typer()


@command(
    commands,
    "cognify",
    examples="""
    noosphere cognify --user "Let's go with Kafka." --assistant "Noted."
    echo '{"user": "I prefer short answers.", "conversation": "chat-7"}' | noosphere cognify --json
    """,
)
def cognify(
    call: Call,
    user: Annotated[str | None, typer.Option("--user", metavar="TEXT", help="What the user said.")] = None,
    assistant: Annotated[
        str | None, typer.Option("--assistant", metavar="TEXT", help="What the assistant answered.")
    ] = None,
    tool: Annotated[
        list[str] | None, typer.Option("--tool", metavar="TEXT", help="What a tool gave back. Repeat it for more.")
    ] = None,
    user_name: Annotated[str | None, typer.Option("--user-name", metavar="NAME", help="The user, as shown.")] = None,
    assistant_name: Annotated[
        str | None, typer.Option("--assistant-name", metavar="NAME", help="The assistant, as shown.")
    ] = None,
    said_at: Annotated[str | None, typer.Option("--said-at", metavar="TIME", help="When it was said.")] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", metavar="KEY", help="The conversation's own stable key.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="KEY", help="The session it belongs to.")] = None,
    key: Annotated[
        str | None, typer.Option("--key", metavar="KEY", help="The exchange's own stable id in its conversation.")
    ] = None,
) -> int:
    """Record an exchange that succeeded, and remember what was said in it that is worth it.

    Without --user and --assistant it reads standard input: a JSON object with these names, or what the user said.
    """
    from noosphere.model.outcome import Refused
    from noosphere.model.plain import plain
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_object, read_text
    from noosphere.serve.cli.learning_lines import learning_lines

    given: dict[str, Any] = {
        "user": user,
        "assistant": assistant,
        "tools": tool,
        "user_name": user_name,
        "assistant_name": assistant_name,
        "said_at": said_at,
        "conversation": conversation,
        "session": session,
        "key": key,
    }
    exchange = {name: value for name, value in given.items() if value is not None}
    if user is None and assistant is None:
        piped = read_text("-")
        told = read_object(piped, "stdin") if piped.lstrip().startswith("{") else {"user": piped}
        exchange = {**told, **exchange}
    with call.home(background=False) as noosphere:
        report = noosphere.cognify(exchange)
        if isinstance(report, Refused):
            return call.outcome(report)
        code = call.answer({"outcome": "cognified", **plain(report)}, learning_lines(report))
        with noosphere.changing() as mind:
            embed_some(mind)
            here = mind.uuid
        if any(one.mind != here for one in report.learnt):
            with noosphere.personal() as mind:
                embed_some(mind)
        return code
