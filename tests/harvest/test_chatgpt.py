"""The ChatGPT adapter, one behaviour per trap; the numbers are those of the design's list of pitfalls."""

import io
import json

import pytest
from exports import (
    chain,
    conversation,
    message,
    node,
    of_conversation,
    of_json,
    of_member,
    of_path,
    question,
    zipped,
)

from noosphere.harvest.adapters import chatgpt
from noosphere.harvest.encoding import BLOCK_BYTES
from noosphere.harvest.items import Omission, TurnRole
from noosphere.harvest.members import Member

CITE = "\ue200cite\ue202turn0search3\ue201"
AT = 1778752800  # 2026-05-14T10:00:00Z
MICROS = AT * 1_000_000


# 1
def test_numbered_files_of_a_folder_are_read_as_one_export(tmp_path):
    for number in range(3):
        talk = chain(("user", f"Question {number}"), ("assistant", "Answer"), key=f"c{number}")
        (tmp_path / f"conversations-{number:03}.json").write_text(json.dumps([talk]))
    assert [talk.id for talk in of_path(tmp_path).talks] == ["c0", "c1", "c2"]


# 1
def test_numbered_files_of_a_zip_are_read_in_order_and_companion_files_are_counted(tmp_path):
    files = {
        "conversations-001.json": json.dumps([chain(("user", "Later"), key="c1")]),
        "conversations-000.json": json.dumps([chain(("user", "Earlier"), key="c0")]),
        "user.json": json.dumps({"id": "user-1", "email": "me@example.org", "chatgpt_plus_user": True}),
        "message_feedback.json": json.dumps([{"id": "f", "conversation_id": "c0", "rating": "thumbsUp"}]),
        "shared_conversations.json": json.dumps([{"id": "s", "conversation_id": "c0", "is_anonymous": True}]),
        "chat.html": "<html><head><title>ChatGPT Data Export</title></head></html>",
        "file-ab12.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    }
    found = of_path(zipped(tmp_path / "export.zip", files))
    assert [talk.id for talk in found.talks] == ["c0", "c1"]
    assert found.left == {Omission.COMPANION_FILE: 4, Omission.UNKNOWN_FILE: 1}


# 1
def test_a_conversation_split_over_two_files_keeps_its_id_and_its_keys():
    early = of_conversation(chain(("user", "One"), ("assistant", "Two"))).talk
    grown = of_conversation(chain(("user", "One"), ("assistant", "Two"), ("user", "Three"))).talk
    assert early.id == grown.id
    assert grown.turns[:2] == early.turns
    assert [turn.key for turn in grown.turns] == ["n0", "n1", "n2"]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda talk: talk,
        lambda talk: [talk],
        lambda talk: {"conversations": [talk]},
        lambda talk: {"source": "browser", "raw_provider_payload": talk},
    ],
    ids=["object", "array", "conversations", "capture"],
)
def test_a_conversation_is_found_wherever_the_file_keeps_it(wrap):
    assert of_json(wrap(chain(("user", "Hello")))).texts == ["Hello"]


def test_conversations_kept_under_their_ids_are_all_read():
    talks = {key: chain(("user", f"Hello {key}"), key=key) for key in ("a", "b")}
    assert [talk.id for talk in of_json(talks).talks] == ["a", "b"]
    assert [talk.id for talk in of_json({"data": talks, "other": {"x": 1}}).talks] == ["a", "b"]


def test_conversations_one_a_line_are_read():
    lines = "\n".join(json.dumps(chain(("user", f"Hello {key}"), key=key)) for key in ("a", "b"))
    assert [talk.id for talk in of_member("conversations.jsonl", lines).talks] == ["a", "b"]


# 2
@pytest.mark.parametrize(
    ("fields", "metadata"),
    [
        ({"default_model_slug": "gpt-5"}, {}),
        ({}, {"model_slug": "gpt-5"}),
        ({"model_slug": "gpt-5"}, None),
    ],
)
def test_the_model_is_told_by_the_conversation_or_by_its_messages(fields, metadata):
    talk = conversation(node("a", None, message("assistant", "Yes", metadata=metadata)), head="a", **fields)
    assert of_conversation(talk).talk.metadata["model"] == "gpt-5"


