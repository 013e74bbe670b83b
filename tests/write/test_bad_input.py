"""Whatever a caller passes, a verb answers with an outcome or an error of ours that names the argument."""

from contextlib import suppress
from dataclasses import fields

import pytest

from noosphere import ClosedMind, Draft, InvalidInput, NotFound, Turn
from noosphere.testing.minds import scratch_mind

NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"
WRONG = [
    5, 5.5, b"bytes", [], {}, object(), True, "\ud800", "", "  ", "x\0y", ["\ud800"], [5], {"a": "\ud800"}, -1,
    float("nan"), 10**30, "x" * 200, "two\nlines", None,
]  # fmt: skip
ABOUT_TURN = ("key", "speaker", "text", "at", "speaker_role", "session", "parent")
ABOUT_TALK = ("participants", "title", "source", "project", "session", "tags", "metadata")
CLASSIFIABLE = (
    "role", "kind", "status", "importance", "volatility", "source", "claim", "confidence", "title", "metadata",
    "trace_id", "slot", "subject", "value", "functional", "valid_from", "valid_to", "occurred", "tags", "add_tags",
    "remove_tags",
)  # fmt: skip
FILTERS = (
    "tags", "kinds", "statuses", "volatilities", "classes", "roles", "importances", "sources", "claims", "speakers",
    "participants", "conversation", "session", "subject", "since", "until",
)  # fmt: skip


def remembering(mind, wrong):
    for field in (f.name for f in fields(Draft)):
        extra = {"slot": "a.b"} if field in {"value", "functional"} else {}
        yield field, lambda f=field, e=extra: mind.remember(**{"text": f"text {f}", **e, f: wrong})
    for field in ("frame", "mind", "source_id", "uri"):
        yield field, lambda f=field: mind.remember("evidence", evidence={f: wrong})
    yield "drafts", lambda: mind.remember_many(wrong)
    yield "name", lambda: mind.entity(wrong, "person")
    yield "name", lambda: mind.entity(wrong)
    yield "type", lambda: mind.entity("Bob", wrong)
    for field in ("properties", "tags", "source", "evidence"):
        yield field, lambda f=field: mind.entity("Bob", "person", **{f: wrong})


def changing(mind, wrong):
    node, other = mind.remember("alpha").id, mind.remember("beta").id
    for field in CLASSIFIABLE:
        yield field, lambda f=field: mind.classify(node, **{f: wrong})
    yield "status", lambda: mind.set_status(node, wrong)
    for verb in ("revise", "append", "branch"):
        yield verb, lambda v=verb: getattr(mind, v)(wrong, "text")
        yield verb, lambda v=verb: getattr(mind, v)(node, wrong)
        yield verb, lambda v=verb: getattr(mind, v)(node, f"{v} text", session=wrong)
    for verb in ("revise", "append"):
        yield verb, lambda v=verb: getattr(mind, v)(node, f"{v} said", said_at=wrong)
    yield "refs", lambda: mind.branch(node, "branch", refs=wrong)
    yield "description", lambda: mind.branch(node, "described", description=wrong)
    for place in range(3):
        ends = [node, "relates_to", other]
        ends[place] = wrong
        yield "link", lambda e=ends: mind.link(*e)
    for field in ("weight", "provenance", "claim", "evidence", "valid_from", "valid_to"):
        yield field, lambda f=field: mind.link(node, "relates_to", other, **{f: wrong})


def recording(mind, wrong):
    yield "conversation", lambda: mind.record(wrong, [Turn(key="1", speaker="s", text="t")])
    yield "turns", lambda: mind.record("chat", wrong)
    yield "turns", lambda: mind.record("chat", [wrong])
    yield "head", lambda: mind.record("chat", [], head=wrong)
    for field in ABOUT_TALK:
        yield field, lambda f=field: mind.record(f"talk {f}", [], **{f: wrong})
    for field in ABOUT_TURN:
        about = {"key": field, "speaker": "s", "text": "t", field: wrong}
        yield field, lambda a=about: mind.record("chat", [Turn(**a)])
    for field in ("key", "project", "title"):
        yield field, lambda f=field: mind.sessions.ensure(**{"key": f"s {f}", f: wrong})
    for verb in ("close", "archive", "list"):
        yield verb, lambda v=verb: getattr(mind.sessions, v)(wrong)


def reading(mind, wrong):
    mind.remember("alpha")
    for verb in ("get", "history", "forget", "undo", "unlink", "used"):
        yield verb, lambda v=verb: getattr(mind, v)(wrong)
    for field in ("query", "k", "now", "as_of", "known_at", "include_past", "filters"):
        yield field, lambda f=field: mind.rank(**{"query": "alpha", f: wrong})
    for field in FILTERS:
        yield field, lambda f=field: mind.rank("alpha", filters={f: wrong})
    yield "budget", lambda: mind.recall("alpha", wrong)
    yield "limit", lambda: mind.journal(wrong)
    yield "target", lambda: mind.journal(target=wrong)
    yield "limit", lambda: mind.flush(wrong)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda w: f"{w!r:.12}")
@pytest.mark.parametrize("attempts", [remembering, changing, recording, reading])
def test_a_wrong_value_anywhere_is_an_outcome_or_an_error_that_says_why(mind, attempts, wrong):
    for field, attempt in attempts(mind, wrong):
        try:
            attempt()
        except (InvalidInput, NotFound):
            continue
        except Exception as other:  # noqa: BLE001  (any other error is the finding)
            pytest.fail(f"{field}: {other!r}")
    assert mind.doctor().healthy


