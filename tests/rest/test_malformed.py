"""Requests that cannot be read, or name what is not there: each is told what is wrong and what to send."""

import pytest

TYPED = {"Content-Type": "application/json"}


def deep(levels):
    return b'{"text": "x", "metadata": ' + b'{"a":' * levels + b"1" + b"}" * levels + b"}"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"text": "kiln \xe9"}', "Send JSON in UTF-8"),
        (deep(3000), "nested less than"),
        (b'{"text": "x", "metadata": {"n": ' + b"9" * 5000 + b"}}", "no number longer"),
        (b"[" * 100_000, "nested less than"),
        (b"text=the kiln", "Content-Type: application/json"),
        (b"", "body: is missing. Send a JSON object"),
        (b"[]", "body: is no JSON object"),
    ],
)
def test_a_body_that_cannot_be_read_is_a_documented_problem_that_says_what_to_send(client, content, said):
    answer = client.post("/api/memories", content=content, headers=TYPED)
    assert (answer.status_code, answer.json()["field"]) == (422, "body")
    assert said in answer.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path", "more", "field", "said"),
    [
        ("GET", "/api/recall", {"params": {"query": "x", "asof": "2025"}}, "asof", "Did you mean as_of"),
        ("GET", "/api/stats", {"params": {"mnd": "personal"}}, "mnd", "Did you mean mind"),
        ("POST", "/api/memories", {"json": {"text": "x", "tag": ["a"]}}, "tag", "Did you mean tags"),
        ("POST", "/api/memories", {"json": {"text": "x", "mind": "personal"}}, "mind", "?mind=NAME"),
        (
            "POST",
            "/api/turns",
            {"json": {"conversation": "c", "turns": [{"key": "1", "speaker": "A", "txt": "x", "text": "y"}]}},
            "txt",
            "Did you mean text",
        ),
    ],
)
def test_an_argument_that_is_not_known_is_told_with_the_near_names(client, method, path, more, field, said):
    answer = client.request(method, path, **more)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert said in answer.json()["detail"]


def test_a_question_with_half_a_character_is_answered_at_every_door_of_recall(client):
    client.post("/api/memories", content=rb'{"text": "The lamp \ud83d is lit"}', headers=TYPED)
    for path in ("/api/context", "/api/cognify"):
        body = rb'{"query": "lamp \udfff"}' if path.endswith("context") else rb'{"user": "lamp", "said_at": "\udfff"}'
        answer = client.post(path, content=body, headers=TYPED)
        assert answer.status_code == (200 if path.endswith("context") else 422), answer.text


def test_what_is_nested_too_deeply_to_be_read_back_is_not_stored(client):
    answer = client.post("/api/memories", content=deep(300), headers=TYPED)
    assert (answer.status_code, answer.json()["field"]) == (422, "metadata")
    stored = client.post("/api/memories", content=deep(60), headers=TYPED).json()
    assert client.get(f"/api/memories/{stored['id']}").status_code == 200
    about = {"name": "Ada", "type": "person", "properties": {"a": [[[]] * 2] * 2}}
    assert client.post("/api/entities", json=about).status_code == 200


def test_after_a_failure_of_its_own_the_server_says_that_it_hangs_up(app, client, monkeypatch):
    from noosphere.mind.looking import Looking

    monkeypatch.setattr(Looking, "stats", lambda _: 1 / 0)
    answer = client.get("/api/stats")
    assert (answer.status_code, answer.headers["connection"]) == (500, "close")


def test_what_is_told_of_an_entity_without_a_type_is_not_dropped_in_silence(client):
    client.post("/api/entities", json={"name": "Ada", "type": "person", "properties": {"born": "1815"}})
    answer = client.post("/api/entities", json={"name": "Ada", "properties": {"born": "1816"}})
    assert (answer.status_code, answer.json()["field"]) == (422, "type")
    assert client.post("/api/entities", json={"name": "Ada"}).json()[0]["properties"] == {"born": "1815"}
