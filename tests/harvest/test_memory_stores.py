"""Memories of mem0, server-memory and mcp-memory-service."""

import json

import pytest
from exports import of_json, of_member

from noosphere.harvest.items import ImportEntity, ImportLink, Omission

MEM0 = {"id": "m1", "memory": "Likes tea", "user_id": "u", "created_at": "2026-01-01T00:00:00Z", "categories": ["food"]}
ENTITY = {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["Counts birds", "Lives by the sea"]}
RELATION = {"type": "relation", "from": "Ana", "to": "Survey", "relationType": "works_on"}


def of_lines(*lines):
    return of_member("memory.jsonl", "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines))


@pytest.mark.parametrize("value", [{"results": [MEM0]}, {"memories": [MEM0]}, [MEM0]])
def test_mem0_gives_one_note_a_memory(value):
    note = of_json(value, "mem0.json").note
    assert (note.id, note.text, note.tags, note.source) == ("m1", "Likes tea", ("food",), "memories")
    assert note.at == 1767225600000000
    assert note.metadata == {"user_id": "u"}


def test_mcp_memory_service_keeps_its_hash_as_id():
    memory = {"content": "Uses SQLite", "content_hash": "h1", "tags": ["db", "db"], "memory_type": "fact"}
    found = of_json({"export_metadata": {}, "memories": [memory | {"created_at": 1767225600.5}]}, "export.json")
    assert (found.note.id, found.note.tags, found.note.at) == ("h1", ("db",), 1767225600500000)


def test_server_memory_gives_a_note_an_entity_and_an_edge_a_relation():
    found = of_lines(RELATION, ENTITY, {"type": "entity", "name": "Survey", "entityType": "project"})
    ana, survey = found.notes
    assert ana.text == "Ana (person)\nCounts birds\nLives by the sea"
    about = ImportEntity("Ana", "person")
    assert ana.entities == (about,)
    assert ana.links == (ImportLink(ImportEntity("Survey", "project"), "works_on", about),)
    assert survey.id == "entity/Survey"


def test_bad_records_cost_only_themselves():
    found = of_json([MEM0, 3, {"id": "m2", "memory": ""}], "mem0.json")
    assert (len(found.notes), len(found.rejects), found.left) == (1, 1, {Omission.EMPTY_NOTE: 1})
    lost = RELATION | {"from": "Nobody"}
    found = of_lines(ENTITY, "{cut", {"a": 1}, lost)
    assert ([note.title for note in found.notes], len(found.rejects)) == (["Ana"], 3)
