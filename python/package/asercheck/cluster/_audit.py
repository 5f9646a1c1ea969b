"""Archives: their classes in groups."""

from __future__ import annotations

import json
import math
import os
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from asercheck.cluster import _tasks
from asercheck.cluster._engine import Engine
from asercheck.cluster._errors import ClusterError, JobError, WorkersDied
from asercheck.cluster._jobs import Job
from asercheck.cluster._progress import Progress
from asercheck.cluster._results import Results
from asercheck.cluster._run import Summary, supervised

#: Options of ``asercheck java`` that are set here, or that need the whole run in one process.
RESERVED = (
    "--cache", "--format", "--jobs", "--parts", "--quiet", "--shard", "--emit", "--certificates", "--repair",
    "--total-timeout", "--report", "--write-baseline",
)  # fmt: skip

#: How often an archive is begun, if workers die. Workers may die for other reasons, and lose its analysis.
ATTEMPTS = 4

#: The priority of tasks of archives that are begun: their analyses take memory until they are done.
BEGUN = 1e6


def audit(
    jobs: Sequence[Job],
    *,
    out: str | Path,
    scheduler: str | None = None,
    workers: int | None = None,
    cache: str | None = None,
    options: Sequence[str] = (),
    task_seconds: float = 5.0,
    progress: bool = False,
) -> Summary:
    """Analyses archives. Their reports are the files ``NAME.json`` in the folder ``out``, as ``asercheck java
    --format json`` prints them; ``summary.jsonl`` has a line for each archive.

    ``scheduler`` is the address of a scheduler of Dask; without one, ``workers`` processes are started on this machine.
    ``cache`` is a folder that all workers share, or an object store, by default ``out/cache``: answers that are there
    are not computed again, so the same call continues after an interruption. ``options`` are those of ``asercheck
    java``. A task takes about ``task_seconds``.
    """
    wrong = [option for option in options if option.split("=")[0] in RESERVED]
    if wrong:
        raise ClusterError(f"{wrong[0]} cannot be used with a scheduler")
    results = Results(Path(out))
    place = cache if cache is not None else str(results.folder / "cache")
    if "://" not in place:
        # Workers may run in other folders.
        place = os.path.abspath(place)
    fixed = (*options, "--jobs", "1", "--cache", place)

    def run(engine: Engine, shown: Progress) -> None:
        _Audit(engine, results, fixed, task_seconds, shown).run(jobs)

    return supervised(run, results, jobs, scheduler, workers, progress)


@dataclass
class _Archive:
    """An archive whose first task is done."""

    job: Job
    begun: _tasks.Begun
    #: Keeps the analysis on its worker.
    future: Any
    priority: float
    times: list[float]
    unkept: dict[str, Any] = field(default_factory=dict)
    open_tasks: int = 0
    #: Number of classes that are decided.
    decided: int = 0
    #: Whether the archive has its result, or was begun again: results of other tasks come too late.
    is_over: bool = False


