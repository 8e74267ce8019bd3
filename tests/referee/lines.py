"""The lines of a record file, read strictly: what every game's referee needs before it can look at the cards."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn


class RecordFault(Exception):  # noqa: N818 - the name of a finding, not of a slip in this code
    """The first thing that is wrong in a record file: `line` counts from 1, `message` says what and why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


def _whole(text: str) -> int:
    if text == "-0":
        raise ValueError("-0 is written 0")
    return int(text)


def _decimal(text: str) -> float:
    if "e" in text.lower():
        raise ValueError(f"{text} is no plain decimal number")
    number = float(text)
    if number == 0 and text.startswith("-"):
        raise ValueError(f"{text} is written 0.0")
    return number


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"the key {key!r} is doubled")
    return dict(pairs)


class Lines:
    """Gives the lines of a record file one after the other, each with the type and the keys that it must have."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._left = list(lines)[::-1]
        self.number = 0

    @classmethod
    def of(cls, path: str | Path) -> "Lines":
        """The lines of a file; JSON Lines has one value a line, and the last line break ends the last line."""
        text = Path(path).read_text(encoding="utf-8")
        lines = text.split("\n")
        return cls(lines[:-1] if lines[-1] == "" else lines)

    def more(self) -> bool:
        """Whether a line is left."""
        return bool(self._left)

    def fault(self, message: str) -> RecordFault:
        """A fault in the line that was taken last."""
        return RecordFault(self.number, message)

    def take(self, kind: str, keys: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
        """The next line, which must be of this type and have exactly these keys beside `type`, at most the optional."""
        self.number += 1
        if not self._left:
            raise self.fault(f"the file ends where a line of type {kind} is due")
        try:
            line = json.loads(
                self._left.pop(),
                parse_int=_whole,
                parse_float=_decimal,
                parse_constant=_constant,
                object_pairs_hook=_pairs,
            )
        except ValueError as error:
            raise self.fault(f"no JSON line of a record: {error}") from None
        if not isinstance(line, dict):
            raise self.fault("a line must be a JSON object")
        if line.get("type") != kind:
            raise self.fault(f"a line of type {kind} is due, this one has the type {line.get('type')!r}")
        wanted = {"type", *keys}
        for key in line:
            if key not in wanted and key not in optional:
                raise self.fault(f"a line of type {kind} has no key {key!r}")
        for key in sorted(wanted):
            if key not in line:
                raise self.fault(f"the key {key!r} is missing")
        return line

    def whole(self, line: dict[str, Any], key: str, least: int = 0) -> int:
        """The whole number under this key, at least `least`; true and 1.0 are no whole numbers."""
        value = line[key]
        if type(value) is not int or value < least:
            raise self.fault(f"{key} must be a whole number of at least {least}, not {value!r}")
        return int(value)

    def wholes(self, line: dict[str, Any], key: str, length: int) -> list[int]:
        """The list of so many whole numbers under this key."""
        value = line[key]
        if type(value) is not list or len(value) != length or any(type(number) is not int for number in value):
            raise self.fault(f"{key} must be a list of {length} whole numbers, not {value!r}")
        return list(value)

    def texts(self, what: str, value: Any, length: int | None = None) -> list[str]:
        """This value, which must be a list of texts, `length` of them if that is given."""
        if type(value) is not list or any(type(text) is not str for text in value):
            raise self.fault(f"{what} must be a list of texts, not {value!r}")
        if length is not None and len(value) != length:
            raise self.fault(f"{what} must have {length} entries, not {len(value)}")
        texts: list[str] = value
        return texts
