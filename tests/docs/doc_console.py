"""Console blocks: each command is run, and what it answers is compared with what the page shows.

In a page, `…` stands for any text, and a line of nothing else for any number of lines. Ids are compared by identity:
an id of the page stands for the id that was there when it was first shown, in commands too. A time of day is compared
by its form alone. A command must succeed, unless the next one is `echo $?`, which then shows its exit code.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from noosphere.serve.cli.entry import main

PROMPT, MORE, ANY = "$ ", "> ", "…"
CODE = "echo $?"
ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
CLOCK = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z"
PIECE = re.compile(f"({ID.pattern}|{CLOCK}|{ANY})")

Run = Callable[[str], tuple[int, str]]


@dataclass
class Step:
    """A command, and the lines the page shows under it."""

    command: str
    shown: list[str] = field(default_factory=list)


def steps(block: str) -> list[Step]:
    """Read a console block."""
    found: list[Step] = []
    for line in block.splitlines():
        if line.startswith(PROMPT):
            found.append(Step(line.removeprefix(PROMPT)))
        elif line.startswith(MORE) and not found[-1].shown:
            found[-1].command += "\n" + line.removeprefix(MORE)
        else:
            found[-1].shown.append(line)
    return found


class Session:
    """Runs the console blocks of one page; `known` maps ids of the page to the ids of this run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.known: dict[str, str] = {}

    def replay(self, block: str) -> None:
        """Run a block and compare."""
        code, todo = 0, steps(block)
        for step, following in zip(todo, [*todo[1:], Step("")], strict=True):
            if step.command == CODE:
                assert step.shown == [str(code)], f"the exit code was {code}, not {step.shown}"
                continue
            code, said = self._run(ID.sub(lambda found: self.known.get(found[0], found[0]), step.command))
            assert code == 0 or following.command == CODE, f"$ {step.command}\n{said}\nexit code {code}"
            self.compare(step, said)

    def compare(self, step: Step, said: str) -> None:
        """Compare what a command said with what the page shows under it."""
        ids: list[str] = []
        match = re.fullmatch("".join(self._pattern(line, ids) for line in step.shown), said)
        assert match, "\n".join(["", f"$ {step.command}", "shows:", *step.shown, "says:", said])
        for shown, there in zip(ids, match.groups(), strict=True):
            assert self.known.setdefault(shown, there) == there, f"{shown} is no longer {self.known[shown]}: {there}"

    def _pattern(self, line: str, ids: list[str]) -> str:
        if line.strip() == ANY:
            return "(?:.*\n)*?"
        return "".join(self._piece(piece, ids) for piece in PIECE.split(line)) + "\n"

    def _piece(self, piece: str, ids: list[str]) -> str:
        if ID.fullmatch(piece):
            ids.append(piece)
            return f"({ID.pattern})"
        if re.fullmatch(CLOCK, piece):
            return CLOCK
        return ".*" if piece == ANY else re.escape(piece)


def installed(folder: Path) -> Run:
    """Run commands in a shell, with the installed program."""

    def run(command: str) -> tuple[int, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", f'PATH="{Path(sys.executable).parent}:$PATH"\n{command}'],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    return run


def in_process(folder: Path, monkeypatch) -> Run:
    """Run noosphere commands in this process, ten times as quickly; of the shell's signs they may use only `<`."""

    def run(command: str) -> tuple[int, str]:
        name, *words = shlex.split(command)
        assert name == "noosphere", f"only noosphere commands can be run here: {command}"
        given = b""
        if "<" in words:
            place = words.index("<")
            given = (folder / words[place + 1]).read_bytes()
            del words[place : place + 2]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            code = main(words)
        return code, said.getvalue()

    return run
