"""Dataclasses from the structures of JSON, and back.

A field has the name of its JSON member, with ``_`` after it if it is a keyword of Python. Unknown members are skipped;
a member that is missing has the default of its field. Strings and numbers are not copied.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_Reader = Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def _reader(hint: Any) -> _Reader:
    """Returns the function that makes a value of this type."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return functools.partial(read, hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (inner,) = [argument for argument in arguments if argument is not type(None)]
        inside = _reader(inner)
        return lambda value: None if value is None else inside(value)
    if origin is tuple:
        inside = _reader(arguments[0])
        return tuple if inside is _same else lambda values: tuple(map(inside, values))
    if origin is Mapping or origin is dict or getattr(origin, "__name__", "") == "Mapping":
        return lambda value: types.MappingProxyType(dict(value))
    return _same


def member(field: dataclasses.Field[Any]) -> str:
    """The JSON member of a field."""
    return field.name.rstrip("_")


@functools.cache
def _readers(cls: type) -> tuple[tuple[str, str, _Reader], ...]:
    hints = get_type_hints(cls)
    fields = dataclasses.fields(cls)
    return tuple((member(field), field.name, _reader(hints[field.name])) for field in fields)


def read(cls: type[T], data: Mapping[str, Any]) -> T:
    """Makes a dataclass of a structure of JSON."""
    hashable: Any = cls
    values = {name: reader(data[key]) for key, name, reader in _readers(hashable) if key in data}
    return cls(**values)


def write(value: Any) -> Any:
    """Makes a structure of JSON of a dataclass. Members with the default of their field are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {member(field): write(inner) for field, inner in own if inner != field.default}
    if isinstance(value, tuple):
        return [write(inner) for inner in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value
