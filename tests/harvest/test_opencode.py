"""Sessions of opencode, whose messages and parts lie in files of their own."""

import json

import pytest
from exports import of_json, of_path, zipped

from noosphere.harvest.items import Omission

SESSION = {"id": "ses_1", "title": "A fix", "directory": "/home/dev/app", "projectID": "p", "time": {"created": 1}}


def write(root, **files):
    for name, value in files.items():
        path = root.joinpath(*name.split("__")).with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")


def message(key, role, at, **fields):
    return {"id": key, "sessionID": "ses_1", "role": role, "time": {"created": at}} | fields


def part(key, of, kind="text", **fields):
    return {"id": key, "messageID": of, "type": kind} | fields


@pytest.fixture
def store(tmp_path):
    write(
        tmp_path,
        session__p__ses_1=SESSION,
        message__ses_1__msg_2=message("msg_2", "assistant", 1700000002000),
        message__ses_1__msg_1=message("msg_1", "user", 1700000001000),
        part__msg_1__a=part("a", "msg_1", text="Fix the login"),
        part__msg_1__b=part("b", "msg_1", text="a file that was read", synthetic=True),
        part__msg_2__a=part("a", "msg_2", "reasoning", text="hm"),
        part__msg_2__b=part("b", "msg_2", "tool", tool="bash"),
        part__msg_2__c=part("c", "msg_2", text="Done."),
    )
    return tmp_path


def test_a_session_is_put_together_from_its_files_in_the_order_of_time(store):
    found = of_path(store)
    talk = found.talk
    assert (talk.source, talk.id, talk.title) == ("opencode", "ses_1", "A fix")
    assert [(turn.speaker, turn.text) for turn in talk.turns] == [("User", "Fix the login"), ("Assistant", "Done.")]
    assert talk.turns[0].at == 1700000001000_000
    assert found.left[Omission.REASONING] == found.left[Omission.TOOL_CALL] == 1


def test_broken_and_absent_files_cost_only_themselves(store):
    write(store, message__ses_1__msg_3="{", message__ses_1__msg_4='{"a":' * 100_000, part__msg_2__d="[]")
    (store / "part" / "msg_1" / "a.json").unlink()
    found = of_path(store)
    assert [turn.text for turn in found.talk.turns] == ["Done."]
    assert sorted(one.what for one in found.rejects) == ["d.json", "msg_3.json", "msg_4.json"]
    assert found.left[Omission.EMPTY_MESSAGE] == 1


def test_an_id_never_becomes_a_path(tmp_path):
    write(tmp_path, session__p__ses_1=SESSION | {"id": "../../etc"})
    (reject,) = of_path(tmp_path).rejects
    assert "id" in reject.why


def test_a_session_in_an_archive_is_a_reject_with_a_remedy(tmp_path):
    zipped(tmp_path / "store.zip", {"session/p/ses_1.json": json.dumps(SESSION).encode()})
    (reject,) = of_path(tmp_path / "store.zip").rejects
    assert "unpacked" in reject.remedy


def test_a_message_by_itself_goes_with_its_session():
    found = of_json(message("msg_1", "user", 1), "msg_1.json")
    assert found.left[Omission.COMPANION_FILE] == 1


def test_a_part_larger_than_the_first_look_is_still_a_part():
    found = of_json(part("a", "msg_1", text="word " * 50_000), "a.json")
    assert (found.items, found.left) == ([], {Omission.COMPANION_FILE: 1})
