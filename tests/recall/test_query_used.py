"""The trace says what was searched for, and a question keeps its words in it."""

import pytest

from noosphere.model.trace import Planned


@pytest.mark.parametrize(
    ("query", "used"),
    [
        ("Could you please tell me what we decided about pricing?", "what we decided about pricing?"),
        ("what did we decide about pricing?", "what did we decide about pricing?"),
    ],
)
def test_a_plan_tells_the_query_and_the_topic_that_was_searched_for(mind, query, used):
    mind.remember("We decided on pricing per seat")
    planned = mind.ranked(query).trace.steps[0]
    assert isinstance(planned, Planned)
    assert (planned.query, planned.query_used) == (query, used)
    assert [hit.text for hit in mind.recall(query).hits] == ["We decided on pricing per seat"]
    assert used in mind.recall(query).trace.explain()
