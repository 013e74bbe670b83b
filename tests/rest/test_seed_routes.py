"""The seed's paths, when they are switched on: the same memories as behind the others, and a change names its mind."""

import pytest
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from noosphere.serve.app import make_server

PATHS = (
    ("GET", "/api/memory"),
    ("GET", "/api/memory/search"),
    ("GET", "/api/memory/frames"),
    ("GET", "/api/memory/stats"),
    ("GET", "/api/memory/graph"),
    ("POST", "/api/memory/frames"),
    ("POST", "/api/memory"),
    ("GET", "/api/memory/{id}"),
    ("PATCH", "/api/memory/{id}"),
    ("DELETE", "/api/memory/{id}"),
    ("POST", "/api/memory/{id}/merge"),
    ("POST", "/api/memory/{id}/archive"),
    ("GET", "/api/memory/{id}/trace"),
    ("POST", "/api/identity"),
)
PERSONAL, ACME = {"mind": "personal"}, {"mind": "workspace", "workspace": "acme"}


@pytest.fixture
def seeded(noosphere):
    noosphere.workspaces.create("acme")
    with TestClient(make_server(noosphere, seed_routes=True), base_url="http://127.0.0.1") as opened:
        opened.headers["Authorization"] = "Bearer admin-token"
        yield opened


def store(client, text, where, **more):
    answer = client.post("/api/memory/frames", json={"content": text, **more}, params=where)
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def contents(answer):
    assert answer.status_code == 200, answer.text
    told = answer.json()
    return [one["content"] for one in told.get("results", told.get("memories"))]


def read(client, path):
    told = client.get(path).json()
    return [told[name] for name in ("text", "importance", "tags")]


def test_text_and_importance_change_in_one_request_and_go_in_one_undo(seeded):
    stored = seeded.post("/api/memory", json={"content": "The kiln is hot", "tags": ["ops"]}, params=PERSONAL).json()
    path = f"/api/memory/{stored['id']}"
    was, wanted = read(seeded, path), {"content": "The kiln is cold", "importance": "critical", "tags": ["kiln"]}
    changed = seeded.patch(path, json=wanted, params=PERSONAL).json()
    assert read(seeded, path) == ["The kiln is cold", "critical", ["kiln"]]
    assert seeded.post(f"/api/undo/{changed['journal']}", params=PERSONAL).status_code == 200
    assert read(seeded, path) == was
    same = seeded.patch(path, json={"content": "The kiln is hot", "importance": "critical"}, params=PERSONAL)
    assert (same.status_code, read(seeded, path)) == (409, was)
    assert "leave the text out" in same.json()["message"]


def test_they_are_there_only_when_asked_for(client, seeded):
    assert client.get("/api/memory/stats").status_code == 404
    assert seeded.get("/api/memory/stats").json()["memories"] == 0


def test_what_is_stored_is_found_in_its_mind_and_says_where_it_is_from(seeded):
    own = store(seeded, "The kiln is hot 🚀", PERSONAL, importance="important", tags=["ops"])
    work = store(seeded, "The kiln of acme is cold", ACME, source="user_stated")
    found = seeded.get("/api/memory/search", params={"q": "kiln", "scope": "all"}).json()["results"]
    for profile in ("balanced", "recent", "important", "connected"):
        asked = seeded.get("/api/memory/search", params={"q": "kiln", "scope": "all", "profile": profile})
        assert len(asked.json()["results"]) == len(found)
    assert {(one["id"], one["_mind"], one["_workspace_name"]) for one in found} == {
        (own, "personal", None),
        (work, "workspace", "acme"),
    }
    assert contents(seeded.get("/api/memory/search", params={"q": "kiln", "workspace": "acme"})) == [
        "The kiln of acme is cold"
    ]
    assert contents(seeded.get("/api/memory/search", params={"q": "kiln", "scope": "personal"})) == [
        "The kiln is hot 🚀"
    ]
    assert contents(seeded.get("/api/memory")) == contents(seeded.get("/api/memory/frames")) == ["The kiln is hot 🚀"]
    assert seeded.get("/api/memory/stats", params={"workspace": "acme"}).json()["memories"] == 1


def test_a_status_lists_what_has_it(seeded):
    gone = store(seeded, "The kiln is hot", PERSONAL)
    store(seeded, "The roof is blue", PERSONAL)
    assert seeded.post(f"/api/memory/{gone}/archive", params=PERSONAL).status_code == 200
    assert contents(seeded.get("/api/memory", params={"status": "active"})) == ["The roof is blue"]
    assert contents(seeded.get("/api/memory", params={"status": "archived"})) == ["The kiln is hot"]


