"""What the engine says of verbs and arguments, in the words of the command line.

Its messages name them as Python does, `sessions.list()` and `fork=True`; here they are commands and options.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.serve.verbs.wording import NONE, TRUE, outside_quotes, parts_of, with_verbs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.errors import NoosphereError

VALUE = re.compile(r"\b([a-z][a-z_]*)=\"([^\"]*)\"")
ARGUMENT = re.compile(r"(?<![\w.'\"/-])[a-z]+(?:_[a-z]+)+(?![\w'\"/-])")  # a word that only programs write

OTHERWISE = {", or open it with create=True": "; a command that stores something makes one"}  # no option says it


def in_commands(text: str, options: Mapping[str, str] | None = None) -> str:
    """A message of the engine as somebody would type what it advises.

    Args:
        text: what the engine says.
        options: what the command's arguments are called on the command line, by name.
    """
    return outside_quotes(text, lambda words: _in_commands(words, options or {}))


def failure_in_commands(error: NoosphereError, options: Mapping[str, str]) -> str:
    """What an error says, as somebody would type what it advises."""
    return parts_of(error, lambda words: in_commands(words, options))


def _in_commands(text: str, known: Mapping[str, str]) -> str:
    for python, shell in OTHERWISE.items():
        text = text.replace(python, shell)
    text = TRUE.sub(lambda found: _option(found.group(1), known), with_verbs(text, "cli"))
    text = NONE.sub(lambda found: f"--clear {found.group(1)}", text)
    text = VALUE.sub(lambda found: f"{_option(found.group(1), known)} {found.group(2)}", text)
    return ARGUMENT.sub(lambda found: known.get(found.group(), found.group()), text)


def _option(name: str, known: Mapping[str, str]) -> str:
    return known.get(name) or f"--{name.replace('_', '-')}"
