"""A fast model sorts and a strong one reads: over a real server that answers each as told, or fails as told."""

import json
import threading

import pytest

from loopback import Answering, completion, serving
from noosphere.errors import InvalidInput
from noosphere.testing.minds import scratch_mind

ODD = "Sadly nobody of the old crew is alive."
IDLE = "Blah blah quux."
RULED = "I live in Rome."
SILENT = {"keep": [], "names": [], "relations": [], "about": [], "contradicts": []}
ABOUT = {"sentence": 1, "kind": "episodic", "volatility": "durable", "status": "draft"}
ABOUT["tags"] = ["Old Crew", "digest", "for-personal"]
READ = SILENT | {
    "keep": [{"sentence": 1, "role": "fact", "importance": "important", "confidence": 0.8}],
    "about": [ABOUT, {"sentence": 0, "kind": "semantic", "volatility": "state", "status": "active", "tags": ["home"]}],
}
WRONG = SILENT | {"about": [ABOUT | {"volatility": "eternal"}]}


class Server:
    """What each model was shown, and the answers it gives: values, texts, statuses, "hang" or "cut"."""

    def __init__(self):
        self.shown, self.answers, self.released = {"quick": [], "deep": []}, {}, threading.Event()


@pytest.fixture
def server():
    opened = Server()

    class Handler(Answering):
        def take(self, body):
            shown = json.loads(body["messages"][1]["content"])
            opened.shown[body["model"]].append(list(shown.values()))
            told = opened.answers[body["model"]]
            told = told.pop(0) if isinstance(told, list) else told
            self.tell(told, opened.released, completion)

    with serving(opened, Handler):
        yield opened


@pytest.fixture
def mind(tmp_path, server):
    named = {
        "llm": "ollama:deep",
        "llm_fast": "ollama:quick",
        "ollama_url": server.url,
        "llm_seconds": 1,
        "llm_prices": [10, 20],
        "llm_fast_prices": [1, 2],
    }
    with scratch_mind(tmp_path, **named) as mind:
        yield mind


def told(mind):
    return mind.cognify({"user": f"{RULED} {ODD} {IDLE}", "assistant": ""})


def test_the_fast_model_sees_all_and_the_strong_one_what_it_chose_and_what_rules_found(mind, server):
    server.answers = {"quick": {"keep": [1]}, "deep": READ}
    assert [one.text for one in told(mind).learnt] == [RULED, ODD]
    assert server.shown == {"quick": [[RULED, ODD, IDLE]], "deep": [[RULED, ODD]]}


def test_the_strong_model_is_not_asked_when_nothing_is_worth_reading(mind, server):
    server.answers = {"quick": {"keep": []}}
    mind.cognify({"user": IDLE, "assistant": ""})
    assert server.shown["deep"] == []


def test_what_a_model_says_of_a_sentence_fills_what_was_left_out(mind, server):
    server.answers = {"quick": {"keep": [1]}, "deep": READ}
    ruled, odd = (mind.get(one.id) for one in told(mind).learnt)
    assert (odd.kind, odd.volatility, odd.tags) == ("episodic", "durable", ("for-workspace", "old crew"))
    assert (ruled.kind, ruled.volatility, ruled.tags) == ("semantic", "state", ("for-personal", "home"))


def test_each_model_has_its_own_price(mind, server):
    server.answers = {"quick": {"keep": [1]}, "deep": READ}
    told(mind)
    calls = mind.interactions()
    assert [(one.model, one.purpose, one.ended, one.cost_micros) for one in calls] == [
        ("deep", "learn", "done", 1200),
        ("quick", "sort", "done", 120),
    ]


FAILURES = {
    "slow": "hang",
    "broken json": ["no json", "{"],
    "not of the schema": [WRONG, WRONG],
    "429": [429] * 9,
    "500": [500] * 9,
    "cut": ["cut"] * 9,
}


@pytest.mark.parametrize("failing", ["quick", "deep"])
@pytest.mark.parametrize("how", FAILURES)
def test_a_model_that_fails_is_told_and_what_rules_found_stays(mind, server, failing, how):
    server.answers = {"quick": {"keep": [1]}, "deep": READ}
    server.answers[failing] = FAILURES[how]
    report = told(mind)
    assert [one.text for one in report.learnt] == [RULED]
    assert [one.text for one in report.left if one.why.startswith("the model's pass: ")] == [""]
    (last, *before) = mind.interactions()
    assert (last.model, last.ended == "done") == (failing, False)
    assert [(one.model, one.ended) for one in before] == ([] if failing == "quick" else [("quick", "done")])


def test_one_answer_that_is_broken_is_asked_for_again_and_its_tokens_count(mind, server):
    server.answers = {"quick": ["{", {"keep": [1]}], "deep": [429, READ]}
    assert ODD in [one.text for one in told(mind).learnt]
    (strong, fast) = mind.interactions()
    assert (strong.prompt_tokens, fast.prompt_tokens) == (100, 200)


def test_totals_sum_what_is_known_by_model_and_purpose(mind, server):
    server.answers = {"quick": [{"keep": [1]}, {"keep": [0]}], "deep": [READ, 500, 500]}
    told(mind)
    mind.cognify({"user": ODD, "assistant": ""})
    deep, quick = mind.interactions.totals()
    assert (deep.model, deep.purpose, deep.calls, deep.failed, deep.uncounted, deep.unpriced) == (
        "deep", "learn", 2, 1, 1, 1,
    )  # fmt: skip
    assert (deep.prompt_tokens, deep.completion_tokens, deep.cost_micros) == (100, 10, 1200)
    assert (quick.calls, quick.failed, quick.prompt_tokens, quick.cost_micros) == (2, 0, 200, 240)
    assert mind.interactions.totals(since="2999-01-01") == mind.interactions(since="2999-01-01") == []
    assert len(mind.interactions(1)) == 1


def test_a_limit_or_time_of_the_wrong_form_is_told(mind):
    for wrong in (lambda: mind.interactions(0), lambda: mind.interactions(since="soon")):
        with pytest.raises(InvalidInput):
            wrong()
