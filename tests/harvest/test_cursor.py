"""Cursor's composers in its database and as JSON, and its lines without a type."""

import hashlib
import json

import apsw
import pytest
from exports import of_json, of_member, of_path, zipped

from noosphere import open_mind
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


def database(path, *, wal=False):
    """What Cursor keeps: two composers with their bubbles, a broken one, and rows of other kinds."""
    rows = {
        "composerData:c1": json.dumps(composer()["composer_data"] | {"composerId": "c1"}),
        "composerData:c10": json.dumps({"name": "Other", "fullConversationHeadersOnly": [{"bubbleId": "u"}]}),
        "composerData:c2": "{broken",
        "bubbleId:c1:u": json.dumps({"type": 1, "text": "Fix the pump", "createdAt": "2026-05-14T10:03:00Z"}),
        "bubbleId:c1:a": json.dumps({"type": 2, "text": "It is fixed."}).encode(),
        "bubbleId:c1:t": json.dumps({"type": 2, "text": "", "toolFormerData": {}}),
        "bubbleId:c10:u": json.dumps({"type": 1, "text": "Something else"}),
        "checkpointId:c1:x": "{}",
    }
    sql = apsw.Connection(str(path))
    if wal:
        sql.pragma("journal_mode", "wal")
    sql.execute("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)")
    sql.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
    sql.pragma("wal_checkpoint")  # the tables are in the file, the rows still beside it
    sql.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", [*rows.items(), ("composerData:null", None)])
    return sql


@pytest.mark.parametrize("wal", [False, True])
def test_the_database_is_read_while_cursor_has_it_open(tmp_path, wal):  # pitfall 47
    path = tmp_path / "state.vscdb"
    sql = database(path, wal=wal)
    before = path.read_bytes() if not wal else None
    found = of_path(path)
    said = {talk.id: [(turn.speaker, turn.text) for turn in talk.turns] for talk in found.talks}
    assert said == {"c1": [("User", "Fix the pump"), ("Cursor", "It is fixed.")], "c10": [("User", "Something else")]}
    assert [(one.what, one.origin.rpartition("#")[2]) for one in found.rejects] == [("composer", "composerData:c2")]
    assert found.left == {Omission.TOOL_CALL: 1}
    assert before is None or path.read_bytes() == before
    sql.close()


def test_a_second_harvest_of_the_database_adds_only_what_is_new(tmp_path):
    path = tmp_path / "state.vscdb"
    database(path).close()
    with open_mind(tmp_path / "m.db") as mind:
        first, second = mind.harvest(str(path)), mind.harvest(str(path))
        assert (first.conversations, first.added, second.added) == (2, 3, 0)
        sql = apsw.Connection(str(path))
        grown = composer(named=("u", "a", "t", "n"))["composer_data"]
        sql.execute("UPDATE cursorDiskKV SET value = ? WHERE key = 'composerData:c1'", (json.dumps(grown),))
        said = json.dumps({"type": 1, "text": "And the valve?"})
        sql.execute("INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:n', ?)", (said,))
        sql.close()
        assert mind.harvest(str(path)).added == 1


def test_a_damaged_database_and_one_in_an_archive_are_rejects(tmp_path):
    path = tmp_path / "state.vscdb"
    database(path).close()
    (inside,) = of_path(zipped(tmp_path / "a.zip", {"state.vscdb": path.read_bytes()})).rejects
    assert inside.remedy == "Unpack it and give the file"
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    (damaged,) = of_path(path).rejects
    assert "cannot be read as a database" in damaged.why


def test_another_database_and_a_mind_are_not_taken_for_cursors(tmp_path):
    apsw.Connection(str(tmp_path / "other.db")).execute("CREATE TABLE things (key, value)").connection.close()
    with open_mind(tmp_path / "m.db") as mind:
        mind.remember("cursorDiskKV composerData:c1")
        found = of_path(tmp_path)
    assert (found.items, set(found.left)) == ([], {Omission.UNKNOWN_FILE})
    assert [reject.why for reject in found.rejects] == ["is of no known kind"]