# 2
def test_a_message_without_metadata_is_read():
    bare = {"author": {"role": "user"}, "content": {"parts": ["Hello"]}}
    assert of_conversation(conversation(node("u", None, bare))).texts == ["Hello"]


# 3
@pytest.mark.parametrize(
    "hidden",
    [
        message("user", {"content_type": "user_editable_context", "user_profile": "An SRE."}),
        message("system", "", metadata={"user_context_message_data": {"about_user_message": "An SRE."}}),
        message("user", "About me", metadata={"is_user_system_message": True}),
        message("assistant", {"content_type": "model_editable_context", "model_set_context": "An SRE."}),
    ],
)
def test_a_profile_is_never_taken_for_something_the_person_said(hidden):
    found = of_conversation(conversation(node("p", None, hidden), node("u", "p", message("user", "Hi")), head="u"))
    assert found.texts == ["Hi"]
    assert found.left == {Omission.PROFILE: 1}


# 4
@pytest.mark.parametrize("corrupt", [None, 5, "x", [], {}, {"id": "bad"}, {"id": "bad", "mapping": "no object"}])
def test_a_corrupt_conversation_does_not_take_its_neighbours_along(corrupt):
    found = of_json([chain(("user", "Before"), key="a"), corrupt, chain(("user", "After"), key="b")])
    assert [talk.id for talk in found.talks] == ["a", "b"]
    assert [reject.origin for reject in found.rejects] == ["conversations.json#2"]
    assert found.rejects[0].remedy


# 4
@pytest.mark.parametrize("rest", ['{"id": "broken", "mapping": {', "{bad}]", "] trailing", ""])
def test_a_file_that_breaks_off_gives_what_came_before_and_one_reject_saying_where(rest):
    good = ", ".join(json.dumps(chain(("user", f"Question {n}"), key=f"c{n}")) for n in range(3))
    found = of_member("conversations.json", f"[{good}, {rest}")
    assert [talk.id for talk in found.talks] == ["c0", "c1", "c2"]
    (reject,) = found.rejects
    assert reject.what == "the rest of the file"
    assert "after conversation 3" in reject.why
    assert "Question" not in reject.why


# 5
def test_the_current_path_comes_first_and_other_branches_hang_beside_it():
    talk = conversation(
        question(),
        node("a1", "u", message("assistant", "The first answer")),
        node("a2", "u", message("assistant", "The regenerated answer")),
        node("u2", "a2", message("user", "Thanks")),
        head="u2",
    )
    found = of_conversation(talk).talk
    assert [(turn.key, turn.parent) for turn in found.turns] == [("u", None), ("a2", "u"), ("u2", "a2"), ("a1", "u")]
    assert found.head == "u2"


# 5
def test_visible_turns_answer_the_nearest_visible_one_above_hidden_nodes():
    talk = conversation(
        question(),
        node("call", "u", message("assistant", "search()", recipient="web.run")),
        node("result", "call", message("tool", "a page")),
        node("a", "result", message("assistant", "This one.")),
        head="a",
    )
    assert [(turn.key, turn.parent) for turn in of_conversation(talk).talk.turns] == [("u", None), ("a", "u")]


# 6
@pytest.mark.parametrize("head", [None, "gone", 7, ""])
def test_without_a_current_message_the_newest_branch_is_current(head):
    talk = conversation(
        question(),
        node("new", "u", message("assistant", "New", create_time=AT + 20)),
        node("old", "u", message("assistant", "Old", create_time=AT + 10)),
        head=head,
    )
    found = of_conversation(talk).talk
    assert found.head == "new"
    assert any("newest branch" in note for note in found.notes)


# 6
def test_a_current_node_that_is_hidden_stands_for_the_visible_turn_above_it():
    talk = conversation(
        question(),
        node("a", "u", message("assistant", "This one.")),
        node("recap", "a", message("assistant", {"content_type": "reasoning_recap", "content": "Thought"})),
        head="recap",
    )
    assert of_conversation(talk).talk.head == "a"


