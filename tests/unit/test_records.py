"""A record behaves as a dataclass of the standard library with the same options."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field
from threading import Barrier, Thread
from typing import Any

import pytest

from noosphere.records import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 2
    seen: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What derives a field from another, and hides one."""

    name: str
    size: int = 3
    key: str = field(default="k", repr=False, compare=False)
    length: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.name))


@dataclass(slots=True)
class Counter:
    """What changes."""

    count: int = 0
    by: dict[str, int] = field(default_factory=dict)
    first: bool = field(default=True, kw_only=True)


@dataclass(slots=True, eq=False)
class Self:
    """Equal to itself alone; a field may have any name."""

    value: int
    self: int = 0


@dataclass(frozen=True, slots=True)
class Deeper(Point):
    """With a field more."""

    z: int = 0


@dataclass(frozen=True)
class Open:
    """Without slots."""

    value: int


@dataclass(frozen=True, slots=True)
class Empty:
    """Without fields."""


@dataclass(slots=True)
class Knot:
    """What can hold itself."""

    inside: Any = None


def test_fields_are_given_by_place_or_by_name_and_have_their_defaults() -> None:
    assert (Point(1).x, Point(1).y, Point(x=4, y=5).y) == (1, 2, 5)
    assert Self(1, self=2).self == 2
    assert (Counter(1).count, Counter(first=False).first) == (1, False)
    assert Deeper(1, 2, [], 9).z == 9


def test_each_instance_has_its_own_of_what_a_factory_makes() -> None:
    one, other = Point(1), Point(1)
    one.seen.append("x")
    assert other.seen == []
    assert Point(1, seen=["y"]).seen == ["y"]


def test_what_is_missing_unknown_or_only_to_be_named_is_a_type_error() -> None:
    for call in (Point, lambda: Point(1, z=2), lambda: Named("a"), lambda: Named(name="a", length=3)):
        with pytest.raises(TypeError, match="__init__"):
            call()


def test_a_field_can_be_derived_when_all_others_are_there() -> None:
    assert Named(name="abc").length == 3


def test_equal_are_two_of_one_class_with_equal_fields() -> None:
    assert Point(1) == Point(1, 2)
    assert Point(1) != Point(2)
    assert Point(1, 2, []) != Deeper(1, 2, [])
    assert Named(name="a", key="x") == Named(name="a", key="y")
    assert Self(1) != Self(1)
    assert Empty() == Empty()
    assert Open(1) == Open(1)
    assert Point(1) != (1, 2, [])


def test_only_what_cannot_change_has_a_hash() -> None:
    assert {Named(name="a", key="x"), Named(name="a", key="y")} == {Named(name="a")}
    assert hash(Open(1)) == hash(Open(1))
    assert hash(Empty()) == hash(Empty())
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter())


def test_a_field_can_be_compared_and_left_out_of_the_hash() -> None:
    @dataclass(frozen=True, slots=True)
    class Tagged:
        name: str
        tags: list[str] = field(default_factory=list, hash=False)

    assert hash(Tagged("a", ["x"])) == hash(Tagged("a"))
    assert Tagged("a", ["x"]) != Tagged("a")


def test_what_is_frozen_refuses_every_change() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        setattr(point, "x", 3)  # noqa: B010  (a type checker would refuse it)
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        delattr(point, "x")
    counter = Counter()
    counter.count = 4
    assert counter.count == 4


def test_its_text_names_the_class_and_the_fields_that_are_shown() -> None:
    assert repr(Point(1)) == "Point(x=1, y=2, seen=[])"
    assert repr(Named(name="a")) == "Named(name='a', size=3)"
    knot = Knot()
    knot.inside = knot
    assert repr(knot) == "Knot(inside=...)"


def test_its_signature_is_that_of_a_standard_dataclass_also_before_the_first_one_is_made() -> None:
    class Form:
        a: int
        b: int = 2
        c: list[str] = field(default_factory=list, kw_only=True)
        d: int = field(init=False, default=4)

    fresh = dataclass(slots=True)(type("Fresh", (), dict(vars(Form))))
    standard = dataclasses.dataclass(slots=True)(type("Fresh", (), dict(vars(Form))))
    expected = [(one.name, one.kind) for one in inspect.signature(standard).parameters.values()]
    for _ in range(2):
        assert [(one.name, one.kind) for one in inspect.signature(fresh).parameters.values()] == expected
        fresh(1)


def test_the_functions_of_the_standard_library_take_it_for_a_dataclass() -> None:
    assert dataclasses.is_dataclass(Point)
    assert [f.name for f in dataclasses.fields(Named)] == ["name", "size", "key", "length"]
    assert dataclasses.replace(Named(name="abc"), name="abcd").length == 4
    assert dataclasses.asdict(Deeper(1, z=3)) == {"x": 1, "y": 2, "seen": [], "z": 3}
    match Point(1, 7):
        case Point(1, y):
            assert y == 7


@pytest.mark.parametrize("one", [Point(1), Named(name="a"), Counter(3), Deeper(1, z=4), Open(2), Empty()], ids=str)
def test_a_copy_and_what_was_pickled_are_equal(one: object) -> None:
    assert copy.copy(one) == one
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  (its own)


def test_what_was_pickled_is_read_where_none_was_made_yet() -> None:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        value: int

    empty: Any = object.__new__(Fresh)
    empty.__setstate__([3])
    assert (empty.value, empty == Fresh(3)) == (3, True)


def test_slots_have_no_dictionary() -> None:
    assert not hasattr(Point(1), "__dict__")
    assert Open(1).__dict__ == {"value": 1}


def test_a_class_of_its_own_methods_keeps_them() -> None:
    @dataclass(frozen=True, slots=True)
    class Own:
        value: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert (repr(Own(1)), Own(1) == Own(2), hash(Own(1))) == ("own", True, 7)


def test_threads_can_make_the_first_ones_at_once() -> None:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        value: int

    made: list[Fresh] = []
    ready = Barrier(8)

    def make(n: int) -> None:
        ready.wait()
        made.append(Fresh(n))

    threads = [Thread(target=make, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.value for one in made) == list(range(8))
