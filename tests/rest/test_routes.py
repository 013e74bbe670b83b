"""REST: what a verb answers in Python it answers here; what may not be is refused with a remedy and changes nothing."""

import json

import pytest

from noosphere.model.plain import plain
from noosphere.serve.rest.gate import MAX_BODY


def remember(client, text, **more):
    answer = client.post("/api/memories", json={"text": text, **more.pop("about", {})}, params=more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_what_was_stored_is_read_as_python_reads_it(client, noosphere):
    stored = remember(client, "Hẹn ở Đà Nẵng 🚀", about={"tags": ["trip"], "metadata": {"a": [1]}})
    with noosphere.mind() as mind:
        assert client.get(f"/api/memories/{stored['id']}").json()["text"] == plain(mind.get(stored["id"]))["text"]
        assert client.get("/api/tags").json() == {"trip": 1}
        assert client.get(f"/api/memories/{stored['id']}/history").json() == plain(mind.history(stored["id"]))
        assert client.get("/api/journal").json() == plain(mind.journal())
    hits = client.get("/api/rank", params={"query": "Đà Nẵng", "tags": ["trip"]}).json()["hits"]
    assert [hit["id"] for hit in hits] == [stored["id"]]
    assert "🚀" in client.get("/api/recall", params={"query": "Đà Nẵng"}).json()["text"]


def test_a_memory_is_changed_forgotten_and_brought_back(client):
    stored = remember(client, "the kiln is cold")
    path = f"/api/memories/{stored['id']}"
    assert client.post(f"{path}/revise", json={"text": "the kiln is hot"}).json()["outcome"] == "revised"
    assert client.patch(path, json={"importance": "important"}).json()["changed"] == ["importance"]
    gone = client.delete(path).json()
    assert client.get("/api/rank", params={"query": "kiln"}).json()["hits"] == []
    assert client.post(f"/api/undo/{gone['journal']}").json()["outcome"] == "undone"
    assert len(client.get("/api/rank", params={"query": "kiln"}).json()["hits"]) == 1


def test_turns_are_recorded(client):
    turns = [{"key": str(n), "speaker": "Ann", "text": f"turn {n} of the kiln"} for n in range(3)]
    answer = client.post("/api/turns", json={"conversation": "talk", "turns": turns, "participants": ["Ann"]})
    assert len(answer.json()["added"]) == 3
    assert client.post("/api/turns", json={"conversation": "talk", "turns": turns}).json()["known"] == 3


def test_a_refusal_is_a_conflict_with_its_reason(client):
    stored = remember(client, "once")
    client.delete(f"/api/memories/{stored['id']}")
    answer = client.delete(f"/api/memories/{stored['id']}")
    assert answer.status_code == 409
    assert answer.json()["reason"] == "unchanged"


TYPED = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("status", "method", "path", "more", "said"),
    [
        (401, "GET", "/api/stats", {"headers": {"Authorization": "Bearer wrong"}}, "tokens.json"),
        (401, "GET", "/api/stats", {"headers": {"Authorization": ""}}, "Bearer TOKEN"),
        (401, "GET", "/metrics", {"headers": {"Authorization": "Basic x"}}, "Bearer TOKEN"),
        (403, "POST", "/api/memories", {"headers": {"Authorization": "Bearer read-token"}}, "scope write"),
        (403, "POST", "/api/backup", {"headers": {"Authorization": "Bearer write-token"}}, "scope admin"),
        (403, "POST", "/api/harvest", {"headers": {"Authorization": "Bearer write-token"}}, "scope admin"),
        (404, "GET", "/api/stats", {"params": {"mind": "persnal"}}, "Did you mean personal"),
        (404, "GET", "/api/memories/01890a5d-ac96-774b-bcce-b302099a8057", {}, "Take an id"),
        (404, "GET", "/api/nothing", {}, "openapi.json"),
        (405, "PUT", "/api/memories", {}, "openapi.json"),
        (413, "POST", "/api/memories", {"content": b"x" * (MAX_BODY + 1)}, "in parts"),
        (422, "POST", "/api/memories", {"json": {"text": "x", "importance": "huge"}}, "critical"),
        (422, "POST", "/api/memories", {"json": {"text": "x", "colour": "red"}}, "colour"),
        (422, "POST", "/api/memories", {"json": {}}, "text"),
        (422, "POST", "/api/memories", {"content": b"{"}, "Content-Type: application/json"),
        (422, "POST", "/api/memories", {"content": b"{", "headers": TYPED}, "body: JSON decode error"),
        (422, "GET", "/api/rank", {"params": {"query": "x", "as_of": "soon"}}, "2026-05-14"),
        (422, "GET", "/api/stats", {"params": {"mind": "../x"}}, "a-z, 0-9"),
        (422, "GET", "/api/memories/nope", {}, "Ids look like"),
    ],
)
def test_what_may_not_be_is_a_problem_with_a_remedy_and_changes_nothing(
    client, noosphere, status, method, path, more, said
):
    remember(client, "the only one")
    answer = client.request(method, path, **more)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert said in answer.json()["detail"]
    assert answer.json()["status"] == status
    with noosphere.mind() as mind:
        assert mind.stats().memories == 1


def test_a_body_that_hides_its_length_is_stopped_too(client):
    def parts():
        for _ in range(6):
            yield b"x" * 1_000_000

    assert client.post("/api/memories", content=parts()).status_code == 413


@pytest.mark.parametrize(("scope", "reads", "writes", "rules"), [
    ("read", 200, 403, 403), ("write", 200, 200, 403), ("admin", 200, 200, 200),
])  # fmt: skip
def test_a_scope_contains_those_before_it(client, scope, reads, writes, rules):
    client.headers["Authorization"] = f"Bearer {scope}-token"
    assert client.get("/api/stats").status_code == reads
    assert client.post("/api/memories", json={"text": "x"}).status_code == writes
    assert client.post("/api/workspaces", json={"id": "acme"}).status_code == rules


