"""claude.ai exports: whose words come in, what is left out, and what shapes may be met."""

import json

from exports import Found, of_json, of_member, of_path

from noosphere.harvest.items import Omission, TurnRole

ROOT = "00000000-0000-4000-8000-000000000000"
PLACEHOLDER = "This block is not supported on your current device yet."


def said(key, sender="human", text="", *, parent=ROOT, **fields):
    told = {"uuid": key, "sender": sender, "text": text, "created_at": "2026-04-01T10:00:00.000000Z"}
    return told | {"content": [{"type": "text", "text": text}] if text else [], "parent_message_uuid": parent} | fields


def talk(*messages, key="c1", **fields):
    return {
        "uuid": key,
        "name": "Birds",
        "created_at": "2026-04-01T10:00:00Z",
        "chat_messages": list(messages),
    } | fields


def answer(*blocks, text="", **fields):
    return said("m2", "assistant", text, parent="m1", content=list(blocks), **fields)


def of_talk(*messages, **fields):
    return of_json([talk(*messages, **fields)])


def test_a_conversation_is_known_by_its_keys_and_not_by_its_name():  # pitfall 19
    found = of_json([talk(said("m1", text="Hello"))], "conversations.json")
    assert (found.talk.source, found.talk.id, found.talk.title) == ("claude", "c1", "Birds")
    (turn,) = found.talk.turns
    assert (turn.key, turn.speaker, turn.role, turn.parent) == ("m1", "User", TurnRole.USER, None)


def test_text_blocks_take_the_place_of_a_poisoned_text():  # pitfall 20
    block = {"type": "text", "text": "Seventeen."}
    found = of_talk(said("m1", text="How many?"), answer(block, text=f"```\n{PLACEHOLDER}\n```\n\nSeventeen."))
    assert found.texts == ["How many?", "Seventeen."]


def test_the_text_is_used_where_there_are_no_blocks():  # pitfall 20
    assert of_talk(said("m1", text="Share me", content=None)).texts == ["Share me"]
    assert of_talk(said("m1", text="", content=[{"type": "text", "text": "By blocks"}])).texts == ["By blocks"]


def test_a_placeholder_alone_is_no_speech():  # pitfall 20
    found = of_talk(answer({"type": "text", "text": PLACEHOLDER}, text=PLACEHOLDER))
    assert found.talks == []
    assert found.left == {Omission.EMPTY_MESSAGE: 1, Omission.EMPTY_CONVERSATION: 1}


def test_a_message_of_attachments_alone_keeps_their_text():  # pitfall 21
    paste = {"file_name": "paste.txt", "extracted_content": "Heron 4"}
    found = of_talk(said("m1", attachments=[paste], files=[{"file_name": "photo.png"}]))
    assert found.texts == ["paste.txt:\nHeron 4"]


def test_an_artifact_is_part_of_the_reply_and_other_tools_are_not():  # pitfalls 22, 23
    document = {"type": "tool_use", "name": "artifacts", "input": {"title": "Report", "content": "# Counts"}}
    call = {"type": "tool_use", "name": "repl", "input": {"code": "4+2"}}
    results = [{"type": "tool_result", "content": "6"}, {"type": "tool_result", "content": [{"type": "text"}]}]
    extras = [{"type": "thinking", "thinking": "Add."}, {"type": "token_budget"}, {"type": "flag"}, {"type": "image"}]
    found = of_talk(said("m1", text="Write it"), answer(document, call, *results, *extras))
    assert found.texts == ["Write it", "Report:\n# Counts"]
    assert found.left == {Omission.TOOL_CALL: 1, Omission.TOOL_OUTPUT: 2, Omission.REASONING: 1}


def test_a_retry_is_a_branch_beside_the_newest_path():  # pitfall 24
    old, new = said("m1", text="Old"), said("m3", text="New", created_at="2026-04-01T11:00:00Z")
    found = of_talk(old, answer({"type": "text", "text": "To the old"}), new)
    assert [(turn.text, turn.parent) for turn in found.talk.turns] == [
        ("New", None),
        ("Old", None),
        ("To the old", "m1"),
    ]
    assert found.talk.head == "m3"


def test_the_current_message_of_a_capture_ends_the_path():  # pitfall 24
    newer = said("m3", text="New", created_at="2026-04-01T11:00:00Z")
    assert of_talk(said("m1", text="Old"), newer, current_leaf_message_uuid="m1").talk.head == "m1"


def test_messages_without_parents_are_a_chain():
    plain = [{"sender": sender, "text": text} for sender, text in (("human", "Hi"), ("assistant", "Hello"))]
    first, second = of_talk(*plain).talk.turns
    assert (first.parent, second.parent) == (None, first.key)


