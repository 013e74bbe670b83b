"""Real samples, kept outside the repository: nothing raises, nothing is lost, a second reading is the same."""

import json
import os
from pathlib import Path

import pytest
from exports import Found

from noosphere.harvest.members import Member
from noosphere.harvest.read import read_member, read_source
from noosphere.harvest.sources import open_source

pytestmark = pytest.mark.shared
SAMPLES = os.environ.get("NOOSPHERE_SAMPLES")


@pytest.fixture
def samples():
    if not SAMPLES:
        pytest.skip("NOOSPHERE_SAMPLES names no folder of samples")
    return Path(SAMPLES)


def test_every_member_of_every_sample_ends_in_an_item_a_reject_or_a_count(samples):
    members = [one for one in open_source(samples) if isinstance(one, Member)]
    assert members
    for member in members:
        found = Found(read_member(member))
        assert found.items or found.rejects or found.left, member.name
        for item in found.items:
            json.dumps(item.metadata, allow_nan=False)
            keys = {turn.key for turn in item.turns}
            assert item.id
            assert item.head is None or item.head in keys
            assert all(turn.parent is None or turn.parent in keys for turn in item.turns)


def test_a_second_reading_of_the_samples_gives_the_same(samples):
    assert Found(read_source(samples)).items == Found(read_source(samples)).items


def test_known_samples_of_chatgpt_and_markdown_give_what_a_person_would_expect(samples):
    chatgpt, markdown = Found(read_source(samples / "chatgpt")), Found(read_source(samples / "markdown"))
    talks = [talk for talk in chatgpt.talks if talk.source == "chatgpt"]
    assert len(talks) >= 18
    assert all(talk.turns for talk in talks)
    assert len(chatgpt.rejects) == 1
    assert len(markdown.notes) >= 110
    assert markdown.rejects == []
