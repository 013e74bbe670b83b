"""Every example of the pages runs and answers what the page says it answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_console import ANY, Session, Step, in_process, installed
from doc_pages import NO_RUN, PAGES, ROOT, WITH_MODELS, fences, run_block, run_python, title, write_files

README = ROOT / "README.md"
TOUR = ROOT / "docs_src" / "tour.py"
RANK = re.compile(r"#\d+")  # a place in one lane, which another processor's arithmetic may move


def having(language):
    """The pages with such a block."""
    return [pytest.param(p, id=title(p)) for p in PAGES if any(f.language == language for f in fences(p))]


@pytest.mark.parametrize("page", having("python"))
def test_the_python_blocks_of_a_page_run_and_print_what_they_say(page, workplace, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "encoder" if page.name in WITH_MODELS else "off")
    write_files(page, workplace)
    run_python(page)


@pytest.mark.parametrize("page", having("python"))
def test_a_block_that_is_not_run_says_why(page):
    for fence in fences(page):
        if fence.language == "python" and fence.options:
            assert fence.options == "no-run"
            assert NO_RUN.fullmatch(fence.above), f"{title(page)}, line {fence.line}: the reason is missing above"


def test_the_tour_in_python_is_the_file_and_runs(workplace, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "encoder")
    source = TOUR.read_text(encoding="utf-8")
    assert source in [fence.text for fence in fences(README) if fence.language == "python"]
    run_block(source, TOUR, {"__name__": "__docs__"})
    assert list(workplace.glob("*.db"))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="the tour is a shell's")
def test_the_tour_of_the_command_line_runs_with_the_installed_program(workplace):
    session = Session(installed(workplace))
    blocks = [fence.text for fence in fences(README) if fence.language == "console"]
    assert blocks
    for block in blocks:
        session.replay(block)


@pytest.mark.slow
def test_the_demo_says_what_the_readme_shows(workplace):
    question = "When does a seat count?"
    shown = next(fence.text for fence in fences(README) if fence.language == "text")
    run = installed(workplace)
    code, said = run(f'python {ROOT / "examples" / "demo.py"} "{question}"')
    assert code == 0, said
    Session(run).compare(Step("the demo", [RANK.sub(ANY, line) for line in shown.splitlines()]), RANK.sub(ANY, said))


@pytest.mark.parametrize("page", [p for p in having("console") if p.values[0] != README])
def test_the_commands_of_a_page_answer_what_it_shows(page, workplace, monkeypatch):
    write_files(page, workplace)
    session = Session(in_process(workplace, monkeypatch))
    for fence in fences(page):
        if fence.language == "console":
            session.replay(fence.text)
