"""Running an eval: odd labels are read, an interrupted run goes on to the same figures."""

from __future__ import annotations

import gzip
import json
import sys
from types import SimpleNamespace

import pytest
from evals.__main__ import MEASUREMENTS, WRITTEN, main
from evals.datasets import beam, locomo, longmemeval
from evals.datasets.case import pooled
from evals.systems.baselines import Fts5
from evals.systems.product import Product

from evals import report, run

TALK = [("Ida", "My cat is called Biscuit."), ("Per", "Mine is called Tin."), ("Ida", "I moved to Oslo in May.")]


def locomo_file(folder):
    """Two sessions, one odd citation, one adversarial question, one without evidence."""
    sessions = {
        f"session_{n}": [{"speaker": s, "dia_id": f"D{n}:{m}", "text": t} for m, (s, t) in enumerate(TALK, start=1)]
        for n in (1, 2)
    }
    times = {f"session_{n}_date_time": f"1:0{n} pm on {n} May, 2023" for n in (1, 2)}
    questions = [
        {"question": "What is Ida's cat called?", "evidence": ["D1:1; D2:1"], "category": 4},
        {"question": "Where did Ida move?", "evidence": ["D:1:3"], "category": 2},
        {"question": "What is Per's dog called?", "evidence": ["D1:2"], "category": 5},
        {"question": "What is the weather?", "evidence": [], "category": 3},
    ]
    talk = {"speaker_a": "Ida", "speaker_b": "Per", **sessions, **times}
    fixes = [{"question_id": "locomo_0_qa1", "correct_evidence": ["D2:3"]}]
    (folder / "locomo").mkdir(parents=True)
    entry = {"sample_id": "conv-26", "conversation": talk, "qa": questions}
    (folder / "locomo" / "locomo_dev.json").write_text(json.dumps([entry]), encoding="utf-8")
    (folder / "locomo" / "audit_errors.json").write_text(json.dumps(fixes), encoding="utf-8")
    return folder


def test_locomo_reads_odd_citations_and_uses_the_corrections_unless_told_not_to(tmp_path):
    data = locomo_file(tmp_path)
    (case,) = locomo.read(data)
    gold = {q.text: (q.gold, q.kind, q.scored) for q in case.questions}
    assert gold["What is Ida's cat called?"] == ({"D1:1", "D2:1"}, "single-hop", True)
    assert gold["Where did Ida move?"] == ({"D2:3"}, "temporal", True)
    assert gold["What is Per's dog called?"][2] is False
    assert len(gold) == 3
    (plain,) = locomo.read(data, corrected=False)
    assert {q.text: q.gold for q in plain.questions}["Where did Ida move?"] == {"D1:3"}


def test_longmemeval_takes_the_marked_turns_and_sets_abstention_apart(tmp_path):
    session = [
        {"role": "user", "content": "I have 3 cats", "has_answer": True},
        {"role": "assistant", "content": "Nice"},
    ]
    entry = {
        "question_type": "single", "question": "How many cats?", "question_date": "2023/06/23 (Fri) 07:31", "answer": 3,
        "haystack_dates": ["2023/05/01 (Mon) 10:00"] * 2, "haystack_sessions": [session, session[1:]],
    }  # fmt: skip
    (tmp_path / "longmemeval").mkdir()
    entries = [{**entry, "question_id": "q"}, {**entry, "question_id": "q_abs"}]
    with gzip.open(tmp_path / "longmemeval" / "longmemeval_s_dev.json.gz", "wt", encoding="utf-8") as file:
        json.dump(entries, file)
    known, unknown = longmemeval.read(tmp_path)
    assert known.questions[0].gold == {"0:0"}
    assert (unknown.questions[0].gold, unknown.questions[0].abstain) == (frozenset(), True)


def test_beam_cuts_the_markers_and_finds_gold_in_any_nesting(tmp_path):
    turns = [[{"role": "user", "id": 0, "content": "Plan it ->-> 1,1", "time_anchor": "March-15-2024"},
              {"role": "assistant", "id": 1, "content": "Done."}]]  # fmt: skip
    questions = {
        "knowledge_update": [{"question": "What?", "source_chat_ids": {"old": [0], "new": [1]}}],
        "abstention": [{"question": "Who?"}],
    }
    (tmp_path / "beam" / "100K").mkdir(parents=True)
    with gzip.open(tmp_path / "beam" / "100K" / "1.json.gz", "wt", encoding="utf-8") as file:
        json.dump({"chat": [{"turns": turns}], "questions": questions}, file)
    (case,) = beam.read(tmp_path)
    assert case.sittings[0].turns[0].text == "Plan it"
    assert [(q.gold, q.abstain) for q in case.questions] == [({"0", "1"}, False), (frozenset(), True)]


def test_several_talks_in_one_mind_keep_their_ids_apart(tmp_path):
    (case,) = locomo.read(locomo_file(tmp_path))
    both = pooled("all", [case, case])
    assert len(both.talks) == 2
    assert both.questions[0].gold <= set(both.session_of())
    assert both.questions[0].people == ("Ida", "Per")


def answers(data, out):
    systems = [Fts5(), Product("noosphere/keyword", None, semantic="off")]
    return list(run.run("locomo", data, systems, out, lambda _: None))


def test_an_interrupted_run_goes_on_to_the_same_figures(tmp_path):
    data = locomo_file(tmp_path / "data")
    whole = report.summary(answers(data, tmp_path / "whole"))
    stopped = iter(run.run("locomo", data, [Fts5()], tmp_path / "parts", lambda _: None))
    next(stopped)
    kept = tmp_path / "parts" / "locomo" / "fts5" / "conv-26.json"
    before = kept.stat().st_mtime_ns
    assert report.summary(answers(data, tmp_path / "parts")) == whole
    assert kept.stat().st_mtime_ns == before


def test_without_the_data_the_message_says_how_to_give_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["evals", "--data", str(tmp_path / "nowhere"), "--out", str(tmp_path)])
    assert main() == 2
    assert "--data" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_what_is_measured_on_sets_of_the_repository_needs_no_data(tmp_path, monkeypatch, name):
    monkeypatch.setattr("sys.argv", ["evals", name, "--data", str(tmp_path / "nowhere"), "--out", str(tmp_path)])
    asked = []
    module = SimpleNamespace(main=lambda data, cache: asked.append((data, cache)))
    monkeypatch.setitem(sys.modules, MEASUREMENTS[name], module)
    assert main() == 0
    assert asked == [(tmp_path / "nowhere", tmp_path / "vectors")]


@pytest.mark.parametrize("text", ["", "???", '"quoted" OR -x'])
def test_the_baseline_takes_any_question(tmp_path, text):
    (case,) = locomo.read(locomo_file(tmp_path))
    with Fts5().fill(case, tmp_path) as asker:
        question = case.questions[0].__class__("q", text, "k", frozenset())
        assert isinstance(asker.rank(question, 5), list)
