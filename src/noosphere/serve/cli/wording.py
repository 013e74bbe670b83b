"""What the engine says of verbs and arguments, in the words of the command line.

Its messages name them as Python does, `sessions.list()` and `fork=True`; here they are commands and options.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

VERB = re.compile(r"(?<!['\"])\b([a-z_]+(?:\.[a-z_]+)*)\(\)")
TRUE = re.compile(r"\b([a-z][a-z_]*)=True\b")
NONE = re.compile(r"\b([a-z][a-z_]*)=None\b")
VALUE = re.compile(r"\b([a-z][a-z_]*)=\"([^\"]*)\"")
ARGUMENT = re.compile(r"(?<![\w.'\"/-])[a-z]+(?:_[a-z]+)+(?![\w'\"/-])")  # a word that only programs write

OTHERWISE = {", or open it with create=True": "; a command that stores something makes one"}  # no option says it


def in_commands(text: str, options: Mapping[str, str] | None = None) -> str:
    """A message of the engine as somebody would type what it advises.

    Args:
        text: what the engine says.
        options: what the command's arguments are called on the command line, by name.
    """
    known = options or {}
    for python, shell in OTHERWISE.items():
        text = text.replace(python, shell)
    text = VERB.sub(lambda found: _command(found.group(1)) or found.group(), text)
    text = TRUE.sub(lambda found: _option(found.group(1), known), text)
    text = NONE.sub(lambda found: f"--clear {found.group(1)}", text)
    text = VALUE.sub(lambda found: f"{_option(found.group(1), known)} {found.group(2)}", text)
    return ARGUMENT.sub(lambda found: known.get(found.group(), found.group()), text)


def _option(name: str, known: Mapping[str, str]) -> str:
    return known.get(name) or f"--{name.replace('_', '-')}"


def _command(verb: str) -> str | None:
    """The command of a verb, without what it is given."""
    from noosphere.serve.verbs.table import VERBS

    cells = (row.cli for row in VERBS if row.python.partition(".")[2] == verb and isinstance(row.cli, str))
    words = next(cells, None)
    return None if words is None else f"`noosphere {words.partition(' {')[0]}`"
