"""The one predicate: for every reason to hide a unit, the views in which it hides and those in which it does not."""

import pytest

from noosphere.model.query import NO_FILTERS, Filters, View
from noosphere.model.unit import Hidden, Unit, hidden
from noosphere.model.vocabulary import Claim, Importance, Kind, NodeClass, Source, Status, Volatility
from noosphere.model.when import FOREVER, Grain, Span

PAST, SAID, NOW, LATER = 100, 500, 1000, 2000

MEMORY = Unit(
    frame=1,
    node=1,
    frame_uid=bytes(15) + b"\1",
    node_uid=bytes(15) + b"\2",
    session_uid=bytes(15) + b"\3",
    session_key="monday",
    conversation_key=None,
    node_class=NodeClass.MEMORY,
    title=None,
    text="text",
    turn_key=None,
    speaker=None,
    speaker_role=None,
    participants=(),
    t=1024,
    parent=None,
    role="fact",
    status=Status.ACTIVE,
    kind=Kind.SEMANTIC,
    volatility=Volatility.DURABLE,
    importance=Importance.NORMAL,
    source=Source.USER_STATED,
    claim=Claim.UNKNOWN,
    confidence=None,
    subject="Ann",
    attribute=None,
    value=None,
    tags=("blue", "red"),
    said_at=None,
    recorded_at=SAID,
    occurred_from=None,
    occurred_to=None,
    occurred_grain=None,
    valid_from=SAID,
    holds_from=SAID,
    holds_to=FOREVER,
    waits=False,
    conflict=False,
    known_from=SAID,
    changed_at=SAID,
    checked_at=None,
    current_fold=True,
    alternative=False,
    retracted=False,
    secret=False,
    duplicate_candidate=False,
    suspect=None,
    evidence_count=1,
    use_count=0,
)
TURN = MEMORY._replace(
    node_class=NodeClass.CONVERSATION, conversation_key="chat", turn_key="1", speaker="Ann", role="turn",
    participants=("Ann", "Bob"), kind=Kind.EPISODIC,
)  # fmt: skip

PRESENT = View(NOW)
VIEWS = {
    "now": PRESENT,
    "the past included": View(NOW, include_past=True),
    "as of then": View(NOW, as_of=PAST),
    "as of today": View(NOW, as_of=NOW),
    "as of later": View(NOW, as_of=LATER),
    "known then": View(NOW, known_at=PAST),
    "known today": View(NOW, known_at=NOW),
    "both": View(NOW, as_of=PAST, known_at=NOW),
}

FORGOTTEN = MEMORY._replace(retracted=True)
OLD_TEXT = MEMORY._replace(current_fold=False)
ARCHIVED = MEMORY._replace(status=Status.ARCHIVED)
ENDED = MEMORY._replace(holds_from=PAST - 50, valid_from=PAST - 50, known_from=PAST - 50, holds_to=SAID)
FUTURE_VALUE = MEMORY._replace(holds_from=LATER - 500, valid_from=LATER - 500, waits=True)
NEVER = MEMORY._replace(holds_from=FOREVER, holds_to=FOREVER, waits=True)
FUTURE_EVENT = MEMORY._replace(occurred_from=LATER - 500, occurred_to=LATER)
OLD_MEMORY = MEMORY._replace(known_from=PAST - 50, valid_from=PAST - 50, holds_from=PAST - 50)
OLD_TURN = TURN._replace(known_from=PAST - 50, valid_from=PAST - 50, holds_from=PAST - 50)

CASES = {  # unit: the reason in every view of VIEWS, in their order
    "a current memory": (OLD_MEMORY, [None] * 8),
    "a new memory": (
        MEMORY,
        [None, None, Hidden.NOT_YET, None, None, Hidden.UNKNOWN_THEN, None, Hidden.NOT_YET],
    ),
    "a forgotten memory": (FORGOTTEN, [Hidden.FORGOTTEN] * 8),
    "a forgotten turn": (TURN._replace(retracted=True), [Hidden.FORGOTTEN] * 8),
    "an old text": (
        OLD_TEXT._replace(known_from=PAST - 50, holds_from=PAST - 50),
        [Hidden.OLD_TEXT, None, *[Hidden.OLD_TEXT] * 6],
    ),
    "an archived memory": (
        ARCHIVED._replace(known_from=PAST - 50, holds_from=PAST - 50),
        [Hidden.STATUS, None, *[Hidden.STATUS] * 6],
    ),
    "what ended": (ENDED, [Hidden.ENDED, None, None, Hidden.ENDED, Hidden.ENDED, None, Hidden.ENDED, None]),
    "a value of the future": (
        FUTURE_VALUE,
        [Hidden.NOT_YET, Hidden.NOT_YET, Hidden.NOT_YET, Hidden.NOT_YET, None, Hidden.UNKNOWN_THEN,
         Hidden.NOT_YET, Hidden.NOT_YET],
    ),
    "a value that never holds": (
        NEVER._replace(known_from=PAST - 50), [Hidden.NOT_YET] * 8,
    ),
    "an event of the future": (
        FUTURE_EVENT._replace(known_from=PAST - 50, valid_from=PAST - 50, holds_from=PAST - 50), [None] * 8,
    ),
    "an old turn": (OLD_TURN, [None] * 8),
    "a new turn": (TURN, [None, None, Hidden.NOT_YET, None, None, Hidden.UNKNOWN_THEN, None, Hidden.NOT_YET]),
    "an alternative": (OLD_TURN._replace(alternative=True), [None] * 8),
}  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("case", CASES)
def test_a_unit_is_hidden_for_its_reason_in_the_views_that_ask_for_it(case, view):
    unit, reasons = CASES[case]
    assert hidden(unit, VIEWS[view], NO_FILTERS) is reasons[list(VIEWS).index(view)]