def test_projects_give_notes_and_keep_instructions_out():  # pitfall 25
    docs = [{"uuid": "d1", "filename": "protocol.md", "content": "Count at dawn."}, {"filename": "empty.md"}]
    project = {"uuid": "p1", "name": "Survey", "is_private": True, "prompt_template": "Be brief.", "docs": docs}
    for found in (of_json([project], "projects.json"), of_json(project, "projects/p1.json")):
        assert (found.note.id, found.note.text) == ("project/p1/d1", "Count at dawn.")
        assert found.left == {Omission.PROFILE: 1, Omission.EMPTY_NOTE: 1}


def test_memories_are_read_in_every_shape_they_had():  # pitfall 26
    base = {"conversations_memory": "Counts birds.", "account_uuid": "a"}
    shapes = ({"p": "Uses SQLite."}, [{"project_uuid": "p", "memory": "Uses SQLite."}], "Uses SQLite.")
    for shape in shapes:
        record = base | {"project_memories": shape}
        for value in (record, [record]):
            assert [note.text for note in of_json(value, "memories.json").notes] == ["Counts birds.", "Uses SQLite."]


def test_two_states_of_a_memory_in_one_folder_both_stay(tmp_path):
    for name, text in (("memories.json", "Counts birds."), ("memories-old.json", "Counts fish.")):
        (tmp_path / name).write_text(json.dumps({"conversations_memory": text, "account_uuid": "a"}))
    first, second = of_path(tmp_path).notes
    assert {first.text, second.text} == {"Counts birds.", "Counts fish."}
    assert first.key != second.key
    assert [note.key for note in of_path(tmp_path).notes] == [first.key, second.key]


def test_a_manifest_without_its_parts_says_what_to_do():  # pitfall 26
    found = of_json({"files": [{"name": "conversations-000.zip", "url": "https://example.invalid"}]}, "manifest-1.json")
    (reject,) = found.rejects
    assert "zip" in reject.remedy


def test_times_of_every_shape_are_read():  # pitfall 27
    stamps = ("2026-04-01T10:00:00.000000Z", "2026-04-01T10:00:00+00:00", "2026-04-01T10:00:00")
    found = of_talk(*(said(f"m{n}", text=f"t{n}", created_at=stamp) for n, stamp in enumerate(stamps)))
    assert len({turn.at for turn in found.talk.turns}) == 1
    assert any("without zone" in note for note in found.talk.notes)


def test_a_field_of_another_type_than_expected_is_kept_as_plain_json(mind, tmp_path):
    (tmp_path / "odd.json").write_text(
        json.dumps([talk(said("m1", text="Hello"), model=1.5, is_starred={"x": [1.25]})])
    )
    assert mind.harvest(tmp_path / "odd.json").added == 1
    assert mind.harvest(tmp_path / "odd.json").added == 0
    assert of_path(tmp_path / "odd.json").talk.metadata == {"model": 1.5, "is_starred": {"x": [1.25]}}


def test_empty_conversations_are_counted():  # pitfall 28
    found = of_json([talk(key="e1"), talk(key="e2"), talk(said("m1", text="Hi"))])
    assert found.left == {Omission.EMPTY_CONVERSATION: 2}
    assert found.texts == ["Hi"]


def test_bad_records_cost_only_themselves():
    bad = [None, 4, talk(said("m0", sender="robot", text="x"), 7, said("m1", text="Hi")), {"uuid": "x"}]
    found = of_json([talk(key="c0"), *bad])
    assert found.texts == ["Hi"]
    assert sorted(reject.what for reject in found.rejects) == [
        "conversation",
        "conversation",
        "conversation x",
        "message 2",
        "message m0",
    ]
    assert all(reject.remedy for reject in found.rejects)


def test_a_file_that_breaks_off_keeps_what_came_before():
    whole = json.dumps([talk(said("m1", text="Hi")), talk(said("m2", text="Gone"), key="c2")])
    found = of_member("conversations.json", whole[:-30])
    assert [item.id for item in found.talks] == ["c1"]
    assert len(found.rejects) == 1


def test_a_repeated_message_is_counted_once():
    once = said("m1", text="Hi")
    found = of_talk(once, once)
    assert (found.texts, found.left) == (["Hi"], {Omission.REPEATED_MESSAGE: 1})


def test_the_owners_file_is_a_companion():
    found = of_json([{"uuid": "a", "full_name": "N", "email_address": "n@example.com"}], "users.json")
    assert found.left == {Omission.COMPANION_FILE: 1}
    assert isinstance(found, Found)
