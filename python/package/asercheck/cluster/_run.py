"""A call from its beginning to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from asercheck.cluster._engine import Engine, Lost, client_of
from asercheck.cluster._jobs import Job
from asercheck.cluster._progress import Progress
from asercheck.cluster._results import Results


@dataclass(frozen=True)
class Summary:
    """The table of a call, in the order of the list."""

    lines: tuple[dict[str, Any], ...]
    #: Whether the scheduler was lost; the same call continues then.
    is_interrupted: bool = False

    @property
    def failed(self) -> tuple[dict[str, Any], ...]:
        """The lines of jobs without a result."""
        return tuple(line for line in self.lines if "error" in line)


def supervised(
    run: Callable[[Engine, Progress], None],
    results: Results,
    jobs: Sequence[Job],
    scheduler: str | None,
    workers: int | None,
    progress: bool,
) -> Summary:
    """Calls a function with an engine, and returns the table."""
    shown = Progress(progress)
    is_interrupted = False
    with client_of(scheduler, workers) as client:
        engine = Engine(client)
        if progress and engine.dashboard:
            shown.tell(f"the dashboard: {engine.dashboard}")
        try:
            run(engine, shown)
        except Lost:
            is_interrupted = True
    if not is_interrupted:
        results.end(jobs)
    lines = tuple(results.lines[job.name] for job in jobs if job.name in results.lines)
    return Summary(lines, is_interrupted)
