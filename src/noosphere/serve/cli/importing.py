"""The commands that import: harvest, and what goes with it: preview, learn, sources, runs, review, release, dismiss."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Id, Limit

if TYPE_CHECKING:
    from noosphere.harvest.learning import LearnStep, LearntFromTurns
    from noosphere.harvest.pipeline import Harvested
    from noosphere.harvest.progress import Step
    from noosphere.mind import Flushed, Mind

commands = typer.Typer()

Places = Annotated[list[str], typer.Argument(metavar="PLACE...", help="Files, folders, zips, or web addresses.")]
Format = Annotated[
    str | None,
    typer.Option("--adapter", metavar="NAME", help="Read everything as this format, whatever it looks like."),
]


@command(
    commands,
    "harvest",
    examples="""
    noosphere harvest ~/Downloads/chatgpt-export.zip
    noosphere harvest ~/notes ~/journal.md --no-learn --no-embed
    noosphere harvest preview ~/Downloads/chatgpt-export.zip
    """,
)
def harvest(
    call: Call,
    places: Places,
    adapter: Format = None,
    no_learn: Annotated[bool, typer.Option("--no-learn", help="Leave learning from the turns for later.")] = False,
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave embedding for later.")] = False,
) -> int:
    """Import conversations and notes; a second run adds nothing.

    What cannot be read is listed and the rest comes in, so rejects alone are no failure. A run that was stopped
    goes on where it was when it is started again. What is in can be searched by its words; learning from the turns
    and embedding follow, with the time they take. They may be stopped: `harvest learn` and `flush` go on with them.
    """
    from noosphere.serve.cli.embedding import embed_all, waiting
    from noosphere.serve.cli.importing_lines import harvest_lines
    from noosphere.serve.cli.output import note, write_lines

    mind = call.creating()
    found = _import(mind, places, adapter)
    if not call.said.json:
        write_lines(harvest_lines(found))
    try:
        learnt = _learn(mind, None) if not no_learn and mind.status().unlearnt else None
        flushed = embed_all(mind) if not no_embed and waiting(mind) else None
    except KeyboardInterrupt:
        note("all of it is in; `noosphere harvest learn` goes on with learning, `noosphere flush` with embedding")
        raise
    return call.answer(_document(found, learnt, flushed), _after(learnt, flushed), none="")


@command(
    commands,
    "harvest preview",
    examples="""
    noosphere harvest preview ~/Downloads/chatgpt-export.zip
    noosphere harvest preview ~/notes --json | jq .by_month
    """,
)
def preview(call: Call, places: Places, adapter: Format = None) -> int:
    """Show what a harvest would bring in, by type and date; nothing is written."""
    from noosphere.serve.cli.importing_lines import preview_lines

    found = call.creating().harvest.preview(*places, adapter=adapter)
    return call.answer(found, preview_lines(found))


@command(
    commands,
    "harvest learn",
    examples="""
    noosphere harvest learn
    noosphere harvest learn --limit 10000
    noosphere harvest learn --model --limit 200
    """,
)
def learn(
    call: Call,
    model: Annotated[bool, typer.Option("--model", help="Ask the language model that the settings name, too.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Read at most so many turns.")] = None,
) -> int:
    """Learn from harvested turns by rules: facts, decisions, events with their days, and a profile of each person.

    What was read is not read again; a run that was stopped goes on where it was. A language model is asked about
    every turn once, in a pass of its own; what it points at is kept word for word, and each call is written down with
    its cost. Exit code 1 when it could not go on.
    """
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.importing_lines import learnt_lines

    mind = call.changing()
    found = _learn(mind, limit, model=model)
    code = call.answer(found, learnt_lines(found), code=0 if found.problem is None else 1)
    embed_some(mind)
    return code


@command(
    commands,
    "harvest take-in",
    examples="""
    noosphere harvest take-in ~/laptop.jsonl
    """,
)
def take_in(
    call: Call,
    export: Annotated[str, typer.Argument(metavar="EXPORT", help="The lines of JSON that `export` wrote.")],
) -> int:
    """Take in what an export of another mind holds, under its own ids; a second time adds nothing.

    Where the two minds say different things, this mind's word stays and the difference is listed. What was forgotten
    here stays forgotten.
    """
    from noosphere.serve.cli.embedding import embed_some
    from noosphere.serve.cli.importing_lines import taken_lines

    mind = call.creating()
    found = mind.harvest.take_in(export)
    code = call.answer(found, taken_lines(found))
    embed_some(mind)
    return code


@command(
    commands,
    "harvest sources",
    examples="""
    noosphere harvest sources
    """,
)
def sources(call: Call) -> int:
    """List every place that was harvested, the last one first."""
    from noosphere.serve.cli.importing_lines import source_lines

    found = call.reading().harvest.sources()
    return call.answer(found, source_lines(found), none="nothing was harvested yet: noosphere harvest PATH")


@command(
    commands,
    "harvest runs",
    examples="""
    noosphere harvest runs --limit 5
    """,
)
def runs(call: Call, limit: Limit = 20) -> int:
    """List the runs, the newest first, with what could not be read."""
    from noosphere.serve.cli.importing_lines import run_lines

    found = call.reading().harvest.runs(limit)
    return call.answer(found, run_lines(found), none="nothing was harvested yet: noosphere harvest PATH")


@command(
    commands,
    "harvest review",
    examples="""
    noosphere harvest review
    noosphere harvest review --json | jq -r '.[].id'
    """,
)
def review(call: Call) -> int:
    """List what was held back for looking like an attack, the oldest first."""
    from noosphere.serve.cli.importing_lines import held_lines

    found = call.reading().harvest.review()
    return call.answer(found, held_lines(found), none="nothing is held back")


@command(
    commands,
    "harvest release",
    examples="""
    noosphere harvest release 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def release(call: Call, id: Id) -> int:
    """Let a held text in, at the place it has in its conversation."""
    from noosphere.serve.cli.embedding import embed_some

    mind = call.changing()
    code = call.outcome(mind.harvest.release(id))
    embed_some(mind)
    return code


