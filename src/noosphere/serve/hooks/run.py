"""What each hook does. It fails open: whatever goes wrong, the agent's program goes on as if there were no hook."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from noosphere.serve.hooks import near
from noosphere.serve.hooks.payload import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.minds.noosphere import Noosphere
    from noosphere.model.exchange import Cognified
    from noosphere.model.outcome import Refused
    from noosphere.serve.hooks.payload import Payload, Said
    from noosphere.settings import Settings

BUDGET = 6_000  # characters that a hook puts before a prompt
MOST = 8  # matches that a hook puts there: a prompt is not always a question, and what follows is rarely of use
PERSONAL = "personal"  # the registry's word for it; importing the registry would open SQLite
CLAUDE = {
    "session-start": "SessionStart",
    "prompt-submit": "UserPromptSubmit",
    "stop": "Stop",
    "pre-compact": "PreCompact",
}
MAX_PAYLOAD = 4_000_000  # characters


def main(arguments: list[str]) -> int:
    """Run one hook: its event is the argument, its payload on standard input. Always 0."""
    event = arguments[0] if arguments else ""
    try:
        payload = read(sys.stdin.buffer.read(MAX_PAYLOAD).decode("utf-8", "replace"))
        text = run(event, payload, arguments[1:])
        if text:
            told = {"hookEventName": CLAUDE[event], "additionalContext": text}
            sys.stdout.write(json.dumps({"hookSpecificOutput": told, "context": text}) + "\n")
            sys.stdout.flush()
    except Exception as problem:  # noqa: BLE001  (fail open: a memory that fails must not stop the work)
        sys.stderr.write(f"noosphere hook {event or '?'}: {_in_words(problem)}\n")
    return 0


def _in_words(problem: Exception) -> str:
    """What went wrong, and what can be done about it."""
    from noosphere.errors import NoosphereError  # noqa: PLC0415  (quick to start)

    match problem:
        case NoosphereError():
            return str(problem)
        case OSError():
            return f"{problem.filename or 'input or output'}: {problem.strerror or problem}. Check that it can be read"
        case _:
            return (
                f"internal error: {type(problem).__name__}: {problem}. Please report it, with the version of noosphere"
            )


def run(event: str, payload: Payload, arguments: list[str]) -> str:
    """Do what the event asks for, and return what belongs before the prompt, if anything.

    Raises:
        InvalidInput: there is no such event.
    """
    from noosphere.errors import InvalidInput  # noqa: PLC0415  (quick to start)
    from noosphere.settings import load  # noqa: PLC0415

    named = dict(zip(arguments[::2], arguments[1::2], strict=False))
    settings = load(named.get("--home"), mind=named.get("--mind"), actor=named.get("--actor"))
    match event:
        case "session-start":
            return _context(settings, "")
        case "prompt-submit":
            return _context(settings, payload.prompt) if payload.prompt.strip() else ""
        case "stop" | "pre-compact":
            _save(settings, payload, learn=event == "stop")
            return ""
        case _:
            raise InvalidInput.choice("event", event, CLAUDE)


def _context(settings: Settings, prompt: str) -> str:
    """The block for a prompt: from the server when one runs, else by words and the static model alone.

    At the start of a session it says who, at what, and what is new; before each prompt only what bears on it, so that
    nothing is put there twice, and of that the sure matches alone: whose prompt it is did not ask for what may be.
    """
    from noosphere.minds.naming import is_path  # noqa: PLC0415

    minds = list(dict.fromkeys((settings.mind, PERSONAL)))
    asked: dict[str, Any] = {"query": prompt, "budget": BUDGET, "k": MOST, "minds": minds, "sure": True}
    if is_path(settings.mind) or (answer := near.ask(settings.home, "/api/context", asked)) is None:
        from noosphere.minds import open_noosphere  # noqa: PLC0415

        quick = settings.override("hook", {"semantic": _quick(settings), "background": False})
        with open_noosphere(settings=quick, channel="hook") as noosphere:
            if prompt:
                found = noosphere.recall(prompt, BUDGET, k=MOST, sure=True)
                return found.text if found.hits else ""
            block = noosphere.context(budget=BUDGET)
            told = block.identity.lines() or block.awareness or block.signals or block.brief
            return block.text if told else ""
    return _from_server(answer, prompt)


def _from_server(answer: dict[str, Any], prompt: str) -> str:
    if prompt:
        found: dict[str, Any] = answer.get("recall") or {}
        return str(found.get("text", "")) if found.get("hits") else ""
    told = any(value for name, value in answer["identity"].items() if name != "updated_at")
    return str(answer["text"]) if told or answer["awareness"] or answer["signals"] or answer["brief"] else ""


def _quick(settings: Settings) -> str:
    return "off" if settings.semantic == "off" else "static"


def _save(settings: Settings, payload: Payload, *, learn: bool) -> None:
    """Record the turns that are new since the last time; what is known adds nothing. The last exchange is learnt."""
    from noosphere.minds import open_noosphere  # noqa: PLC0415
    from noosphere.model.draft import Turn  # noqa: PLC0415

    if not payload.turns or not payload.session:
        return
    turns = [
        Turn(key=said.key, speaker=said.role, text=said.text, at=said.at, speaker_role=said.role)
        for said in payload.turns
    ]
    quick = settings.override("hook", {"background": False})
    talk = f"agent:{payload.session}"
    with open_noosphere(settings=quick, channel="hook") as noosphere:
        with noosphere.changing(_named(settings)) as mind:
            mind.record(talk, turns, participants=["user", "assistant"])
        exchange = _last_exchange(payload.turns)
        if learn and exchange is not None:
            report = noosphere.cognify({**exchange, "conversation": talk}, mind=_named(settings))
            _surfaced(noosphere, report)


def _surfaced(noosphere: Noosphere, report: Cognified | Refused) -> None:
    """Say that the signals which stood at the start of the session were shown: those heard before it was recorded."""
    from noosphere.model.outcome import Refused  # noqa: PLC0415

    if isinstance(report, Refused):
        return
    with noosphere.mind() as mind:
        began = mind.history(report.conversation).versions[0].known_from
    shown = [one for one in noosphere.context(budget=BUDGET).signals if one.last_at < began]
    for name in (None, PERSONAL) if shown else ():  # the active one, and the personal one beside it
        with noosphere.mind(name) as mind:
            mind.signals.surfaced([one.id for one in shown if one.mind == mind.uuid])


def _last_exchange(turns: Sequence[Said]) -> dict[str, Any] | None:
    """The last turn of the user and the last answer to it; None while nobody has answered."""
    asked = next((n for n in reversed(range(len(turns))) if turns[n].role == "user"), None)
    answers = [] if asked is None else [said for said in turns[asked + 1 :] if said.role == "assistant"]
    if asked is None or not answers:
        return None
    before = turns[asked - 1].text if asked and turns[asked - 1].role == "assistant" else ""
    said, answer = turns[asked], answers[-1]
    return {
        "user": said.text,
        "user_key": said.key,
        "assistant": answer.text,
        "assistant_key": answer.key,
        "said_at": said.at,
        "previous": before,
    }


def _named(settings: Settings) -> str | None:
    """A hook speaks for the mind that its settings name, the personal one when they name none."""
    return None if settings.origin("mind") != "default" else settings.mind
