"""The results, as frozen dataclasses with the members of the JSON that the command prints.

``docs/formats.md`` describes each member. A member that JSON may omit has a default here.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asercheck import _html
from asercheck._reading import write

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Problem:
    """A message about a file, or about a place in a text."""

    file: str
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A step of an interleaving."""

    thread: int
    action: str
    function: str
    line: int
    column: int
    object: str | None = None
    mode: str | None = None
    file: str | None = None
    event: int | None = None
    returns: bool = False
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """An interleaving."""

    threads: tuple[str, ...]
    steps: tuple[Step, ...]

    def _repr_html_(self) -> str:
        return _html.witness(self)


@dataclass(frozen=True, slots=True)
class Query:
    """A query with its answer."""

    automaton: str
    locations: tuple[str, ...]
    processes: tuple[str, ...]
    verdict: str
    seconds: float
    locks: tuple[str, ...] = ()
    reason: str | None = None
    detail: str | None = None
    witness: Witness | None = None


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """Numbers of queries of a model."""

    queries: int
    safe: int
    violation: int
    unknown: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelFinding:
    """Violations of a model with one cause. ``queries`` are places in ``Answers.queries``."""

    fingerprint: str
    rank: float
    group: str
    queries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """Whether there is a race on a location."""

    location: str
    status: str
    writers: tuple[str, ...]
    readers: tuple[str, ...]
    locks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle of the lock order."""

    locks: tuple[str, ...]
    status: str
    queries: int
    violation: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Cycles:
    """The cycles of the lock order."""

    cycles: tuple[Cycle, ...]
    unlisted: int


def _frame(rows: list[dict[str, Any]], columns: list[str]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame(rows, columns=columns)


@dataclass(frozen=True)
class Answers:
    """The answers to queries of a model."""

    version: int
    model: str
    engine: str
    units: str
    summary: ModelSummary
    findings: tuple[ModelFinding, ...]
    queries: tuple[Query, ...]
    vacuous: str | None = None
    ended: str | None = None
    unlisted: int = 0
    locations: tuple[Location, ...] | None = None
    cycles: Cycles | None = None

    @property
    def verdict(self) -> str:
        """``violation``, ``unknown``, ``vacuous`` if nothing can be violated, or ``safe``."""
        if self.summary.violation:
            return "violation"
        if self.summary.unknown or self.ended:
            return "unknown"
        return "vacuous" if self.vacuous else "safe"

    @property
    def violations(self) -> tuple[Query, ...]:
        """The queries that are violated; each has a witness."""
        return tuple(query for query in self.queries if query.verdict == "violation")

    def witness(self, finding: ModelFinding) -> Witness:
        """The interleaving that shows a finding."""
        shown = self.queries[finding.queries[0]].witness
        assert shown is not None, "a violation has a witness"
        return shown

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)

    def to_dict(self) -> dict[str, Any]:
        """The structure of ``asercheck check --format json``."""
        return dict(write(self))

    def to_json(self) -> str:
        """The text of ``asercheck check --format json``."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_pandas(self) -> pandas.DataFrame:
        """A table of the queries."""
        columns = ["automaton", "locations", "locks", "processes", "verdict", "reason", "seconds"]
        return _frame([{name: getattr(query, name) for name in columns} for query in self.queries], columns)

    def _repr_html_(self) -> str:
        return _html.answers(self)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence for the likelihood of a finding."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class Access:
    """An access of a torn section."""

    method: str
    line: int
    action: str
    location: str
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a defect."""

    method: str
    lines: tuple[int, ...]
    fingerprint: str
    unit: str
    locations: tuple[str, ...]
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A violation of a finding."""

    unit: str
    locations: tuple[str, ...]
    patterns: tuple[int, ...]
    group: str
    benign: str | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """The torn section of a finding."""

    method: str
    lines: tuple[int, ...]
    accesses: tuple[Access, ...]
    places: tuple[Place, ...]
    units: tuple[str, ...]
    by_all: tuple[str, ...]
    members: tuple[Member, ...]
    file: str | None = None


