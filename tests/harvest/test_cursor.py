"""Cursor's composers as JSON, and its lines without a type."""

import json

from exports import of_json, of_member

from noosphere.harvest.items import Omission


def bubble(key, kind, **fields):
    return {"key": f"bubbleId:c1:{key}", "value": {"type": kind, "timestamp": 1700000000000} | fields}


def composer(*rows, named=("u", "a", "t")):
    data = {
        "name": "A fix",
        "createdAt": 1700000000000,
        "fullConversationHeadersOnly": [{"bubbleId": n} for n in named],
    }
    return {"composer_key": "composerData:c1", "composer_data": data, "bubble_rows": list(rows)}


def test_headers_and_their_rows_are_one_conversation():  # pitfall 47
    rows = [
        bubble("a", 2, content="Done."),
        bubble("u", 1, rawText="Fix it", workspaceProjectDir="/home/dev/app"),
        bubble("t", 99, message="tool output"),
    ]
    found = of_json(composer(*rows), "composer.json")
    assert (found.talk.id, found.talk.title, found.talk.source) == ("c1", "A fix", "cursor")
    assert [(turn.speaker, turn.text) for turn in found.talk.turns] == [("User", "Fix it"), ("Cursor", "Done.")]
    assert found.left == {Omission.TOOL_OUTPUT: 1}
    assert found.talk.metadata["workspace"] == "/home/dev/app"


def test_a_header_without_its_row_is_a_reject():  # pitfall 47
    found = of_json(composer(bubble("u", 1, text="Fix it"), named=("u", "gone")), "composer.json")
    assert (found.texts, [one.what for one in found.rejects]) == (["Fix it"], ["bubble gone"])


def test_messages_may_stand_in_the_composer():
    said = [{"bubbleId": "u", "type": 1, "text": "Fix it"}, {"bubbleId": "a", "type": 2, "text": ""}]
    found = of_json({"composerId": "c2", "conversation": said}, "composer.json")
    assert (found.talk.id, found.texts, found.left) == ("c2", ["Fix it"], {Omission.EMPTY_MESSAGE: 1})


def test_lines_without_a_type_are_read():  # pitfall 47
    asked = "<user_info>OS</user_info><user_query>\nFix it\n</user_query>"
    lines = [("user", asked), ("assistant", "Done.")]
    written = [{"role": role, "message": {"content": [{"type": "text", "text": text}]}} for role, text in lines]
    assert of_member("chat.jsonl", "\n".join(map(json.dumps, written))).texts == ["Fix it", "Done."]