@pytest.mark.parametrize("verb", ["remember", "classify", "record", "link", "entity"])
def test_an_unknown_argument_is_refused_with_the_nearest_one(mind, verb):
    stored, other = mind.remember("a"), mind.remember("b")
    calls = {
        "remember": lambda: mind.remember("x", importanse="critical"),
        "classify": lambda: mind.classify(stored.id, importanse="critical"),
        "record": lambda: mind.record("chat", [], titlee="T"),
        "link": lambda: mind.link(stored.id, "relates_to", other.id, weightt=1),
        "entity": lambda: mind.entity("Ann", "person", propertees={}),
    }
    with pytest.raises(InvalidInput, match=r"Did you mean (importance|title|weight|properties)"):
        calls[verb]()


@pytest.mark.parametrize(
    "wrong", ["", "x", NOBODY[:-1], f"{NOBODY}0", NOBODY.replace("-", ""), "../mind.db", f"'{NOBODY}'"]
)
def test_what_is_no_id_is_refused_with_what_ids_look_like(mind, wrong):
    for verb in (
        mind.get,
        mind.history,
        mind.forget,
        lambda i: mind.revise(i, "x"),
        lambda i: mind.classify(i, role="fact"),
    ):
        with pytest.raises(InvalidInput, match="01890a5d-ac96-774b-bcce-b302099a8057"):
            verb(wrong)


def test_ids_read_in_either_case(mind):
    stored = mind.remember("x")
    assert mind.get(stored.id.upper()).id == stored.id


@pytest.mark.parametrize("verb", ["get", "history", "forget"])
def test_an_unknown_id_is_not_found_and_the_message_says_where_to_take_one(mind, verb):
    with pytest.raises(NotFound, match="Take an id") as refused:
        getattr(mind, verb)(NOBODY)
    assert refused.value.key == NOBODY


def test_using_an_id_that_nobody_has_changes_nothing(mind):
    mind.used([NOBODY])
    mind.remember("x")
    assert mind.doctor().healthy


def test_every_verb_of_a_closed_mind_says_that_it_is_closed(tmp_path):
    mind = scratch_mind(tmp_path)
    stored = mind.remember("x")
    mind.close()
    mind.close()
    calls = [
        lambda: mind.remember("y"), lambda: mind.remember_many(["y"]), lambda: mind.record("chat", []),
        lambda: mind.revise(stored.id, "y"), lambda: mind.append(stored.id, "y"), lambda: mind.branch(stored.id, "y"),
        lambda: mind.classify(stored.id, role="fact"), lambda: mind.set_status(stored.id, "draft"),
        lambda: mind.forget(stored.id), lambda: mind.undo(stored.journal), lambda: mind.unlink(stored.id),
        lambda: mind.link(stored.id, "relates_to", stored.id), lambda: mind.entity("Ann", "person"),
        lambda: mind.entity("Ann"), lambda: mind.rank("x"), lambda: mind.ranked("x"), lambda: mind.recall("x"),
        lambda: mind.get(stored.id), lambda: mind.history(stored.id), mind.journal, mind.tags, mind.stats, mind.status,
        lambda: mind.sessions.ensure("s"), mind.sessions.ensure_active, mind.sessions.list, mind.flush, mind.doctor,
        lambda: mind.backup(tmp_path / "copy.db"), lambda: mind.used([stored.id]),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ClosedMind, match="open_mind again"):
            call()


def test_an_empty_mind_answers_every_question(mind, tmp_path):
    assert mind.rank("anything") == []
    assert mind.rank("anything", include_past=True, as_of="2020", known_at="2020", filters={"tag": "x"}) == []
    assert "nothing relevant" in mind.recall("anything").text
    assert (mind.journal(), mind.tags(), mind.sessions.list(), mind.entity("Ann")) == ([], {}, [], [])
    assert mind.stats().memories == 0
    assert mind.status().lanes == ("keyword", "window", "hops")
    assert mind.flush().embedded == 0
    assert mind.doctor().healthy
    assert mind.doctor(fix=True).healthy
    assert mind.remember_many([]) == []
    assert mind.backup(tmp_path / "copy.db").frames == 0


@pytest.mark.parametrize("wrong", [w for w in WRONG if w != ["\ud800"]], ids=lambda w: f"{w!r:.12}")
def test_exchanges_relations_models_and_checks_take_nothing_wrong(mind, wrong):
    verbs = (
        lambda: mind.cognify({"user": wrong, "assistant": "yes"}),
        lambda: mind.cognify({"user": "no", "assistant": "yes", "tools": [wrong]}),
        lambda: mind.relate("Ana Kos", wrong, "Heron"),
        lambda: mind.models.use(wrong),
        lambda: mind.models.reembed(wrong),
        lambda: mind.check([wrong]),
        lambda: mind.check(wrong),
    )
    for verb in verbs:
        with suppress(InvalidInput, NotFound):
            verb()
    assert mind.doctor().healthy


@pytest.mark.parametrize("nothing", ["\u200b", " \u200d\ufeff ", "\u202e\u2066", "\x07\x1b"])
def test_a_text_of_which_nothing_can_be_seen_is_no_text(mind, nothing):
    assert mind.remember(nothing).reason == "empty"
    seen = mind.remember(f"{nothing}heron")
    assert mind.revise(seen.id, nothing).reason == "empty"
    assert mind.record("talk", [Turn(key="1", speaker="Ann", text=nothing)]).added == ()
    assert mind.remember("👩\u200d🚀").id
