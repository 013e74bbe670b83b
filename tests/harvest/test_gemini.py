"""Gemini's Takeout as JSON and as a page, and AI Studio's prompts."""

import tomllib
from importlib import resources

import pytest
from exports import of_json, of_member

from noosphere.harvest.adapters.gemini_activity import opening
from noosphere.harvest.adapters.gemini_page import read_local
from noosphere.harvest.items import Omission
from noosphere.harvest.markup import text_of


def row(title, time="2026-04-20T18:24:31.187Z", reply=None, product="Gemini Apps", **fields):
    told = {"header": product, "title": title, "time": time, "products": [product]}
    return told | ({"safeHtmlItem": [{"html": reply}]} if reply else {}) | fields


def cell(title, stamp, reply="", product="Gemini Apps"):
    return (
        '<div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell mdl-cell">'
        f'<p class="mdl-typography--title">{product}<br></p></div><div class="content-cell mdl-typography--body-1">'
        f'{title}<br>{stamp}<br>{reply}</div><div class="content-cell mdl-typography--caption"><b>Products:</b><br>'
        f"&emsp;{product}<br></div></div></div>"
    )


def of_page(*cells):
    page = f"<html><head><title>Activity</title></head><body>{''.join(cells)}</body></html>"
    return of_member("Moje aktivita/MojeAktivita.html", page)


def chunk(role, text, **fields):
    return {"role": role, "text": text, "createTime": "2026-02-01T10:00:00Z"} | fields


def of_prompt(*chunks, **fields):
    return of_json({"chunkedPrompt": {"chunks": list(chunks)}} | fields, "Birds")


def test_rows_of_other_products_are_not_chat():  # pitfall 29
    found = of_json([row("Watched Gemini Apps tutorial", product="YouTube"), row("Prompted Hi", reply="Hello")])
    assert found.texts == ["Hi", "Hello"]
    assert found.left == {Omission.OTHER_PRODUCT: 1}


@pytest.mark.parametrize("product", ["Gemini Apps", "Gemini-Apps", "Aplikace Gemini", "Bard"])
def test_the_product_is_known_in_other_languages(product):  # pitfall 30
    assert of_json([row("Prompted Hi", reply="Hello", product=product)], "MeineAktivitaeten.json").texts[0] == "Hi"


@pytest.mark.parametrize("title", ["Prompted Hi", "Asked: Hi", "Branched Hi", "Answered Hi", "Prompt: Hi", "Pokyn Hi"])
def test_verbs_of_chat_are_taken_off(title):  # pitfall 31
    assert of_json([row(title)]).texts == ["Hi"]


@pytest.mark.parametrize(
    "title", ["Created Gemini Canvas titled Trip", "Added a file", "Used an app", "Gave feedback: Good response"]
)
def test_other_verbs_are_not_chat(title):  # pitfall 31
    found = of_json([row(title), row("Selected preferred draft"), row("Prompted Hi")])
    assert (found.texts, found.left) == (["Hi"], {Omission.BOOKKEEPING: 2})


def test_rows_come_newest_first_and_are_put_together_by_link_or_day():  # pitfall 32
    link = {"titleUrl": "https://gemini.google.com/app/0123456789abcdef"}
    rows = [
        row("Prompted Later", "2026-04-20T19:00:00Z"),
        row("Prompted Two", "2026-04-19T19:00:00Z", **link),
        row("Prompted Earlier", "2026-04-20T18:00:00Z"),
        row("Prompted One", "2026-04-18T19:00:00Z", details=[{"url": link["titleUrl"]}]),
    ]
    talks = {talk.id: talk for talk in of_json(rows).talks}
    assert [turn.text for turn in talks["0123456789abcdef"].turns] == ["One", "Two"]
    assert [turn.text for turn in talks["day/2026-04-20"].turns] == ["Earlier", "Later"]
    assert any("names no conversation" in note for note in talks["day/2026-04-20"].notes)


def test_a_row_has_one_key_in_both_kinds_and_its_second_may_be_shared():  # pitfall 32
    rows = of_json([row("Prompted Hi"), row("Prompted Ho"), row("Prompted Hi")])
    page = of_page(cell("Prompted&nbsp;Hi", "Apr 20, 2026, 8:24:31\u202fPM CEST"))
    assert {turn.text: turn.key for turn in rows.talk.turns}["Hi"] == page.talk.turns[0].key
    assert rows.left == {Omission.REPEATED_MESSAGE: 1}


def test_all_parts_of_a_reply_are_joined_as_text():  # pitfall 33
    parts = [{"html": "<p>Naxos &amp; Crete</p>"}, {"html": "<p>A<br>B</p><pre>x  =  1</pre>"}]
    assert of_json([row("Prompted Hi", safeHtmlItem=parts)]).texts[1] == "Naxos & Crete\n\nA\nB\n\nx  =  1"


