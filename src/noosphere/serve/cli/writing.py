"""Commands that write text: remember, record, revise, append, branch."""

from typing import Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import ABOUT, DRAFT, REVISION, Id, Text

commands = typer.Typer()

Wait = Annotated[bool, typer.Option("--wait", help="Embed all that waits before answering, whatever it costs.")]


@command(
    commands,
    "remember",
    options=DRAFT,
    examples="""
    noosphere remember "The staging database listens on port 5433" --tag ops
    noosphere remember "I live in Lisbon" --slot user.home_city --value Lisbon
    git log -1 --format=%B | noosphere remember - --role event --json
    """,
)
def remember(call: Call, text: Text, wait: Wait = False, **about: Any) -> int:
    """Store a memory, word for word, once.

    Said again, it gets evidence; a newer value of a slot ends the older one. It is embedded at once when
    no more than a few wait.
    """
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_options, read_text

    words, options = read_text(text), read_options(about)
    mind = call.creating()
    code = call.outcome(mind.remember(words, wait=wait, **options))
    embed_some(mind)
    return code


@command(
    commands,
    "record",
    options=ABOUT,
    examples="""
    noosphere record standup --participant Ann --participant Bo < turns.jsonl
    echo '{"key": "1", "speaker": "Ann", "text": "We ship on Friday."}' | noosphere record standup
    """,
)
def record(
    call: Call,
    conversation: Annotated[
        str, typer.Argument(metavar="CONVERSATION", help="Its own stable key, or its id; a new key opens it.")
    ],
    head: Annotated[
        str | None, typer.Option("--head", metavar="KEY", help="The turn it now ends with, if on another branch.")
    ] = None,
    wait: Wait = False,
    **about: Any,
) -> int:
    """Add turns to a conversation, from standard input, one JSON object a line.

    A turn has key, speaker and text, and may have at, speaker_role, session and parent. A turn that is there
    already adds nothing. All lines are checked first: when one is bad, nothing is written.
    """
    from noosphere.errors import InvalidInput
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_options, read_turns

    turns, options = read_turns(), read_options(about)
    if not turns and head is None:
        raise InvalidInput("stdin", "holds no turns", "Pipe in one JSON object a line")
    mind = call.creating()
    code = call.outcome(mind.record(conversation, turns, head=head, wait=wait, **options))
    embed_some(mind)
    return code


@command(
    commands,
    "revise",
    options=REVISION,
    examples="""
    noosphere revise 01890a5d-ac96-774b-bcce-b302099a8057 "Maya works at Quillfeather"
    """,
)
def revise(call: Call, id: Id, text: Text, **about: Any) -> int:
    """Replace what a memory says; the old text stays in its history."""
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_options, read_text

    words, options = read_text(text), read_options(about)
    mind = call.changing()
    code = call.outcome(mind.revise(id, words, **options))
    embed_some(mind)
    return code


@command(
    commands,
    "append",
    options=REVISION,
    examples="""
    noosphere append 01890a5d-ac96-774b-bcce-b302099a8057 "She started in May."
    """,
)
def append(call: Call, id: Id, text: Text, **about: Any) -> int:
    """Add to what a memory says."""
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_options, read_text

    words, options = read_text(text), read_options(about)
    mind = call.changing()
    code = call.outcome(mind.append(id, words, **options))
    embed_some(mind)
    return code


@command(
    commands,
    "branch",
    examples="""
    noosphere branch 01890a5d-ac96-774b-bcce-b302099a8057 "We could also use Postgres" --description "not chosen"
    """,
)
def branch(
    call: Call,
    id: Id,
    text: Text,
    ref: Annotated[
        list[str] | None, typer.Option("--ref", metavar="ID", help="What it refers to. Repeat it for more.")
    ] = None,
    description: Annotated[str | None, typer.Option("--description", metavar="TEXT", help="What it is.")] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="KEY", help="The session it belongs to.")] = None,
) -> int:
    """Set an alternative beside a memory or a turn, without replacing it."""
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.inputs import read_text

    words = read_text(text)
    mind = call.changing()
    code = call.outcome(mind.branch(id, words, refs=ref or (), description=description, session=session))
    embed_some(mind)
    return code
