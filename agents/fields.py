"""A dataclass read from JSON that may have been damaged: every field is there, is of its type, and no other is."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from pathlib import Path
from typing import Any, Literal, TypeVar

T = TypeVar("T")
_WORDS = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "true or false",
    Path: "text",
    type(None): "null",
}


def read_fields(kind: type[T], told: Any, inside: str = "") -> T:
    """The dataclass ``kind`` from what JSON gave; ValueError, one line, names the first field that is wrong.

    Fields are whole numbers, finite numbers, texts, paths, lists of one type, objects, literals, dataclasses, or None.
    """
    if not isinstance(told, dict):
        raise ValueError(f"{inside.rstrip('.') or 'it'} must be an object")
    hints = typing.get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    for name in told:
        if name not in names:
            raise ValueError(f"{inside}{name} is unknown")
    for name in names:
        if name not in told:
            raise ValueError(f"{inside}{name} is missing")
    return kind(**{name: _read(hints[name], told[name], f"{inside}{name}") for name in names})


def _read(kind: Any, value: Any, name: str) -> Any:
    """One value as its type wants it."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in args:
            return None
        return _read(next(arg for arg in args if arg is not type(None)), value, name)
    if origin is Literal:
        if not (isinstance(value, str) and value in args):
            raise ValueError(f"{name} must be {' or '.join(args)}, not {_shown(value)}")
        return value
    if origin in (tuple, list):
        if not isinstance(value, list):
            raise ValueError(f"{name} must be a list, not {_shown(value)}")
        return origin(_read(args[0], item, name) for item in value)
    if origin is dict:
        if not isinstance(value, dict):
            raise ValueError(f"{name} must be an object, not {_shown(value)}")
        return value
    if dataclasses.is_dataclass(kind):
        return read_fields(typing.cast(type, kind), value, f"{name}.")
    good = type(value) is (str if kind is Path else kind)
    if kind is float:
        good = type(value) in (int, float) and abs(value) < 1e300 and math.isfinite(value)
    if not good:
        raise ValueError(f"{name} must be {_WORDS[kind]}, not {_shown(value)}")
    return kind(value)


def _shown(value: Any) -> str:
    """A value in a message, no longer than a message bears."""
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