def test_one_memory_is_stored_read_changed_and_forgotten(seeded):
    kiln = seeded.post("/api/memory", json={"content": "The kiln is hot"}, params=ACME).json()["id"]
    path, acme = f"/api/memory/{kiln}", {"workspace": "acme"}
    changed = seeded.patch(path, json={"content": "The kiln is cold", "importance": "critical"}, params=ACME)
    assert changed.status_code == 200, changed.text
    told = seeded.get(path, params=acme).json()
    assert (told["text"], told["importance"]) == ("The kiln is cold", "critical")
    assert seeded.patch(path, json={"importance": "deprecated", "tags": ["ops"]}, params=ACME).status_code == 200
    told = seeded.get(path, params=acme).json()
    assert (told["status"], told["tags"]) == ("deprecated", ["ops"])
    assert seeded.patch(path, json={}, params=ACME).status_code == 422
    forgotten = seeded.delete(path, params=ACME).json()
    assert contents(seeded.get("/api/memory", params={"status": "deprecated", **acme})) == []
    seeded.post(f"/api/undo/{forgotten['journal']}", params={"mind": "acme"})
    assert contents(seeded.get("/api/memory", params={"status": "deprecated", **acme})) == ["The kiln is cold"]


def test_a_workspace_that_is_not_named_is_not_guessed(seeded):
    store(seeded, "The kiln is hot", PERSONAL)
    for path in ("search", "graph"):
        answer = seeded.get(f"/api/memory/{path}", params={"q": "kiln", "scope": "workspace"})
        assert (answer.status_code, "workspace=SLUG" in answer.json()["detail"]) == (422, True)


def test_a_merge_archives_the_originals_and_a_trace_tells_the_history(seeded):
    first, second = store(seeded, "Check the fan", PERSONAL), store(seeded, "Sweep the yard", PERSONAL)
    merged = seeded.post(f"/api/memory/{first}/merge", json={"ids": [second]}, params=PERSONAL).json()
    assert contents(seeded.get("/api/memory"))[0] == "Check the fan\nSweep the yard"
    trace = seeded.get(f"/api/memory/{first}/trace").json()
    assert trace["memory"]["status"] == "archived"
    assert len(trace["history"]["versions"]) > 1
    assert merged["outcome"] == "merged"


def test_a_graph_holds_the_memories_and_edges_of_the_minds_asked(seeded):
    ids = [store(seeded, text, PERSONAL) for text in ("The storm came", "The bridge closed")]
    store(seeded, "The kiln of acme", ACME)
    edge = seeded.post(
        "/api/edges", json={"src": ids[0], "type": "relates_to", "dst": ids[1]}, params={"mind": "personal"}
    ).json()
    graph = seeded.get("/api/memory/graph", params={"scope": "personal"}).json()
    assert {node["id"] for node in graph["nodes"]} == set(ids)
    assert [one["edge"] for one in graph["edges"]] == [edge["edge"]]
    assert len(seeded.get("/api/memory/graph", params={"scope": "all"}).json()["nodes"]) == 3


def test_identity_is_changed_field_by_field(seeded):
    seeded.post("/api/identity", json={"name": "Iris", "role": "smith"})
    seeded.post("/api/identity", json={"role": "keeper"})
    told = seeded.get("/api/identity", params={"mind": "personal"}).json()
    assert (told["name"], told["role"]) == ("Iris", "keeper")


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "mind"),
        ({"mind": "persnal"}, "personal"),
        ({"mind": "workspace"}, "workspace=SLUG"),
        ({"mind": "personal", "workspace": "acme"}, "mind=workspace"),
        ({"mind": "workspace", "workspace": "../x"}, "a-z, 0-9"),
    ],
)
def test_a_change_that_does_not_say_which_mind_changes_none(seeded, params, said):
    answer = seeded.post("/api/memory/frames", json={"content": "x"}, params=params)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]
    for workspace in (None, "acme"):
        assert (
            seeded.get("/api/memory/stats", params={"workspace": workspace} if workspace else {}).json()["memories"]
            == 0
        )


def test_a_reader_s_token_changes_nothing(seeded):
    seeded.headers["Authorization"] = "Bearer read-token"
    assert seeded.get("/api/memory").status_code == 200
    assert seeded.post("/api/memory/frames", json={"content": "x"}, params=PERSONAL).status_code == 403
    assert seeded.post("/api/identity", json={"name": "x"}).status_code == 403
    assert seeded.get("/api/memory/stats", params={"workspace": "acne"}).status_code == 404


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("method", "path"), PATHS)
def test_no_call_breaks_them_or_gets_what_is_not_documented(noosphere, method, path):
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    api = schemathesis.openapi.from_asgi("/openapi.json", make_server(noosphere, seed_routes=True))

    @given(case=api[path][method].as_strategy())
    @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def holds(case):
        case.validate_response(case.call(headers={"Authorization": "Bearer admin-token"}), checks=checks)

    holds()
