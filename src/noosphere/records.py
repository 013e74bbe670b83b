"""Records: dataclasses whose methods are made when they are first needed, so that a process starts sooner.

The standard decorator writes and compiles up to six functions for a class, half a millisecond each class: a fifth of
the time of a hook before a prompt, which then uses half of the classes and of those little more than `__init__`.
A module that a hook or a recall loads takes its decorator from here, and every other the standard one (decision 0017).
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError, field
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Signature

T = TypeVar("T")


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]:
    """What `dataclasses.dataclass` does with these options: the same fields, the same methods, sooner."""

    def make(cls: type[T]) -> type[T]:
        defined = vars(cls)
        made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
        made.__init__ = _init(made, frozen=frozen)
        made.__signature__ = _Signature()
        if "__repr__" not in defined:
            made.__repr__ = _repr
        if eq:
            _compare(made, defined, frozen=frozen)
        if frozen:
            made.__setattr__, made.__delattr__ = _refuse, _refuse_to_delete
            if slots:
                made.__getstate__, made.__setstate__ = _state, _restore
        return made

    return make


def _init(cls: Any, *, frozen: bool) -> Callable[..., None]:
    """The first call writes the real one, which takes this one's place."""

    def __init__(_it: Any, *given: Any, **named: Any) -> None:  # noqa: N807
        cls.__init__ = init = _written(cls, frozen=frozen)
        init(_it, *given, **named)

    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


class _Signature:
    """What `inspect.signature` and `help` show of a class, though its `__init__` may not be written yet."""

    def __get__(self, _: object, cls: type) -> Signature:
        from inspect import signature  # noqa: PLC0415  (brings the readers of source, for who asks alone)

        whole = signature(_written(cls, frozen=False))
        return whole.replace(parameters=list(whole.parameters.values())[1:])


def _written(cls: Any, *, frozen: bool) -> Callable[..., None]:
    names: dict[str, Any] = {"_MISSING": MISSING, "_put": object.__setattr__}
    parameters, by_name, lines = ["_it"], list[str](), list[str]()
    for own in dataclasses.fields(cls):
        made = own.default_factory is not MISSING
        if own.init:
            default = "" if own.default is MISSING and not made else f" = _default_{own.name}"
            (by_name if own.kw_only else parameters).append(own.name + default)
        elif not made and own.default is MISSING:
            continue
        names[f"_default_{own.name}"] = MISSING if made else own.default
        value = own.name if own.init else f"_default_{own.name}"
        if made:
            names[f"_make_{own.name}"] = own.default_factory
            value = f"_make_{own.name}() if {value} is _MISSING else {value}"
        slot = getattr(cls, own.name, None)
        if frozen and isinstance(slot, MemberDescriptorType):
            names[f"_put_{own.name}"] = slot.__set__  # half the time of finding the slot by its name
            lines.append(f"_put_{own.name}(_it, {value})")
        else:
            lines.append(f"_put(_it, {own.name!r}, {value})" if frozen else f"_it.{own.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("_it.__post_init__()")
    head = ", ".join([*parameters, "*", *by_name] if by_name else parameters)
    exec(f"def __init__({head}):\n " + "\n ".join(lines or ["pass"]), names)  # noqa: S102  (names of fields alone)
    init = names["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init


def _compare(cls: Any, defined: Any, *, frozen: bool) -> None:
    """Equal are two of the same class with equal fields; only what cannot change has a hash."""
    fields = dataclasses.fields(cls)
    compared = _values([own.name for own in fields if own.compare])
    hashed = _values([own.name for own in fields if (own.compare if own.hash is None else own.hash)])

    def __eq__(self: Any, other: Any) -> bool:  # noqa: N807
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(hashed(self))

    if "__eq__" not in defined:
        cls.__eq__ = __eq__
    if defined.get("__hash__") is None:
        cls.__hash__ = __hash__ if frozen else None


def _values(names: list[str]) -> Callable[[Any], Any]:
    """What reads these fields; the value of a single one stands for itself, and equals as a row of one would."""
    return attrgetter(*names) if names else lambda _: ()


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{own.name}={getattr(self, own.name)!r}" for own in dataclasses.fields(self) if own.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse(self: Any, name: str, value: Any) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, own.name) for own in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for own, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, own.name, value)
