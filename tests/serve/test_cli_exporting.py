"""export and import from the command line: the whole mind as text, and back."""

import json

import pytest


def test_an_export_comes_back_whole_at_a_path_of_its_own(cli, tmp_path):
    stored = cli("remember", "The kettle is blue.", "--tag", "tea", "--json").document
    answer = cli("export", tmp_path / "mind.jsonl", "--json")
    assert (answer.code, answer.document["rows"]["node"]) == (0, 1)
    assert cli("import", tmp_path / "mind.jsonl", tmp_path / "copy.db").code == 0
    found = cli("recall", "kettle", "--mind", tmp_path / "copy.db", "--json").document["hits"]
    assert [(hit["id"], hit["text"]) for hit in found] == [(stored["id"], "The kettle is blue.")]
    assert cli("export", tmp_path / "mind.jsonl").code == 3
    assert cli("import", tmp_path / "mind.jsonl", tmp_path / "copy.db").code == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["out.md"], "markdown"),
        (["OUT.Markdown"], "markdown"),
        (["out.jsonl", "--markdown"], "Name a folder"),
        (["out.md", "--markdown"], "Name a folder"),
    ],
)
def test_a_name_that_says_another_form_is_refused_and_nothing_is_written(cli, tmp_path, words, said):
    answer = cli("export", *words)
    assert answer.code == 2
    assert said in answer.err
    assert not (tmp_path / words[0]).exists()


def test_pages_are_named_by_id_and_hold_text_front_matter_and_links(cli, tmp_path):
    one = cli("remember", "The kettle is blue.", "--title", "../../etc", "--tag", "tea", "--json").id
    other = cli("remember", "Tea is at four.", "--json").id
    gone = cli("remember", "Forget me.", "--json").id
    cli("forget", gone)
    cli("link", one, "relates_to", other)
    answer = cli("export", tmp_path / "pages", "--markdown", "--json")
    assert answer.document["rows"] == {"conversations": 0, "memories": 2, "entities": 0}
    pages = {page.stem: page.read_text("utf-8") for page in (tmp_path / "pages" / "memories").iterdir()}
    assert pages.keys() == {one, other}
    assert f"id: {json.dumps(one)}" in pages[one]
    assert 'tags: ["tea"]' in pages[one]
    assert "# ../../etc\n\nThe kettle is blue.\n" in pages[one]
    assert f"- relates_to: [{other}](../memories/{other}.md)" in pages[one] + pages[other] or one in pages[other]
    assert cli("export", tmp_path / "pages", "--markdown").code == 3


def test_a_page_of_a_conversation_has_who_said_what_and_when_in_order(cli, tmp_path):
    said = {
        "author": {"role": "user"},
        "content": {"content_type": "text", "parts": ["Which one?"]},
        "create_time": 1.7e9,
    }
    answer = said | {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["The blue one."]}}
    mapping = {"a": {"message": said, "parent": None}, "b": {"message": answer, "parent": "a"}}
    talk = {"id": "c", "title": "Kettle", "current_node": "b", "mapping": mapping}
    (tmp_path / "conversations.json").write_text(json.dumps([talk]))
    cli("harvest", tmp_path / "conversations.json")
    cli("export", tmp_path / "pages", "--markdown")
    (page,) = (tmp_path / "pages" / "conversations").iterdir()
    text = page.read_text("utf-8")
    assert text.index("**User** (2023-11-14T22:13:20Z)\n\nWhich one?") < text.index("**ChatGPT**")
    assert text.index("**ChatGPT**") < text.index("The blue one.")
