"""Models and their queries."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import COUNTER, ROOT, Command, without_seconds

import asercheck


@pytest.mark.parametrize(
    "model, arguments, options",
    [
        ("models/stack.eml", {}, []),
        ("models/stack.eml", {"patterns": "all", "races": True, "deadlocks": True}, ["--patterns", "--races", "--deadlocks"]),
        ("models/stack.eml", {"patterns": [12, 1]}, ["--pattern", "1,12"]),
        ("models/stack.eml", {"races": True}, ["--races"]),
        ("models/stack.eml", {"units": "first"}, ["--units", "first"]),
        ("models/start-unlocked.eml", {"patterns": [3], "processes": ["Main", "Worker"]}, ["--pattern", "3", "--processes", "Main,Worker"]),
        ("models/stack.eml", {"engine": "symbolic", "no_reduce": "all"}, ["--engine", "symbolic", "--no-reduce", "all"]),
    ],
)
def test_answers_are_those_of_the_command(
    command: Command, monkeypatch: pytest.MonkeyPatch, model: str, arguments: dict[str, object], options: list[str]
) -> None:
    monkeypatch.chdir(ROOT)
    answers = asercheck.Model.from_file(model).check(**arguments)  # type: ignore[arg-type]
    assert without_seconds(answers.to_dict()) == without_seconds(command("check", model, *options))


def test_a_lost_update_has_a_witness() -> None:
    answers = asercheck.Model.from_text(COUNTER).check(patterns="all", timeout=10)
    assert answers.verdict == "violation"
    lost = next(query for query in answers.violations if query.automaton == "1")
    assert lost.witness is not None
    assert [step.object for step in lost.witness.steps if step.event and step.object] == ["x", "x", "x"]
    assert len(answers) == answers.summary.queries == len(answers.queries)
    assert answers.findings[0].group == "lost-update"
    with pytest.raises(FrozenInstanceError):
        lost.verdict = "safe"  # type: ignore[misc]


def test_a_safe_model_is_safe() -> None:
    model = asercheck.Model.from_text("lock l; shared x; process P * 2 { sync l { atomic { read x; write x; } } }")
    assert model.check(races=True, patterns="all").verdict == "safe"


def test_a_built_model_is_that_of_the_text() -> None:
    builder = asercheck.Model.builder("Counter.java")
    builder.lock("l").location("x")
    with builder.process("P", instances=2), builder.atomic():
        for line, access in ((12, builder.read), (15, builder.write)):
            with builder.at(line, 5).sync("l"):
                builder.at(line + 1, 9)
                access("x")
    model = builder.build()
    assert (model.locks, model.locations, model.processes) == (["l"], ["x"], ["P"])
    built, read = model.check(), asercheck.Model.from_text(COUNTER).check()
    assert [query.verdict for query in built] == [query.verdict for query in read]
    shown = built.witness(built.findings[0])
    assert [step.line for step in shown.steps if step.event and step.object] == [13, 16, 16]
    assert asercheck.Model.from_text(model.text).check().summary.violation == built.summary.violation


def test_every_statement_can_be_built() -> None:
    builder = asercheck.Model.builder()
    builder.lock("l").rwlock("r").overlap("l").location("x").location("y").atomic_set("S", ["x", "y"])
    with builder.function("f"):
        builder.acquire("l").wait("l").release("l").begin().read("x").end().acquire("r", "read").release("r")
        with builder.sync("r", "write"):
            builder.write("y")
        with builder.loop(), builder.choose():
            with builder.branch():
                builder.break_()
            with builder.branch():
                builder.continue_()
        builder.label("again").skip().return_()
    with builder.process("P", instances=None):
        builder.call("f").start("Q")
    with builder.process("Q"):
        builder.skip()
    model = builder.build()
    assert model.processes == ["P", "Q"]
    assert asercheck.Model.from_text(model.text).processes == ["P", "Q"]


def test_blocks_that_do_not_fit_are_refused() -> None:
    builder = asercheck.Model.builder()
    with pytest.raises(asercheck.UsageError, match="functions and processes"):
        builder.read("x")
    with pytest.raises(asercheck.UsageError, match="blocks `or`"), builder.process("P"), builder.choose():
        builder.skip()


def test_errors_have_places() -> None:
    with pytest.raises(asercheck.ModelError, match="the location `y` is not declared") as caught:
        asercheck.Model.from_text("process P {\n  read y;\n}", name="m.eml")
    error = caught.value
    assert (error.file, error.line, error.column) == ("m.eml", 2, 8)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.line) == (str(error), 2)
    builder = asercheck.Model.builder("Main.java")
    with builder.process("P"):
        builder.at(7, 3, "Pool.java").read("x")
    with pytest.raises(asercheck.ModelError) as caught:
        builder.build()
    assert (caught.value.file, caught.value.line, caught.value.column) == ("Pool.java", 7, 3)
    with pytest.raises(asercheck.ModelError) as caught:
        asercheck.Model.from_text(COUNTER).check(automata=[asercheck.Automaton("automaton a")])
    assert caught.value.line == 1


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    model = asercheck.Model.from_text(COUNTER)
    with pytest.raises(asercheck.UsageError, match="pattern 15"):
        model.check(patterns=[15])
    with pytest.raises(asercheck.UsageError, match="did you mean `x`"):
        model.check(locations=["X", "x"])
    with pytest.raises(asercheck.UsageError, match="explicit"):
        model.check(engine="quick")
    with pytest.raises(asercheck.UsageError, match="both"):
        model.check(units="all")
    with pytest.raises(asercheck.UsageError, match="timeout"):
        model.check(timeout=-1)
    with pytest.raises(asercheck.InputError, match="missing.eml"):
        asercheck.Model.from_file(tmp_path / "missing.eml")


def test_automata_are_files_or_texts(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = Path("models/skew.phases")
    model = asercheck.Model.from_file("models/stack.eml")
    of_file = model.check(automata=[path])
    of_text = model.check(automata=[asercheck.Automaton(path.read_text())])
    assert [query.verdict for query in of_file] == [query.verdict for query in of_text]
    expected = command("check", "models/stack.eml", "--automaton", str(path))
    assert without_seconds(of_file.to_dict()) == without_seconds(expected)


def test_a_time_can_be_a_timedelta() -> None:
    answers = asercheck.Model.from_text(COUNTER).check(timeout=timedelta(seconds=10), total_timeout=timedelta(minutes=1))
    assert answers.ended is None


def test_warnings_have_places() -> None:
    model = asercheck.Model.from_text("shared x; process P { read x; }", name="m.eml")
    assert model.warnings and model.warnings[0].file == "m.eml"
    assert model.check().verdict == "vacuous"
