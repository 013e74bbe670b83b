"""Recall and its relatives: what is found, how it is shown, and that nothing typed is syntax."""

import json

import pytest

from noosphere.serve.cli.app import make_command

NASTY = "[bold]loud[/] [/] [link=x]y[/link] :smile: \x1b[31mred\x1b[0m \x07bell \x9b2J \u202edrow"


@pytest.fixture
def house(cli):
    """A mind with a few things in it."""
    for text, *options in (
        ("The kettle is blue", "--tag", "kitchen", "--importance", "important"),
        ("The kettle was red", "--valid-to", "2020", "--tag", "kitchen"),
        ("The cellar door sticks", "--title", "Cellar", "--occurred", "2026-05-14", "--subject", "house"),
        ("Release status: done, see a/b and C++ AND (", "--role", "task"),
    ):
        assert cli("remember", text, *options).code == 0
    turn = {"key": "1", "speaker": "Ann", "text": "Bring the ladder", "at": "2026-05-14T10:00:00Z", "session": "s9"}
    assert cli("record", "chores", "--participant", "Ann", stdin=json.dumps(turn)).code == 0
    return cli


def texts(answer):
    return [hit["text"] for hit in answer.document["hits"]]


def test_recall_gives_a_pipe_the_block_for_a_prompt(house):
    answer = house("recall", "kettle")
    assert answer.code == 0
    assert answer.out.startswith('<recalled-memories mind="personal"')
    assert "The kettle is blue (user_stated, unknown, id " in answer.out


def test_recall_as_json_has_hits_text_and_trace(house):
    answer = house("recall", "kettle", "--json")
    assert set(answer.document) == {"hits", "text", "trace"}
    assert texts(answer) == ["The kettle is blue"]
    assert set(house("recall", "kettle", "--rank", "--json").document) == {"hits", "trace"}


def test_rank_lists_the_hits_with_their_reasons(house):
    out = house("recall", "cellar door", "--rank").out
    assert out.startswith("  1. 2026-05-14  Cellar: The cellar door sticks\n")
    assert "user_stated, claim unknown" in out
    assert "found by keyword 1; words: cellar, door" in out
    assert f"id {house('recall', 'cellar', '--json').document['hits'][0]['id']}" in out


def test_rank_says_who_spoke(house):
    assert "1. 2026-05-14  Ann: Bring the ladder\n" in house("recall", "ladder", "--rank").out


def test_explain_tells_every_step(house):
    out = house("recall", "kettle", "--explain").out
    assert "</recalled-memories>\nplan: 'kettle' through keyword" in out
    assert "fit: 1 shown" in out


def test_nothing_found_is_code_1_and_still_one_document(house):
    answer = house("recall", "xqzzplf wubba", "--json")
    assert (answer.code, answer.document["hits"]) == (1, [])
    assert house("recall", "xqzzplf wubba", "--rank").code == 1


def test_the_past_is_seen_when_asked_for(house):
    assert texts(house("recall", "kettle", "--include-past", "--json")) == ["The kettle is blue", "The kettle was red"]
    assert "no longer true since 2020-01-01" in house("recall", "kettle", "--include-past", "--rank").out
    assert texts(house("recall", "kettle", "--as-of", "2019", "--json")) == ["The kettle was red"]
    assert house("recall", "kettle", "--known-at", "2019").code == 1


@pytest.mark.parametrize(
    ("query", "options", "found"),
    [
        ("kettle", ["--tag", "kitchen"], 1),
        ("kettle", ["--tag", "kitchen", "--tag", "cellar"], 0),
        ("kettle", ["--importance", "important", "--importance", "critical"], 1),
        ("kettle", ["--importance", "critical"], 0),
        ("release", ["--role", "task"], 1),
        ("release", ["--kind", "semantic"], 0),
        ("release", ["--status", "active", "--source", "user_stated", "--claim", "unknown"], 1),
        ("release", ["--volatility", "volatile"], 0),
        ("door", ["--subject", "house", "--since", "2026-05", "--until", "2026-05"], 1),
        ("door", ["--until", "2026-04"], 0),
        ("ladder", ["--speaker", "ann", "--participant", "Ann", "--conversation", "chores", "--session", "s9"], 1),
        ("ladder", ["--class", "memory"], 0),
        ("ladder", ["--class", "conversation"], 1),
        ("kettle", ["--lane", "keyword"], 1),
    ],
    ids=range(14),
)
def test_filters_narrow(house, query, options, found):
    assert len(house("recall", query, *options, "--json").document["hits"]) == found


@pytest.mark.parametrize(
    "query",
    ["status: done", "don't \"x", "C++ AND (", "a/b", "*", "", "%s {0} {hits}", "'; DROP TABLE node; --", "NEAR("],
)
def test_no_query_is_syntax(house, query):
    answer = house("recall", query, "--json")
    assert answer.code == (0 if answer.document["hits"] else 1)
    if query in {"status: done", "C++ AND (", "a/b"}:
        assert texts(answer)[0].startswith("Release status")


