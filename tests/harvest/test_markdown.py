"""The Markdown adapter; the numbers are those of the design's list of pitfalls."""

import json

import pytest
from exports import Found, of_member, of_path, zipped
from hypothesis import given
from hypothesis import strategies as st

from noosphere.harvest.items import Omission

DAY = 1778716800 * 1_000_000  # 2026-05-14T00:00:00Z
INVALID = "front matter is not valid YAML; its lines are kept in the text"


def note(text, name="vault/Note.md"):
    return of_member(name, text).note


# 48
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_is_found_behind_a_byte_order_mark_and_with_any_line_end(encoding, end):
    raw = end.join(["---", "title: Grüße", "---", "One", "Two"]).encode(encoding)
    found = note(raw)
    assert (found.title, found.text) == ("Grüße", "One\nTwo")


# 49
@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("people: [[Ada]], [[Bob]]", "Note"),
        ("title: Fwd: the offer", "Fwd: the offer"),
        ("package: @scope/name", "Note"),
        ("label: & more", "Note"),
        ("title: <% tp.file.title %>\nbroken: [", "<% tp.file.title %>"),
        ("\ttabbed: no\nkey: value", "Note"),
        ("when: !!python/object:os.system x", "Note"),
    ],
)
def test_a_note_with_invalid_front_matter_keeps_every_line(line, title):
    found = note(f"---\n{line}\ntags: [plan]\n---\nThe body.")
    assert found.notes == (INVALID,)
    assert found.title == title
    assert found.tags == ("plan",)
    assert found.text.endswith("The body.")
    for word in line.replace("[[", "").replace("]]", "").split():
        assert word in found.text


# 49
@pytest.mark.parametrize(
    ("value", "at", "repairs"),
    [
        ("2026-05-14", DAY, 1),
        ("2026-05-14T10:30:00Z", DAY + 37_800_000_000, 0),
        ("2026-05-14T12:30:00+02:00", DAY + 37_800_000_000, 0),
        ("2026-05-14 10:30", DAY + 37_800_000_000, 1),
        ('"2026-05-14"', DAY, 1),
        ("2026-05", 1777593600 * 1_000_000, 1),
        ("2026-13-45", None, 0),
        ("next week", None, 0),
    ],
)
def test_a_date_of_the_front_matter_is_the_notes_time(value, at, repairs):
    found = note(f"---\ndate: {value}\n---\nBody")
    assert found.at == at
    assert len(found.notes) == repairs


# 49
@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("tags: [pricing, q2]", ("pricing", "q2")),
        ("tags:\n  - pricing\n  - '#q2'", ("pricing", "q2")),
        ("tags: pricing, q2", ("pricing", "q2")),
        ("tags: pricing q2", ("pricing", "q2")),
        ("tags: '#pricing'", ("pricing",)),
        ("tag: pricing", ("pricing",)),
        ("Tags: [2026, no, 10:30]", ("2026", "no", "10:30")),
        ("tags:", ()),
        ("tags: {a: b}", ()),
        (f"tags: [{'x' * 101}, ok]", ("ok",)),
    ],
)
def test_tags_are_a_text_a_list_or_carry_their_sign(lines, tags):
    assert note(f"---\n{lines}\n---\nBody").tags == tags


# 49
def test_scalars_stay_what_their_author_wrote():
    found = note("---\ntime: 10:30\nanswer: no\nzip: 01067\nempty:\n---\nBody")
    assert found.metadata["properties"] == {"time": "10:30", "answer": "no", "zip": "01067", "empty": ""}
    assert found.text == "time: 10:30\nanswer: no\nzip: 01067\nempty:\n\nBody"


# 49
def test_what_the_front_matter_says_stays_in_the_text_unless_it_has_a_place_of_its_own():
    found = note("---\ntitle: Dune\nauthor: '[[Ada Quill]]'\ndate: 2026-05-14\ntags: [book]\nrating: 5\n---\nSand.")
    assert found.text == "author: 'Ada Quill'\nrating: 5\n\nSand."
    assert found.metadata["links"] == ["Ada Quill"]


