"""Finds atomicity violations in Java classes and in models of concurrent programs, and proves their absence.

``audit`` analyses Java classes, ``Model.check`` decides queries of a model. Results are frozen dataclasses with the
member names of the JSON that the command prints. Errors are subclasses of ``AsercheckError``.
"""

from asercheck._audit import audit
from asercheck._errors import AsercheckError, EndedError, InputError, InternalError, ModelError, UsageError
from asercheck._model import Automaton, Model, ModelBuilder
from asercheck._native import version as _version
from asercheck._records import (
    Access,
    Answers,
    BaselineComparison,
    Cause,
    Clients,
    ClientTests,
    Confirmation,
    Cycle,
    Cycles,
    Demonstration,
    Difference,
    Evidence,
    Finding,
    Location,
    LockWait,
    Member,
    ModelFinding,
    ModelSummary,
    Place,
    Problem,
    Query,
    Repair,
    RepairChange,
    Report,
    Step,
    Subject,
    Summary,
    Suppressed,
    Undecided,
    UnreadPath,
    Witness,
)

__version__ = _version()

__all__ = [
    "Access",
    "Answers",
    "AsercheckError",
    "Automaton",
    "BaselineComparison",
    "Cause",
    "ClientTests",
    "Clients",
    "Confirmation",
    "Cycle",
    "Cycles",
    "Demonstration",
    "Difference",
    "EndedError",
    "Evidence",
    "Finding",
    "InputError",
    "InternalError",
    "Location",
    "LockWait",
    "Member",
    "Model",
    "ModelBuilder",
    "ModelError",
    "ModelFinding",
    "ModelSummary",
    "Place",
    "Problem",
    "Query",
    "Repair",
    "RepairChange",
    "Report",
    "Step",
    "Subject",
    "Summary",
    "Suppressed",
    "Undecided",
    "UnreadPath",
    "UsageError",
    "Witness",
    "audit",
]