# 6
def test_missing_parents_cycles_and_several_roots_lose_no_message():
    talk = conversation(
        node("orphan", "gone", message("user", "Orphan")),
        node("x", "y", message("user", "X")),
        node("y", "x", message("assistant", "Y")),
        node("self", "self", message("user", "Self")),
        node("root", None, message("user", "Root")),
        head="y",
    )
    found = of_conversation(talk).talk
    assert {turn.key for turn in found.turns} == {"orphan", "x", "y", "self", "root"}
    seen = set()
    for turn in found.turns:
        assert turn.parent is None or turn.parent in seen
        seen.add(turn.key)
    assert any("parent that is not there: 1" in note for note in found.notes)
    assert any("their own ancestor: 2" in note for note in found.notes)


# 6
def test_a_node_without_a_parent_hangs_from_the_one_that_lists_it():
    talk = conversation(
        node("u", None, message("user", "Hi"), children=["a"]),
        {"a": {"message": message("assistant", "Hello")}},
        head="a",
    )
    assert [(turn.key, turn.parent) for turn in of_conversation(talk).talk.turns] == [("u", None), ("a", "u")]


# 6
def test_a_chain_of_ten_thousand_turns_is_read_without_recursion():
    talk = chain(*((("user", "assistant")[n % 2], f"Turn {n}") for n in range(10_000)))
    assert len(of_conversation(talk).talk.turns) == 10_000


# 7
@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "text", "parts": ["One", None, "", "Two"]}, "One\nTwo"),
        ({"content_type": "text", "parts": [{"content_type": "text", "text": "Inside"}, "After"]}, "Inside\nAfter"),
        ({"content_type": "text", "text": "Bare"}, "Bare"),
        ({"content_type": "text", "result": "Result"}, "Result"),
        ({"content_type": "something_new", "parts": ["New kind"]}, "New kind"),
        ("Plain", "Plain"),
        ([{"type": "text", "text": "Block"}], "Block"),
        ({"content_type": "code", "language": "python", "text": "1 + 1"}, "```python\n1 + 1\n```"),
    ],
)
def test_words_are_found_in_every_shape_of_content(content, text):
    assert of_conversation(conversation(node("u", None, message("user", content)))).texts == [text]


# 7
@pytest.mark.parametrize(
    "content", [None, {}, {"parts": None}, {"parts": []}, {"parts": ["", None, " "]}, {"parts": 5}, 5]
)
def test_a_message_without_words_is_counted(content):
    found = of_conversation(conversation(question(), node("e", "u", message("user") | {"content": content})))
    assert found.texts == ["Which one?"]
    assert found.left == {Omission.EMPTY_MESSAGE: 1}


# 7
def test_a_node_without_a_message_is_only_structure():
    found = of_conversation(conversation(node("root", None, None), node("u", "root", message("user", "Hi")), head="u"))
    assert found.texts == ["Hi"]
    assert found.left == {}


# 7
@pytest.mark.parametrize("bad", ["words", 5, ["x"]])
def test_a_message_that_is_no_object_is_rejected_alone(bad):
    found = of_conversation(conversation(question(), node("bad", "u", bad)))
    assert found.texts == ["Which one?"]
    assert [reject.what for reject in found.rejects] == ["message bad"]


# 8
@pytest.mark.parametrize(
    ("said", "what"),
    [
        (message("assistant", {"content_type": "thoughts", "thoughts": [{"content": "Hm"}]}), Omission.REASONING),
        (message("assistant", {"content_type": "reasoning_recap", "content": "Thought for 6s"}), Omission.REASONING),
        (message("assistant", "Let me think", channel="analysis"), Omission.REASONING),
        (message("tool", {"content_type": "execution_output", "text": "42"}), Omission.TOOL_OUTPUT),
        (message("tool", {"content_type": "tether_browsing_display", "result": "Snippets"}), Omission.TOOL_OUTPUT),
        (message("tool", {"content_type": "tether_quote", "text": "Quoted"}), Omission.TOOL_OUTPUT),
        (message("tool", {"content_type": "sonic_webpage", "text": "Page"}), Omission.TOOL_OUTPUT),
        (message("tool", {"content_type": "system_error", "text": "No"}), Omission.TOOL_OUTPUT),
        (message("assistant", {"content_type": "system_error", "text": "No"}), Omission.TOOL_OUTPUT),
        (message("system", "You are ChatGPT"), Omission.SYSTEM_MESSAGE),
        (message("user", "Sh", metadata={"is_visually_hidden_from_conversation": True}), Omission.HIDDEN_MESSAGE),
    ],
)
def test_what_no_person_saw_is_left_out_under_its_name(said, what):
    found = of_conversation(conversation(question(), node("x", "u", said), node("a", "x", message("assistant", "Yes"))))
    assert found.texts == ["Which one?", "Yes"]
    assert found.left == {what: 1}