def test_a_draft_and_a_canonical_memory_are_shown():
    assert hidden(MEMORY._replace(status=Status.DRAFT), PRESENT, NO_FILTERS) is None
    assert hidden(MEMORY._replace(status=Status.CANONICAL), PRESENT, NO_FILTERS) is None


def test_an_old_text_of_a_conversation_is_not_shown_with_the_past():
    assert hidden(TURN._replace(current_fold=False), VIEWS["the past included"], NO_FILTERS) is Hidden.OLD_TEXT


def test_the_present_of_the_reader_decides_when_something_ends():
    assert hidden(MEMORY._replace(holds_to=NOW), View(NOW - 1), NO_FILTERS) is None
    assert hidden(MEMORY._replace(holds_to=NOW), View(NOW), NO_FILTERS) is Hidden.ENDED


def test_a_clock_behind_the_mind_hides_nothing_that_does_not_wait():
    assert hidden(MEMORY._replace(holds_from=LATER), PRESENT, NO_FILTERS) is None


FILTERS = [  # one filter, and how a unit must differ to pass it; MEMORY itself does not
    (Filters(tags=("blue", "green")), {"tags": ("blue", "green", "red")}),
    (Filters(kinds=frozenset({Kind.EPISODIC})), {"kind": Kind.EPISODIC}),
    (Filters(statuses=frozenset({Status.CANONICAL})), {"status": Status.CANONICAL}),
    (Filters(statuses=frozenset({Status.ARCHIVED})), {"status": Status.ARCHIVED}),
    (Filters(volatilities=frozenset({Volatility.STATE})), {"volatility": Volatility.STATE}),
    (Filters(classes=frozenset({NodeClass.CONVERSATION})), {"node_class": NodeClass.CONVERSATION}),
    (Filters(roles=frozenset({"decision", "event"})), {"role": "event"}),
    (Filters(importances=frozenset({Importance.CRITICAL})), {"importance": Importance.CRITICAL}),
    (Filters(sources=frozenset({Source.IMPORT})), {"source": Source.IMPORT}),
    (Filters(claims=frozenset({Claim.VERIFIED})), {"claim": Claim.VERIFIED}),
    (Filters(speakers=frozenset({"ann"})), {"speaker": "Ann"}),
    (Filters(participants=frozenset({"ann", "bob"})), {"participants": ("Bob", "Ann", "Cy")}),
    (Filters(conversation="chat"), {"conversation_key": "chat"}),
    (Filters(conversation="00000000-0000-0000-0000-000000000009"), {"node_uid": bytes(15) + b"\x09"}),
    (Filters(session="tuesday"), {"session_key": "tuesday"}),
    (Filters(session="00000000-0000-0000-0000-000000000009"), {"session_uid": bytes(15) + b"\x09"}),
    (Filters(subject=" BOB "), {"subject": "Bob"}),
    (Filters(since=Span(600, 700, Grain.DAY)), {"occurred_from": 600}),
    (Filters(since=Span(600, 700, Grain.DAY)), {"valid_from": 600, "holds_from": 600}),
    (Filters(until=Span(300, 400, Grain.DAY)), {"occurred_from": 399}),
    (Filters(until=Span(300, 400, Grain.DAY)), {"valid_from": 399, "holds_from": 399}),
]


@pytest.mark.parametrize(("filters", "difference"), FILTERS, ids=[f"{n}" for n in range(len(FILTERS))])
def test_each_filter_lets_pass_what_it_names_and_nothing_else(filters, difference):
    assert hidden(MEMORY, PRESENT, filters) is Hidden.FILTERED
    assert hidden(MEMORY._replace(**difference), PRESENT, filters) is None


def test_filters_must_all_pass():
    both = Filters(tags=("blue",), kinds=frozenset({Kind.EPISODIC}))
    assert hidden(MEMORY, PRESENT, both) is Hidden.FILTERED
    assert hidden(MEMORY._replace(kind=Kind.EPISODIC), PRESENT, both) is None


def test_no_filter_brings_back_what_is_hidden():
    wide = Filters(statuses=frozenset(Status), classes=frozenset(NodeClass))
    assert hidden(FORGOTTEN, PRESENT, wide) is Hidden.FORGOTTEN
    assert hidden(ENDED, PRESENT, wide) is Hidden.ENDED
    assert hidden(OLD_TEXT, PRESENT, wide) is Hidden.OLD_TEXT