class _Audit:
    """The archives of a call: most expensive first, each in tasks of about the same time.

    The first task of an archive reads and analyses it, and decides classes until its time is over. By then the mean time
    of a class is known, and the other classes are cut in groups, whose tasks prefer the worker with the analysis. What a
    task leaves is grouped again.
    """

    def __init__(
        self, engine: Engine, results: Results, options: tuple[str, ...], seconds: float, progress: Progress
    ) -> None:
        self.engine, self.results, self.options, self.seconds = engine, results, options, seconds
        self.progress = progress
        self.build: str | None = None
        self.identity = uuid.uuid4().hex[:12]
        self.number = 0
        self.archives = self.classes = self.of_classes = self.findings = self.ended = 0
        self.attempts: Counter[str] = Counter()

    def run(self, jobs: Sequence[Job]) -> None:
        """Analyses all archives."""
        self.archives = len(jobs)
        costs = {job: self.results.cost(job) for job in jobs}
        known = [(cost, job.size) for job, cost in costs.items() if cost is not None]
        rate = sum(cost for cost, _ in known) / max(1, sum(size for _, size in known)) or 1.0

        def cost(job: Job) -> float:
            measured = costs[job]
            return job.size * rate if measured is None else measured

        waiting = sorted(jobs, key=cost)
        while waiting or self.engine.under_way:
            while waiting and self.engine.has_room():
                job = waiting.pop()
                self._begin(job, float(len(waiting)))
            self.engine.step()
            self._show()
        self._show(is_last=True)

    def _show(self, is_last: bool = False) -> None:
        self.progress.show(
            f"{self.ended} of {self.archives} archives, {self.classes} of {self.of_classes} classes of those begun, "
            f"{self.findings} findings, {self.engine.threads} workers",
            is_last,
        )

    def _key(self, what: str, job: Job) -> str:
        self.number += 1
        return f"asercheck-{what}-{job.name}-{self.identity}-{self.number}"

    def _begin(self, job: Job, priority: float) -> None:
        libraries = [word for library in job.libraries for word in ("--library", library)]
        arguments = (*job.paths, *libraries, *self.options)
        self.engine.submit(
            _tasks.begin,
            arguments,
            self.seconds,
            key=self._key("begin", job),
            priority=priority,
            then=lambda begun, future: self._begun(_Archive(job, begun, future, BEGUN + priority % BEGUN, begun.times)),
            failed=lambda error: self._failed(job, error, priority),
        )

    def _begun(self, archive: _Archive) -> None:
        begun = archive.begun
        self._check_build(begun.build, archive.job)
        self.of_classes += begun.subjects
        self._count(archive, begun.subjects - len(begun.left))
        archive.unkept.update(begun.unkept)
        if begun.report is not None:
            self._ended(archive, begun.report)
        else:
            self._group(archive, begun.left)

    def _count(self, archive: _Archive, decided: int) -> None:
        archive.decided += decided
        self.classes += decided

    def _group(self, archive: _Archive, places: list[int]) -> None:
        """Cuts classes in groups: each takes about the time of a task, and at least that of another analysis."""
        mean = sum(archive.times) / len(archive.times) if archive.times else self.seconds
        time = max(self.seconds, archive.begun.opening)
        count = min(len(places), max(1, math.ceil(len(places) * mean / time)))
        for first in range(count):
            # Neighbours often cost the same, so that each group gets some of all.
            self._more(archive, places[first::count], 2 * time)

    def _more(self, archive: _Archive, places: list[int], seconds: float) -> None:
        archive.open_tasks += 1
        self.engine.submit(
            _tasks.more,
            archive.future,
            places,
            seconds,
            key=self._key("more", archive.job),
            priority=archive.priority,
            then=lambda part, _: self._decided(archive, part, len(places)),
            failed=lambda error: self._failed_part(archive, error),
        )

    def _decided(self, archive: _Archive, part: _tasks.Part, asked: int) -> None:
        self._check_build(part.build, archive.job)
        if archive.is_over:
            return
        archive.open_tasks -= 1
        archive.times += part.times
        archive.unkept.update(part.unkept)
        self._count(archive, asked - len(part.left))
        if part.left:
            self._group(archive, part.left)
        elif archive.open_tasks == 0:
            archive.open_tasks += 1
            self.engine.submit(
                _tasks.finish,
                archive.future,
                archive.unkept,
                key=self._key("finish", archive.job),
                priority=archive.priority,
                then=lambda report, _: self._ended(archive, report),
                failed=lambda error: self._failed_part(archive, error),
            )

    def _ended(self, archive: _Archive, report: tuple[str, int]) -> None:
        if archive.is_over:
            return
        archive.is_over = True
        (text, code), job = report, archive.job
        self.ended += 1
        whole = json.loads(text)
        cost = sum(subject["seconds"] for subject in whole["subjects"])
        self.findings += whole["summary"]["findings"]
        # An archive whose run is in the cache was not analysed.
        opening = max(archive.begun.opening, self.results.earlier.get(job.name, {}).get("opening", 0.0))
        times = {"opening": round(opening, 3), "cost": round(cost, 3)}
        self.results.add(job, text, {"exit": code, **whole["summary"], **times})

    def _failed_part(self, archive: _Archive, error: JobError) -> None:
        # The other tasks of the archive may fail for the same reason.
        if not archive.is_over:
            archive.is_over = True
            self.of_classes -= archive.begun.subjects
            self.classes -= archive.decided
            self._failed(archive.job, error, archive.priority)

    def _failed(self, job: Job, error: JobError, priority: float) -> None:
        self.attempts[job.name] += 1
        if isinstance(error, WorkersDied) and self.attempts[job.name] < ATTEMPTS:
            # The classes that were decided are in the cache.
            self._begin(job, priority)
            return
        self.ended += 1
        self.progress.tell(f"{job.name}: {error.message}")
        self.results.add(job, None, {"exit": error.code, "error": error.message})

    def _check_build(self, build: str, job: Job) -> None:
        self.build = self.build or build
        if build != self.build:
            raise ClusterError(f"the workers have different builds of asercheck: {self.build[:12]}, and for {job.name} {build[:12]}")
