"""What is shipped for tests of one's own: clocks that move when told, ids that count, a mind to try things on."""

from datetime import UTC, datetime, timedelta

import pytest

from noosphere import InvalidInput, NotFound
from noosphere.clock import moment
from noosphere.ids import parse_uid, uid_text
from noosphere.testing.clocks import START, FrozenClock, SequentialIds, SteppingClock
from noosphere.testing.embedders import HashedEmbedder
from noosphere.testing.minds import scratch_mind


def test_a_frozen_clock_stands_until_it_is_moved():
    clock = FrozenClock()
    assert moment(clock.now()) == moment(clock.now()) == START
    clock.advance(timedelta(hours=1))
    assert moment(clock.now()) == START + timedelta(hours=1)
    clock.advance(timedelta(days=-1))
    assert moment(clock.now()) < START
    clock.set(datetime(2030, 1, 1, tzinfo=UTC))
    assert moment(clock.now()).year == 2030


def test_a_stepping_clock_goes_on_with_every_look():
    clock = SteppingClock(step=timedelta(minutes=1))
    looks = [moment(clock.now()) for _ in range(3)]
    assert looks == [START, START + timedelta(minutes=1), START + timedelta(minutes=2)]
    clock.advance(timedelta(hours=1))
    assert moment(clock.now()) == START + timedelta(minutes=63)


def test_sequential_ids_are_well_formed_in_order_and_the_same_every_time():
    one, other = SequentialIds(), SequentialIds()
    made = [one.new() for _ in range(1000)]
    assert made == [other.new() for _ in range(1000)]
    assert made == sorted(set(made))
    assert all(parse_uid(uid_text(uid)) == uid for uid in made)
    assert uid_text(made[0])[14] == "7"
    assert uid_text(made[0])[19] in "89ab"


def test_a_scratch_mind_is_the_same_in_every_run(tmp_path):
    told = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        with scratch_mind(tmp_path / name) as mind:
            stored = mind.remember("hello")
            told.append((stored, mind.get(stored.id).recorded_at))
    assert told[0] == told[1]


def test_a_scratch_mind_can_be_opened_again_and_takes_settings(tmp_path):
    with scratch_mind(tmp_path, zone="Asia/Tokyo", actor="robot") as mind:
        stored = mind.remember("hello")
        assert mind.status().zone == "Asia/Tokyo"
        assert mind.journal()[0].actor == "robot"
    with scratch_mind(tmp_path, create=False, read_only=True) as mind:
        assert mind.get(stored.id).text == "hello"
    with pytest.raises(InvalidInput, match="Did you mean zone"):
        scratch_mind(tmp_path, zonee="UTC")
    with pytest.raises(NotFound):
        scratch_mind(tmp_path / "nowhere", create=False)


def test_an_embedder_switches_the_meaning_lane_on(tmp_path):
    with scratch_mind(tmp_path, embedder=HashedEmbedder()) as mind:
        assert mind.status().lanes == ("keyword", "semantic", "window", "hops")
    with scratch_mind(tmp_path) as mind:
        assert mind.status().lanes == ("keyword", "window", "hops")
