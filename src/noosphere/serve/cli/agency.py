"""Commands about the agent and its minds: identity, awareness, mastery, workspace."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import SLUG, Id, Limit, text_option
from noosphere.serve.cli.parameters import Group

if TYPE_CHECKING:
    from pathlib import Path

identity = typer.Typer(name="identity", cls=Group, help="Say who the agent is: it stands before every prompt.")
awareness = typer.Typer(name="awareness", cls=Group, help="Say what the agent is at: at most ten live items.")
mastery = typer.Typer(name="mastery", cls=Group, help="Learn concepts by spaced repetition (extra mastery).")
workspace = typer.Typer(name="workspace", cls=Group, help="Work with the minds beside the personal one.")


FIELDS: dict[str, Any] = {
    "name": text_option("--name", "TEXT", "The agent's name."),
    "role": text_option("--role", "TEXT", "What it is for."),
    "department": text_option("--department", "TEXT", "Where it belongs."),
    "personality": text_option("--personality", "TEXT", "How it speaks and behaves."),
    "capabilities": text_option("--capabilities", "TEXT", "What it can do."),
    "system_prompt": text_option("--system-prompt", "TEXT", "Standing instructions for it."),
}
ITEM: dict[str, Any] = {
    "category": text_option("--category", "TEXT", "What it is: task, action, pending or flag."),
    "priority": Annotated[
        int | None, typer.Option("--priority", metavar="N", help="How important it is, 0 to 10; 5 when left out.")
    ],
    "expires": text_option("--expires", "TEXT", "When it stops being shown by itself."),
    "metadata": text_option("--metadata", "TEXT", "A JSON object that is kept with it."),
}
NOBODY = "the agent has no identity yet: noosphere identity set --name NAME"
Slug = Annotated[str, typer.Argument(metavar=SLUG, help="Its name: a-z, 0-9 and hyphens.")]


def _listed(call: Call, found: list[Any], none: str) -> int:
    from noosphere.model.plain import plain
    from noosphere.serve.cli.lines import thing_lines

    lines = (line for one in plain(found) for line in thing_lines({**one, "id": one["id"]}))
    return call.answer(found, lines, none=none)


@command(identity, "show", examples="noosphere identity show")
def show(call: Call) -> int:
    """Show who the agent is."""
    from noosphere.model.plain import plain
    from noosphere.serve.cli.lines import fields

    found = call.reading().identity.get()
    return call.answer(found, fields(plain(found)), none=NOBODY)


@command(identity, "set", options=FIELDS, examples='noosphere identity set --name Iris --role "keeps the archive"')
def set_identity(call: Call, **fields: Any) -> int:
    """Change who the agent is; what is left out stays."""
    return call.outcome(call.creating().identity.set(**fields))


@command(identity, "clear", examples="noosphere identity clear department personality")
def clear_identity(
    call: Call, fields: Annotated[list[str], typer.Argument(metavar="FIELD...", help="The fields to empty.")]
) -> int:
    """Empty fields of the identity."""
    return call.outcome(call.changing().identity.clear(*fields))


@command(awareness, "list", examples="noosphere awareness list")
def list_awareness(call: Call) -> int:
    """List what the agent is at, the most important first."""
    return _listed(call, call.reading().awareness.list(), "nothing noted yet: noosphere awareness add TEXT")


@command(
    awareness, "add", options=ITEM, examples='noosphere awareness add "mend the roof" --priority 8 --expires 2027-05-20'
)
def add(call: Call, text: Annotated[str, typer.Argument(metavar="TEXT", help="What it is.")], **about: Any) -> int:
    """Note what the agent is at; the eleventh item pushes out the least important one."""
    from noosphere.serve.cli.inputs import read_options

    return call.outcome(call.creating().awareness.add(text, **read_options(about)))


@command(
    awareness,
    "update",
    options={"text": text_option("--text", "TEXT", "What it is."), **ITEM},
    examples="noosphere awareness update 01890a5d-ac96-774b-bcce-b302099a8057 --priority 9",
)
def update(call: Call, id: Id, **about: Any) -> int:
    """Change an item; what is left out stays."""
    from noosphere.serve.cli.inputs import read_options

    return call.outcome(call.changing().awareness.update(id, **read_options(about)))


@command(awareness, "done", examples="noosphere awareness done 01890a5d-ac96-774b-bcce-b302099a8057")
def done(call: Call, id: Id) -> int:
    """Be done with an item."""
    return call.outcome(call.changing().awareness.done(id))


@command(
    mastery,
    "answer",
    examples="""
    noosphere mastery answer "Bayes' rule" --correct
    noosphere mastery answer entropy --rating hard
    """,
)
def answer(
    call: Call,
    concept: Annotated[str, typer.Argument(metavar="CONCEPT", help="What was asked about.")],
    correct: Annotated[bool | None, typer.Option("--correct/--wrong", help="Whether the answer was right.")] = None,
    rating: Annotated[
        str | None, typer.Option("--rating", metavar="WORD", help="In its place: again, hard, good or easy.")
    ] = None,
) -> int:
    """Count an answer, and say when to ask again."""
    return call.outcome(call.creating().mastery.answer(concept, correct=correct, rating=rating))


@command(mastery, "due", examples="noosphere mastery due --limit 10")
def due(
    call: Call,
    limit: Limit = 50,
    by: Annotated[str | None, typer.Option("--by", metavar="TIME", help="Due by then; now when left out.")] = None,
) -> int:
    """List what is to be asked again, the longest due first."""
    return _listed(call, call.reading().mastery.due(limit, by=by), "no concept is due")


@command(mastery, "list", examples="noosphere mastery list")
def list_concepts(call: Call, limit: Limit = 1000) -> int:
    """List every concept, the one to be asked next first."""
    return _listed(call, call.reading().mastery.list(limit), "no concept yet: noosphere mastery answer CONCEPT")


@command(
    workspace,
    "list",
    examples="""
    noosphere workspace list
    noosphere workspace list --everything --json
    """,
)
def list_workspaces(
    call: Call,
    everything: Annotated[bool, typer.Option("--everything", help="Also the archived and the deleted ones.")] = False,
) -> int:
    """List the minds of this home."""
    with call.home() as noosphere:
        return _listed(call, noosphere.workspaces.list(everything=everything), "no mind yet")


@command(
    workspace,
    "create",
    examples="""
    noosphere workspace create acme
    noosphere workspace create acme --schedule
    """,
)
def create(
    call: Call,
    id: Slug,
    schedule: Annotated[
        bool, typer.Option("--schedule", help="Also write units of systemd that run its upkeep once a day.")
    ] = False,
) -> int:
    """Make a workspace; use it with --mind."""
    with call.home() as noosphere:
        made = noosphere.workspaces.create(id)
        code = call.outcome(made, "created")
        if schedule:
            _schedule(made.id, noosphere.settings.home)
        return code


def _schedule(slug: str, home: "Path") -> None:
    from noosphere.serve.cli.output import note
    from noosphere.serve.schedule import write_units
    from noosphere.upkeep.passes import PASSES

    *others, timer = write_units(slug, home, tuple(PASSES))
    note(f"wrote {', '.join(str(path) for path in others)} and {timer}")
    note(f"start it with: systemctl --user daemon-reload && systemctl --user enable --now {timer.name}")


@command(workspace, "fork", examples="noosphere workspace fork personal experiment")
def fork(call: Call, id: Slug, to: Annotated[str, typer.Argument(metavar="TO", help="The new one's name.")]) -> int:
    """Make a workspace that begins as a copy of a mind; from then on the two go their own ways."""
    with call.home() as noosphere:
        return call.outcome(noosphere.workspaces.fork(id, to), "forked")


@command(
    workspace,
    "import",
    examples="""
    noosphere workspace import ~/backups/acme-2026-05-14.db acme
    noosphere workspace import ~/exports/acme.jsonl acme-then --fork
    """,
)
def import_mind(
    call: Call,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The file that backup or export wrote.")],
    id: Slug,
    fork: Annotated[
        bool, typer.Option("--fork", help="Give it a UUID of its own, beside the mind it is a copy of.")
    ] = False,
) -> int:
    """Make a workspace of a backup or an export."""
    with call.home() as noosphere:
        return call.outcome(noosphere.workspaces.import_mind(source, id, fork=fork), "imported")


@command(workspace, "rename", examples="noosphere workspace rename acme zenith")
def rename(call: Call, id: Slug, to: Annotated[str, typer.Argument(metavar="TO", help="Its new name.")]) -> int:
    """Give a workspace another name; nothing else changes."""
    with call.home() as noosphere:
        return call.outcome(noosphere.workspaces.rename(id, to), "renamed")


@command(workspace, "archive", examples="noosphere workspace archive acme")
def archive(call: Call, id: Slug) -> int:
    """Make a workspace read-only; restore takes it back."""
    with call.home() as noosphere:
        return call.outcome(noosphere.workspaces.archive(id), "archived")


@command(workspace, "delete", examples="noosphere workspace delete acme")
def delete(call: Call, id: Slug) -> int:
    """Delete a workspace; for 30 days restore brings it back."""
    with call.home() as noosphere:
        return call.outcome(noosphere.workspaces.delete(id), "deleted")


@command(workspace, "restore", examples="noosphere workspace restore acme")
def restore(call: Call, id: Slug) -> int:
    """Take back an archive or a delete."""
    with call.home() as noosphere:
        return call.outcome(noosphere.workspaces.restore(id), "restored")


@command(workspace, "clear", examples="noosphere workspace clear")
def clear(call: Call) -> int:
    """Delete the files of workspaces that were deleted more than 30 days ago."""
    with call.home() as noosphere:
        gone = noosphere.workspaces.clear()
    return call.answer(gone, [((slug, ""),) for slug in gone], none="no workspace was deleted so long ago")
