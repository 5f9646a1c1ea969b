"""Java classes."""

from __future__ import annotations

import pytest
from conftest import CLASSES, ROOT, Command, without_seconds

import asercheck


@pytest.mark.parametrize(
    "arguments, options",
    [
        ({"classes": "client.CheckThenAct"}, ["--class", "client.CheckThenAct"]),
        ({"classes": "client.C*", "exclude": ["client.CheckThenAct"]}, ["--class", "client.C*", "--exclude", "client.CheckThenAct"]),
        ({"classes": "client.CheckThenAct", "all_queries": True}, ["--class", "client.CheckThenAct", "--all-queries"]),
        ({"classes": "client.CheckThenAct", "races": True, "deadlocks": True}, ["--class", "client.CheckThenAct", "--races", "--deadlocks"]),
    ],
)
def test_reports_are_those_of_the_command(
    command: Command, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, object], options: list[str]
) -> None:
    monkeypatch.chdir(ROOT)
    path = str(CLASSES.relative_to(ROOT))
    report = asercheck.audit([path], **arguments)  # type: ignore[arg-type]
    expected = command("java", path, *options)
    known = without_seconds(expected)
    assert without_seconds(report.to_dict()) == known


def test_a_finding_has_title_likelihood_and_location() -> None:
    report = asercheck.audit(CLASSES, classes="client.CheckThenAct")
    (finding,) = report.findings
    assert "popOrZero()" in finding.title
    assert (finding.likelihood, finding.location) == ("likely", "client/CheckThenAct.java:17")
    assert {step.line for step in finding.witness.steps if step.event} <= set(range(1, 30))
    assert report.subjects[0].class_ == "client.CheckThenAct"


def test_progress_counts_to_the_end() -> None:
    steps: list[tuple[int, int | None, str]] = []
    asercheck.audit(CLASSES, classes="client.C*", progress=lambda *step: steps.append(step))
    assert [step[0] for step in steps] == sorted(step[0] for step in steps)
    assert steps[-1][0] == steps[-1][1]


def test_progress_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    asercheck.audit(CLASSES, classes="client.CheckThenAct", progress=True)
    assert "1 of 1 client.CheckThenAct\n" in capsys.readouterr().err


def test_an_exception_of_the_callback_ends_the_run() -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        asercheck.audit(CLASSES, progress=fail)


def test_wrong_input_is_an_error() -> None:
    with pytest.raises(asercheck.UsageError, match="no.Such"):
        asercheck.audit(CLASSES, classes="no.Such")
    with pytest.raises(asercheck.InputError, match="no classes"):
        asercheck.audit(ROOT / "docs")
    with pytest.raises(asercheck.InputError, match="no folder"):
        asercheck.audit(CLASSES, sources=["/no/such/folder"])
    with pytest.raises(asercheck.UsageError, match="no path"):
        asercheck.audit([])


def test_a_limit_leaves_classes_open() -> None:
    report = asercheck.audit(CLASSES, classes="client.C*", timeout=0)
    assert report.summary.open > 0 and report.summary.proved == 0
    report = asercheck.audit(CLASSES, total_timeout=0)
    assert report.ended == "timeout" and report.summary.proved == 0
