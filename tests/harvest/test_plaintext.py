"""Plain text: notes, and transcripts that become conversations."""

import pytest
from exports import member, of_member
from hypothesis import given
from hypothesis import strategies as st

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters import plaintext
from noosphere.harvest.adapters.detect import named
from noosphere.harvest.items import Omission, TurnRole
from noosphere.harvest.read import read_member

TEN = 1778752980 * 1_000_000  # 2026-05-14T10:03:00Z
TALK = "Ann: Shall we move?\nBob: To where?\nAnn: To the coast.\nIn autumn.\nBob: Then yes."


def test_a_text_is_a_note():
    found = of_member("texts/Shopping.txt", "Milk\nBread\n").note
    assert (found.id, found.source, found.title, found.text) == (
        "texts/Shopping.txt",
        "plaintext",
        "Shopping",
        "Milk\nBread",
    )


def test_lines_said_in_turn_are_a_conversation():
    found = of_member("texts/talk.txt", TALK)
    assert [(turn.speaker, turn.text) for turn in found.talk.turns] == [
        ("Ann", "Shall we move?"),
        ("Bob", "To where?"),
        ("Ann", "To the coast.\nIn autumn."),
        ("Bob", "Then yes."),
    ]
    assert found.talk.participants == ("Ann", "Bob")
    assert {turn.role for turn in found.talk.turns} == {None}
    assert found.talk.head == found.talk.turns[-1].key
    assert [turn.parent for turn in found.talk.turns] == [None, *(turn.key for turn in found.talk.turns[:-1])]


def test_a_line_put_in_later_changes_no_other_key():
    before = {turn.text: turn.key for turn in of_member("t.txt", TALK).talk.turns}
    after = {turn.text: turn.key for turn in of_member("t.txt", f"Bob: Hello.\n{TALK}\nAnn: Good.").talk.turns}
    assert before.items() <= after.items()


def test_equal_lines_have_keys_of_their_own():
    turns = of_member("t.txt", "Ann: Yes\nBob: No\n" * 4).talk.turns
    assert len({turn.key for turn in turns}) == 8


@pytest.mark.parametrize(
    "stamp", ["[2026-05-14 10:03]", "[2026-05-14T10:03:00]", "2026-05-14 10:03", "[2026-05-14 10:03:00.000]"]
)
def test_times_without_a_zone_are_read_as_utc_and_said(stamp):
    lines = [f"{stamp} {line}" for line in TALK.splitlines() if ":" in line]
    found = of_member("t.txt", "\n".join(lines)).talk
    assert {turn.at for turn in found.turns} == {TEN}
    assert found.at == TEN
    assert found.notes == ("time without zone read as UTC",)


@pytest.mark.parametrize("stamp", ["[2026-05-14 12:03+02:00]", "[2026-05-14T10:03Z]", "[2026-05-14 10:03 UTC]"])
def test_times_with_a_zone_are_read_as_they_are(stamp):
    found = of_member("t.txt", "\n".join(f"{stamp} {who}: Hm" for who in ("Ann", "Bob") * 2)).talk
    assert {turn.at for turn in found.turns} == {TEN}
    assert found.notes == ()


def test_a_talk_with_an_assistant_knows_who_is_which():
    text = "User: Why?\nAssistant: Because.\n\nIt is so.\n\n- One\n- Two\n\nUser: I see.\nAssistant: Good.\n"
    found = of_member("t.txt", text).talk
    assert [turn.role for turn in found.turns] == [TurnRole.USER, TurnRole.ASSISTANT] * 2
    assert found.turns[1].text == "Because.\n\nIt is so.\n\n- One\n- Two"


@pytest.mark.parametrize(
    ("before", "title", "notes"),
    [
        ("A walk\n\n", "A walk", []),
        ("", "t", []),
        ("Notes of a walk\nby the sea\n\n", "t", ["Notes of a walk\nby the sea"]),
    ],
)
def test_what_stands_before_the_first_turn_is_a_title_or_a_note(before, title, notes):
    found = of_member("t.txt", before + TALK)
    assert found.talk.title == title
    assert [one.text for one in found.notes] == notes


def test_who_speaks_once_is_not_given_to_the_one_before():
    found = of_member("t.txt", TALK.replace("In autumn.", "Cleo: In autumn!")).talk
    assert [turn.speaker for turn in found.turns] == ["Ann", "Bob", "Ann", "Cleo", "Bob"]


