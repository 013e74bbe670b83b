"""What lists say when there is nothing in them: a line for people beside the answer, never silence."""

LISTS = {
    "review": "nothing waits",
    "review conflicts": "nothing contradicts",
    "upkeep runs": "no pass",
    "upkeep stale": "nothing is marked",
    "identity show": "noosphere identity set",
    "awareness list": "noosphere awareness add",
    "mastery due": "no concept",
    "mastery list": "no concept",
    "signals list": "nothing waits",
    "traces list": "noosphere traces record",
    "procedures list": "noosphere procedures record",
    "interactions list": "no language model",
    "interactions totals": "no language model",
    "session list": "no session",
    "tags": "no tag",
    "list-recent": "no such memory",
    "journal": "no such change",
    "search-entities nobody": "no entity",
    "entity nobody": "noosphere search-entities nobody",
    "harvest sources": "noosphere harvest PATH",
    "harvest runs": "noosphere harvest PATH",
    "harvest review": "nothing is held back",
    "workspace clear": "no workspace",
    "hooks status --settings none.json": "noosphere hooks install",
}


def test_an_empty_list_says_so_in_one_line_and_its_output_stays_empty(cli):
    for words, said in LISTS.items():
        answer = cli(*words.split())
        assert (words, answer.out, answer.err.count("\n")) == (words, "", 1)
        assert said in answer.err


def test_an_empty_list_is_one_document_with_json_and_nothing_beside(cli):
    answer = cli("review", "--json")
    assert (answer.document, answer.err) == ([], "")


def test_what_stands_alone_says_so(cli):
    alone = cli("entity", "Maya", "--type", "person", "--json").id
    for words, said in {
        ("connections", alone): "it has no edges",
        ("hops", alone): "nothing is reached",
        ("neighbours", "Maya"): "nothing stands beside it",
        ("traverse", "Maya", "leads"): "nothing is reached",
    }.items():
        answer = cli(*words)
        assert (answer.out, answer.err.count("\n")) == ("", 1)
        assert said in answer.err