# 49
@pytest.mark.parametrize("alias", ["a: &a [*a]", "a: &a {b: *a}", "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]"])
def test_aliases_of_yaml_do_not_unfold_without_end(alias):
    found = note(f"---\n{alias}\ntags: [x]\n---\nBody")
    assert found.text.endswith("Body")
    assert len(json.dumps(found.metadata)) < 1000


# 50
@pytest.mark.parametrize(
    ("written", "words", "links"),
    [
        ("[[Pricing]]", "Pricing", ["Pricing"]),
        ("[[ Pricing ]]", "Pricing", ["Pricing"]),
        ("[[Pricing|the plan]]", "the plan", ["Pricing"]),
        ("[[Pricing#Seats]]", "Pricing > Seats", ["Pricing"]),
        ("[[Pricing#Seats|seats]]", "seats", ["Pricing"]),
        ("[[Pricing#^ab12]]", "Pricing", ["Pricing"]),
        ("[[Pricing^ab12]]", "Pricing", ["Pricing"]),
        ("[[#Seats]]", "Seats", []),
        ("[[dir/Pricing.md]]", "dir/Pricing", ["dir/Pricing"]),
        ("| [[Pricing\\|plan]] |", "| plan |", ["Pricing"]),
        ("`[[Pricing]]`", "`[[Pricing]]`", []),
        ("``a ` [[Pricing]]``", "``a ` [[Pricing]]``", []),
        ("[[unclosed", "[[unclosed", []),
        ("[[ ]]", "[[ ]]", []),
    ],
)
def test_wikilinks_are_written_in_words_and_listed(written, words, links):
    found = note(f"See {written}")
    assert found.text == f"See {words}"
    assert found.metadata.get("links", []) == links


# 50
def test_embeds_are_named_and_never_expanded(tmp_path):
    (tmp_path / "A.md").write_text("A embeds\n\n![[B]]")
    (tmp_path / "B.md").write_text("B embeds\n\n![[A#Part]]\n\n![[plan.png|300]] ![[cat.png|My cat]]")
    first, second = of_path(tmp_path).notes
    assert first.text == "A embeds\n\n[embeds: B]"
    assert second.text == "B embeds\n\n[embeds: A > Part]\n\n[shares photo: plan.png] [shares photo: My cat]"
    assert second.metadata["embeds"] == ["A", "plan.png", "cat.png"]


# 50
def test_code_is_left_alone():
    body = "```sh\n# no title\n[[no link]] #no-tag\n---\n```\n\n    [[indented]] #no\n\n# The title\n\nReal #tag"
    found = note(body)
    assert found.text == body
    assert (found.title, found.tags, found.metadata.get("links")) == ("The title", ("tag",), None)


# 50
@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("#one and #two/three", ("one", "two/three")),
        ("# Heading", ()),
        ("#Nospace", ("Nospace",)),
        ("issue #123", ()),
        ("a#b https://a.example/#part", ()),
        ("`#code` [[Note #part]]", ()),
        ("#日本 #größe #🎉", ("日本", "größe", "🎉")),
    ],
)
def test_tags_in_the_text_are_told_from_headings_numbers_and_links(line, tags):
    assert note(line).tags == tags


# 50
@pytest.mark.parametrize(
    "text",
    [
        "One\n\n---\n\ntitle: no\n\n---\n\nTwo",
        "---\nJust a line between two rules\n---\nAnd more",
        "---\nnever closed: yes\n\nBody",
        "----\ntitle: no\n----\nBody",
    ],
)
def test_a_rule_is_not_front_matter(text):
    found = note(text)
    assert found.text == text
    assert (found.title, found.notes) == ("Note", ())


# 50
def test_folders_of_the_program_and_the_bin_are_passed_over(tmp_path):
    for folder in (".obsidian", ".trash", ".git"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "old.md").write_text("# Old")
    (tmp_path / "Kept.md").write_text("# Kept")
    found = of_path(tmp_path)
    assert [one.title for one in found.notes] == ["Kept"]
    assert found.left == {Omission.HIDDEN_FILE: 3}


