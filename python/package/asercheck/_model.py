"""Models of concurrent programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from asercheck import _native
from asercheck._reading import read
from asercheck._records import Answers, Problem
from asercheck._requests import Names, Patterns, Progress, Time, callback, names, request, seconds
from asercheck._requests import patterns as numbers

Mode: TypeAlias = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class Automaton:
    """The text of phase automata. Files of them are named by their paths."""

    text: str


def automata_of(given: Iterable[str | os.PathLike[str] | Automaton]) -> tuple[list[str], list[str]]:
    """Returns the paths and the texts of automata."""
    if isinstance(given, str | os.PathLike | Automaton):
        given = [given]
    files: list[str] = []
    texts: list[str] = []
    for one in given:
        if isinstance(one, Automaton):
            texts.append(one.text)
        else:
            files.append(os.fspath(one))
    return files, texts


class Model:
    """A model of a concurrent program: read from a text or a file, or built without a text."""

    def __init__(self, native: _native.Model) -> None:
        self._native = native

    @staticmethod
    def from_text(text: str, name: str = "<text>") -> Model:
        """Reads a model from a text in the language of ``asercheck check``; errors show the name."""
        return Model(_native.Model.from_text(text, name))

    @staticmethod
    def from_file(path: str | os.PathLike[str]) -> Model:
        """Reads a model from a file."""
        return Model(_native.Model.from_file(path))

    @staticmethod
    def builder(name: str = "<model>") -> ModelBuilder:
        """Begins a model without a text."""
        return ModelBuilder(name)

    @property
    def name(self) -> str:
        """The file, or the name that was given."""
        return self._native.name

    @property
    def text(self) -> str:
        """The text; that of a model without one is printed."""
        return self._native.text

    @property
    def locks(self) -> list[str]:
        """The names of the locks."""
        return self._native.locks

    @property
    def locations(self) -> list[str]:
        """The names of the shared locations."""
        return self._native.locations

    @property
    def processes(self) -> list[str]:
        """The names of the processes."""
        return self._native.processes

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Probable oversights."""
        return tuple(read(Problem, warning) for warning in self._native.warnings)

    def check(
        self,
        *,
        patterns: Patterns | None = None,
        races: bool = False,
        deadlocks: bool = False,
        automata: Iterable[str | os.PathLike[str] | Automaton] = (),
        locations: Names | None = None,
        locks: Names | None = None,
        processes: Names | None = None,
        units: str = "both",
        engine: str | None = None,
        no_reduce: Names = (),
        timeout: Time | None = None,
        total_timeout: Time | None = None,
        memory: int | None = None,
        jobs: int | None = None,
        progress: Progress = False,
    ) -> Answers:
        """Decides queries of the model.

        The arguments are the options of ``asercheck check``, with its defaults: without anything else, all patterns
        are asked; ``timeout`` is time for each query, ``total_timeout`` for all; ``memory`` is a number of bytes.
        """
        files, texts = automata_of(automata)
        text = request(
            patterns=numbers(patterns),
            races=races,
            deadlocks=deadlocks,
            automata=files,
            automaton_texts=texts,
            locations=names(locations),
            locks=names(locks),
            processes=names(processes),
            units=units,
            engine=engine,
            no_reduce=names(no_reduce),
            timeout=seconds(timeout),
            total_timeout=seconds(total_timeout),
            memory=memory,
            jobs=jobs,
        )
        return read(Answers, self._native.check(text, callback(progress)))

    def __repr__(self) -> str:
        counts = f"{len(self.processes)} processes, {len(self.locks)} locks, {len(self.locations)} locations"
        return f"<asercheck.Model {self.name}: {counts}>"


