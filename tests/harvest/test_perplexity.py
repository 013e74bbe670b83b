"""Perplexity's threads: Markdown, the archive of a data request, the web interface, and exporters."""

import base64
import json

from exports import of_json, of_member

from noosphere.harvest.items import Omission

LOGO = '<img src="https://r2cdn.perplexity.ai/pplx-full-logo-primary-dark%402x.png" style="height:64px"/>\n\n'
END = '<div style="text-align: center">⁂</div>\n'
THREAD = f"""{LOGO}# Best tea
for mornings?

Assam is malty.[^1_1][^1_2]

# Notes

```
# not a query
```

<span style="display:none">[^1_3]</span>

{END}
[^1_1]: https://example.org/a

[^1_2]: https://example.org/b

---

# And decaf?

Try rooibos.[^2_1]

{END}
[^2_1]: https://example.org/c
"""


def test_a_heading_is_a_query_only_where_the_answer_before_it_ended():  # pitfall 36
    found = of_member("thread.md", THREAD)
    query, answer, second, last = found.texts
    assert (query, second, last) == ("Best tea\nfor mornings?", "And decaf?", "Try rooibos.")
    assert answer == "Assam is malty.\n\n# Notes\n\n```\n# not a query\n```"
    assert found.talk.metadata["sources"] == [f"https://example.org/{name}" for name in "abc"]
    assert [turn.speaker for turn in found.talk.turns] == ["User", "Perplexity"] * 2


def test_the_packed_markdown_of_the_web_interface_is_the_same_thread():
    packed = base64.b64encode(THREAD.encode()).decode()
    found = of_json({"file_content_64": packed, "filename": "thread.md"}, "payload.json")
    assert found.texts == of_member("thread.md", THREAD).texts
    assert len(of_json({"file_content_64": "%%%"}, "payload.json").rejects) == 1


def test_an_archive_gives_its_threads_and_failed_queries():  # pitfall 37
    entries = [
        {"query": "Best tea?", "answer": "Assam.[1][2]\n[](citation)", "created_at": "2026-02-01T08:00:00+00:00"},
        {"query": "And decaf?", "answer": "", "query_status": "FAILED"},
        {"query": "", "answer": ""},
        5,
    ]
    thread = {"context_uuid": "c1", "context_title": "Tea", "created_at": "2026-02-01T08:00:00Z", "entries": entries}
    found = of_json({"conversations": [thread, None]}, "conversations.json")
    assert (found.talk.id, found.talk.title) == ("c1", "Tea")
    assert found.texts == ["Best tea?", "Assam.", "And decaf?"]
    assert found.left == {Omission.EMPTY_MESSAGE: 1}
    assert sorted(one.what for one in found.rejects) == ["entry 4", "thread"]


def test_a_thread_of_the_web_interface_gives_words_and_says_when_pages_are_missing():  # pitfall 38
    blocks = [
        {"intended_usage": "plan", "plan_block": {"goals": [{"description": "Search"}]}},
        {"intended_usage": "ask_text", "markdown_block": {"chunks": ["Ass", "am."]}},
    ]
    steps = json.dumps([{"step_type": "SEARCH"}, {"content": {"answer": json.dumps({"answer": "Rooibos."})}}])
    entries = [
        {"context_uuid": "c1", "uuid": "e1", "query_str": "Best tea?", "blocks": blocks, "thread_title": "Tea"},
        {"uuid": "e2", "query_str": "And decaf?", "text": steps},
    ]
    found = of_json({"entries": entries, "has_next_page": True}, "thread.json")
    assert found.texts == ["Best tea?", "Assam.", "And decaf?", "Rooibos."]
    assert (found.talk.id, found.talk.title) == ("c1", "Tea")
    assert any("more pages" in note for note in found.talk.notes)


def test_a_thread_of_an_exporter_has_the_threads_own_id():  # pitfall 38
    told = {"metadata": {"thread_id": "t1", "title": "Tea"}}
    found = of_json(told | {"conversations": [{"uuid": "e1", "query": "Best tea?", "answer": "Assam."}]}, "x.json")
    assert (found.talk.id, found.talk.title, [turn.key for turn in found.talk.turns]) == (
        "t1",
        "Tea",
        ["e1", "e1-answer"],
    )


def test_brackets_that_are_no_citation_stay():
    found = of_json({"entries": [{"query_str": "q", "answer": "Use a[0](x) and [1](https://e.org)."}]}, "x.json")
    assert found.texts[1] == "Use a[0](x) and [1](https://e.org)."
