"""The folder of the results."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from asercheck.cluster._jobs import Job


class Results:
    """A folder with a file for each job, and a table of all of them.

    A file is complete when it has its name. A line of the table stands in ``progress.jsonl`` as soon as the file is
    there; at the end the lines are in ``summary.jsonl``, in the order of the list.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._progress = folder / "progress.jsonl"
        #: The lines of earlier calls.
        self.earlier = _lines(folder / "summary.jsonl") | _lines(self._progress)
        self.lines: dict[str, dict[str, Any]] = {}

    def path(self, job: Job) -> Path:
        """The file of a job."""
        return self.folder / f"{job.name}.json"

    def cost(self, job: Job) -> float | None:
        """The seconds that the parts of the job took when they were decided, by an earlier call."""
        cost = self.earlier.get(job.name, {}).get("cost")
        return float(cost) if isinstance(cost, int | float) else None

    def add(self, job: Job, text: str | None, line: dict[str, Any]) -> None:
        """Adds the result of a job, or none if it has failed."""
        if text is None:
            self.path(job).unlink(missing_ok=True)
        else:
            _write(self.path(job), text)
        self.keep(job, line)

    def keep(self, job: Job, line: dict[str, Any]) -> None:
        """Adds the line of a job whose file is there."""
        whole = {"name": job.name, "paths": list(job.paths), **line}
        self.lines[job.name] = whole
        with open(self._progress, "a", encoding="utf-8") as file:
            file.write(json.dumps(whole) + "\n")

    def end(self, jobs: Sequence[Job]) -> None:
        """Writes the table."""
        lines = [json.dumps(self.lines[job.name]) + "\n" for job in jobs if job.name in self.lines]
        _write(self.folder / "summary.jsonl", "".join(lines))
        self._progress.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(text, encoding="utf-8", newline="")
    os.replace(unfinished, path)


def _lines(path: Path) -> dict[str, dict[str, Any]]:
    """The lines of a table by their names. An incomplete last line counts for nothing."""
    lines: dict[str, dict[str, Any]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                value = json.loads(line)
                lines[value["name"]] = value
            except (ValueError, TypeError, KeyError):
                continue
    return lines
