"""The command that learns from an exchange."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import text_option

commands = typer.Typer()


EXCHANGE: dict[str, Any] = {
    "user": text_option("--user", "TEXT", "What the user said."),
    "assistant": text_option("--assistant", "TEXT", "What the assistant answered."),
    "tools": Annotated[
        list[str] | None, typer.Option("--tool", metavar="TEXT", help="What a tool gave back. Repeat it for more.")
    ],
    "user_name": text_option("--user-name", "NAME", "The user, as shown."),
    "assistant_name": text_option("--assistant-name", "NAME", "The assistant, as shown."),
    "said_at": text_option("--said-at", "TIME", "When it was said."),
    "conversation": text_option("--conversation", "KEY", "The conversation's own stable key."),
    "session": text_option("--session", "KEY", "The session it belongs to."),
    "key": text_option("--key", "KEY", "The exchange's own stable id in its conversation."),
}


@command(
    commands,
    "cognify",
    options=EXCHANGE,
    examples="""
    noosphere cognify --user "Let's go with Kafka." --assistant "Noted."
    echo '{"user": "I prefer short answers.", "conversation": "chat-7"}' | noosphere cognify --json
    """,
)
def cognify(call: Call, **exchange: Any) -> int:
    """Record an exchange that succeeded, and remember what was said in it that is worth it.

    Without --user and --assistant it reads standard input: a JSON object with these names, or what the user said.
    """
    from noosphere.model.outcome import Refused
    from noosphere.model.plain import plain
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_object, read_text
    from noosphere.serve.cli.learning_lines import learning_lines

    if not exchange.keys() & {"user", "assistant"}:
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
