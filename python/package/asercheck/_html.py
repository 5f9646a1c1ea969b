"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asercheck._records import Answers, Finding, Report, Witness

#: The number of rows, of findings and of steps that are shown.
SHOWN = 50


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th style='text-align:left'>{escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(f'<td style=text-align:left>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def more(count: int, things: str) -> str:
    """A line for what is not shown."""
    return f"<p>and {count - SHOWN} more {things}</p>" if count > SHOWN else ""


def witness(shown: Witness) -> str:
    """A table with a column for each thread. Of long interleavings only the transitions and the last steps."""
    steps = list(enumerate(shown.steps, 1))
    if len(steps) > SHOWN:
        steps = [(number, step) for number, step in steps if step.event] + steps[-1:]
    rows = []
    for number, step in steps:
        text = " ".join(part for part in (step.action, step.mode, step.object) if part)
        text = f"<b>{escape(text)}</b>" if step.event else escape(text)
        cells = [text if place == step.thread else "" for place in range(len(shown.threads))]
        file = f"{step.file}:{step.line}" if step.file else f"{step.function}:{step.line}"
        rows.append([str(number), *cells, f"<code>{escape(file)}</code>"])
    return table(["step", *shown.threads, "at"], rows)


def details(summary: str, inside: str) -> str:
    """A part that can be opened."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def finding(shown: Finding) -> str:
    """A finding with its interleaving."""
    about = f"{shown.likelihood}, {shown.location}, {shown.fingerprint}"
    return f"<p><b>{escape(shown.says)}</b><br>{escape(about)}</p>{witness(shown.witness)}"


def report(shown: Report) -> str:
    """The counts, a table of findings, and their interleavings."""
    numbers = shown.summary
    counts = f"{numbers.subjects} classes: {numbers.violated} violated, {numbers.proved} proved, {numbers.open} open"
    if shown.ended:
        counts += f"; ended early ({shown.ended})"
    found = [(subject.class_, one) for subject in shown.subjects for one in subject.findings if not one.repeats]
    rows = [
        [escape(cell) for cell in (name, one.says, one.likelihood, f"{one.rank:.2f}", one.location)]
        for name, one in found[:SHOWN]
    ]
    lanes = "".join(details(f"{name}: {one.says}", witness(one.witness)) for name, one in found[:SHOWN])
    heads = ["class", "finding", "likelihood", "rank", "at"]
    return f"<p>{escape(counts)}</p>{table(heads, rows) if rows else ''}{more(len(found), 'findings')}{lanes}"


def answers(shown: Answers) -> str:
    """The counts, a table of findings, and their interleavings."""
    numbers = shown.summary
    counts = f"{shown.model}: {numbers.queries} queries, {numbers.safe} safe, {numbers.violation} violated, "
    counts += f"{numbers.unknown} unknown ({shown.verdict})"
    first = [(one, shown.queries[one.queries[0]]) for one in shown.findings[:SHOWN]]
    rows = [
        [
            escape(cell)
            for cell in (one.group, query.automaton, ", ".join(query.locations), ", ".join(query.processes))
        ]
        + [f"{one.rank:.2f}", str(len(one.queries))]
        for one, query in first
    ]
    lanes = "".join(
        details(f"{one.group}: {', '.join(query.locations or query.locks)}", witness(shown.witness(one)))
        for one, query in first
    )
    heads = ["finding", "pattern", "locations", "processes", "rank", "queries"]
    return f"<p>{escape(counts)}</p>{table(heads, rows) if rows else ''}{more(len(shown.findings), 'findings')}{lanes}"
