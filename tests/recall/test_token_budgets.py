"""recall with a budget of tokens: never more than asked for, nearly all of it used, whatever the script."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere import InvalidInput
from noosphere.model.trace import Counted
from noosphere.recall.fitting import count_tokens
from noosphere.testing.minds import scratch_mind

TEXTS = {
    "english": "the quokka sleeps under the acacia by the old jetty",
    "chinese": "短尾矮袋鼠 quokka 在旧码头旁的金合欢树下睡觉",
    "code": "quokka_pool[0x3f].drain(timeout=2.5); # TODO(#8841)",
    "emoji": "quokka 🦘🌿 slept 😴 under 🌳",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    with scratch_mind(tmp_path_factory.mktemp("tokens")) as mind:
        for number in range(60):
            for text in TEXTS.values():
                mind.remember(f"{text} {number}. " * (1 + number % 7))
        yield mind


@settings(max_examples=25)
@given(tokens=st.integers(400, 6000))
def test_the_block_never_has_more_tokens_than_asked_for(shared, tokens):
    answer = shared.recall("quokka", tokens=tokens, k=50)
    assert count_tokens(answer.text) <= tokens
    assert answer.hits


def test_the_tokens_are_nearly_used_up_when_there_is_more_to_say(shared):
    answer = shared.recall("quokka", tokens=2000, k=50)
    spent = next(step for step in answer.trace.steps if isinstance(step, Counted))
    assert spent.tokens == 2000
    assert spent.used == count_tokens(answer.text)
    assert spent.used >= 1700


def test_the_characters_hold_as_well(shared):
    assert len(shared.recall("quokka", 900, tokens=5000).text) <= 900


def test_without_tokens_nothing_is_counted(shared):
    assert not any(isinstance(step, Counted) for step in shared.recall("quokka").trace.steps)


def test_tokens_without_room_are_refused_with_how_many_would_do(shared):
    with pytest.raises(InvalidInput, match=r"tokens.*Pass at least (\d+)") as refused:
        shared.recall("quokka", tokens=5)
    enough = int(str(refused.value).split("Pass at least ")[1].split()[0].rstrip("."))
    assert count_tokens(shared.recall("quokka", tokens=enough).text) <= enough


@pytest.mark.parametrize("tokens", [0, -1, 1.5, "many", True])
def test_what_is_no_number_of_tokens_is_refused(shared, tokens):
    with pytest.raises(InvalidInput, match="tokens"):
        shared.recall("quokka", tokens=tokens)
