"""Steps of a trace or a procedure: read, and made alike so that the same ones are known again."""

from __future__ import annotations

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_line, read_many
from noosphere.model.outcome import Refused
from noosphere.write.screening import line_without_secrets

MOST = 100  # steps: more is a log
MAX_STEP = 500  # characters
MAX_LINE = 2_000  # characters of a task or a note
THEN = " → "


def read_steps(given: object) -> tuple[str, ...]:
    """Read the steps of something that was done, in order.

    Raises:
        InvalidInput: there are none or too many, or one is no text, empty or too long.
    """
    steps = [read_line(step, "steps") for step in read_many(given, "steps")]
    if not 1 <= len(steps) <= MOST:
        raise InvalidInput("steps", f"holds {len(steps)}", f"Give 1 to {MOST}: name what was done, not every detail")
    found = tuple(" ".join(step.split()) for step in steps if step is not None)
    if len(found) < len(steps):
        raise InvalidInput("steps", "holds an empty one", "Say what was done in each")
    if (longest := max(map(len, found))) > MAX_STEP:
        raise InvalidInput("steps", f"holds one of {longest} characters", f"Give at most {MAX_STEP} a step")
    return found


def read_short(given: object, field: str) -> str | None:
    """Read a text on one line that may be left out.

    Raises:
        InvalidInput: it is no text, or too long.
    """
    line = read_line(given, field)
    if line is not None and len(line) > MAX_LINE:
        raise InvalidInput(field, f"has {len(line)} characters", f"Give at most {MAX_LINE}")
    return None if line is None else " ".join(line.split())


def read_name(given: object, field: str) -> str:
    """Read the name of something.

    Raises:
        InvalidInput: it is left out, no text, empty or too long.
    """
    line = read_short(given, field)
    if line is None:
        raise InvalidInput(field, "is empty", "Say what it is")
    return line


def pattern_of(steps: tuple[str, ...]) -> str:
    """The steps made alike: case does not matter."""
    return shown(steps).casefold()


def shown(steps: tuple[str, ...]) -> str:
    """The steps on one line."""
    return THEN.join(steps)


def safe(lines: tuple[str, ...], policy: str) -> tuple[str, ...] | Refused:
    """Lines as they are to be stored under the mind's policy of secrets, or why they may not be."""
    found: list[str] = []
    for line in lines:
        looked = line_without_secrets(line, policy)
        if isinstance(looked, Refused):
            return looked
        found.append(looked or "")
    return tuple(found)
