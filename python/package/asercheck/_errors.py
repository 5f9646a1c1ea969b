"""Exceptions."""

from __future__ import annotations

from typing import Any

from asercheck._reading import read
from asercheck._records import Problem


class AsercheckError(Exception):
    """An error of this package. ``problems`` are the places in a text, if there are some."""

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.problems)

    @property
    def file(self) -> str | None:
        """The file of the first problem."""
        return self.problems[0].file if self.problems else None

    @property
    def line(self) -> int | None:
        """The line of the first problem, from 1."""
        return self.problems[0].line if self.problems else None

    @property
    def column(self) -> int | None:
        """The column of the first problem, from 1, in characters."""
        return self.problems[0].column if self.problems else None


class UsageError(AsercheckError, ValueError):
    """A wrong argument, or a name that the model does not have."""


class InputError(AsercheckError):
    """A file that cannot be read, or input without classes."""


class ModelError(AsercheckError, ValueError):
    """A text that is no model or no automaton."""


class EndedError(AsercheckError):
    """A run that a limit has ended before there was anything to report."""


class InternalError(AsercheckError):
    """An internal error: trust no verdict of the run."""


_KINDS: dict[str, type[AsercheckError]] = {
    "usage": UsageError,
    "input": InputError,
    "model": ModelError,
    "ended": EndedError,
    "internal": InternalError,
}


def exception(error: dict[str, Any]) -> AsercheckError:
    """Returns the exception for an error of the extension module."""
    problems = tuple(read(Problem, problem) for problem in error.get("problems", ()))
    return _KINDS[error["kind"]](error["message"], problems)
