"""Writing commands: every option reaches the memory, and every answer names its outcome."""

import json

import pytest

DAY = "2026-05-14"


def jsonl(*turns):
    return "\n".join(json.dumps(turn, ensure_ascii=False) for turn in turns)


def test_remember_takes_every_field_of_a_draft(cli):
    stored = cli(
        *("remember", "I live in Lisbon", "--json", "--role", "fact", "--kind", "semantic"),
        *("--importance", "important", "--status", "canonical", "--volatility", "state", "--source", "tool_verified"),
        *("--claim", "verified", "--confidence", "0.75", "--evidence", "https://example.org/a", "--evidence", "note-7"),
        *("--evidence", '{"uri": "file:///b"}', "--tag", "home", "--tag", "#city", "--title", "Where", "--metadata"),
        *('{"a": [1, "é"]}', "--trace-id", "run-1", "--session", "s1", "--said-at", "2026-05-14T10:00:00Z"),
        *("--occurred", DAY, "--valid-from", "2026-03", "--valid-to", "2030", "--subject", "user"),
        *("--slot", "user.home_city", "--value", "Lisbon", "--functional"),
    )
    assert (stored.code, stored.document["outcome"]) == (0, "stored")
    memory = cli("get", stored.id, "--json").document
    assert memory["text"] == "I live in Lisbon"
    wanted = {
        "role": "fact", "kind": "semantic", "importance": "important", "status": "canonical", "volatility": "state",
        "source": "tool_verified", "claim": "verified", "confidence": 0.75, "tags": ["city", "home"], "title": "Where",
        "metadata": {"a": [1, "é"]}, "trace_id": "run-1", "said_at": "2026-05-14T10:00:00Z", "occurred": DAY,
        "valid_from": "2026-03-01T00:00:00Z", "valid_to": "2030-01-01T00:00:00Z", "subject": "user",
        "attribute": "home_city", "value": "Lisbon",
    }  # fmt: skip
    assert {name: memory[name] for name in wanted} == wanted
    told = [(e["source_id"], e["uri"]) for e in memory["evidence"]]
    assert {("note-7", None), (None, "https://example.org/a"), (None, "file:///b")} <= set(told)


def test_each_outcome_of_remember_has_its_name(cli):
    first = cli(
        "remember",
        "I live in Berlin",
        "--slot",
        "user.home_city",
        "--value",
        "Berlin",
        "--valid-from",
        "2025",
        "--json",
    )
    again = cli(
        "remember",
        "I live in Berlin",
        "--slot",
        "user.home_city",
        "--value",
        "Berlin",
        "--valid-from",
        "2025",
        "--json",
    )
    other = cli(
        "remember",
        "I live in Lisbon",
        "--slot",
        "user.home_city",
        "--value",
        "Lisbon",
        "--valid-from",
        "2026",
        "--json",
    )
    empty = cli("remember", "  ", "--json")
    assert [a.document["outcome"] for a in (first, again, other, empty)] == [
        "stored",
        "duplicate",
        "superseded",
        "refused",
    ]
    assert [a.code for a in (first, again, other, empty)] == [0, 0, 0, 1]
    assert other.document["old"] == [first.id]


def test_without_json_the_first_line_names_the_outcome_and_the_id(cli):
    answer = cli("remember", "The kettle is blue")
    word, node = answer.out.splitlines()[0].split()
    assert word == "stored"
    assert cli("get", node, "--json").document["text"] == "The kettle is blue"


def test_a_refusal_says_why(cli):
    answer = cli("remember", "")
    assert answer.code == 1
    assert answer.out.startswith("refused: there is no text")


def test_text_comes_from_standard_input_as_it_is(cli):
    text = "two\r\nlines\tand a tab, 我们, Đà Nẵng 🚀"
    stored = cli("remember", "-", "--json", stdin=f"\ufeff{text}\n")
    assert cli("get", stored.id, "--json").document["text"] == text


def test_the_shared_options_stand_before_or_after_the_command(cli, tmp_path):
    mind = tmp_path / "a.db"
    before = cli("--mind", mind, "--actor", "ann", "--json", "remember", "one")
    after = cli("remember", "two", "--mind", mind, "--actor", "bo", "--json")
    assert (before.code, after.code) == (0, 0)
    entries = cli("--json", "journal", "--mind", mind).document
    assert {e["actor"] for e in entries} == {"ann", "bo"}
    assert {e["channel"] for e in entries} == {"cli"}


