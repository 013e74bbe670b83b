"""Completion in the shells themselves: each takes the script that --show-completion writes for it, and completes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from shell import COMMAND

pytestmark = pytest.mark.slow
BASH = """
eval "$(noosphere --show-completion)"
COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_noosphere_completion noosphere
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ZSH = """
compdef() {{ : }}
eval "$(noosphere --show-completion)"
words=({typed}); CURRENT=${{#words}}
_arguments() {{ print -l -- "$@" }}
_noosphere_completion
:
"""
FISH = """
noosphere --show-completion | source
complete -C '{typed}'
"""
SHELLS = {"bash": (["bash", "--norc", "-c"], BASH), "zsh": (["zsh", "-fc"], ZSH), "fish": (["fish", "-N", "-c"], FISH)}


@pytest.fixture(params=SHELLS)
def completed(request, home):
    """What a shell offers for what was typed."""
    start, script = SHELLS[request.param]
    if shutil.which(start[0]) is None:
        pytest.skip(f"there is no {start[0]} on this machine")

    def complete(typed):
        path = f"{Path(COMMAND).parent}{os.pathsep}{os.environ['PATH']}"
        env = {**os.environ, "PATH": path}
        done = subprocess.run(
            [*start, script.format(typed=typed)], capture_output=True, text=True, check=True, env=env, cwd=home.parent
        )
        return done.stdout

    return complete


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("noosphere rem", "remember", "recall"),
        ("noosphere work", "workspace", "remember"),
        ("noosphere remember --importance c", "critical", "normal"),
        ("noosphere recall --known", "--known-at", "--as-of"),
        ("noosphere workspace ren", "rename", "archive"),
    ],
)
def test_what_was_begun_is_completed(completed, typed, offered, not_offered):
    told = completed(typed)
    assert offered in told
    assert not_offered not in told
