"""``python -m asercheck.cluster``."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from asercheck.cluster import ClusterError, Job, audit, check, jobs_of
from asercheck.cluster._run import Summary

DESCRIPTION = """Analyses many archives or models with workers of Dask, on this machine or on those of a scheduler.
After `--` follow options of `asercheck java` or `asercheck check`. The same command continues after an interruption.
Exit codes: 0 every item of the list has its result, 2 wrong usage, 3 an item has no result, 130 the scheduler is lost."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m asercheck.cluster", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("audit", "archives of Java classes"), ("check", "models")):
        command = commands.add_parser(name, help=f"analyses {what}", description=DESCRIPTION)
        command.add_argument("list", help=f"a file with {what}, one on each line: a path, or a JSON object")
        command.add_argument("--out", required=True, metavar="DIR", help="the folder of the results")
        command.add_argument("--scheduler", metavar="ADDRESS", help="tcp://HOST:PORT; without it, workers on this machine")
        command.add_argument("--workers", type=int, metavar="N", help="worker processes on this machine")
        command.add_argument("--quiet", action="store_true", help="no progress")
        if name == "audit":
            command.add_argument("--cache", metavar="PLACE", help="a shared folder or a URL; DIR/cache by default")
            command.add_argument("--task-seconds", type=float, default=5.0, metavar="S", help="the time of a task")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code."""
    words = list(arguments)
    at = words.index("--") if "--" in words else len(words)
    parsed = _parser().parse_args(words[:at])
    # Workers that die, and a scheduler that is lost, are no faults: the end of the run says what is missing.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    try:
        with open(parsed.list, encoding="utf-8") as file:
            jobs = jobs_of(file)
        summary = _run(parsed, jobs, words[at + 1 :])
    except (ClusterError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if summary.is_interrupted:
        print("error: the scheduler is lost; the same command continues", file=sys.stderr)
        return 130
    return 3 if summary.failed else 0


def _run(parsed: argparse.Namespace, jobs: list[Job], options: list[str]) -> Summary:
    both = {"out": parsed.out, "scheduler": parsed.scheduler, "workers": parsed.workers, "options": options}
    if parsed.command == "check":
        return check(jobs, progress=not parsed.quiet, **both)
    return audit(jobs, progress=not parsed.quiet, cache=parsed.cache, task_seconds=parsed.task_seconds, **both)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
