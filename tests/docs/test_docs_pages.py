"""The pages hang together: links lead somewhere, decisions have their parts, every page can be reached."""

from __future__ import annotations

import re

import pytest
from doc_pages import INLINE_CODE, PAGES, ROOT, anchors, links, prose, title

DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
PARTS = ["Context", "Options", "Choice", "What would change our mind"]
CONCEPT_LINES = range(25, 141)
DECISION_LINES = range(18, 71)
CODE_PATH = re.compile(
    r"(?<!/api/)(?:store|recall|write|model|providers|harvest|serve|upkeep|insight|guard|graph)/[\w/.]*\w/?"
)


def pages(some):
    return [pytest.param(page, id=title(page)) for page in some]


@pytest.mark.parametrize("page", pages(PAGES))
def test_every_link_inside_the_repository_leads_somewhere(page):
    for link in links(page):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{title(page)} links to {link}"
        assert target.is_relative_to(ROOT), f"{title(page)} links out of the repository: {link}"
        assert not anchor or anchor in anchors(target), f"{title(page)} links to {link}: no such heading"


@pytest.mark.parametrize("page", pages(PAGES))
def test_every_path_of_the_source_that_a_page_names_is_there(page):
    named = {found for match in INLINE_CODE.finditer(prose(page)) for found in CODE_PATH.findall(match[0])}
    for path in named:
        assert (ROOT / "src" / "noosphere" / path).exists(), f"{title(page)} names {path}"


def test_the_index_links_every_page():
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "index.md")}
    written = [page for page in PAGES if page.is_relative_to(DOCS) and page.parent.name != "reference"]
    missing = [title(page) for page in written if page not in linked and page.name != "index.md"]
    assert missing == []


COUNTED = re.compile(r"^\| (?P<what>[^|]+) \| (?P<n>\d+) \| (?P<told>[^|]*\d[^|]*) \|$", re.MULTILINE)


def test_what_was_counted_has_one_figure_on_every_page_that_tells_it():
    told: dict[tuple[str, str], dict[str, str]] = {}
    for page in PAGES:
        for row in COUNTED.finditer(page.read_text(encoding="utf-8")):
            told.setdefault((row["what"].casefold(), row["n"]), {})[title(page)] = row["told"]
    twice = [figures for figures in told.values() if len(figures) > 1]
    assert twice
    assert [figures for figures in twice if len(set(figures.values())) > 1] == []


@pytest.mark.parametrize("page", pages(DECISIONS))
def test_a_decision_has_its_four_parts_and_stays_short(page):
    text = page.read_text(encoding="utf-8")
    assert re.match(rf"# {page.name[:4]} [A-Z]", text), "its title begins with its number"
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == PARTS
    assert len(text.splitlines()) in DECISION_LINES


def test_decisions_are_numbered_without_gaps():
    assert [page.name[:4] for page in DECISIONS] == [f"{n:04}" for n in range(1, len(DECISIONS) + 1)]


@pytest.mark.parametrize("page", pages(sorted((DOCS / "concepts").glob("*.md"))))
def test_a_concept_stays_short(page):
    assert len(page.read_text(encoding="utf-8").splitlines()) in CONCEPT_LINES


@pytest.mark.parametrize("page", pages(PAGES))
def test_a_page_begins_with_its_title(page):
    assert page.read_text(encoding="utf-8").startswith("# ")