def test_what_stands_after_the_command_wins(cli, tmp_path):
    cli("--mind", tmp_path / "a.db", "remember", "only in b", "--mind", tmp_path / "b.db")
    assert cli("stats", "--mind", tmp_path / "b.db", "--json").document["memories"] == 1
    assert not (tmp_path / "a.db").exists()


def test_a_home_may_be_given(cli, tmp_path):
    cli("remember", "elsewhere", "--home", tmp_path / "other")
    assert cli("stats", "--home", tmp_path / "other", "--json").document["memories"] == 1
    assert cli("stats", "--json").document["memories"] == 0


def test_record_adds_turns_once(cli):
    turns = jsonl(
        {"key": "1", "speaker": "Ann", "text": "We ship on Friday.", "at": "2026-05-14T10:00:00Z"},
        {"key": "2", "speaker": "Bo", "text": "Fine.", "speaker_role": "user", "parent": "1", "session": "s"},
    )
    first = cli(
        "record",
        "standup",
        "--participant",
        "Ann",
        "--participant",
        "Bo",
        "--title",
        "T",
        "--tag",
        "x",
        "--json",
        stdin=turns,
    )
    again = cli("record", "standup", "--json", stdin=turns + "\n\n")
    assert first.document["outcome"] == again.document["outcome"] == "recorded"
    assert (len(first.document["added"]), again.document["known"]) == (2, 2)
    talk = cli("get", first.document["conversation"], "--json").document
    assert (talk["key"], talk["title"], talk["tags"], len(talk["turns"])) == ("standup", "T", ["x"], 2)


GOOD = {"key": "1", "speaker": "Ann", "text": "We ship on Friday."}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "is not JSON"),
        ("[1]", "is not a JSON object"),
        ('"text"', "is not a JSON object"),
        ("[" * 100_000, "is not JSON"),
        ('{"key": "2", "speaker": "Ann"}', "text is missing"),
        ('{"key": " ", "speaker": "Ann", "text": "x"}', "key is missing"),
        ('{"key": "2", "speaker": "Ann", "txt": "x"}', "Did you mean text?"),
        ('{"key": 2, "speaker": "Ann", "text": "x"}', "key is '2', not text"),
        ('{"key": "2", "speaker": "Ann", "text": "x", "session": 3}', "session is '3', not text"),
        ('{"key": "2", "speaker": "Ann", "text": "x", "at": "yesterday"}', "at: 'yesterday' is not a time"),
        ('{"key": "2", "speaker": "Ann", "text": "x", "at": "2026-05-14T10:00:00"}', "no time zone"),
        ('{"key": "1", "speaker": "Bo", "text": "x"}', "is that of line 1"),
        (b'{"key": "2", "speaker": "Ann", "text": "\xe9"}', "is not UTF-8"),
    ],
    ids=range(13),
)
def test_a_bad_line_is_named_and_nothing_is_written(cli, line, said):
    raw = line if isinstance(line, bytes) else line.encode()
    answer = cli("record", "standup", stdin=json.dumps(GOOD).encode() + b"\n\n" + raw)
    assert answer.code == 2
    assert "line 3" in answer.err
    assert said in answer.err
    assert cli("stats", "--json").document["conversations"] == 0


def test_no_turns_are_a_mistake(cli):
    answer = cli("record", "standup", stdin="\n")
    assert (answer.code, "holds no turns" in answer.err) == (2, True)


def test_a_memory_is_revised_appended_branched_and_looked_back_on(cli):
    node = cli("remember", "Maya works at Zephyrine", "--json").id
    assert (
        cli("revise", node, "Maya works at Quillfeather", "--said-at", DAY, "--json").document["outcome"] == "revised"
    )
    assert cli("append", node, "-", "--json", stdin="She started in May.").document["outcome"] == "appended"
    assert cli("branch", node, "Or at Ostrich", "--description", "a rumour", "--json").document["outcome"] == "branched"
    assert cli("get", node, "--json").document["text"] == "Maya works at Quillfeather\nShe started in May."
    history = cli("history", node, "--json").document
    assert history["texts"][0][1] == "Maya works at Zephyrine"
    assert "Zephyrine" in cli("history", node).out
    assert cli("revise", node, "Maya works at Quillfeather\nShe started in May.", "--json").code == 1


