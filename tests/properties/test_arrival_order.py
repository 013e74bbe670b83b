"""Any order of arrival of dated assertions gives the same timeline, the same edges and the same answers."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere.testing.clocks import FrozenClock
from noosphere.testing.minds import scratch_mind
from observed import rows

YEARS = range(2018, 2024)
MOMENTS = [datetime(year, 6, 15, tzinfo=UTC) for year in range(2017, 2027)]


@st.composite
def assertions(draw):
    """Distinct assertions about one slot: (value, from, until or None, source)."""
    years = st.sampled_from(YEARS)
    one = st.tuples(
        st.sampled_from(["Berlin", "Lisbon", "Rome"]), years, st.none() | st.integers(1, 4),
        st.sampled_from(["user_stated", "user_stated", "tool_verified", "import", "agent_inferred"]),
    )  # fmt: skip
    return draw(st.lists(one, min_size=2, max_size=6, unique_by=lambda a: a[:3]))


def tell(mind, told):
    value, start, years, source = told
    end = None if years is None else f"{start + years}-01-01"
    text = f"{value} from {start} until {end}"
    outcome = mind.remember(
        text, slot="user.home_city", value=value, valid_from=f"{start}-01-01", valid_to=end, source=source
    )
    return outcome.id, text


def known(mind):
    """The timeline, the edges and the answers, told by the texts."""
    spells = rows(mind.path, """SELECT f.text, s.holds_from, s.holds_to, s.conflict, r.text FROM spell AS s
        JOIN node_version AS v ON v.node = s.node AND v.known_to IS NULL JOIN frame AS f ON f.id = v.head
        LEFT JOIN node_version AS w ON w.node = s.replaced_by AND w.known_to IS NULL
        LEFT JOIN frame AS r ON r.id = w.head""")  # fmt: skip
    edges = rows(mind.path, """SELECT a.text, b.text FROM edge AS e
        JOIN node_version AS v ON v.node = e.src AND v.known_to IS NULL JOIN frame AS a ON a.id = v.head
        JOIN node_version AS w ON w.node = e.dst AND w.known_to IS NULL JOIN frame AS b ON b.id = w.head
        WHERE e.type = 'supersedes' AND e.known_to IS NULL""")  # fmt: skip
    answers = [{h.text for h in mind.rank("from until", as_of=at)} for at in MOMENTS]
    return set(spells), set(edges), answers, {(h.text, h.conflict) for h in mind.rank("from until")}


def scratch(stack):
    folder = stack.enter_context(TemporaryDirectory())
    return stack.enter_context(scratch_mind(folder, clock=FrozenClock()))


def told_in_any_order(pair):
    with ExitStack() as stack:
        minds = [scratch(stack) for _ in pair]
        for mind, told in zip(minds, pair, strict=True):
            for one in told:
                tell(mind, one)
        assert known(minds[0]) == known(minds[1])
        assert minds[1].doctor().healthy


def told_and_taken_back(told, gone, *, by_undo):
    with ExitStack() as stack:
        whole, rest = scratch(stack), scratch(stack)
        nodes = [tell(whole, one)[0] for one in told]
        for n in sorted(gone):
            whole._file.clock.advance(timedelta(hours=1))
            if by_undo:
                whole.undo(whole.journal(target=nodes[n])[-1].id)
            else:
                whole.forget(nodes[n])
        for n, one in enumerate(told):
            if n not in gone:
                tell(rest, one)
        assert known(whole)[1:] == known(rest)[1:]


orders = assertions().flatmap(lambda told: st.tuples(st.just(told), st.permutations(told)))
some = st.sets(st.integers(0, 5))


@settings(max_examples=12)
@given(orders)
def test_any_order_of_arrival_gives_the_same_mind(pair):
    told_in_any_order(pair)


@settings(max_examples=12)
@given(assertions(), some, st.booleans())
def test_what_was_forgotten_or_undone_is_as_if_it_had_never_been_told(told, gone, by_undo):
    told_and_taken_back(told, gone & set(range(len(told))), by_undo=by_undo)


@pytest.mark.slow
@settings(max_examples=150)
@given(orders)
def test_any_of_many_orders_of_arrival_gives_the_same_mind(pair):
    told_in_any_order(pair)


@pytest.mark.slow
@settings(max_examples=100)
@given(assertions(), some, st.booleans())
def test_many_that_were_taken_back_are_as_if_they_had_never_been_told(told, gone, by_undo):
    told_and_taken_back(told, gone & set(range(len(told))), by_undo=by_undo)