@pytest.mark.parametrize(
    "text",
    [
        "host: a\nport: 1\nuser: b\nmode: c\n",
        "From: a@x.example\nTo: b@x.example\nSubject: Offer\nDate: today\n\nDear Bob,\nno.",
        "Note: One\nNote: Two\nNote: Three\nNote: Four\n",
        "Ann: One\nBob: Two\nAnn: Three\n",
        "Pros: a\nPros: b\nPros: c\nPros: d\nCons: e\nCons: f\nCons: g\nCons: h\n",
        "https://a.example\nhttps://b.example\n" * 3,
        "10:30 coffee\n11:30 talk\n" * 3,
        "\n\n".join(
            f"Example: {n}\n" + "Long words of a manual.\n" * 9 + f"Note: {n}\n" + "More of it.\n" * 9 for n in range(3)
        ),
    ],
)
def test_lists_forms_and_letters_are_no_conversations(text):
    assert of_member("t.txt", text).talks == []


@pytest.mark.parametrize(
    "text", ["小明：你好\n小红：你好呀\n小明：去哪里？\n小红：回家。\n", "Аня: Да\nБорис: Нет\n" * 2]
)
def test_speakers_of_any_script_are_known(text):
    assert len(of_member("t.txt", text).talk.turns) == 4


@pytest.mark.parametrize("data", ["", " \n ", b"\xef\xbb\xbf"])
def test_an_empty_file_is_counted(data):
    assert of_member("t.txt", data).left == {Omission.EMPTY_NOTE: 1}


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\0\1\2\3" * 100,
        bytes(range(256)) * 4,
        b'{"a": 1}',
        b'[{"a": 1}]',
        b"<div><p>Hello</p></div>",
        b"SQLite format 3\0",
    ],
)
def test_data_of_another_kind_is_no_text(data):
    assert of_member("file", data).left == {Omission.UNKNOWN_FILE: 1}


@pytest.mark.parametrize("data", [b"%PDF-1.4\n1 0 obj", b"<!doctype html><p>Hello"])
def test_documents_of_other_formats_are_no_text(data):
    assert plaintext.matches(member("file", data), data) is Match.NO


def test_undecodable_bytes_are_replaced_and_said():
    found = of_member("t.txt", "Grüße aus der Stadt, schöne Woche".encode("latin-1")).note
    assert found.text == "Gr��e aus der Stadt, sch�ne Woche"
    assert found.notes == ("undecodable bytes replaced: 3",)


def test_a_file_too_large_for_a_note_is_rejected_with_a_remedy(monkeypatch):
    monkeypatch.setattr("noosphere.harvest.members.MAX_TEXT_BYTES", 10)
    (reject,) = of_member("t.txt", "Twelve bytes").rejects
    assert "too many" in reject.why
    assert reject.remedy


def test_the_marks_of_markdown_make_a_text_file_a_note_of_markdown():
    assert of_member("README.txt", "# Title\n\nSee [[Other]]").note.source == "markdown"
    assert of_member("notes.log", "# comment\n- no\n**kwargs\n").note.source == "plaintext"


@pytest.mark.parametrize("name", ["src/app.ts", "tool.py", "main.GO", "style.css", "query.sql", "Button.tsx", "run.sh"])
@pytest.mark.parametrize(
    "code",
    [
        "# comment\n- no\n**kwargs\n",
        "export const kettle = 'blue'\n",
        "a: b\nb: c\na: d\nb: e\n",
        "<html><p>x</p></html>",
    ],
)
def test_source_code_is_no_note(name, code):
    found = of_member(name, code)
    assert (found.items, found.rejects, found.left) == ([], [], {Omission.SOURCE_CODE: 1})


def test_a_script_without_a_suffix_is_no_note():
    assert of_member("build", "#!/bin/sh\n# Build everything\n\n- no\n").left == {Omission.UNKNOWN_FILE: 1}


def test_a_program_may_be_brought_in_by_asking_for_its_format():
    (note,) = read_member(member("tool.py", "print('hello')"), named("plaintext"))
    assert note.text == "print('hello')"


@given(st.text(max_size=200))
def test_no_text_raises(text):
    found = of_member("t.txt", text.encode("utf-8", "surrogatepass"))
    assert found.items or found.left or found.rejects


SPOKEN = st.tuples(st.sampled_from(["Ann", "Bob", "Cleo"]), st.sampled_from(["yes", "no", "perhaps"]))


@given(st.lists(SPOKEN, min_size=4, max_size=30))
def test_no_word_of_a_transcript_is_lost(lines):
    found = of_member("t.txt", "\n".join(f"{who}: {what}" for who, what in lines))
    words = " ".join(turn.text for turn in found.talk.turns) if found.talks else found.note.text
    assert sum(words.count(word) for word in ("yes", "no", "perhaps")) == len(lines)
