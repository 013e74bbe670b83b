"""The examples are tested by machinery that can fail: what is wrong in a page is noticed."""

from __future__ import annotations

import pytest
from doc_console import Session, Step, steps
from doc_pages import ROOT, fences, run_block, said_to_print

ONE, OTHER = "01a22a69-0000-7000-8000-000000000001", "01a22a69-0000-7000-8000-000000000002"


def answering(*answers):
    """A session whose commands are answered in turn; what was really run is kept."""
    waiting, ran = list(answers), []

    def run(command):
        ran.append(command)
        return waiting.pop(0)

    return Session(run), ran


@pytest.mark.parametrize("block", ["print(1)\n", "# -> 1\n", "print(1)\n# -> 2\n", "print(1, 2)\n# -> 1\n# -> 2\n"])
def test_a_block_that_prints_something_else_than_it_says_fails(block):
    with pytest.raises(AssertionError):
        run_block(block, ROOT / "README.md", {})


def test_what_a_block_says_it_prints_is_read_from_comments_and_not_from_texts():
    assert said_to_print('x = "# -> no"\nprint(x)  # why\n# -> yes\n    # -> indented\n') == ["yes", "indented"]


def test_a_block_continues_the_one_before_it(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\na = 1\n```\ntext\n```python no-run\na = 2\n```\n```json x.json\n{}\n```\n")
    assert [(f.language, f.options, f.line) for f in fences(page)] == [
        ("python", "", 2),
        ("python", "no-run", 6),
        ("json", "x.json", 9),
    ]


def test_commands_and_what_they_show_are_told_apart():
    assert steps("$ one \\\n> more\nanswer\n> quoted\n$ two\n") == [
        Step("one \\\nmore", ["answer", "> quoted"]),
        Step("two"),
    ]


def test_an_id_of_the_page_stands_for_the_id_of_the_run():
    session, ran = answering((0, f"stored {OTHER}\n"), (0, f"gone {OTHER}\n"))
    session.replay(f"$ store\nstored {ONE}\n$ drop {ONE}\ngone {ONE}\n")
    assert ran == ["store", f"drop {OTHER}"]


@pytest.mark.parametrize(
    ("block", "answers"),
    [
        ("$ a\nshown\n", [(0, "said\n")]),
        ("$ a\nshown\n", [(0, "shown\nand more\n")]),
        ("$ a\n$ b\n", [(1, ""), (0, "")]),
        ("$ a\n$ echo $?\n2\n", [(1, "")]),
        (f"$ a\n{ONE}\n$ b\n{ONE}\n", [(0, f"{ONE}\n"), (0, f"{OTHER}\n")]),
    ],
    ids=["other words", "more lines", "a failure", "another exit code", "another id"],
)
def test_an_answer_that_the_page_does_not_show_fails(block, answers):
    session, _ = answering(*answers)
    with pytest.raises(AssertionError):
        session.replay(block)


def test_an_ellipsis_stands_for_words_or_lines_and_a_time_for_any_time():
    session, _ = answering((0, "one\ntwo\nat 2027-01-01T00:00:00.5Z, so be it\n"))
    session.replay("$ a\n…\nat 2025-05-14 09:00:00Z, …\n")