# 9
@pytest.mark.parametrize("recipient", ["browser", "web.run", "python", "dalle.text2im"])
def test_a_message_to_a_tool_is_a_call_and_no_speech(recipient):
    found = of_conversation(conversation(question(), node("x", "u", message("assistant", "call", recipient=recipient))))
    assert found.left == {Omission.TOOL_CALL: 1}


# 9
@pytest.mark.parametrize("recipient", [None, "", "all", 5])
def test_a_message_to_everyone_is_speech(recipient):
    found = of_conversation(conversation(question(), node("a", "u", message("assistant", "Hi", recipient=recipient))))
    assert found.texts == ["Which one?", "Hi"]


# 9
def test_what_chatgpt_remembered_becomes_a_tagged_note_of_its_own():
    memory = message("assistant", "User has a dog named Pepper.", recipient="bio", create_time=AT + 5)
    done = message("tool", "Model set context updated.", author={"role": "tool", "name": "bio"})
    found = of_conversation(conversation(question(), node("bio", "u", memory), node("ok", "bio", done)))
    assert (found.note.id, found.note.text, found.note.tags) == (
        "c1/memory/bio",
        "User has a dog named Pepper.",
        ("chatgpt-memory",),
    )
    assert found.note.metadata == {"conversation": "c1", "message": "bio"}
    assert found.note.at == MICROS + 5_000_000
    assert found.texts == ["Which one?"]
    assert found.left == {Omission.TOOL_OUTPUT: 1}


# 9
def test_a_memory_is_kept_even_where_nothing_else_was_said():
    found = of_conversation(conversation(node("bio", None, message("assistant", "User cycles.", recipient="bio"))))
    assert found.note.text == "User cycles."
    assert found.left == {Omission.EMPTY_CONVERSATION: 1}


# 10
@pytest.mark.parametrize(
    ("call", "recipient", "text"),
    [
        (
            {"name": "plan", "type": "document", "content": "# Plan\nGo."},
            "create_textdoc",
            "[canvas: plan]\n\n# Plan\nGo.",
        ),
        ({"updates": [{"pattern": ".*", "replacement": "# Plan B"}]}, "update_textdoc", "[edits canvas]\n\n# Plan B"),
        ({"comments": [{"pattern": "Go", "comment": "When?"}]}, "comment_textdoc", "[comments on canvas]\n\nWhen?"),
    ],
)
def test_the_text_of_a_canvas_is_a_turn(call, recipient, text):
    said = message("assistant", {"content_type": "code", "text": json.dumps(call)}, recipient=f"canmore.{recipient}")
    found = of_conversation(conversation(question(), node("cv", "u", said), head="cv"))
    assert found.texts[1] == text
    assert found.talk.turns[1].role is TurnRole.ASSISTANT


# 10
def test_a_canvas_call_of_another_form_stays_as_it_is():
    said = message("assistant", '{"name": "plan", "cont', recipient="canmore.create_textdoc")
    assert of_conversation(conversation(node("cv", None, said))).texts == ['[create_textdoc]\n\n{"name": "plan", "cont']


# 10
def test_a_canvas_text_in_a_file_of_its_own_is_a_note():
    document = {
        "id": "d1",
        "title": "Plan",
        "content": "# Plan",
        "created_at": "2026-05-14T10:00:00Z",
        "type": "text/markdown",
    }
    note = of_json(document, "textdocs/d1.json").note
    assert (note.id, note.title, note.text, note.at) == ("textdoc/d1", "Plan", "# Plan", MICROS)


