"""Open minds: the least recently used is closed first, and never one in use."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import ClosedMind
from noosphere.minds.shelf import Shelf


class Opened:
    def __init__(self, key):
        self.key = key
        self.closed = 0

    def close(self):
        self.closed += 1


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=40))
def test_what_is_lent_is_open_and_what_is_not_is_bounded(steps):
    shelf, held, made = Shelf(2), [], []

    def make(key):
        made.append(Opened(key))
        return made[-1]

    for key, take in steps:
        if take:
            lease = shelf.borrow(str(key), lambda key=key: make(key))
            held.append((lease, lease.__enter__()))
        elif held:
            held.pop(0)[0].__exit__(None, None, None)
        assert all(mind.closed == 0 for _, mind in held)
        assert len(shelf.keys()) <= max(2, len({mind.key for _, mind in held}))
    for lease, _ in held:
        lease.__exit__(None, None, None)
    shelf.close()
    assert all(mind.closed == 1 for mind in made)


def test_the_least_recently_used_goes_first():
    shelf = Shelf(2)
    for key in "aba" + "c":
        with shelf.borrow(key, lambda key=key: Opened(key)):
            pass
    assert shelf.keys() == ["a", "c"]


def test_a_mind_that_is_dropped_in_use_closes_afterwards_and_the_next_gets_a_new_one():
    shelf = Shelf()
    with shelf.borrow("a", lambda: Opened("a")) as first:
        shelf.drop("a")
        assert first.closed == 0
        with shelf.borrow("a", lambda: Opened("a")) as second:
            assert second is not first
    assert first.closed == 1
    assert second.closed == 0


def test_a_closed_shelf_lends_nothing():
    shelf = Shelf()
    shelf.close()
    with pytest.raises(ClosedMind), shelf.borrow("a", lambda: Opened("a")):
        pass


def test_many_threads_share_few_places():
    shelf, wrong = Shelf(2), []

    def work(number):
        for turn in range(200):
            with shelf.borrow(str((number + turn) % 5), lambda: Opened("x")) as mind:
                if mind.closed:
                    wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(shelf.keys()) <= 2
