"""What a write looks names up by is an index: a new name in a large mind costs no more than in a small one."""

import apsw

import noosphere
from noosphere.store import nodes


def steps(sql, query, values):
    return [row[3] for row in sql.execute(f"EXPLAIN QUERY PLAN {query}", values)]


def test_whether_a_name_was_merged_is_looked_up_without_reading_versions(tmp_path):
    settings = noosphere.Settings(background=False, semantic="off")
    with noosphere.open_mind(tmp_path / "a.mind", settings=settings) as mind:
        mind.remember("Ana works at Heron.")
    plan = steps(apsw.Connection(str(tmp_path / "a.mind")), nodes.MERGED, {"name": "heron", "type": None})
    assert any("node_version_merged" in step for step in plan)
    assert not any(step.startswith("SCAN node_version") for step in plan)
