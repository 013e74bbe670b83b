"""The rows about an agent's own work: signals of what could be better, traces, procedures, calls of models."""

from __future__ import annotations

from noosphere.model.execution import Ending
from noosphere.model.signal import SignalKind
from noosphere.serve.verbs.cells import flag, text, texts
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.glossary import ID, LIMIT
from noosphere.serve.verbs.verb import Empty, Verb

TOLD = Empty("context and the brief put them before a prompt")
BY_TURN = Empty("a turn that succeeds says it")
KEPT = Empty("what models cost is looked at by people")
SINCE = text("Only what was asked then or later.")
BY_PROGRAM = Empty("the program that runs the agent keeps account of its work")
ENDING = Field(kind="word", help="How it ended.", words=tuple(word.value for word in Ending))
STEPS = texts("What was done or is to be done, in order, such as the tools that are used.")
NOTE = text("What is worth knowing about how it ended.")
PROCEDURE = text("The name of a procedure; case and spacing do not matter.")

PRACTICE = (
    Verb(
        name="signals",
        python="mind.signals",
        help="What could be done better and waits to be surfaced, the most counted first.",
        scope="read",
        takes={
            "kind": Field(kind="word", help="Only this kind.", words=tuple(word.value for word in SignalKind)),
            "everything": flag("Also those that were surfaced, and patterns that did not come often enough yet."),
            "limit": LIMIT,
        },
        answers=("model.signal.Signal",),
        many=True,
        rest="GET /api/signals",
        cli="signals list",
        tool=TOLD,
    ),
    Verb(
        name="signals.surfaced",
        python="mind.signals.surfaced",
        help="Say that signals were shown in a turn that succeeded: they wait no more.",
        scope="write",
        takes={"ids": texts("The signals.")},
        needs=("ids",),
        answers=("model.signal.Surfaced",),
        rest="POST /api/signals/surfaced",
        cli="signals surfaced {ids}",
        tool=BY_TURN,
    ),
    Verb(
        name="traces.record",
        python="mind.traces.record",
        help="Record what was done, step by step.",
        scope="write",
        takes={
            "task": text("What it was for."),
            "steps": STEPS,
            "outcome": ENDING,
            "note": NOTE,
            "procedure": PROCEDURE,
        },
        needs=("task", "steps"),
        answers=("model.execution.Traced",),
        rest="POST /api/traces",
        cli="traces record {task}",
        tool=BY_PROGRAM,
    ),
    Verb(
        name="traces.outcome",
        python="mind.traces.outcome",
        help="Say how something that was done ended; a trace ends once.",
        scope="write",
        takes={"id": ID, "outcome": ENDING, "note": NOTE},
        needs=("id", "outcome"),
        answers=("model.execution.TraceEnded",),
        rest="POST /api/traces/{id}/outcome",
        cli="traces outcome {id} {outcome}",
        tool=BY_PROGRAM,
    ),
    Verb(
        name="traces.list",
        python="mind.traces.list",
        help="What was done, the newest first.",
        scope="read",
        takes={"limit": LIMIT, "outcome": ENDING, "procedure": PROCEDURE},
        answers=("model.execution.ExecutionTrace",),
        many=True,
        rest="GET /api/traces",
        cli="traces list",
        tool=BY_PROGRAM,
    ),
    Verb(
        name="procedures.record",
        python="mind.procedures.record",
        help="Write a procedure down, or its steps anew.",
        scope="write",
        takes={"name": text("What it is called; case and spacing do not matter."), "steps": STEPS},
        needs=("name", "steps"),
        answers=("model.execution.ProcedureKept",),
        rest="POST /api/procedures",
        cli="procedures record {name}",
        tool=BY_PROGRAM,
    ),
    Verb(
        name="procedures.outcome",
        python="mind.procedures.outcome",
        help="Count how a use of a procedure ended; one that a trace tells of is counted by the trace.",
        scope="write",
        takes={"name": PROCEDURE, "outcome": ENDING},
        needs=("name", "outcome"),
        answers=("model.execution.ProcedureUsed",),
        rest="POST /api/procedures/outcome",
        cli="procedures outcome {name} {outcome}",
        tool=BY_PROGRAM,
    ),
    Verb(
        name="procedures.list",
        python="mind.procedures.list",
        help="Every procedure, those first that succeeded most often.",
        scope="read",
        takes={"limit": LIMIT},
        answers=("model.execution.Procedure",),
        many=True,
        rest="GET /api/procedures",
        cli="procedures list",
        tool=BY_PROGRAM,
    ),
    Verb(
        name="interactions",
        python="mind.interactions",
        help="What language models were asked, the newest call first: tokens, cost and how it ended.",
        scope="read",
        takes={"limit": LIMIT, "since": SINCE},
        answers=("model.interaction.ModelCall",),
        many=True,
        rest="GET /api/interactions",
        cli="interactions list",
        tool=KEPT,
    ),
    Verb(
        name="interactions.totals",
        python="mind.interactions.totals",
        help="What each language model was asked for and what that cost, the dearest first.",
        scope="read",
        takes={"since": SINCE},
        answers=("model.interaction.ModelTotal",),
        many=True,
        rest="GET /api/interactions/totals",
        cli="interactions totals",
        tool=KEPT,
    ),
)