# 11
@pytest.mark.parametrize(
    ("text", "references", "shown"),
    [
        (
            f"It is {CITE}.",
            [{"matched_text": CITE, "alt": "([Dogs](https://a.example))"}],
            "It is ([Dogs](https://a.example)).",
        ),
        (
            f"It is {CITE}.",
            [{"matched_text": CITE, "alt": None, "items": [{"title": "Dogs", "url": "https://a.example"}]}],
            "It is ([Dogs](https://a.example)).",
        ),
        (f"It is so {CITE}.", [], "It is so."),
        (f"So{CITE} it is", None, "So it is"),
        ('Ask \ue200entity\ue202["company","Brightwater Labs","x"]\ue201 first', [], "Ask Brightwater Labs first"),
        ("See \ue200url\ue202The guide\ue202https://a.example\ue201.", [], "See The guide."),
        ("Brush \ue203twice a week\ue204.", [], "Brush twice a week."),
        ("Half a mark \ue200cite", [], "Half a mark cite"),
        ("An old one【3†source】.", [], "An old one."),
    ],
)
def test_citation_marks_are_resolved_or_taken_out(text, references, shown):
    said = message("assistant", text, metadata={"content_references": references})
    assert of_conversation(conversation(node("a", None, said))).texts == [shown]


# 12
def test_a_reference_that_matches_a_space_removes_no_space():
    references = [{"matched_text": " ", "alt": None}, {"matched_text": CITE, "alt": ""}]
    said = message("assistant", f"Brush it twice a week {CITE}", metadata={"content_references": references})
    assert of_conversation(conversation(node("a", None, said))).texts == ["Brush it twice a week"]


# 13
def test_a_voice_message_is_what_was_transcribed():
    parts = [
        {"content_type": "audio_transcription", "text": "how often", "direction": "in"},
        {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {"asset_pointer": "x"}},
        {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_a"},
    ]
    found = of_conversation(
        conversation(node("u", None, message("user", {"content_type": "multimodal_text", "parts": parts})))
    )
    assert found.texts == ["how often"]
    assert found.talk.notes == ()


# 14
@pytest.mark.parametrize(
    ("value", "at"),
    [
        (AT, MICROS),
        (AT + 0.123456, MICROS + 123_456),
        (AT * 1000, MICROS),
        ("2026-05-14T10:00:00Z", MICROS),
        ("2026-05-14T12:00:00+02:00", MICROS),
        (f"{AT}.5", MICROS + 500_000),
    ],
)
def test_times_in_seconds_milliseconds_and_iso_are_the_same_moment(value, at):
    found = of_conversation(conversation(node("u", None, message("user", "Hi", create_time=value)))).talk
    assert found.turns[0].at == at
    assert found.notes == ()


# 14
def test_a_time_without_zone_is_read_as_utc_and_said():
    found = of_conversation(
        conversation(node("u", None, message("user", "Hi", create_time="2026-05-14T10:00:00")))
    ).talk
    assert found.turns[0].at == MICROS
    assert found.notes == ("time without zone read as UTC",)


# 14
@pytest.mark.parametrize("value", [None, 0, -1, "", "soon", True, 1e300, {}])
def test_a_message_without_a_time_takes_that_of_the_one_before(value):
    talk = conversation(
        node("u", None, message("user", "Hi", create_time=AT + 60)),
        node("a", "u", message("assistant", "Hello", create_time=value)),
        head="a",
    )
    found = of_conversation(talk).talk
    assert [turn.at for turn in found.turns] == [MICROS + 60_000_000] * 2
    assert found.notes == ("messages without a time, given that of what came before: 1",)


# 14
def test_a_branch_is_ordered_by_the_tree_and_never_by_time():
    talk = conversation(
        node("u", None, message("user", "First", create_time=AT + 100)),
        node("a", "u", message("assistant", "Second", create_time=AT + 50)),
        node("u2", "a", message("user", "Third", create_time=AT)),
        head="u2",
    )
    assert of_conversation(talk).texts == ["First", "Second", "Third"]


# 14
def test_times_keep_their_microseconds_through_the_file():
    text = json.dumps(chain(("user", "Hi"))).replace("1778752800.0", "1778752800.123456")
    assert of_member("conversations.json", text).talk.at == MICROS + 123_456


# 15
@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"id": "a", "conversation_id": "a"}, "a"),
        ({"id": None, "conversation_id": "a"}, "a"),
        ({"id": "a", "conversation_id": ""}, "a"),
    ],
)
def test_a_conversation_is_known_by_either_id(fields, key):
    assert of_conversation(chain(("user", "Hi")) | fields | {"title": None}).talk.id == key


