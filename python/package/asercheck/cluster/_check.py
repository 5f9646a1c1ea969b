"""Models: one task each."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from asercheck.cluster import _tasks
from asercheck.cluster._engine import Engine
from asercheck.cluster._errors import ClusterError, JobError
from asercheck.cluster._jobs import Job
from asercheck.cluster._process import build
from asercheck.cluster._progress import Progress
from asercheck.cluster._results import Results
from asercheck.cluster._run import Summary, supervised

#: Options of ``asercheck check`` that are set here.
RESERVED = ("--format", "--jobs", "--quiet", "--report", "--certificates")


def check(
    jobs: Sequence[Job],
    *,
    out: str | Path,
    scheduler: str | None = None,
    workers: int | None = None,
    options: Sequence[str] = (),
    progress: bool = False,
) -> Summary:
    """Decides the queries of models. The answers are the files ``NAME.json`` in the folder ``out``, as ``asercheck check
    --format json`` prints them; ``summary.jsonl`` has a line for each model.

    A model whose file in ``out`` answers the same question of the same build is not asked again, unless a query is
    undecided. The other arguments are those of ``audit``.
    """
    wrong = [option for option in options if option.split("=")[0] in RESERVED]
    if wrong:
        raise ClusterError(f"{wrong[0]} cannot be used with a scheduler")
    for job in jobs:
        if len(job.paths) != 1 or job.libraries:
            raise ClusterError(f"{job.name}: a model is one file")
    results = Results(Path(out))

    def run(engine: Engine, shown: Progress) -> None:
        _Check(engine, results, tuple(options), shown).run(jobs)

    return supervised(run, results, jobs, scheduler, workers, progress)


class _Check:
    """The models of a call, the most expensive ones first: by earlier seconds, then by the size of their files."""

    def __init__(self, engine: Engine, results: Results, options: tuple[str, ...], progress: Progress) -> None:
        self.engine, self.results, self.options, self.progress = engine, results, options, progress
        self.identity = uuid.uuid4().hex[:12]
        self.models = self.ended = self.violated = self.findings = 0

    def run(self, jobs: Sequence[Job]) -> None:
        """Decides the queries of all models."""
        self.models = len(jobs)
        waiting = [job for job in jobs if not self._is_known(job)]
        waiting.sort(key=lambda job: (self.results.cost(job) or 0.0, job.size))
        while waiting or self.engine.under_way:
            while waiting and self.engine.has_room():
                self._begin(waiting.pop(), len(waiting))
            self.engine.step()
            self._show()
        self._show(is_last=True)

    def _show(self, is_last: bool = False) -> None:
        self.progress.show(
            f"{self.ended} of {self.models} models, {self.violated} violated, {self.engine.threads} workers", is_last
        )

    def _is_known(self, job: Job) -> bool:
        line = self.results.earlier.get(job.name, {})
        path = self.results.path(job)
        question = self._question(job)
        is_whole = line.get("exit") in (0, 1) and line.get("unknown") == 0
        if question is None or line.get("question") != question or not is_whole or not path.exists():
            return False
        if line.get("answer") != _hash(path.read_bytes()):
            return False
        self._count(int(line["exit"]))
        self.results.keep(job, {name: value for name, value in line.items() if name not in ("name", "paths")})
        return True

    def _question(self, job: Job) -> str | None:
        """The hash of all that decides the answer: the build, the options with their files, and the model with its name."""
        parts = [build(), *self.options, *job.paths]
        try:
            values = [value for option in self.options for value in (option, option.partition("=")[2])]
            files = [*(value for value in values if os.path.isfile(value)), *job.paths]
            parts += [_hash(Path(file).read_bytes()) for file in files]
        except OSError:
            # Perhaps a worker can read it.
            return None
        return _hash(json.dumps(parts).encode())

    def _begin(self, job: Job, priority: int) -> None:
        question = self._question(job)
        self.engine.submit(
            _tasks.check,
            (*job.paths, *self.options, "--jobs", "1"),
            key=f"asercheck-check-{job.name}-{self.identity}-{priority}",
            priority=priority,
            then=lambda answer, _: self._ended(job, question, answer),
            failed=lambda error: self._failed(job, error),
        )

    def _count(self, code: int) -> None:
        self.ended += 1
        self.violated += code == 1

    def _ended(self, job: Job, question: str | None, answer: tuple[str, tuple[str, int], float]) -> None:
        its_build, (text, code), seconds = answer
        if its_build != build():
            raise ClusterError("the workers have another build of asercheck than this machine")
        self._count(code)
        line = {"exit": code, "question": question, "answer": _hash(text.encode())}
        self.results.add(job, text, {**line, **json.loads(text)["summary"], "cost": round(seconds, 3)})

    def _failed(self, job: Job, error: JobError) -> None:
        self._count(error.code)
        self.progress.tell(f"{job.name}: {error.message}")
        self.results.add(job, None, {"exit": error.code, "error": error.message})


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
