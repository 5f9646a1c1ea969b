"""The dataclasses have the members of the schemas; tables and notebooks."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from conftest import CLASSES, COUNTER, ROOT

import asercheck
from asercheck import _records
from asercheck._reading import member, read


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / f"docs/schemas/{name}.schema.json").read_text()))


JAVA, CHECK = schema("java-4"), schema("check-1")
FINDING = JAVA["$defs"]["finding"]["properties"]
CAUSE = JAVA["$defs"]["cause"]["properties"]

#: Members that are for other commands.
ELSEWHERE = {"shard", "certificates"}

OBJECTS = {
    asercheck.Report: JAVA,
    asercheck.Summary: JAVA["$defs"]["summary"],
    asercheck.Subject: JAVA["$defs"]["subject"],
    asercheck.Undecided: JAVA["$defs"]["open"],
    asercheck.Finding: JAVA["$defs"]["finding"],
    asercheck.Evidence: FINDING["evidence"]["items"],
    asercheck.LockWait: FINDING["waits"]["items"],
    asercheck.Cause: JAVA["$defs"]["cause"],
    asercheck.Access: CAUSE["accesses"]["items"],
    asercheck.Place: CAUSE["places"]["items"],
    asercheck.Member: CAUSE["members"]["items"],
    asercheck.Confirmation: JAVA["$defs"]["confirmation"],
    asercheck.Repair: JAVA["$defs"]["repair"],
    asercheck.RepairChange: JAVA["$defs"]["repair"]["properties"]["changes"]["items"],
    asercheck.Clients: JAVA["properties"]["clients"],
    asercheck.ClientTests: JAVA["properties"]["clients"]["properties"]["tests"],
    asercheck.Demonstration: JAVA["$defs"]["demonstration"],
    asercheck.Suppressed: JAVA["properties"]["suppressed"]["items"],
    asercheck.BaselineComparison: JAVA["$defs"]["baseline"],
    asercheck.UnreadPath: JAVA["$defs"]["problem"],
    asercheck.Answers: CHECK["$defs"]["report"],
    asercheck.ModelSummary: CHECK["$defs"]["report"]["properties"]["summary"],
    asercheck.ModelFinding: CHECK["$defs"]["finding"],
    asercheck.Query: schema("query-1"),
    asercheck.Witness: schema("witness-1"),
    asercheck.Step: schema("witness-1")["$defs"]["step"],
}


@pytest.mark.parametrize("record", OBJECTS, ids=lambda record: record.__name__)
def test_fields_are_the_members_of_the_schema(record: type) -> None:
    fields = {member(field): field for field in dataclasses.fields(record)}
    known = OBJECTS[record]
    assert set(fields) == set(known["properties"]) - ELSEWHERE
    optional = {name for name, field in fields.items() if field.default is not dataclasses.MISSING}
    assert not optional & set(known["required"])


def test_all_records_are_frozen() -> None:
    for record in _records.records().values():
        assert record.__dataclass_params__.frozen  # type: ignore[attr-defined]


def test_unknown_members_are_skipped_and_structures_come_back() -> None:
    answers = asercheck.Model.from_text(COUNTER).check(races=True, deadlocks=True)
    structure = answers.to_dict()
    assert read(asercheck.Answers, structure | {"new": [1]}) == answers
    assert json.loads(answers.to_json()) == structure


def test_tables() -> None:
    pandas = pytest.importorskip("pandas")
    frame = asercheck.audit(CLASSES, classes="client.CheckThenAct").to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.loc[0, "class"] == "client.CheckThenAct" and frame.loc[0, "likelihood"] == "likely"
    frame = asercheck.Model.from_text(COUNTER).check().to_pandas()
    assert set(frame["verdict"]) <= {"safe", "violation", "unknown"} and "violation" in set(frame["verdict"])
    empty = asercheck.Model.from_text("process P { skip; }").check(races=True).to_pandas()
    assert list(empty.columns)[:2] == ["automaton", "locations"]


def test_notebooks_show_findings_and_escape_texts() -> None:
    report = asercheck.audit(CLASSES, classes="client.CheckThenAct")
    html = report._repr_html_()
    assert "CheckThenAct" in html and "<details>" in html
    subject = dataclasses.replace(report.subjects[0], class_="<script>")
    html = dataclasses.replace(report, subjects=(subject,))._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
    answers = asercheck.Model.from_text(COUNTER).check(deadlocks=True, patterns="all")
    assert "lost-update" in answers._repr_html_()
