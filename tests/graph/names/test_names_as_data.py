"""The lists and rules of names and relations are data; their examples are these tests."""

import pytest

from noosphere.graph.names import found_names, noise
from noosphere.graph.names.noise import data as noise_data
from noosphere.graph.normalize import normalize
from noosphere.graph.ontology import default_ontology
from noosphere.graph.relations import found_relations
from noosphere.graph.relations.forms import data as forms_data

FORMS = forms_data()["form"]
KINDS = noise_data()["noise"]


def stated(text):
    names = found_names(text)
    relations, typed = found_relations(text, names)
    return {(typed[r.src].key, r.type, typed[r.dst].key, r.form) for r in relations}


@pytest.mark.parametrize(("form", "example"), [(f, e) for f in FORMS for e in f["yes"]], ids=lambda v: str(v)[:40])
def test_a_form_finds_its_examples_in_their_direction(form, example):
    text, src, dst = example
    found = {(s, t, d) for s, t, d, _ in stated(text)}
    assert (normalize(src), form["type"], normalize(dst)) in found


@pytest.mark.parametrize(("form", "text"), [(f, t) for f in FORMS for t in f["no"]], ids=lambda v: str(v)[:40])
def test_a_form_finds_nothing_where_it_should_not(form, text):
    assert form["id"] not in {name for *_, name in stated(text)}


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k in KINDS for n in k["yes"]], ids=lambda v: str(v)[:30])
def test_noise_is_taken_out_by_its_own_rule(kind, name):
    assert (noise(name) or "").startswith(kind["id"])


@pytest.mark.parametrize("name", [n for k in KINDS for n in k["no"]])
def test_what_only_looks_like_noise_stays(name):
    assert noise(name) is None


def test_every_form_is_of_a_relation_of_the_ontology():
    assert {form["type"] for form in FORMS} == set(default_ontology().relations)


NAMES = [
    ("Yesterday Ana Kovač saw Lake Bled.", {("Ana Kovač", "person"), ("Lake Bled", "location")}),
    ("If the build fails, ask Priya.", {("Priya", "person")}),
    ("Cookies are in the jar.", set()),
    ("Phase 1 ends on Monday, Step 2 in May.", set()),
    ("The API returns a PDF, says the CEO.", set()),
    ("Kestrel Mutual Ltd hired Dr. Okoro.", {("Kestrel Mutual Ltd", "organization"), ("Okoro", "person")}),
    ("Project Heron stalled; Heron needs a new pump.", {("Project Heron", "project")}),
    ("We store it in postgres, see docs/setup.md.", {("postgres", "technology"), ("docs/setup.md", "file")}),
    ("We go by bus, and Go is a language.", {("Go", "technology")}),
    ("Her Singer 99K is older than Aunt Rosalind's house.", {("Singer 99K", "product"), ("Rosalind", "person")}),
    ("Die Frau ging mit dem Hund in den Wald.", set()),
    ("Проект «Иволга» возглавляет Дарина Лапшина.", {("Иволга", "project"), ("Дарина Лапшина", "person")}),
    ("解析にはPyTorchを使う。", {("PyTorch", "technology")}),
    ("", set()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), NAMES, ids=[t[:30] for t, _ in NAMES])
def test_names_are_found_with_their_types(text, names):
    found = [one for one in found_names(text) if noise(one.name) is None]
    assert {(one.name, one.type) for one in found} == names


@pytest.mark.parametrize("text", ["Ana may lead Atlas.", "Does Ana lead Atlas?", "If Ana leads Atlas, we win."])
def test_what_is_asked_or_supposed_is_no_relation(text):
    assert stated(text) == set()
