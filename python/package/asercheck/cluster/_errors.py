"""Exceptions."""

from __future__ import annotations


class ClusterError(Exception):
    """A wrong argument, or workers that cannot be used."""


class JobError(Exception):
    """A job without a result: the message and the exit code of the command."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message, code)
        self.message = message
        self.code = code


class WorkersDied(JobError):
    """A task during which as many workers have died as Dask allows for one task."""

    def __init__(self) -> None:
        super().__init__("the workers that tried it have died; perhaps their memory is too small", 4)

    def __reduce__(self) -> tuple[type[WorkersDied], tuple[()]]:
        return WorkersDied, ()
