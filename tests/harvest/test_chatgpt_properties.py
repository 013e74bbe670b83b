"""Whatever stands where a conversation is expected: nothing is raised, and no message is lost."""

import json

from exports import of_conversation, of_member
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noosphere.harvest.adapters.chatgpt_citations import readable
from noosphere.harvest.items import Omission

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20)
FIELDS = st.sampled_from(
    [
        "id",
        "conversation_id",
        "mapping",
        "messages",
        "message",
        "parent",
        "children",
        "author",
        "role",
        "name",
        "content",
        "parts",
        "text",
        "content_type",
        "metadata",
        "create_time",
        "recipient",
        "current_node",
        "title",
        "is_do_not_remember",
        "attachments",
        "content_references",
    ]
)
ANY = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(FIELDS | st.text(max_size=5), inner, max_size=6),
    max_leaves=25,
)
KEYS = st.sampled_from([f"n{number}" for number in range(8)])


def record(required, **optional):
    return st.fixed_dictionaries(required, optional=optional)


PARTS = st.lists(st.text(max_size=20) | ANY, max_size=3)
CONTENTS = ANY | record(
    {"content_type": st.sampled_from(["text", "multimodal_text", "code", "thoughts", "tether_quote"]) | SCALARS},
    parts=PARTS | ANY,
    text=SCALARS,
)
MESSAGES = ANY | record(
    {"content": CONTENTS},
    author=record({"role": st.sampled_from(["user", "assistant", "tool", "system"]) | SCALARS}) | ANY,
    create_time=SCALARS | st.floats(1e9, 2e9),
    recipient=st.sampled_from(["all", "bio", "web.run", "canmore.create_textdoc"]) | SCALARS,
    metadata=ANY,
)
NODES = ANY | record({"message": MESSAGES, "parent": KEYS | SCALARS}, children=st.lists(KEYS, max_size=3) | ANY)
CONVERSATIONS = record(
    {},
    mapping=st.dictionaries(KEYS, NODES, max_size=8) | ANY,
    messages=st.lists(MESSAGES, max_size=5) | ANY,
    current_node=KEYS | SCALARS,
    id=st.text(max_size=5) | SCALARS,
    title=SCALARS,
    create_time=SCALARS,
    is_do_not_remember=SCALARS,
)


def messages_in(value):
    """How many messages a conversation holds, counted by the plainest reading of its shape."""
    mapping, messages = value.get("mapping"), value.get("messages")
    if isinstance(mapping, dict) and (mapping or not (isinstance(messages, list) and messages)):
        held = [node.get("message") if isinstance(node, dict) else node for node in mapping.values()]
        return sum(one is not None for one in held)
    return len(messages) if isinstance(messages, list) else None


def accounted(found):
    counted = sum(count for what, count in found.left.items() if what is not Omission.EMPTY_CONVERSATION)
    turns = sum(len(talk.turns) for talk in found.talks)
    return turns + len(found.notes) + counted + len(found.rejects)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(ANY | CONVERSATIONS)
def test_no_value_raises(value):
    found = of_conversation(value)
    assert found.items or found.rejects or found.left


@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow])
@given(CONVERSATIONS)
def test_every_message_is_in_an_item_a_reject_or_a_count(value):
    found = of_conversation(value)
    count = messages_in(value)
    if count is None:
        assert len(found.rejects) == 1
    else:
        assert accounted(found) == count


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(CONVERSATIONS)
def test_turns_form_a_tree_with_parents_first_and_the_path_in_front(value):
    for talk in of_conversation(value).talks:
        keys = [turn.key for turn in talk.turns]
        assert len(set(keys)) == len(keys)
        parents = {turn.key: turn.parent for turn in talk.turns}
        assert all(turn.parent is None or turn.parent in keys[:place] for place, turn in enumerate(talk.turns))
        assert talk.head in parents
        path, key = [], talk.head
        while key is not None:
            path.append(key)
            key = parents[key]
        assert keys[: len(path)] == path[::-1]
        assert all(turn.text.strip() for turn in talk.turns)
        json.dumps(talk.metadata)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=300), st.integers(0, 400))
def test_no_bytes_raise_and_what_came_before_them_is_read(garbage, cut):
    good = b'[{"id": "c", "mapping": {"n": {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi"]}}}}},'
    found = of_member("conversations.json", good + garbage)
    assert found.talks[0].turns[0].text == "Hi"
    of_member("conversations.json", good[:cut] + garbage)


MARKS = st.text(alphabet='\ue200\ue201\ue202\ue203\ue204【】†:1 ab.[]"', max_size=40)


@given(MARKS, st.lists(ANY | record({"matched_text": MARKS}, alt=MARKS | SCALARS, items=ANY), max_size=4))
def test_no_mark_is_left_in_a_text(text, references):
    assert not any("\ue200" <= character <= "\ue20f" for character in readable(text, references))