@dataclass(frozen=True, slots=True)
class LockWait:
    """A call of a deadlock."""

    call: str
    holds: str
    wants: str
    method: str
    line: int
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A result that no serial execution has."""

    what: str
    seen: str
    serial: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A run that confirms a finding."""

    kind: str
    says: str
    seed: int
    before: str
    threads: tuple[tuple[str, ...], ...]
    forced: str
    steps: tuple[str, ...]
    differences: tuple[Difference, ...]
    program: str | None = None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The result of running a finding."""

    verdict: str
    jdk: str
    clients_tried: int
    schedules_tried: int
    seconds: float
    way: str | None = None
    reached: float | None = None
    reason: str | None = None
    demonstration: Demonstration | None = None


@dataclass(frozen=True, slots=True)
class RepairChange:
    """A change of a Java method."""

    says: str
    kind: str
    of: str
    method: str
    file: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """Changes of the code after which the violated queries of a finding are safe; none if no repair was found."""

    changes: tuple[RepairChange, ...]
    queries: int
    models: int
    complete: bool


@dataclass(frozen=True)
class Finding:
    """Violations of a Java class with one cause."""

    fingerprint: str
    says: str
    likelihood: str
    rank: float
    effect: str
    evidence: tuple[Evidence, ...]
    patterns: tuple[int, ...]
    locations: tuple[str, ...]
    other_locations: tuple[str, ...]
    unit: str
    by: str
    other_by: tuple[str, ...]
    group: str
    at_fault: str
    cause: Cause
    violations: int
    witness: Witness
    automata: tuple[str, ...] = ()
    benign_reason: str | None = None
    repeats: str | None = None
    also_in: tuple[str, ...] = ()
    waits: tuple[LockWait, ...] = ()
    confirmation: Confirmation | None = None
    repair: Repair | None = None

    @property
    def title(self) -> str:
        """The effect for a caller, in one sentence."""
        return self.says

    @property
    def location(self) -> str:
        """The place of the torn section: file and line, or the method if the class has no lines."""
        if self.cause.file is None or not self.cause.lines[0]:
            return self.cause.method
        return f"{self.cause.file}:{self.cause.lines[0]}"

    def _repr_html_(self) -> str:
        return _html.finding(self)


@dataclass(frozen=True, slots=True)
class Undecided:
    """An undecided part of a class."""

    reason: str
    unit: str | None = None
    detail: str | None = None


@dataclass(frozen=True)
class Subject:
    """A class that was analysed."""

    verdict: str
    class_: str
    kind: str
    claim: str
    entries: int
    queries: int
    subsumed: int
    seconds: float
    locations: tuple[str, ...]
    findings: tuple[Finding, ...]
    unknown: tuple[Undecided, ...]
    assumptions: tuple[str, ...]
    unreached: bool = False
    hidden: int = 0
    all_queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """Numbers of classes, findings and queries."""

    classes: int
    subjects: int
    violated: int
    proved: int
    open: int
    nothing_asked: int
    findings: int
    likely: int
    possible: int
    benign: int
    queries: int
    subsumed: int
    violation: int
    unknown: int
    seconds: float
    timeouts: int = 0
    confirmed: int = 0
    unreached: int = 0


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """Findings that a baseline hides."""

    hidden: int
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the user does not want to repair."""

    fingerprint: str
    class_: str
    says: str
    reason: str


@dataclass(frozen=True, slots=True)
class UnreadPath:
    """Input that could not be read."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class ClientTests:
    """The tests that were run for their objects."""

    found: int
    giving: int
    others: int
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Clients:
    """The ways in which clients were made, if findings were run."""

    ways: Mapping[str, int]
    tests: ClientTests | None = None


@dataclass(frozen=True)
class Report:
    """The report about Java classes."""

    version: int
    paths: tuple[str, ...]
    mode: str
    engine: str
    units: str
    summary: Summary
    subjects: tuple[Subject, ...]
    skipped: Mapping[str, int]
    problems: tuple[UnreadPath, ...]
    main: str | None = None
    deadlocks: bool = False
    ended: str | None = None
    baseline: BaselineComparison | None = None
    suppressed: tuple[Suppressed, ...] = ()
    clients: Clients | None = None
    keep_going: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all classes, the most important class first; each cause once."""
        return tuple(finding for subject in self.subjects for finding in subject.findings if not finding.repeats)

    def to_dict(self) -> dict[str, Any]:
        """The structure of ``asercheck java --format json``."""
        return dict(write(self))

    def to_json(self) -> str:
        """The text of ``asercheck java --format json``."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_pandas(self) -> pandas.DataFrame:
        """A table of the findings."""
        columns = ["class", "title", "likelihood", "rank", "effect", "location", "unit", "by", "locations", "patterns"]
        columns += ["confirmed", "fingerprint"]
        rows = []
        for subject in self.subjects:
            for finding in subject.findings:
                row = {name: getattr(finding, name) for name in columns if hasattr(finding, name)}
                confirmation = finding.confirmation
                row["class"] = subject.class_
                row["confirmed"] = confirmation.verdict if confirmation else None
                rows.append(row)
        return _frame(rows, columns)

    def _repr_html_(self) -> str:
        return _html.report(self)


def records() -> dict[str, type]:
    """All records by their names."""
    known = globals().items()
    return {name: value for name, value in known if isinstance(value, type) and dataclasses.is_dataclass(value)}