class ModelBuilder:
    """Builds a model without a text, as another analyzer does.

    Blocks are context managers; what is called inside of them stands in them::

        builder = asercheck.Model.builder("Counter.java")
        builder.lock("l").location("x")
        with builder.process("P", instances=2), builder.atomic():
            with builder.at(12, 5).sync("l"):
                builder.at(13, 9).read("x")
            with builder.at(15, 5).sync("l"):
                builder.at(16, 9).write("x")
        model = builder.build()
    """

    def __init__(self, name: str = "<model>") -> None:
        self._name = name
        self._native = _native.Builder()

    def at(self, line: int, column: int = 1, file: str | None = None) -> ModelBuilder:
        """Sets the position of what follows; also its file, if one is given."""
        self._native.at(file, line, column)
        return self

    def lock(self, name: str) -> ModelBuilder:
        """Declares a lock."""
        self._native.declare("lock", name)
        return self

    def rwlock(self, name: str) -> ModelBuilder:
        """Declares a read-write lock."""
        self._native.declare("rwlock", name)
        return self

    def overlap(self, name: str) -> ModelBuilder:
        """Lets a lock overlap with others instead of nesting."""
        self._native.declare("overlap", name)
        return self

    def location(self, name: str) -> ModelBuilder:
        """Declares a shared location."""
        self._native.declare("shared", name)
        return self

    def atomic_set(self, name: str, members: Iterable[str]) -> ModelBuilder:
        """Declares an atomic set."""
        self._native.atomic_set(name, list(members))
        return self

    @contextmanager
    def _closing(self) -> Iterator[ModelBuilder]:
        try:
            yield self
        finally:
            self._native.close()

    @contextmanager
    def function(self, name: str) -> Iterator[ModelBuilder]:
        """A function."""
        self._native.open("fn", name)
        with self._closing():
            yield self

    @contextmanager
    def process(self, name: str, instances: int | None = 1) -> Iterator[ModelBuilder]:
        """A process with a number of instances; ``None`` for any number."""
        self._native.open_process(name, instances)
        with self._closing():
            yield self

    @contextmanager
    def sync(self, lock: str, mode: Mode | None = None) -> Iterator[ModelBuilder]:
        """Holds a lock for a block."""
        self._native.open(f"sync {mode}" if mode else "sync", lock)
        with self._closing():
            yield self

    @contextmanager
    def _block(self, kind: str) -> Iterator[ModelBuilder]:
        self._native.open(kind, None)
        with self._closing():
            yield self

    def atomic(self) -> AbstractContextManager[ModelBuilder]:
        """A unit of work."""
        return self._block("atomic")

    def loop(self) -> AbstractContextManager[ModelBuilder]:
        """Runs a block any number of times."""
        return self._block("loop")

    def choose(self) -> AbstractContextManager[ModelBuilder]:
        """Takes one of its branches; has nothing but branches."""
        return self._block("choose")

    def branch(self) -> AbstractContextManager[ModelBuilder]:
        """A branch of a ``choose``."""
        return self._block("or")

    def _statement(self, kind: str, name: str | None = None) -> ModelBuilder:
        self._native.statement(kind, name)
        return self

    def read(self, location: str) -> ModelBuilder:
        """Reads a location."""
        return self._statement("read", location)

    def write(self, location: str) -> ModelBuilder:
        """Writes a location."""
        return self._statement("write", location)

    def acquire(self, lock: str, mode: Mode | None = None) -> ModelBuilder:
        """Acquires a lock."""
        return self._statement(f"acquire {mode}" if mode else "acquire", lock)

    def release(self, lock: str) -> ModelBuilder:
        """Releases a lock."""
        return self._statement("release", lock)

    def wait(self, lock: str) -> ModelBuilder:
        """Waits on a lock: releases it, lets others run, and acquires it again."""
        return self._statement("wait", lock)

    def begin(self) -> ModelBuilder:
        """Begins a unit of work."""
        return self._statement("begin")

    def end(self) -> ModelBuilder:
        """Ends the innermost unit of work."""
        return self._statement("end")

    def call(self, function: str) -> ModelBuilder:
        """Calls a function."""
        return self._statement("call", function)

    def start(self, process: str) -> ModelBuilder:
        """Creates an instance of a process."""
        return self._statement("start", process)

    def return_(self) -> ModelBuilder:
        """Returns from the function, or ends the process."""
        return self._statement("return")

    def skip(self) -> ModelBuilder:
        """Does nothing."""
        return self._statement("skip")

    def break_(self) -> ModelBuilder:
        """Leaves the innermost loop."""
        return self._statement("break")

    def continue_(self) -> ModelBuilder:
        """Continues the innermost loop."""
        return self._statement("continue")

    def label(self, name: str) -> ModelBuilder:
        """Declares a label."""
        return self._statement("label", name)

    def goto(self, label: str) -> ModelBuilder:
        """Jumps to a label."""
        return self._statement("goto", label)

    def build(self) -> Model:
        """Builds the model, by the same rules as for texts. The builder is empty afterwards."""
        return Model(self._native.build(self._name))
