"""What agents wrap around a person's words (agent_text.toml): its own examples."""

import tomllib
from importlib import resources

import pytest

from noosphere.harvest.adapters.agent_text import spoken

DATA = tomllib.loads(resources.files("noosphere.harvest.adapters").joinpath("agent_text.toml").read_text("utf-8"))
ROWS = [DATA["wrappers"], *DATA["not_said"]]


@pytest.mark.parametrize("text", [text for row in ROWS for text in row["yes"]])
def test_what_a_program_wrote_is_not_said(text):
    assert spoken(text) is None


@pytest.mark.parametrize("text", [text for row in ROWS for text in row["no"]])
def test_what_only_looks_like_it_stays(text):
    assert spoken(text) == text


@pytest.mark.parametrize("text", [text for text in DATA["wrappers"]["yes"] if "</" in text])
def test_words_behind_a_closed_element_stay(text):
    assert spoken(f"{text} Fix it") == "Fix it"
