"""Requests as JSON texts, and the progress."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Literal, TypeAlias

#: The patterns: all of them, or numbers from 1 to 14.
Patterns: TypeAlias = Literal["all"] | Iterable[int]
#: A time: seconds, or a ``timedelta``.
Time: TypeAlias = float | timedelta
#: A function of the numbers of decided and of all items, and the name of the last one; or whether a line is printed.
Progress: TypeAlias = bool | Callable[[int, int | None, str], object]
#: One path, or several.
Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
#: One name, or several.
Names: TypeAlias = str | Iterable[str]


def paths(given: Paths) -> list[str]:
    """Paths as texts."""
    if isinstance(given, str | os.PathLike):
        given = [given]
    return [os.fspath(path) for path in given]


def names(given: Names | None) -> list[str] | None:
    """Names as a list."""
    if given is None:
        return None
    return [given] if isinstance(given, str) else list(given)


def patterns(given: Patterns | None) -> str | list[int] | None:
    """Patterns as JSON has them."""
    if given is None or isinstance(given, str):
        return given
    return list(given)


def seconds(given: Time | None) -> float | None:
    """A time in seconds."""
    return given.total_seconds() if isinstance(given, timedelta) else given


def request(**members: Any) -> str:
    """A request. Members without a value have their defaults."""
    return json.dumps({name: value for name, value in members.items() if value is not None})


def _line(done: int, total: int | None, name: str) -> None:
    counts = f"{done} of {total}" if total is not None else str(done)
    end = "\n" if done == total else ""
    print(f"\r\x1b[K{counts} {name}{end}", end="", file=sys.stderr, flush=True)


def callback(progress: Progress) -> Callable[[int, int | None, str], object] | None:
    """The function that is called with the progress."""
    if isinstance(progress, bool):
        return _line if progress else None
    return progress
