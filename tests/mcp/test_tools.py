"""The tools: few, flat, described; each does what it says through the SDK's own client."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError

from noosphere.serve.mcp.cap import MOST_TOKENS, fit, fit_text, tokens
from noosphere.serve.mcp.catalogue import MOST, catalogue
from noosphere.serve.verbs.table import VERBS
from noosphere.serve.verbs.verb import Empty

pytestmark = pytest.mark.anyio
ALL = list(catalogue(seed=True).values())


def walk(schema):
    yield schema
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        if isinstance(value, (dict, list)):
            yield from walk(value)


async def call(client, name, /, **given):
    answer = await client.call_tool(name, given)
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content


@pytest.mark.parametrize("tool", ALL, ids=lambda tool: tool.name)
def test_schemas_are_flat_and_every_argument_is_explained(tool):
    for schema in (tool.input_schema(), tool.output_schema()):
        assert schema["type"] == "object"
        for part in walk(schema):
            assert not {"$ref", "$defs", "anyOf", "oneOf", "allOf"} & set(part if isinstance(part, dict) else ())
    for field in tool.input_schema()["properties"].values():
        assert field["description"].endswith(".")
    assert set(tool.needs) <= set(tool.takes)


def test_there_are_at_most_fourteen_each_with_when_and_when_not():
    tools = catalogue().values()
    assert len(tools) <= MOST
    for tool in tools:
        assert tool.use
        assert re.match(r"Not ", tool.avoid)
        assert re.fullmatch(r"[a-z_]+", tool.name)


def test_the_tools_are_those_of_the_table():
    named = {verb.tool for verb in VERBS if not isinstance(verb.tool, Empty)}
    assert named == set(catalogue())


async def test_what_is_remembered_is_recalled_read_revised_and_forgotten(connected):
    async with connected() as client:
        stored = await call(client, "remember", text="The staging port is 5433", tags=["ops"], importance="important")
        found = await call(client, "recall", query="staging port", tags=["ops"])
        assert [hit["id"] for hit in found["hits"]] == [stored["id"]]
        assert found["hits"][0]["mind"] == "personal"
        changed = await call(client, "revise", id=stored["id"], text="The staging port is 6433", status="canonical")
        assert changed["outcome"] == "revised"
        read = await call(client, "get", id=stored["id"], history=True)
        assert read["text"] == "The staging port is 6433"
        assert len(read["history"]["texts"]) == 2
        gone = await call(client, "forget", id=stored["id"])
        assert (await call(client, "recall", query="staging port"))["hits"] == []
        await call(client, "forget", undo=gone["journal"])
        assert gone["to_undo"] == f'forget(undo="{gone["journal"]}")'
        assert len((await call(client, "recall", query="staging port"))["hits"]) == 1


@pytest.mark.parametrize("how", ["replace", "append"])
async def test_a_text_and_what_is_said_of_it_change_in_one_call_and_go_in_one_undo(connected, how):
    async with connected() as client:
        stored = await call(client, "remember", text="The kiln runs on gas", tags=["ops"])
        before = await call(client, "get", id=stored["id"])
        changed = await call(
            client, "revise", id=stored["id"], how=how, text="It runs hot", importance="critical", add_tags=["kiln"]
        )
        after = await call(client, "get", id=stored["id"])
        assert (after["importance"], after["tags"], "hot" in after["text"]) == ("critical", ["kiln", "ops"], True)
        await call(client, "forget", undo=changed["journal"])
        again = await call(client, "get", id=stored["id"])
        assert [again[name] for name in ("text", "importance", "tags")] == [
            before[name] for name in ("text", "importance", "tags")
        ]


async def test_state_is_noted_and_stands_in_the_context(connected):
    async with connected() as client:
        noted = await call(client, "note_state", text="mend the roof", priority=8, agent_name="Iris")
        answer = await client.call_tool("context", {})
        assert "name: Iris" in answer.content[0].text
        assert "mend the roof" in answer.content[0].text
        await call(client, "note_state", id=noted["awareness"]["id"], done=True)
        assert (await call(client, "context"))["awareness"] == []


async def test_links_entities_status_and_workspaces_answer(connected):
    async with connected() as client:
        one = await call(client, "remember", text="The bridge closed", role="event", kind="episodic")
        two = await call(client, "remember", text="The storm came")
        edge = await call(client, "link", src=one["id"], type="caused_by", dst=two["id"])
        assert edge["outcome"] == "linked"
        assert (await call(client, "link", unlink=edge["edge"]))["outcome"] == "unlinked"
        stored = await call(client, "entity", name="Ada Byron", type="person", properties={"born": "1815"})
        assert (await call(client, "entity", name="ada byron"))["items"][0]["id"] == stored["id"]
        assert (await call(client, "status", part="stats"))["memories"] == 2
        assert "keyword" in (await call(client, "status"))["lanes"]
        assert (await call(client, "workspaces", do="create", id="acme"))["status"] == "active"
        assert [w["id"] for w in (await call(client, "workspaces"))["workspaces"]] == ["acme", "personal"]


async def test_a_harvest_tells_how_far_it_has_come(connected, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nThe kiln number {number} is hot.\n", encoding="utf-8")
    told = []

    async def tell(progress, total, message):
        told.append((progress, message))

    async with connected() as client:
        assert (await call(client, "harvest", places=[str(folder)], preview=True))["new"] == 3
        answer = await client.call_tool("harvest", {"places": [str(folder)]}, progress_callback=tell)
        assert answer.structured_content["added"] == 3
        assert [progress for progress, _ in told] == [1, 2, 3]
        assert (await call(client, "harvest", places=[str(folder)]))["added"] == 0


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("recall", {"query": "x", "mindz": "y"}, "Did you mean minds"),
        ("recall", {}, "query"),
        ("recall", {"query": "x", "minds": ["nope"]}, "There are"),
        ("recall", {"query": "x", "minds": ["../x"]}, "a-z, 0-9"),
        ("remember", {"text": "x", "importance": "huge"}, "Use one of: critical"),
        ("remember", {"text": 5}, "not text"),
        ("get", {"id": "nope"}, "Ids look like"),
        ("forget", {}, "one of the two"),
        ("revise", {"id": "01890a5d-ac96-774b-bcce-b302099a8057"}, "changes nothing"),
        ("revise", {"id": "01890a5d-ac96-774b-bcce-b302099a8057", "how": "archive", "title": "Old"}, "takes no title"),
        ("revise", {"id": "01890a5d-ac96-774b-bcce-b302099a8057", "how": "branch"}, "text: is missing"),
    ],
)
async def test_a_wrong_call_is_told_to_the_model_with_the_remedy(connected, tool, given, said):
    async with connected() as client:
        answer = await client.call_tool(tool, given)
        assert answer.is_error
        assert said in answer.content[0].text
        assert (await call(client, "status", part="stats"))["memories"] == 0


async def test_an_unknown_tool_is_a_protocol_error(connected):
    async with connected() as client:
        with pytest.raises(MCPError, match="There are: remember"):
            await client.call_tool("remembr", {})


async def test_null_means_left_out(connected):
    async with connected() as client:
        assert (await call(client, "remember", text="x y", slot=None, tags=None))["outcome"] == "stored"


async def test_a_change_names_its_mind_as_soon_as_there_are_several(connected):
    async with connected() as client:
        await call(client, "workspaces", do="create", id="acme")
        answer = await client.call_tool("remember", {"text": "x"})
        assert answer.is_error
        assert "Name one of: acme, personal" in answer.content[0].text
        assert (await call(client, "remember", text="x", mind="acme"))["outcome"] == "stored"


async def test_resources_and_the_prompt_answer(connected):
    async with connected() as client:
        await call(client, "note_state", text="mend the roof", agent_name="Iris")
        await call(client, "remember", text="The roof leaks in the north wing")
        listed = await client.list_resources()
        texts = {str(r.uri): (await client.read_resource(r.uri)).contents[0].text for r in listed.resources}
        assert "Iris" in texts["memory://identity"]
        assert "mend the roof" in texts["memory://awareness"]
        assert '"memories": 1' in texts["memory://stats"]
        assert '"lanes"' in (await client.read_resource("memory://workspace/personal")).contents[0].text
        with pytest.raises(MCPError, match="There are"):
            await client.read_resource("memory://workspace/nope")
        assert [p.name for p in (await client.list_prompts()).prompts] == ["catch_up"]
        said = await client.get_prompt("catch_up", {"topic": "roof"})
        assert "The roof leaks in the north wing" in said.messages[0].content.text


async def test_a_long_answer_is_cut_and_says_so(connected, noosphere):
    with noosphere.changing() as mind:
        stored = mind.remember("kiln " + "word " * 40_000)
        for number in range(300):
            mind.remember(f"kiln number {number} " + "brick " * 300)
    async with connected() as client:
        answer = await client.call_tool("recall", {"query": "kiln brick", "k": 300, "budget": 500_000})
        assert tokens(answer.content[0].text) <= MOST_TOKENS
        assert answer.structured_content["left_out"]["hits"] > 0
        first = await call(client, "get", id=stored.id)
        second = await call(client, "get", id=stored.id, start=len(first["text"]))
        assert (first["text"] + second["text"]) == ("kiln " + "word " * 40_000).strip()[: 2 * len(first["text"])]
        assert first["length"] > 100_000


@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.text(max_size=3000) | st.lists(st.text(max_size=200), max_size=30), max_size=4
    ),
    st.integers(60, 500),
)
def test_the_cap_holds_for_any_answer(document, most):
    import json

    fitted = fit(document, most)
    assert tokens(json.dumps(fitted, ensure_ascii=False)) <= most
    assert set(fitted) - {"left_out"} <= set(document)
    if fitted != document:
        assert sum(fitted["left_out"].values()) > 0


@given(st.text(max_size=2000), st.integers(10, 200))
def test_a_text_is_cut_to_the_cap(text, most):
    assert tokens(fit_text(text, most)) <= most


async def test_the_seed_s_names_reach_the_same_minds(connected):
    async with connected(seed_tools=True) as client:
        await call(client, "create_workspace", name="acme")
        await call(client, "save_memory", content="The kiln is hot", importance="deprecated", workspace="acme")
        await call(client, "save_memory", content="The kiln is cold", importance="important", source="user_stated")
        for scope, workspace, texts in (
            ("personal", None, ["The kiln is cold"]),
            ("all", None, ["The kiln is cold"]),
            (None, "acme", []),
        ):
            found = await call(client, "recall_memory", query="kiln", scope=scope, workspace=workspace, limit=5)
            assert [hit["text"] for hit in found["hits"]] == texts
        await call(client, "set_identity", name="Iris")
        assert (await call(client, "get_identity"))["name"] == "Iris"
        await call(client, "set_awareness", content="mend", category="pending")
        assert [i["text"] for i in (await call(client, "get_awareness"))["items"]] == ["mend"]
        await call(client, "save_entity", name="Ada", type="person")
        assert [w["id"] for w in (await call(client, "list_workspaces"))["workspaces"]] == ["acme", "personal"]
        assert (await call(client, "harvest_sources"))["items"] == []


async def test_the_seed_s_graph_and_cleaning_tools_reach_the_same_verbs(connected):
    async with connected(seed_tools=True) as client:
        ada = (await call(client, "save_entity", name="Ada Byron", type="person"))["id"]
        engine = (await call(client, "save_entity", name="Engine", type="project"))["id"]
        ends = {"source_id": engine, "target_id": ada, "relation_type": "led_by"}
        assert (await call(client, "create_relation", **ends, confidence=0.7))["outcome"] == "linked"
        reached = (await call(client, "hops", id=engine))["items"]
        assert [(one["id"], one["score"]) for one in reached] == [(ada, 0.6 * 0.7)]
        assert [e["id"] for e in (await call(client, "search_entities", query="ada byrn", type="person"))["items"]] == [
            ada
        ]
        for text in ("The shed smells of tar.", "the shed smells of tar!"):
            await call(client, "save_memory", content=text)
        for profile in ("balanced", "recent", "important", "connected"):
            assert (await call(client, "recall_memory", query="what smells of tar?", profile=profile))["hits"]
        runs = (await call(client, "cleanup_frames", mode="compact"))["items"]
        assert [(run["name"], run["changed"]) for run in runs] == [("retire", 0), ("compact", 1)]
        assert [r["name"] for r in (await call(client, "cleanup_frames", mode="reconcile"))["items"]] == [
            "reindex",
            "reembed",
        ]
        assert (await call(client, "cleanup_entities", mode="audit"))["due"]["dedupe_entities"] == 0
        assert [r["name"] for r in (await call(client, "cleanup_entities", mode="dedup"))["items"]] == [
            "dedupe_entities"
        ]
        for name in ("cleanup_frames", "cleanup_entities"):
            assert (await client.call_tool(name, {"mode": "wipe_all"})).is_error


def test_every_tool_of_the_seed_that_the_design_names_is_there():
    named = "save_memory recall_memory get_identity set_identity get_awareness set_awareness search_entities"
    named += " save_entity create_relation list_workspaces create_workspace harvest_import harvest_sources"
    named += " ingest_source cleanup_frames cleanup_entities"
    assert set(catalogue(seed=True)) - set(catalogue()) == set(named.split())


WRONG = [-1, {"a": 1}]
FITTING = {"string": "x", "array": ["x"], "integer": 1, "number": 0.5, "boolean": True, "object": {}}


def fitting(schema):
    return schema["enum"][0] if "enum" in schema else FITTING[schema["type"]]


async def test_a_value_of_the_wrong_kind_is_told_to_the_model_with_a_remedy(connected):
    async with connected() as client:
        for tool in catalogue().values():
            schemas = tool.input_schema()["properties"]
            for name in schemas:
                for wrong in WRONG:
                    given = {need: fitting(schemas[need]) for need in tool.needs} | {name: wrong}
                    answer = await client.call_tool(tool.name, given)  # a failure of the tool's own would be raised
                    assert not answer.is_error or ". " in answer.content[0].text


async def test_what_is_wrong_with_a_value_is_said(connected):
    async with connected() as client:
        for name, given, said in (
            ("recall", {"query": 5}, "query: 5 is not text. Pass a string"),
            ("recall", {"query": "x", "k": 0}, "Give a whole number from 1 to 1000"),
            ("recall", {"query": "x", "minds": ["a", 1]}, "is not text. Pass a string"),
            ("remember", {"text": "x", "mind": 3}, "mind: 3 is not text"),
            ("remember", {"text": "x", "importance": "criticcal"}, "Did you mean critical?"),
        ):
            answer = await client.call_tool(name, given)
            assert answer.is_error
            assert said.replace(" 5 ", " '5' ").replace(" 3 ", " '3' ") in answer.content[0].text


async def test_claim_and_evidence_are_told_of_things_and_of_edges(connected):
    async with connected() as client:
        one = (await call(client, "remember", text="The kiln is hot", claim="verified"))["id"]
        other = (await call(client, "remember", text="The studio is warm"))["id"]
        await call(client, "remember", text="The kiln is hot")
        await call(client, "link", src=one, type="relates_to", dst=other, claim="verified")
        hit = (await call(client, "recall", query="kiln"))["hits"][0]
        assert (hit["claim"], hit["evidence_count"]) == ("verified", 2)
        item = (await call(client, "hops", id=other))["items"][0]
        assert (item["claim"], item["evidence"]) == ("verified", 2)
