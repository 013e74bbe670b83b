"""Every known trap of exports has tests that stand for it (pitfalls.toml)."""

import ast
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TRAPS = {
    int(number): row
    for group in tomllib.loads((HERE / "pitfalls.toml").read_text("utf-8")).values()
    for number, row in group.items()
}


def defined_in(module):
    tree = ast.parse((HERE / f"{module}.py").read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_traps_are_numbered_from_1_to_53():
    assert sorted(TRAPS) == list(range(1, 54))


@pytest.mark.parametrize("number", sorted(TRAPS))
def test_a_trap_has_tests_that_are_there(number):
    stake, *names = TRAPS[number]
    assert stake
    assert names
    for name in names:
        module, _, test = name.partition(".")
        assert test in defined_in(module), name
