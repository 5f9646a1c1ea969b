"""The tasks: functions that workers run."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from asercheck.cluster._errors import JobError
from asercheck.cluster._process import Analysis, build, run


@dataclass
class Part:
    """The classes of an archive that a task has decided. The answers are in the cache, except for ``unkept``."""

    build: str
    #: The times of the decided classes, in seconds.
    times: list[float]
    #: The places of the classes that the task has not begun.
    left: list[int]
    #: The classes that a limit has cut short, by their places.
    unkept: dict[str, Any] = field(default_factory=dict)


@dataclass
class Begun(Part):
    """The first part of an archive: the report, if there are no other classes; else the analysis."""

    #: Number of classes that are asked about.
    subjects: int = 0
    #: The time that reading and analysing took, in seconds.
    opening: float = 0.0
    analysis: Analysis | None = None
    report: tuple[str, int] | None = None

    def __sizeof__(self) -> int:
        return self.analysis.__sizeof__() if self.analysis else 1 << 10


Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def _told(task: Callable[Arguments, Result]) -> Callable[Arguments, Result | JobError]:
    """A task whose failure is a result: Dask would log it, and ask again."""

    @functools.wraps(task)
    def result(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result | JobError:
        try:
            return task(*arguments, **named)
        except JobError as error:
            return error

    return result


@_told
def begin(arguments: tuple[str, ...], seconds: float) -> Begun:
    """Reads and analyses an archive, and decides the first of its classes."""
    analysis = Analysis(arguments)
    opened = analysis.open()
    begun = Begun(opened["build"], [], opened["missing"], {}, opened["subjects"], opened["seconds"])
    if begun.left:
        answer = analysis.decide(begun.left, seconds)
        begun.times = [spent for _, spent in answer["decided"]]
        begun.left, begun.unkept = answer["left"], answer["unkept"]
    if begun.left:
        begun.analysis = analysis
    else:
        begun.report = analysis.report(begun.unkept)
        begun.unkept = {}
    return begun


@_told
def more(begun: Begun, places: list[int], seconds: float) -> Part:
    """Decides more classes of an archive.

    Dask repeats the first task if its worker has died. It may find all classes in the cache, and make the report.
    """
    analysis = begun.analysis
    if analysis is None:
        return Part(begun.build, [], [])
    answer = analysis.decide(places, seconds)
    times = [spent for _, spent in answer["decided"]]
    return Part(analysis.opened["build"], times, answer["left"], answer["unkept"])


@_told
def finish(begun: Begun, unkept: dict[str, Any]) -> tuple[str, int]:
    """The report of an archive all of whose classes are decided."""
    if begun.analysis is not None:
        return begun.analysis.report(unkept)
    assert begun.report is not None
    return begun.report


@_told
def check(arguments: tuple[str, ...]) -> tuple[str, tuple[str, int], float]:
    """The report about a model, with the hash of the command and the seconds."""
    start = time.monotonic()
    report = run(("check", *arguments, "--format", "json", "--quiet"))
    return build(), report, time.monotonic() - start
