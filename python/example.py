"""Audits Java classes, and decides a model that is built without a text.

``python python/example.py [PATH...]``, from the folder of the repository.
"""

from __future__ import annotations

import sys

import asercheck

CLASSES = "models/java/client/classes"


def audit(paths: list[str]) -> None:
    """Prints the findings of Java classes."""
    report = asercheck.audit(paths, classes="client.C*", timeout=20)
    for finding in report.findings:
        print(f"{finding.location}: {finding.title} ({finding.likelihood})")
    proved = [subject.class_ for subject in report.subjects if subject.verdict == "proved"]
    print(f"{len(proved)} proved; {report.summary.open} open")


def counter() -> asercheck.Model:
    """Two threads that read and write x, and give the lock up in between."""
    builder = asercheck.Model.builder("Counter.java")
    builder.lock("l").location("x")
    with builder.at(10).process("P", instances=2), builder.atomic():
        with builder.at(11, 5).sync("l"):
            builder.at(12, 9).read("x")
        with builder.at(14, 5).sync("l"):
            builder.at(15, 9).write("x")
    return builder.build()


def main() -> None:
    """Runs both."""
    audit(sys.argv[1:] or [CLASSES])
    answers = counter().check(patterns="all", races=True, timeout=10)
    for found in answers.findings:
        witness = answers.witness(found)
        shown = [step for step in witness.steps if step.event and step.object]
        events = [f"{witness.threads[step.thread]} {step.action} {step.object}" for step in shown]
        print(f"{found.group}: {', '.join(events)}")


if __name__ == "__main__":
    main()
