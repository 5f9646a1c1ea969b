"""Java classes."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from asercheck import _native
from asercheck._model import Automaton, automata_of
from asercheck._reading import read
from asercheck._records import Report
from asercheck._requests import Names, Paths, Patterns, Progress, Time, callback, names, paths, request, seconds
from asercheck._requests import patterns as numbers


def audit(
    paths_: Paths,
    /,
    *,
    libraries: Paths = (),
    sources: Paths = (),
    classes: Names = (),
    exclude: Names = (),
    methods: Names = (),
    fields: Names = (),
    main: str | None = None,
    summaries: Paths = (),
    patterns: Patterns | None = None,
    races: bool = False,
    deadlocks: bool = False,
    automata: Iterable[str | PathLike[str] | Automaton] = (),
    units: str = "both",
    engine: str | None = None,
    no_reduce: Names = (),
    timeout: Time = 10,
    total_timeout: Time | None = None,
    memory: int | None = None,
    jobs: int | None = None,
    keep_going: bool = False,
    all_queries: bool = False,
    progress: Progress = False,
) -> Report:
    """Audits Java classes: class files, folders and archives.

    The arguments are the options of ``asercheck java``, with its defaults: ``timeout`` is processor time for each
    class, ``total_timeout`` time for everything, ``memory`` a number of bytes, ``methods`` is ``--unit``.
    """
    files, texts = automata_of(automata)
    text = request(
        paths=paths(paths_),
        libraries=paths(libraries),
        sources=paths(sources),
        classes=names(classes),
        exclude=names(exclude),
        methods=names(methods),
        fields=names(fields),
        main=main,
        summaries=paths(summaries),
        patterns=numbers(patterns),
        races=races,
        deadlocks=deadlocks,
        automata=files,
        automaton_texts=texts,
        units=units,
        engine=engine,
        no_reduce=names(no_reduce),
        timeout=seconds(timeout),
        total_timeout=seconds(total_timeout),
        memory=memory,
        jobs=jobs,
        keep_going=keep_going,
        all_queries=all_queries,
    )
    return read(Report, _native.audit(text, callback(progress)))