# 15
def test_a_conversation_without_an_id_gets_one_that_growing_does_not_change():
    short, long = chain(("user", "Hi")), chain(("user", "Hi"), ("assistant", "Hello"))
    del short["id"], long["id"]
    first, second = of_conversation(short).talk, of_conversation(long).talk
    assert first.id == second.id
    assert any("no id" in note for note in first.notes)


# 15
@pytest.mark.parametrize("title", [None, "", "  ", 5])
def test_a_missing_title_stays_missing(title):
    assert of_conversation(chain(("user", "Hi")) | {"title": title}).talk.title is None


# 16
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_or_utf_16_does_not_hide_the_export(encoding):
    text = json.dumps([chain(("user", "Grüße, 你好"))], ensure_ascii=False)
    assert of_member("conversations.json", text.encode(encoding)).texts == ["Grüße, 你好"]


# 16
def test_undecodable_bytes_are_replaced_and_counted():
    raw = json.dumps([chain(("user", "Gr@@e"))]).encode().replace(b"@@", b"\xfc\xdf")
    found = of_member("conversations.json", raw)
    assert found.texts == ["Gr��e"]
    assert found.left == {Omission.UNREADABLE_BYTES: 2}


# 17
def test_pictures_and_files_are_told_by_their_names():
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}, "What breed?"]
    files = [
        {"id": "file_2", "name": "notes.txt", "mime_type": "text/plain"},
        {"id": "file_1", "name": "dog.png", "mime_type": "image/png"},
        {"id": "file_3", "name": "cat.jpg", "mime_type": "image/jpeg"},
    ]
    said = message("user", {"content_type": "multimodal_text", "parts": parts}, metadata={"attachments": files})
    assert of_conversation(conversation(node("u", None, said))).texts == [
        "[shares photo: dog.png]\nWhat breed?\n[shares file: notes.txt]\n[shares photo: cat.jpg]"
    ]


# 17
@pytest.mark.parametrize(
    ("picture", "metadata", "text"),
    [
        ({"metadata": {"dalle": {"prompt": "A red kite"}}}, {}, "[shares photo: A red kite]"),
        ({"metadata": {"generation": {"gen_id": "g"}}}, {"image_gen_title": "Red kite"}, "[shares photo: Red kite]"),
    ],
)
def test_a_picture_chatgpt_made_is_part_of_the_talk(picture, metadata, text):
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://x"} | picture]
    said = message("tool", {"content_type": "multimodal_text", "parts": parts}, metadata=metadata)
    turn = of_conversation(conversation(node("t", None, said))).talk.turns[0]
    assert (turn.speaker, turn.role, turn.text) == ("ChatGPT", TurnRole.TOOL, text)


# 17
def test_pages_a_file_tool_looked_at_are_no_pictures_for_the_person():
    parts = ["text of the file", {"content_type": "image_asset_pointer", "asset_pointer": "sediment://page"}]
    said = message("tool", {"content_type": "multimodal_text", "parts": parts})
    assert of_conversation(conversation(question(), node("t", "u", said))).left == {Omission.TOOL_OUTPUT: 1}


# 18
def test_a_conversation_marked_do_not_remember_is_not_remembered():
    found = of_conversation(chain(("user", "Secret"), ("assistant", "Sh")) | {"is_do_not_remember": True})
    assert found.items == []
    assert found.left == {Omission.DO_NOT_REMEMBER: 2}


# 18
@pytest.mark.parametrize("value", [False, None, "yes", 1])
def test_only_true_itself_marks_a_conversation(value):
    assert of_conversation(chain(("user", "Hi")) | {"is_do_not_remember": value}).texts == ["Hi"]


# 18
def test_archived_and_scoped_conversations_come_in_and_say_so():
    found = of_conversation(chain(("user", "Hi")) | {"is_archived": True, "memory_scope": "project_enabled"})
    assert found.talk.metadata["is_archived"] is True
    assert found.talk.metadata["memory_scope"] == "project_enabled"


def test_an_empty_conversation_is_counted():
    assert of_conversation(conversation()).left == {Omission.EMPTY_CONVERSATION: 1}


def test_a_conversation_of_system_messages_only_is_counted_as_empty():
    found = of_conversation(chain(("system", "You are ChatGPT")))
    assert found.left == {Omission.EMPTY_CONVERSATION: 1, Omission.SYSTEM_MESSAGE: 1}