def test_a_reply_may_stand_elsewhere_and_noise_is_none():  # pitfall 33
    assert of_json([row("Prompted Hi", description="There")]).texts == ["Hi", "There"]
    assert of_json([row("Prompted Hi", subtitles=[{"name": "There"}])]).texts == ["Hi", "There"]
    assert of_json([row("Asked: Hi", subtitles=[{"name": "Model: PaLM"}])]).texts == ["Hi"]


def test_a_prompt_without_words_names_its_picture():  # pitfall 34
    assert of_json([row("Prompted ", reply="A cat.", imageFile="cat.png")]).texts == ["[shares cat.png]", "A cat."]


@pytest.mark.parametrize(
    "stamp",
    [
        "Apr 20, 2026, 1:24:31 PM CDT",
        "Apr 20, 2026, 1:24:31\u202fPM CDT",
        "20 Apr 2026, 20:24:31 GMT+2",
        "20. 4. 2026 20:24:31 SELČ",
        "20.04.2026, 20:24:31 MESZ",
        "20. 4. 2026 19:24:31 SEČ",
        "2026-04-20 18:24:31 UTC",
        "20 Apr 2026, 23:54:31 GMT+5:30",
    ],
)
def test_local_times_with_their_zones_are_moments(stamp):  # pitfall 34
    assert read_local(stamp) == 1776709471 * 1_000_000


def test_a_zone_nobody_knows_is_a_reject_and_never_guessed():  # pitfall 34
    found = of_page(cell("Prompted&nbsp;Hi", "20. 4. 2026 20:24:31 XQZ", "<p>Hello</p>"))
    assert found.talks == []
    assert found.rejects


def test_a_page_in_any_language_gives_prompts_and_replies():  # pitfall 30
    cells = [cell("Pokyn&nbsp;Ahoj", "1. 1. 2026 10:00:00 SEČ", "<p>Dobrý den</p>")]
    found = of_page(*cells, cell("Visited&nbsp;x", "1. 1. 2026 10:00:00 SEČ", product="Search"))
    assert (found.texts, found.left) == (["Ahoj", "Dobrý den"], {Omission.OTHER_PRODUCT: 1})


def test_a_prompt_of_ai_studio_is_a_conversation():  # pitfall 35
    found = of_prompt(
        chunk("user", "Count"),
        chunk("model", "Hm", isThought=True),
        {"role": "model", "executableCode": {"code": "1"}},
        {"role": "model", "codeExecutionResult": {"output": "1"}},
        {"role": "model", "parts": [{"text": "Secret", "thought": True}, {"text": "One."}]},
        systemInstruction={"parts": [{"text": "Be brief"}]},
    )
    assert found.texts == ["Count", "One."]
    assert found.left == {
        Omission.PROFILE: 1,
        Omission.REASONING: 2,
        Omission.TOOL_CALL: 1,
        Omission.TOOL_OUTPUT: 1,
    }
    assert (found.talk.id, found.talk.title, found.talk.path) == ("Birds", "Birds", "Birds")


def test_an_edited_answer_is_a_branch():  # pitfall 35
    edits = [chunk("model", text, id=text, branchParent={"id": "q"}) for text in ("Old", "New")]
    found = of_prompt(chunk("user", "Q", id="q"), *edits)
    assert {turn.text: turn.parent for turn in found.talk.turns} == {"Q": None, "New": "q", "Old": "q"}
    assert found.talk.head == "New"


def test_bad_rows_and_chunks_cost_only_themselves():
    assert len(of_json([row("Prompted Hi"), 3, row("Prompted Ho", time="soon")]).rejects) == 2
    found = of_prompt(3, chunk("robot", "x"), chunk("user", "Hi"))
    assert (found.texts, len(found.rejects)) == (["Hi"], 2)


def test_text_of_a_page_leaves_out_what_nobody_sees():
    hidden = '<p hidden>a</p><div style="display: none">b<p>c</p></div><script>d</script><!-- e --><span>seen</span>'
    assert text_of(hidden) == "seen"


FILE = resources.files("noosphere.harvest.adapters").joinpath("gemini_activity.toml")
OPENINGS = tomllib.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize(("kind", "title"), [(kind, text) for kind, row in OPENINGS.items() for text in row["yes"]])
def test_a_row_is_known_by_its_opening_words(kind, title):
    assert opening(kind).match(title)


@pytest.mark.parametrize(("kind", "title"), [(kind, text) for kind, row in OPENINGS.items() for text in row["no"]])
def test_words_that_only_look_like_an_opening_are_none(kind, title):
    assert opening(kind).match(title) is None
