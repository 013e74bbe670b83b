"""What a cold process must not import: each module here costs time before every prompt, for a verb nobody called."""

import json
import subprocess
import sys

import pytest

MODELS = ["onnxruntime", "tokenizers", "numpy"]
DOORS = ["mcp", "fastapi", "pydantic", "typer", "http.client", "asyncio"]
WRITING = [
    "noosphere.write.remember",
    "noosphere.write.classify",
    "noosphere.write.record",
    "noosphere.write.revise",
    "noosphere.write.undo",
    "noosphere.write.worker",
    "noosphere.write.screening",
    "noosphere.guard.screen",
    "noosphere.graph.facts",
    "noosphere.model.outcome",
    "noosphere.harvest",
    "noosphere.upkeep",
]
LOOKING = ["noosphere.insight", "noosphere.model.record", "noosphere.model.hop"]
COMPARING = ["noosphere.graph.paraphrase", "noosphere.graph.likeness"]  # two memories, for one that says both
SEEN = "import sys, json; print(json.dumps(sorted(sys.modules)))"
REMEMBER = """
from noosphere import open_noosphere
with open_noosphere() as noosphere, noosphere.mind() as mind:
    mind.remember("the kiln is hot")
"""
RECALL = """
from noosphere import open_noosphere
with open_noosphere(background=False) as noosphere:
    print(noosphere.recall("hot kiln").hits[0].text)
"""
STANDARD = """
import dataclasses, sys
standard = dataclasses.dataclass
def noted(*given, **named):
    module = sys._getframe(1).f_globals["__name__"]
    if module.startswith("noosphere") and module != "noosphere.records":
        sys.modules["standard in " + module] = None
    return standard(*given, **named)
dataclasses.dataclass = noted
"""
HOOK = "from noosphere.serve.cli.entry import main; main(['hook', 'prompt-submit'])"


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """The modules that a process has when it has run this."""
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    monkeypatch.chdir(tmp_path)

    def run(code):
        call = [sys.executable, "-c", f"{code}\n{SEEN}"]
        payload = json.dumps({"session_id": "s", "prompt": "is the kiln hot?"})
        done = subprocess.run(call, input=payload, capture_output=True, text=True, check=True)
        *said, modules = done.stdout.splitlines()
        return "\n".join(said), set(json.loads(modules))

    return run


def among(modules, names):
    return {module for module in modules for name in names if module == name or module.startswith(f"{name}.")}


def test_the_package_alone_brings_nothing_of_its_own(imported):
    _, modules = imported("import noosphere")
    assert among(modules, ["noosphere"]) == {"noosphere"}
    assert "dataclasses" not in modules


def test_a_recall_by_words_imports_no_model_no_door_and_nothing_that_writes_or_looks_up(imported):
    imported(REMEMBER)
    said, modules = imported(RECALL)
    assert said == "the kiln is hot"
    assert among(modules, [*MODELS, *DOORS, *WRITING, *LOOKING, *COMPARING]) == set()


def test_the_hook_before_a_prompt_imports_no_more_than_that(imported):
    imported(REMEMBER)
    said, modules = imported(HOOK)
    assert "the kiln is hot" in json.loads(said)["context"]
    assert (
        among(modules, [*MODELS, *DOORS, *WRITING, *LOOKING, *COMPARING, "noosphere.serve.rest", "noosphere.serve.mcp"])
        == set()
    )


@pytest.mark.parametrize("cold", [HOOK, RECALL], ids=["hook", "recall"])
def test_a_cold_read_makes_no_standard_dataclass(imported, monkeypatch, cold):
    monkeypatch.delenv("NOOSPHERE_SEMANTIC")  # with vectors, whose classes are read too
    imported(REMEMBER)
    _, modules = imported(STANDARD + cold)
    assert {module for module in modules if module.startswith("standard in ")} == set()
