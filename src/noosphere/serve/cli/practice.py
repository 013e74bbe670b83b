"""Commands about an agent's own work: signals of what could be better, traces, procedures, calls of models."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command
from noosphere.serve.cli.options import Id, Limit
from noosphere.serve.cli.parameters import Group

signals = typer.Typer(name="signals", cls=Group, help="See what could be done better: corrections, wishes, habits.")
traces = typer.Typer(name="traces", cls=Group, help="Keep account of what was done, step by step, and how it ended.")
procedures = typer.Typer(name="procedures", cls=Group, help="Keep ways of doing something, and how often they worked.")
interactions = typer.Typer(name="interactions", cls=Group, help="See what language models were asked and what it cost.")

NONE_ASKED = "no language model was asked"
Since = Annotated[str | None, typer.Option("--since", metavar="TIME", help="Only what was asked then or later.")]
Steps = Annotated[list[str], typer.Option("--step", metavar="TEXT", help="A step, in order. Repeat it for more.")]
Note = Annotated[str | None, typer.Option("--note", metavar="TEXT", help="What is worth knowing about how it ended.")]
Followed = Annotated[str | None, typer.Option("--procedure", metavar="NAME", help="The procedure that was followed.")]
Ended = Annotated[
    str | None, typer.Option("--outcome", metavar="WORD", help="How it ended: succeeded, failed or abandoned.")
]
Outcome = Annotated[str, typer.Argument(metavar="OUTCOME", help="How it ended: succeeded, failed or abandoned.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="What it is called; case and spacing do not matter.")]


@command(signals, "list", examples="noosphere signals list --kind capability_gap")
def list_signals(
    call: Call,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="WORD",
            help="Only this kind: capability_gap, correction, workflow_pattern or skill_promotion.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Also those that were surfaced or did not come often enough yet.")
    ] = False,
    limit: Limit = 50,
) -> int:
    """List what could be done better and waits to be surfaced, the most counted first."""
    from noosphere.serve.cli.practice_lines import signal_lines

    found = call.reading().signals(kind, everything=everything, limit=limit)
    return call.answer(found, signal_lines(found), none="nothing waits to be shown")


@command(signals, "surfaced", examples="noosphere signals surfaced 01890a5d-ac96-774b-bcce-b302099a8057")
def surfaced(call: Call, ids: Annotated[list[str], typer.Argument(metavar="ID...", help="The signals, by id.")]) -> int:
    """Say that signals were shown in a turn that succeeded: they wait no more."""
    return call.outcome(call.changing().signals.surfaced(ids))


@command(
    traces,
    "record",
    examples="""
    noosphere traces record "fix the importer" --step search --step edit --step test --outcome succeeded
    """,
)
def record_trace(
    call: Call,
    task: Annotated[str, typer.Argument(metavar="TASK", help="What it was for.")],
    step: Steps,
    outcome: Ended = None,
    note: Note = None,
    procedure: Followed = None,
) -> int:
    """Record what was done, step by step."""
    mind = call.creating()
    return call.outcome(mind.traces.record(task, step, outcome=outcome, note=note, procedure=procedure))


@command(traces, "outcome", examples="noosphere traces outcome 01890a5d-ac96-774b-bcce-b302099a8057 succeeded")
def end_trace(call: Call, id: Id, outcome: Outcome, note: Note = None) -> int:
    """Say how something that was done ended; a trace ends once."""
    return call.outcome(call.changing().traces.outcome(id, outcome, note=note))


@command(traces, "list", examples="noosphere traces list --outcome failed --limit 5")
def list_traces(call: Call, limit: Limit = 50, outcome: Ended = None, procedure: Followed = None) -> int:
    """List what was done, the newest first."""
    from noosphere.serve.cli.practice_lines import trace_lines

    found = call.reading().traces.list(limit, outcome=outcome, procedure=procedure)
    return call.answer(found, trace_lines(found), none="no such trace yet: noosphere traces record TASK --step STEP")


@command(procedures, "record", examples='noosphere procedures record "Bug fix" --step search --step edit --step test')
def record_procedure(call: Call, name: Name, step: Steps) -> int:
    """Write a procedure down, or its steps anew; what was counted of it stays."""
    return call.outcome(call.creating().procedures.record(name, step))


@command(procedures, "outcome", examples='noosphere procedures outcome "bug fix" succeeded')
def use_procedure(call: Call, name: Name, outcome: Outcome) -> int:
    """Count how a use of a procedure ended."""
    return call.outcome(call.changing().procedures.outcome(name, outcome))


@command(procedures, "list", examples="noosphere procedures list")
def list_procedures(call: Call, limit: Limit = 50) -> int:
    """List every procedure, those first that succeeded most often."""
    from noosphere.serve.cli.practice_lines import procedure_lines

    found = call.reading().procedures.list(limit)
    return call.answer(
        found, procedure_lines(found), none="no procedure yet: noosphere procedures record NAME --step STEP"
    )


@command(interactions, "list", examples="noosphere interactions list --since 2026-05-01 --limit 5")
def list_interactions(call: Call, limit: Limit = 50, since: Since = None) -> int:
    """List what language models were asked, the newest call first."""
    from noosphere.serve.cli.practice_lines import call_lines

    found = call.reading().interactions(limit, since=since)
    return call.answer(found, call_lines(found), none=NONE_ASKED)


@command(interactions, "totals", examples="noosphere interactions totals --since 2026-05-01")
def total_interactions(call: Call, since: Since = None) -> int:
    """Sum up what each language model was asked for and what that cost, the dearest first."""
    from noosphere.serve.cli.practice_lines import total_lines

    found = call.reading().interactions.totals(since=since)
    return call.answer(found, total_lines(found), none=NONE_ASKED)
