"""Real samples, kept outside the repository: nothing raises, nothing is lost, a second reading is the same."""

import json
import os
from pathlib import Path

import counting
import counting_others
import pytest
from exports import Found, of_path

from noosphere.harvest.members import Member
from noosphere.harvest.read import read_member
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
    assert of_path(samples).items == of_path(samples).items


def test_known_samples_of_chatgpt_and_markdown_give_what_a_person_would_expect(samples):
    chatgpt, markdown = of_path(samples / "chatgpt"), of_path(samples / "markdown")
    talks = [talk for talk in chatgpt.talks if talk.source == "chatgpt"]
    assert len(talks) >= 18
    assert all(talk.turns for talk in talks)
    assert len(chatgpt.rejects) == 1
    assert len(markdown.notes) >= 110
    assert markdown.rejects == []


# Where importer and counter differ, and why; by the end of the file's name.
EXPLAINED = {
    "chatgpt_react_help.jsonl": "a transcript in Claude Code's form that lies among the samples of ChatGPT",
    "odd-shapes.json": "a citation is resolved to the name it shows, and a canvas text is kept",
    "Memora/tests/fixtures/chatgpt/conversations.json": "messages in shapes that the counter does not know",
    "claude-design-session.json": "not an export of claude.ai: it is read as any JSON with messages",
    "handmade_from_docs/conversations.json": "an artifact and a long paste are kept as words",
    "projectA/.claude.json": "not a transcript: it is read as any JSON with messages",
    "missing_fields.jsonl": "a line without a type says in its message who speaks",
    "codex_api_design.jsonl": "a transcript in Claude Code's form that lies among the samples of Codex",
    "codex/small.jsonl": "two questions stand as events alone, and the counter takes items where there are some",
    "edge_cases.jsonl": "a line of a kind that the counter does not know",
}
RULES = [
    ("chatgpt", counting.chatgpt),
    ("claude_ai", counting.claude),
    ("claude_code", counting.claude_code),
    ("codex", counting.codex),
    ("gemini", counting_others.gemini),
    ("perplexity", counting_others.perplexity),
    ("cursor", counting_others.cursor),
    ("other_agents", counting_others.agents),
]
LEAST = {"perplexity": 10}  # things said in samples of which there are few
KINDS = (".json", ".jsonl", ".md", ".html")


@pytest.mark.parametrize(("folder", "expected"), RULES, ids=lambda value: str(value).partition(" at ")[0])
def test_a_counter_that_shares_no_code_expects_the_same_speech_of_the_same_side_in_the_same_place(
    samples, folder, expected
):
    wanted, lost, wrong, unnamed = 0, 0, [], []
    for path in sorted(one for one in (samples / folder).rglob("*") if one.suffix in KINDS):
        said = expected(path)
        pairs, missing, extra = counting.matched(said, list(heard(path)))
        is_named = str(path).endswith(tuple(EXPLAINED))
        wanted += len(said)
        lost += 0 if is_named else len(missing)
        unnamed += [] if is_named else [(path.name, one.side, one.text) for one in (*missing, *extra)]
        wrong += [
            (path.name, one, turn)
            for one, turn in pairs
            if not (is_named or (counting.is_dated(one, turn) and counting.is_in_place(one, turn)))
        ]
    assert wanted >= LEAST.get(folder, 20)
    assert lost <= 0.01 * wanted
    assert unnamed == []
    assert len(wrong) <= 0.01 * wanted, wrong


def heard(path):
    """What the importers make of a file, as the counter tells it."""
    for item in of_path(path).talks:
        texts = {turn.key: counting.fold(turn.text) for turn in item.turns}
        for turn in item.turns:
            at = None if turn.at is None else turn.at / 1_000_000
            before = "" if turn.parent is None else texts[turn.parent]
            yield counting.Said(turn.role, texts[turn.key], at, before)
