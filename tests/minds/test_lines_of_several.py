"""What several minds answer as one: each line of the text says which mind it is from, so that it can be read there."""

import re

import pytest

from noosphere.testing.minds import scratch_noosphere

SAID = {
    "personal": {"text": "Ines is the night porter of the Otway", "role": "fact", "importance": "critical"},
    "acme": {"text": "The night porter of acme got keys to the Otway", "role": "event", "occurred": "2025-04-02"},
    "zenith": {"text": "The Otway has a night entrance by the porter", "role": "note"},
}


@pytest.fixture
def noosphere(tmp_path, clock, ids):
    with scratch_noosphere(tmp_path / "home", clock=clock, ids=ids) as opened:
        for name, said in SAID.items():
            if name != "personal":
                opened.workspaces.create(name)
            with opened.changing(name) as mind:
                mind.remember(**said)
        yield opened


@pytest.mark.parametrize("query", ["who is the night porter of the Otway?", "catch me up"])
def test_each_line_of_a_merged_answer_names_its_mind_once(noosphere, query):
    for block in (noosphere.recall(query, minds="all").text, noosphere.context(query, minds="all").text):
        under, named = None, {}
        for line in block.splitlines():
            if title := re.match(r"From (\w+):", line):
                under = title.group(1)
            elif line.endswith(":"):
                under = None
            elif (said := [name for name, told in SAID.items() if told["text"] in line]) and line.startswith("- "):
                where = re.search(r", in (\w+), id ", line)
                assert (where is None) is (under is not None)
                named[said[0]] = under or where.group(1)
        assert named == {name: name for name in SAID}


def test_the_lines_of_one_mind_do_not_name_it(noosphere):
    assert ", in personal, id " not in noosphere.recall("night porter", minds="personal").text