def test_a_query_may_come_from_standard_input_and_be_a_dash(house):
    assert texts(house("recall", "-", "--json", stdin="kettle\n")) == ["The kettle is blue"]
    assert house("recall", "-", "--json", stdin="-").code == 1
    assert house("recall", "-", "--json", stdin="").document["hits"] == []


@pytest.mark.parametrize("query", ["kettle " * 150_000, "x" * 1_000_000], ids=["words", "one word"])
def test_a_query_of_a_megabyte_is_no_trouble(house, query):
    assert house("recall", "-", "--json", stdin=query).code in {0, 1}


def test_a_query_that_begins_with_a_dash_stands_behind_two(house):
    assert house("recall", "--json", "--", "--kettle").document["hits"]


def test_what_a_memory_says_is_shown_and_never_obeyed(cli):
    node = cli("remember", "-", "--title", "a [red]b[/]", "--json", stdin=NASTY).id
    shown = "[bold]loud[/] [/] [link=x]y[/link] :smile: ␛[31mred␛[0m ␇bell <U+009B>2J <U+202E>drow"
    for answer in (cli("recall", "loud", "--rank"), cli("recall", "loud"), cli("get", node), cli("history", node)):
        assert shown in answer.out
        assert "a [red]b[/]" in answer.out


def test_json_keeps_what_a_memory_says_and_is_harmless_to_look_at(cli):
    node = cli("remember", "-", "--json", stdin=NASTY).id
    answer = cli("get", node, "--json")
    assert answer.document["text"] == NASTY
    assert all(char.isprintable() or char == "\n" for char in answer.out)


def test_a_needle_in_a_long_document_is_shown(cli):
    hay = [f"Paragraph {n} speaks of nothing much, at some length, as paragraphs do." for n in range(900)]
    hay[600] = "The vault combination is 7-31-9, says Aunt Ottoline."
    stored = cli("remember", "-", "--json", stdin="\n".join(hay))
    for words in (["recall", "vault combination Ottoline"], ["recall", "vault combination Ottoline", "--rank"]):
        out = cli(*words).out
        assert "7-31-9" in out
        assert len(out) < 12_000
    assert stored.id in out


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (b"nul \0 inside", "nul  inside"),
        ("joined 👩‍👩‍👧‍👦 emoji".encode(), None),
        ("עברית ואז English".encode(), None),
        (b"one line " * 120_000, None),
        (b"lone surrogate \xed\xa0\x80", ""),
    ],
    ids=["nul", "emoji", "right to left", "a megabyte", "surrogate"],
)
def test_strange_text_is_stored_or_refused_and_the_next_call_works(cli, given, kept):
    answer = cli("remember", "-", "--json", stdin=given)
    if kept == "":
        assert (answer.code, answer.error["field"]) == (2, "stdin")
    else:
        wanted = given.decode().strip() if kept is None else kept
        assert cli("get", answer.id, "--json").document["text"] == wanted
        assert bool(answer.document["repairs"]) == (kept is not None)
    assert cli("remember", "the next one").code == 0


def test_get_shows_turns_conversations_and_entities(house):
    turn = house("recall", "ladder", "--json").document["hits"][0]
    assert "Bring the ladder" in house("get", turn["id"]).out
    assert "chores" in house("get", turn["node"]).out
    node = house("entity", "Maya", "--type", "person", "--json").id
    assert house("get", node, "--json").document["name"] == "Maya"
    assert "Maya" in house("get", node).out
    assert "Maya" in house("entity", "maya").out


def test_tags_and_journal_are_listed(house):
    assert house("tags", "--json").document == {"kitchen": 2}
    assert "2  kitchen" in house("tags").out
    assert len(house("journal").out.splitlines()) == len(house("journal", "--json").document) == 5


def test_every_reading_command_answers_one_document(house):
    node = house("recall", "kettle", "--json").document["hits"][0]["id"]
    needs = {"recall": ["kettle"], "get": [node], "history": [node], "journal": ["--target", node]}
    for name in ("recall", "get", "history", "tags", "journal", "stats", "status", "doctor"):
        assert name in make_command().commands
        answer = house(name, *needs.get(name, []), "--json")
        assert answer.code == 0
        assert len(answer.out.splitlines()) == 1
        assert answer.document


def test_claim_and_evidence_are_told_of_things_and_of_edges(house):
    one = house("remember", "The kiln is hot", "--claim", "verified", "--json").id
    other = house("remember", "The studio is warm", "--json").id
    house("remember", "The kiln is hot")
    assert (
        house("link", one, "relates_to", other, "--claim", "verified", "--evidence", "https://kiln.example").code == 0
    )
    told = house("recall", "kiln", "--json").document["hits"][0]
    assert (told["claim"], told["evidence_count"]) == ("verified", 2)
    assert "claim verified; evidence 2" in " ".join(house("recall", "kiln", "--rank").out.split())
    reached = " ".join(house("hops", other).out.split())
    assert "memory, verified, evidence 2" in reached
    item = house("hops", other, "--json").document[0]
    assert (item["claim"], item["evidence"]) == ("verified", 2)
    assert (item["path"][0]["claim"], item["path"][0]["evidence"]) == ("verified", 1)
