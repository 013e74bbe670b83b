"""The real models, loaded once for all tests of the providers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from noosphere.providers.embed import files
from noosphere.providers.embed.encoder import Encoder
from noosphere.providers.embed.static import Static

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder()


@pytest.fixture(scope="session")
def static() -> Static:
    return Static()


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A copy of the model files that a test may damage."""
    return shutil.copytree(files.folder(), tmp_path / "models")


@pytest.fixture
def in_a_child() -> Callable[[str], str]:
    """Run a script in a fresh interpreter, warnings as errors, and return what it printed."""

    def run(script: str) -> str:
        command = [sys.executable, "-W", "error", "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return run
