"""The command in this process, and the installed one in its own."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest
from shell import COMMAND

from noosphere.serve.cli.entry import main

VARIABLES = ("HOME", "MIND", "ACTOR", "ZONE", "SEMANTIC", "DURABILITY", "THREADS", "BACKGROUND")


@dataclass
class Answer:
    code: int
    out: str
    err: str

    @property
    def document(self):
        """The one JSON document on standard output."""
        assert self.out.endswith("\n")
        return json.loads(self.out)

    @property
    def id(self):
        return self.document["id"]

    @property
    def error(self):
        return self.document["error"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of its own, with no model: words are enough for most of what a command does."""
    for name in VARIABLES:
        monkeypatch.delenv(f"NOOSPHERE_{name}", raising=False)
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def cli(home, monkeypatch):
    """Run a command in this process."""

    def run(*words, stdin=b""):
        given = stdin.encode() if isinstance(stdin, str) else stdin
        streams = {"stdin": io.BytesIO(given), "stdout": io.BytesIO(), "stderr": io.BytesIO()}
        wrapped = {name: io.TextIOWrapper(raw, write_through=True) for name, raw in streams.items()}
        with monkeypatch.context() as patch:
            for name, stream in wrapped.items():
                patch.setattr(sys, name, stream)
            code = main([str(word) for word in words])
        return Answer(code, streams["stdout"].getvalue().decode(), streams["stderr"].getvalue().decode())

    return run


@pytest.fixture
def installed(home):
    """Run the installed command in a process of its own."""

    def run(*words, stdin=b"", **variables):
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [COMMAND, *words], input=given, capture_output=True, env={**os.environ, **variables}, check=False
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
