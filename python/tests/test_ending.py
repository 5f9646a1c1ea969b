"""Limits and Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest
from conftest import CLASSES, big_model

import asercheck

#: The time in which a call returns after Ctrl-C, in seconds. The machine may be busy: twice what is promised.
PROMPT = 1.0


@pytest.fixture(autouse=True)
def ctrl_c_raises() -> Iterator[None]:
    """Ctrl-C raises, also in a job that a shell has started in the background: there the signal is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_after(seconds: float) -> list[float]:
    """Sends Ctrl-C to this process later; returns a list that then has the time."""
    sent: list[float] = []

    def send() -> None:
        time.sleep(seconds)
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()
    return sent


def test_ctrl_c_ends_the_queries_of_a_model() -> None:
    model = asercheck.Model.from_text(big_model())
    sent = interrupt_after(0.7)
    with pytest.raises(KeyboardInterrupt):
        model.check(patterns="all", races=True)
    assert sent and time.monotonic() - sent[0] < PROMPT


def test_ctrl_c_ends_an_audit() -> None:
    sent = interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            asercheck.audit(CLASSES)
    assert sent and time.monotonic() - sent[0] < PROMPT


def test_other_threads_run_during_an_analysis() -> None:
    model = asercheck.Model.from_text(big_model())
    ticks = 0
    is_over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_over.is_set():
            ticks += 1
            time.sleep(0.01)

    ticker = threading.Thread(target=tick)
    ticker.start()
    answers = model.check(total_timeout=1)
    is_over.set()
    ticker.join()
    assert answers.ended == "timeout" and answers.summary.unknown > 0
    assert ticks > 20


def test_several_threads_can_ask_one_model() -> None:
    model = asercheck.Model.from_text("lock l; shared x; process P * 2 { atomic { read x; sync l { write x; } } }")
    verdicts: list[str] = []
    threads = [threading.Thread(target=lambda: verdicts.append(model.check().verdict)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == ["violation"] * 4