def test_what_is_said_of_a_memory_is_changed_and_emptied(cli):
    node = cli("remember", "The kettle is blue", "--title", "Kettle", "--tag", "old", "--json").id
    changed = cli("classify", node, "--add-tag", "new", "--remove-tag", "old", "--importance", "critical", "--json")
    assert set(changed.document["changed"]) == {"tags", "importance"}
    assert cli("classify", node, "--clear", "title", "--json").document["changed"] == ["title"]
    memory = cli("get", node, "--json").document
    assert (memory["tags"], memory["importance"], memory["title"]) == (["new"], "critical", None)
    assert cli("classify", node, "--tag", "only").code == 0
    assert cli("get", node, "--json").document["tags"] == ["only"]
    assert cli("set-status", node, "deprecated", "--json").document["changed"] == ["status"]


def test_forgetting_is_undone_by_its_journal_entry(cli):
    node = cli("remember", "The kettle is blue", "--json").id
    forgotten = cli("forget", node, "--json").document
    assert (forgotten["outcome"], forgotten["ids"]) == ("forgotten", [node])
    assert cli("recall", "kettle").code == 1
    assert cli("journal", "--limit", "1", "--json").document[0]["id"] == forgotten["journal"]
    assert cli("undo", forgotten["journal"], "--json").document["undone"] == [forgotten["journal"]]
    assert cli("recall", "kettle").code == 0
    assert cli("undo", forgotten["journal"]).code == 1


def test_undo_of_what_others_rest_on_needs_cascade(cli):
    stored = cli("remember", "The kettle is blue", "--json").document
    cli("append", stored["id"], "Very blue.")
    blocked = cli("undo", stored["journal"], "--json")
    assert (blocked.code, blocked.document["reason"]) == (1, "blocked")
    assert cli("undo", stored["journal"], "--cascade").code == 0


def test_edges_are_set_and_retired(cli):
    a, b = (cli("remember", text, "--json").id for text in ("The pump failed", "The cellar is wet"))
    linked = cli("link", a, "relates_to", b, "--weight", "0.5", "--valid-from", DAY, "--json").document
    assert linked["outcome"] == "linked"
    assert cli("link", a, "relates_to", b, "--weight", "0.5", "--valid-from", DAY, "--json").document["existing"]
    assert cli("unlink", linked["edge"], "--json").document["outcome"] == "unlinked"
    assert cli("unlink", linked["edge"]).code == 1


def test_an_entity_is_stored_with_a_type_and_looked_up_without(cli):
    stored = cli("entity", "Maya Lindqvist", "--type", "person", "--properties", '{"team": "search"}', "--json")
    assert (stored.document["outcome"], stored.document["created"]) == ("entity_stored", True)
    assert [e["id"] for e in cli("entity", "maya  lindqvist", "--json").document] == [stored.id]
    nobody = cli("entity", "Nobody", "--json")
    assert (nobody.code, nobody.document) == (1, [])
    assert "Add --type" in cli("entity", "Maya", "--tag", "x").err


def test_sessions_are_ensured_listed_closed_and_archived(cli):
    one = cli("session", "ensure", "standup", "--project", "search", "--title", "T", "--json").document
    assert (one["outcome"], one["key"], one["project"]) == ("ensured", "standup", "search")
    assert cli("session", "ensure", "standup", "--json").id == one["id"]
    active = cli("session", "ensure-active", "--actor", "claude", "--json").document
    assert active["actor"] == "claude"
    assert {s["id"] for s in cli("session", "list", "--json").document} == {one["id"], active["id"]}
    assert "standup" in cli("session", "list", "--limit", "5").out
    assert cli("session", "close", "standup", "--json").document["status"] == "closed"
    assert cli("session", "close", "standup").code == 1
    assert cli("remember", "too late", "--session", "standup", "--json").document["reason"] == "session_closed"
    assert cli("session", "archive", one["id"], "--json").document["status"] == "archived"
    assert cli("session", "close", "nothing").code == 1


def test_options_that_must_be_json_say_so(cli):
    assert "metadata: 'x' is not JSON" in cli("remember", "a", "--metadata", "x").err
    assert "metadata: '[1]' is not a JSON object" in cli("remember", "a", "--metadata", "[1]").err
    assert "properties: '{' is not JSON" in cli("entity", "a", "--type", "person", "--properties", "{").err
    assert "evidence: '{x' is not JSON" in cli("remember", "a", "--evidence", "{x").err
    assert cli("remember", "a", "--metadata", '{"a": NaN}').code == 2
    assert cli("stats", "--json").document["memories"] == 0
