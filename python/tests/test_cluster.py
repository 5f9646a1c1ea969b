"""Archives and models with workers of Dask: the results are those of the command."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import COUNTER, ROOT, without_seconds

distributed: Any = pytest.importorskip("distributed", reason="Dask is not installed")

from asercheck.cluster import ClusterError, Job, audit, check, jobs_of  # noqa: E402

CLIENT = str(ROOT / "models/java/client/classes")
ORDER = str(ROOT / "models/java/order/classes")
JOBS = [
    Job("client", (CLIENT,)),
    Job("order", (ORDER,), (CLIENT,)),
    Job("nothing", ("nothing.jar",)),
    Job("both", (ORDER, CLIENT)),
]


def timeless(text: str) -> str:
    """A report without the lines of seconds."""
    return "\n".join(line for line in text.splitlines() if '"seconds":' not in line)


def asercheck(*arguments: str) -> str:
    """The output of the command."""
    path = shutil.which("asercheck")
    assert path is not None
    words = [path, *arguments, "--format", "json", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def expected() -> dict[str, str]:
    """The reports of the command."""
    return {
        job.name: timeless(asercheck("java", *job.paths, *(f"--library={path}" for path in job.libraries)))
        for job in JOBS
        if job.name != "nothing"
    }


def reports(out: Path) -> dict[str, str]:
    """The reports in a folder of results."""
    return {path.stem: timeless(path.read_text()) for path in out.glob("*.json")}


def differing(out: Path, expected: dict[str, str]) -> list[str]:
    """The names of the reports that differ. A failed comparison of the texts would take gigabytes."""
    found = reports(out)
    return sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield str(cluster.scheduler_address)


def test_reports_are_those_of_the_command(tmp_path: Path, scheduler: str, expected: dict[str, str]) -> None:
    # With this time a task decides one class, so that the two workers share archives.
    summary = audit(JOBS, out=tmp_path, scheduler=scheduler, task_seconds=0.02)
    assert differing(tmp_path, expected) == []
    assert [line["name"] for line in summary.lines] == [job.name for job in JOBS]
    assert [line["name"] for line in summary.failed] == ["nothing"]
    assert "there are no classes" in summary.failed[0]["error"]
    lines = [json.loads(line) for line in (tmp_path / "summary.jsonl").read_text().splitlines()]
    assert tuple(lines) == summary.lines
    # Nothing is decided again.
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").iterdir()}
    again = audit(JOBS, out=tmp_path, scheduler=scheduler)
    assert differing(tmp_path, expected) == []
    assert [line["findings"] for line in again.lines if "error" not in line] == [
        line["findings"] for line in summary.lines if "error" not in line
    ]
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").iterdir()} == before


def test_options_are_those_of_the_command(tmp_path: Path, scheduler: str) -> None:
    options = ["--class", "client.A*", "--timeout", "0s"]
    audit([Job("a", (CLIENT,))], out=tmp_path, scheduler=scheduler, options=options, task_seconds=0.0)
    assert differing(tmp_path, {"a": timeless(asercheck("java", CLIENT, *options))}) == []
    for option in ["--cache", "--format=json", "--shard", "--jobs"]:
        with pytest.raises(ClusterError, match=option.split("=")[0]):
            audit([], out=tmp_path, options=[option, "1"])


def test_workers_that_die_change_nothing(tmp_path: Path, expected: dict[str, str]) -> None:
    jobs = [job for job in JOBS if job.name != "nothing"]
    local = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with local as cluster, distributed.Client(cluster) as client:
        ended = threading.Event()
        killed: list[int] = []

        def kill() -> None:
            while not ended.wait(0.7) and len(killed) < 4:
                workers = list(client.run(os.getpid).values())
                if workers:
                    os.kill(workers[0], signal.SIGKILL)
                    killed.append(workers[0])
                client.wait_for_workers(1, timeout=30)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            summary = audit(jobs, out=tmp_path, scheduler=cluster.scheduler_address, task_seconds=0.05)
        finally:
            ended.set()
            killer.join()
    assert not summary.is_interrupted and summary.failed == ()
    assert differing(tmp_path, expected) == []
    assert killed


def test_a_first_task_that_is_repeated_may_make_the_report() -> None:
    from asercheck.cluster._tasks import Begun, Part, finish, more

    begun = Begun("build", [], [], subjects=2, report=("report", 1))
    part = more(begun, [1], 1.0)
    assert isinstance(part, Part) and part.left == [] and part.build == "build"
    assert finish(begun, {}) == ("report", 1)


def test_late_tasks_of_a_known_run_have_nothing_to_decide(tmp_path: Path) -> None:
    from asercheck.cluster._process import Analysis

    arguments = (ORDER, "--jobs", "1", "--cache", str(tmp_path))
    first = Analysis(arguments)
    assert not first.open()["is_known"]
    assert first.decide(first.opened["missing"], 60.0)["left"] == []
    report = first.report({})
    late = Analysis(arguments)
    assert late.decide([0, 1], 60.0) == {"decided": [], "left": [], "unkept": {}}
    assert late.opened["is_known"]
    [text, code], [late_text, late_code] = report, late.report({})
    is_same = timeless(late_text) == timeless(text) and late_code == code
    assert is_same


def test_a_lost_result_is_waited_for() -> None:
    from asercheck.cluster._engine import DEATHS, Engine, Lost

    class Running:
        status = "running"

    class Future:
        """A result that cannot be had, and then can."""

        def __init__(self, *failures: str | Exception) -> None:
            self.failures = list(failures)

        @property
        def status(self) -> str:
            return "lost" if self.failures[:1] == ["lost"] else "finished"

        def result(self) -> int:
            if self.failures:
                failure = self.failures.pop(0)
                assert isinstance(failure, Exception)
                raise failure
            return 7

    class Completed(list[Future]):
        """The futures that are done; a lost one is done when it is added again."""

        def __next__(self) -> Future:
            return self.pop()

        def add(self, future: Future) -> None:
            if future.failures[:1] == ["lost"]:
                future.failures.pop(0)
            self.append(future)

    def answers(*failures: str | Exception) -> list[int]:
        engine, found, future = Engine.__new__(Engine), list[int](), Future(*failures)
        engine._client, engine._distributed = Running(), distributed
        engine._completed, engine._losses = Completed([future]), Counter()
        engine._after = {future: (lambda result, _: found.append(result), lambda error: found.append(-1))}
        while engine.under_way:
            engine.step()
        return found

    assert answers() == [7]
    assert answers("lost", OSError(), "lost") == [7]
    with pytest.raises(Lost):
        answers(*[OSError() for _ in range(DEATHS + 1)])


def test_an_interrupted_call_continues(tmp_path: Path, expected: dict[str, str]) -> None:
    jobs = tmp_path / "list"
    jobs.write_text("".join(json.dumps({"name": job.name, "paths": job.paths, "libraries": job.libraries}) + "\n"
                            for job in JOBS if job.name != "nothing"))  # fmt: skip
    words = [sys.executable, "-m", "asercheck.cluster", "audit", str(jobs), "--out", str(tmp_path / "out")]
    words += ["--workers", "2", "--task-seconds", "0.05", "--quiet"]
    cache = tmp_path / "out/cache"
    with subprocess.Popen(words) as first:
        while first.poll() is None and not (cache.exists() and len(list(cache.glob("*.answer"))) > 30):
            time.sleep(0.05)
        # The scheduler is in this process.
        first.kill()
    kept = {path: path.stat().st_mtime_ns for path in cache.glob("*.answer")}
    assert len(kept) > 30
    second = subprocess.run([*words, "--", "--jobs", "2"], capture_output=True, text=True, check=False)
    assert second.returncode == 2 and "--jobs cannot be used" in second.stderr
    assert subprocess.run(words, check=False).returncode == 0
    assert differing(tmp_path / "out", expected) == []
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "nothing that was kept is decided again"


def test_answers_about_models_are_those_of_the_command(tmp_path: Path, scheduler: str) -> None:
    models = [ROOT / "models/stack.eml", ROOT / "models/bank.eml", tmp_path / "counter.eml", tmp_path / "wrong.eml"]
    models[2].write_text(COUNTER)
    models[3].write_text("process {")
    jobs = jobs_of(str(path) for path in models)
    summary = check(jobs, out=tmp_path / "out", scheduler=scheduler, options=["--races"])
    assert [line["exit"] for line in summary.lines][3] == 2 and len(summary.failed) == 1
    for path, job in zip(models[:3], jobs):
        own = json.loads((tmp_path / f"out/{job.name}.json").read_text())
        assert without_seconds(own) == without_seconds(json.loads(asercheck("check", str(path), "--races")))
    times = {job.name: (tmp_path / f"out/{job.name}.json").stat().st_mtime_ns for job in jobs[:3]}
    models[2].write_text(COUNTER.replace("write x", "read x"))
    again = check(jobs, out=tmp_path / "out", scheduler=scheduler, options=["--races"])
    assert again.lines[2]["exit"] == 0 and again.lines[:2] == summary.lines[:2]
    new = {job.name: (tmp_path / f"out/{job.name}.json").stat().st_mtime_ns for job in jobs[:3]}
    assert [name for name in times if new[name] != times[name]] == ["counter.eml"]


def test_lists() -> None:
    text = '# archives\n\n a b.jar \n{"paths": ["x/a.jar", "c.jar"], "libraries": ["l.jar"]}\n{"name": "g:a:1", "paths": ["a.jar"]}\ny/a.jar\n'
    assert jobs_of(text.splitlines()) == [
        Job("a_b.jar", ("a b.jar",)),
        Job("a.jar", ("x/a.jar", "c.jar"), ("l.jar",)),
        Job("g_a_1", ("a.jar",)),
        Job("a.jar-2", ("y/a.jar",)),
    ]
    for wrong in ["{", '{"name": "a"}', '{"paths": []}', '{"paths": "a.jar"}', '{"paths": ["a"], "x": 1}', '{"paths": [1]}']:
        with pytest.raises(ClusterError, match="line 1"):
            jobs_of([wrong])


def test_without_a_scheduler_the_call_is_refused(tmp_path: Path) -> None:
    words: list[Any] = [sys.executable, "-m", "asercheck.cluster", "check", tmp_path / "list", "--out", tmp_path / "out"]
    missing = subprocess.run(words, capture_output=True, text=True, check=False)
    assert missing.returncode == 2 and "list" in missing.stderr
