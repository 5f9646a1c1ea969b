"""The list of archives or models."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from asercheck.cluster._errors import ClusterError


@dataclass(frozen=True)
class Job:
    """An archive, or several that are analysed together; or a model. ``name`` is the name of its result's file."""

    name: str
    paths: tuple[str, ...]
    libraries: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The bytes of its paths, as far as this machine knows them."""
        return sum(_size(path) for path in self.paths)


def _size(path: str) -> int:
    if not os.path.isdir(path):
        return os.path.getsize(path) if os.path.exists(path) else 0
    files = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
    return sum(os.path.getsize(file) for file in files if os.path.isfile(file))


def jobs_of(lines: Iterable[str]) -> list[Job]:
    """The jobs of a list. A line is a path, or a JSON object with ``paths`` and optionally ``name`` and ``libraries``;
    empty lines and lines that begin with ``#`` count for nothing."""
    jobs: list[Job] = []
    taken: set[str] = set()
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            name, paths, libraries = _parts(line)
        except (ValueError, TypeError, KeyError) as error:
            raise ClusterError(f"line {number} of the list is neither a path nor an object with `paths`: {error}") from None
        name = re.sub(r"[^A-Za-z0-9._+-]", "_", name or Path(paths[0]).name).lstrip(".") or "unnamed"
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name}-{count}"
        taken.add(unique)
        jobs.append(Job(unique, tuple(paths), tuple(libraries)))
    return jobs


def _parts(line: str) -> tuple[str | None, Sequence[str], Sequence[str]]:
    if not line.startswith("{"):
        return None, [line], []
    value = json.loads(line)
    unknown = sorted(set(value) - {"name", "paths", "libraries"})
    if unknown:
        raise ValueError(f"unknown members {', '.join(unknown)}")
    paths, libraries = value["paths"], value.get("libraries", [])
    if not paths or not all(isinstance(path, str) for path in [*paths, *libraries]):
        raise ValueError("`paths` and `libraries` are lists of texts, and `paths` is not empty")
    if isinstance(paths, str) or isinstance(libraries, str):
        raise ValueError("`paths` and `libraries` are lists")
    return value.get("name"), paths, libraries