def test_a_flat_list_of_messages_is_a_chain():
    said = [
        {"id": "g1", "role": "user", "content": "Planted tomatoes"},
        {"id": "g2", "role": "assistant", "content": "Good"},
    ]
    found = of_json([chain(("user", "Hi"), key="c0"), {"id": "c1", "messages": said}])
    assert [(turn.key, turn.parent, turn.role) for turn in found.talks[1].turns] == [
        ("g1", None, TurnRole.USER),
        ("g2", "g1", TurnRole.ASSISTANT),
    ]


def test_messages_with_one_id_are_kept_apart_and_repeated_ones_counted_once():
    said = [{"id": "m", "role": "user", "content": text} for text in ("One", "Two", "One")]
    found = of_conversation({"id": "c", "messages": said})
    assert found.texts == ["One", "Two"]
    assert len({turn.key for turn in found.talk.turns}) == 2
    assert found.left == {Omission.REPEATED_MESSAGE: 1}


def test_a_node_that_is_in_the_file_twice_is_kept_twice():
    text = json.dumps(chain(("user", "One"), ("user", "Two"))).replace('"n1": {', '"n0": {')
    assert of_member("conversations.json", text).texts == ["One", "Two"]


def test_unknown_speakers_are_kept_with_the_name_they_have():
    talk = conversation(
        node("x", None, message("critic", "I object")), node("y", "x", {"content": {"parts": ["Nameless"]}}), head="y"
    )
    turns = of_conversation(talk).talk.turns
    assert [(turn.speaker, turn.role) for turn in turns] == [("critic", None), ("Unknown", None)]


def test_a_part_without_words_is_named_in_the_notes():
    said = message("user", {"content_type": "multimodal_text", "parts": ["Look", {"content_type": "hologram"}]})
    assert of_conversation(conversation(node("u", None, said))).talk.notes == (
        "parts of kind hologram hold no words we know of: 1",
    )


def test_a_conversation_nested_without_end_is_rejected_and_the_next_one_read():
    deep = '{"id": "deep", "mapping": {"n": {"message": ' + "[" * 100_000 + "]" * 100_000 + "}}}"
    found = of_member(
        "conversations.json", f"[{json.dumps(chain(('user', 'Hi')))}, {deep}, {json.dumps(chain(('user', 'Bye')))}]"
    )
    assert len(found.talks) == 2
    assert "nested too deeply" in found.rejects[0].why


class Counted(io.RawIOBase):
    """A stream without end in sight, which counts what was taken from it."""

    def __init__(self):
        self.pieces = self.made()
        self.taken = 0

    @staticmethod
    def made():
        yield b"["
        for number in range(100_000):
            yield json.dumps(chain(("user", f"Question {number}"), key=f"c{number}")).encode() + b","

    def read(self, _size=-1):
        piece = next(self.pieces)
        self.taken += len(piece)
        return piece


def test_conversations_come_before_the_rest_of_the_file_is_read():
    opened = []

    def opener():
        opened.append(Counted())
        return opened[-1]

    found = chatgpt.read(Member("conversations.json", 1, opener))
    assert [next(found).id for _ in range(3)] == ["c0", "c1", "c2"]
    assert max(stream.taken for stream in opened) < BLOCK_BYTES
    found.close()


def test_the_export_is_known_by_its_content_and_not_by_its_name():
    claude = [{"uuid": "x", "name": "A talk", "chat_messages": [{"sender": "human", "text": "Hi"}]}]
    assert of_json(claude, "conversations.json").talk.source == "claude"
    assert of_json([chain(("user", "Hi"))], "download (3).txt").texts == ["Hi"]


@pytest.mark.parametrize(
    "quoted",
    ['{"mapping": {"n": {"parent": null}}}', '"chatgpt_plus_user": true', "<title>ChatGPT Data Export</title>"],
)
def test_a_note_that_quotes_an_export_is_a_note(quoted):
    assert quoted in of_member("notes/format.md", f"# The format\n\n```json\n{quoted}\n```").note.text


def test_reading_twice_gives_the_same():
    talk = conversation(
        question(), node("a", "u", message("assistant", "x")), node("b", "u", message("assistant", "y"))
    )
    assert of_conversation(talk).items == of_conversation(talk).items