# 53
def test_an_item_always_names_its_source_and_place():
    found = note("# Hello")
    assert (found.source, found.origin, found.metadata["path"]) == ("markdown", "vault/Note.md", "vault/Note.md")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From the matter\n---\n# Heading", "From the matter"),
        ("## Second\n\n# **First** `level`\n\n# Another", "First level"),
        ("Setext\n======\n\nBody", "Setext"),
        ("# About [[Ada|Ada]]\n\nBody", "About Ada"),
        ("> # Quoted\n\nBody", "Note"),
        ("Body", "Note"),
    ],
)
def test_the_title_is_that_of_the_front_matter_the_first_heading_or_the_file(text, title):
    assert note(text).title == title


def test_a_note_is_one_item_however_long():
    body = "\n\n".join(f"Paragraph {number} of a long note." for number in range(5000))
    assert note(f"# Long\n\n{body}").text == f"# Long\n\n{body}"


@pytest.mark.parametrize(
    ("stem", "occurred", "at"),
    [
        ("2026-05-14", "2026-05-14", DAY),
        ("2026-05-14 Standup", "2026-05-14", None),
        ("standup-2026-05-14", "2026-05-14", None),
        ("2026-05-14 to 2026-05-20", None, None),
        ("2026-02-31", None, None),
        ("Order 12026-05-141", None, None),
    ],
)
def test_a_daily_note_is_about_its_day(stem, occurred, at):
    found = note("Planted tomatoes", f"vault/daily/{stem}.md")
    assert (found.occurred, found.at) == (occurred, at)


def test_the_time_of_the_file_is_never_used(tmp_path):
    (tmp_path / "Note.md").write_text("# Hello")
    assert of_path(tmp_path).note.at is None


def test_a_note_is_known_by_its_path_in_the_vault_wherever_the_reading_began(tmp_path):
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "sub").mkdir()
    (vault / "sub" / "Note.md").write_text("# Hello")
    ids = [of_path(place).note.id for place in (vault, vault / "sub", vault / "sub" / "Note.md")]
    archive = zipped(tmp_path / "backup.zip", {"vault/sub/Note.md": "# Hello"})
    assert [*ids, of_path(archive).note.id] == ["vault/sub/Note.md"] * 4


def test_an_id_of_its_own_survives_a_rename():
    ids = {note("---\npermalink: plans/pricing\n---\nSeats", name).id for name in ("vault/A.md", "vault/old/B.md")}
    assert ids == {"vault#plans/pricing"}


def test_two_notes_that_claim_one_id_stay_two(tmp_path):
    (tmp_path / "a.md").write_text("---\nid: template\n---\nFirst")
    (tmp_path / "b.md").write_text("---\nid: template\n---\nSecond")
    first, second = of_path(tmp_path).notes
    assert first.id != second.id
    assert "another item has the id" in second.notes[0]


@pytest.mark.parametrize("text", ["", "\n\n", "---\ntitle: Only a title\n---\n"])
def test_an_empty_note_is_counted(text):
    assert of_member("vault/Note.md", text).left == {Omission.EMPTY_NOTE: 1}


@pytest.mark.parametrize("text", ["[[A]]", "[[2026-05-14]] was fine", "- [ ] buy milk", "[ ] buy milk", "![[A]]"])
def test_a_note_that_begins_with_a_bracket_is_no_json(text):
    assert of_member("vault/Note.md", text).notes


def test_aliases_and_dates_of_change_are_kept():
    found = note("---\naliases: [Plan B]\ncreated: 2026-05-14\nupdated: 2026-06-01T10:00:00Z\n---\nBody")
    assert found.at == DAY
    assert found.metadata["updated"] == "2026-06-01T10:00:00Z"
    assert found.text == "aliases: [Plan B]\n\nBody"


LINES = st.sampled_from(
    ["---", "...", "title: x", "a: [", "# H", "```", "#tag", "[[a|b]]", "![[c]]", "- x", "", " ", "\t"]
)


WORDS = st.text(
    st.characters(exclude_categories=["Cc", "Cs"]), max_size=12
)  # a file with control characters is no text


@given(st.lists(LINES | WORDS, max_size=15))
def test_no_note_raises_and_every_plain_word_is_kept(lines):
    found = Found(of_member("vault/Note.md", "\n".join([*lines, "lastword"])).items)
    assert found.note.text.endswith("lastword")
    assert found.note.title
    json.dumps(found.note.metadata)