def test_a_change_names_its_mind_as_soon_as_there_are_several(client):
    client.post("/api/workspaces", json={"id": "acme"})
    answer = client.post("/api/memories", json={"text": "x"})
    assert answer.status_code == 422
    assert "Name one of: acme, personal" in answer.json()["detail"]
    assert remember(client, "x", mind="acme")["outcome"] == "stored"
    assert client.get("/api/rank", params={"query": "x"}).json()["hits"] == []


def test_a_harvest_is_a_job_whose_progress_is_told(client, tmp_path):
    (tmp_path / "notes").mkdir()
    for number in range(3):
        (tmp_path / "notes" / f"{number}.md").write_text(f"# N{number}\n\nkiln {number}\n", encoding="utf-8")
    started = client.post("/api/harvest", json={"places": [str(tmp_path / "notes")]})
    assert started.status_code == 202
    with client.stream("GET", f"/api/harvest/jobs/{started.json()['job']}/events") as stream:
        events = [line for line in stream.iter_lines() if line.startswith(("event", "data"))]
    assert events[-2] == "event: done"
    assert json.loads(events[-1].removeprefix("data: "))["result"]["added"] == 3
    assert client.get(f"/api/harvest/jobs/{started.json()['job']}").json()["state"] == "done"
    failed = client.post("/api/harvest", json={"places": [str(tmp_path / "nowhere")]}).json()
    with client.stream("GET", f"/api/harvest/jobs/{failed['job']}/events") as stream:
        assert "event: failed" in list(stream.iter_lines())
    assert client.get("/api/harvest/jobs/nope").status_code == 404


def test_health_is_open_and_metrics_count_without_a_word_of_content(client):
    remember(client, "xylophone")
    client.get("/api/rank", params={"query": "xylophone"})
    assert client.get("/health", headers={"Authorization": ""}).json()["status"] == "ok"
    text = client.get("/metrics").text
    assert 'noosphere_requests_total{route="remember",status="200"} 1.0' in text
    assert "xylophone" not in text


@pytest.mark.parametrize("page", ["/docs", "/redoc"])
def test_no_page_is_served_that_would_take_its_scripts_from_the_network(client, page):
    assert client.get(page).status_code == 404
    assert client.get("/openapi.json", headers={"Authorization": ""}).json()["info"]["title"] == "Noosphere"


def test_the_file_of_tokens_is_made_for_its_owner_alone(tmp_path):
    from noosphere.serve.rest.tokens import load

    tokens = load(tmp_path)
    path = tmp_path / "tokens.json"
    assert path.stat().st_mode & 0o077 == 0
    assert tokens.find(json.loads(path.read_text())["owner"]["token"]).allows("admin")
    assert tokens.find("") is None
    assert tokens.find("ü") is None


@pytest.mark.parametrize(
    ("path", "given", "field", "said"),
    [
        ("/api/recall", {"query": "x", "kinds": "odd"}, "kinds", "'episodic' or 'semantic'"),
        ("/api/signals", {"mind": "personal", "kind": "odd"}, "kind", "'capability_gap', 'correction'"),
        ("/api/neighbours", {}, None, "openapi.json"),
    ],
)
def test_what_is_wrong_is_named_by_its_argument_and_the_words_are_told(client, path, given, field, said):
    answer = client.get(path, params=given).json()
    assert answer.get("field") == field
    assert said in answer["detail"]


def test_an_export_that_cannot_be_read_is_no_failure_of_the_server(client):
    answer = client.post("/api/harvest/take-in", params={"mind": "personal"}, json={"export": "x" * 100_000})
    assert answer.status_code == 503
    assert "Check" in answer.json()["detail"]


def test_a_file_that_is_no_export_is_the_callers_mistake(client, tmp_path):
    (tmp_path / "notes.jsonl").write_text("no lines of JSON\n", encoding="utf-8")
    taken = client.post("/api/harvest/take-in", json={"export": str(tmp_path / "notes.jsonl")})
    brought = client.post("/api/workspaces/import", json={"source": str(tmp_path / "notes.jsonl"), "id": "acme"})
    assert (taken.status_code, brought.status_code) == (422, 422)
    assert (taken.json()["error"], brought.json()["error"]) == ("NotAnExport", "NotAMind")


def test_an_error_names_routes_and_no_calls_of_python(client):
    stored = remember(client, "the kiln is cold")
    unknown = stored["id"][:-4] + "0000"
    told = client.post(f"/api/undo/{unknown}").json()["detail"]
    assert told.endswith("Take one from an outcome or from `GET /api/journal`")


def test_claim_and_evidence_are_told_of_things_and_of_edges(client, noosphere):
    one = remember(client, "The kiln is hot", about={"claim": "verified"})["id"]
    other = remember(client, "The studio is warm")["id"]
    remember(client, "The kiln is hot")
    with noosphere.mind() as mind:
        mind.link(one, "relates_to", other, claim="verified", evidence="https://kiln.example")
        assert "verified, evidence 2" in mind.recall("kiln").text
    hit = client.get("/api/rank", params={"query": "kiln"}).json()["hits"][0]
    assert (hit["claim"], hit["evidence_count"]) == ("verified", 2)
    assert "verified, evidence 2" in client.get("/api/recall", params={"query": "kiln"}).json()["text"]
    item = client.get(f"/api/memories/{other}/hops").json()[0]
    assert (item["claim"], item["evidence"]) == ("verified", 2)
    assert (item["path"][0]["claim"], item["path"][0]["evidence"]) == ("verified", 1)