def store(path, *messages, about=None, root=None):
    """A session of Cursor's command line: messages under their hashes, and a root that names them."""
    blobs = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
    names = [hashlib.sha256(blob).digest() for blob in blobs]
    listed = b"".join(b"\x0a\x20" + name for name in names) + b"\x10\x96\x01" + b"\x4a\x04/app" + b"\x1d1234"
    root = listed if root is None else root
    known = {"agentId": "s1", "name": "A fix", "createdAt": 1700000000000, "lastUsedModel": "m"}
    known |= {"latestRootBlobId": hashlib.sha256(root).hexdigest()}
    with apsw.Connection(str(path)) as sql:
        sql.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
        sql.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
        for name, blob in zip([*names, hashlib.sha256(root).digest()], [*blobs, root], strict=True):
            sql.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (name.hex(), blob))
        sql.execute("INSERT INTO meta VALUES ('0', ?)", (json.dumps(known | (about or {})).encode().hex(),))
    sql.close()
    return path


ASKED = {
    "role": "user",
    "content": [{"type": "text", "text": "<user_info>OS</user_info><user_query>Fix it</user_query>"}],
}
ANSWERED = {
    "role": "assistant",
    "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "Done."}, {"type": "tool-call"}],
}


def test_a_session_of_the_command_line_is_a_conversation_in_the_order_of_its_root(tmp_path):  # pitfall 47
    rest = {"role": "system", "content": "You are"}, {"role": "tool", "content": [{"type": "tool-result"}]}
    found = of_path(
        store(tmp_path / "store.db", rest[0], ASKED, ANSWERED, rest[1], {"role": "user", "content": "Thanks"})
    )
    assert (found.talk.id, found.talk.title, found.talk.source) == ("s1", "A fix", "cursor")
    assert [(turn.speaker, turn.text) for turn in found.talk.turns] == [
        ("User", "Fix it"),
        ("Cursor", "Done."),
        ("User", "Thanks"),
    ]
    assert found.talk.turns[0].at == 1700000000000000
    assert found.left == {
        Omission.SYSTEM_MESSAGE: 1,
        Omission.TOOL_OUTPUT: 1,
        Omission.REASONING: 1,
        Omission.TOOL_CALL: 1,
    }


def test_a_session_that_grew_adds_its_new_turns_and_a_message_said_twice_stays_two(tmp_path):
    with open_mind(tmp_path / "mind.db") as mind:
        assert mind.harvest(store(tmp_path / "store.db", ASKED, ANSWERED)).added == 2
        (tmp_path / "store.db").unlink()
        store(tmp_path / "store.db", ASKED, ANSWERED, ASKED, ANSWERED)
        grown = mind.harvest(tmp_path / "store.db")
        assert (grown.added, grown.known, grown.changed) == (2, 2, 0)


@pytest.mark.parametrize(
    ("messages", "given", "what"),
    [
        ((ASKED, b"\x0a\x03abc"), {}, "message 2"),
        ((ASKED, {"role": "user", "content": 5}), {}, "message 2"),
        ((ASKED, {"role": "oracle", "content": "x"}), {}, "message 2"),
        ((ASKED,), {"root": b"\x0a\xff\xff\xff\xff"}, "session"),
        ((ASKED,), {"root": b"\x0b"}, "session"),
        ((ASKED,), {"about": {"latestRootBlobId": "gone"}}, "session"),
        ((), {"root": b"\x0a\x20" + b"x" * 32}, "message 1"),
    ],
)
def test_what_a_store_holds_in_another_form_is_a_reject(tmp_path, messages, given, what):
    found = of_path(store(tmp_path / "store.db", *messages, **given))
    assert [one.what for one in found.rejects] == [what]
    assert [talk.turns[0].text for talk in found.talks] == ["Fix it"] * (what == "message 2")


def test_a_store_without_a_message_is_counted(tmp_path):
    assert of_path(store(tmp_path / "store.db", about={"latestRootBlobId": None})).left == {
        Omission.EMPTY_CONVERSATION: 1
    }