@command(
    commands,
    "harvest dismiss",
    examples="""
    noosphere harvest dismiss 01890a5d-ac96-774b-bcce-b302099a8057
    """,
)
def dismiss(call: Call, id: Id) -> int:
    """Leave a held text out for good, also when it is met again."""
    return call.outcome(call.changing().harvest.dismiss(id))


def _import(mind: "Mind", places: list[str], adapter: str | None) -> "Harvested":
    from noosphere.serve.cli.progress import Progress

    with Progress(sys.stderr, "reading") as progress:

        def tell(step: "Step") -> None:
            progress.tell(_how_far(step), step.items)

        return mind.harvest(*places, adapter=adapter, watcher=tell)


def _learn(mind: "Mind", limit: int | None, *, model: bool = False) -> "LearntFromTurns":
    from noosphere.serve.cli.progress import Progress

    with Progress(sys.stderr, "learning from harvested turns") as progress:

        def tell(step: "LearnStep") -> None:
            left = f"{duration(step.seconds_left)} left"
            progress.tell(f"learnt from {step.turns} of {step.size} turns, {left}, {step.added} memories", step.turns)

        return mind.harvest.learn(limit, tell, llm=model)


def _how_far(step: "Step") -> str:
    share = f"{100 * step.read // step.size} %, " if step.size else ""
    left = "" if step.seconds_left is None else f"{duration(step.seconds_left)} left, "
    return f"{share}{left}{step.items} read, {step.added} turns and notes added: {step.item}"


def duration(seconds: float) -> str:
    """A length of time as people say it: 42 s, 3:05 min, 2:10 h."""
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004  (seconds of a minute)
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes}:{rest:02} min" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02} h"  # noqa: PLR2004


def _document(found: "Harvested", learnt: "LearntFromTurns | None", flushed: "Flushed | None") -> dict[str, Any]:
    from noosphere.model.plain import plain

    return {"outcome": "harvested", **plain(found), "learnt": plain(learnt), "flushed": plain(flushed)}


def _after(learnt: "LearntFromTurns | None", flushed: "Flushed | None") -> Iterator[Any]:
    from noosphere.serve.cli.importing_lines import learnt_lines
    from noosphere.serve.cli.lines import field

    if learnt is not None:
        yield from learnt_lines(learnt)
    if flushed is not None:
        yield field("embedded", flushed.embedded)
