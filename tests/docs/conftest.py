"""A place for examples: a temporary home and working folder, nothing in the background."""

from __future__ import annotations

import shutil

import pytest

pytest.register_assert_rewrite("doc_pages", "doc_console")

from doc_pages import ROOT  # noqa: E402  (after its asserts were made to explain themselves)


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """The working folder; the home beside it is new, and the demo's data lies where a clone has it."""
    folder = tmp_path / "work"
    folder.mkdir()
    shutil.copytree(ROOT / "examples" / "demo", folder / "examples" / "demo")
    for name in ("MIND", "ACTOR", "ZONE", "DURABILITY", "THREADS"):
        monkeypatch.delenv(f"NOOSPHERE_{name}", raising=False)
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_BACKGROUND", "false")
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    monkeypatch.chdir(folder)
    return folder
