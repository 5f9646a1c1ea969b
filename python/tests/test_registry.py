"""``bench/registry/survey`` on archives of the repository."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

parquet: Any = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
pytest.importorskip("distributed", reason="Dask is not installed")

SCRIPT = ROOT / "bench/registry/survey"


def survey() -> Any:
    """The script as a module."""
    loader = importlib.machinery.SourceFileLoader("survey", str(SCRIPT))
    spec = importlib.util.spec_from_loader("survey", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


#: Stands for Maven: the archives `client` and `order` are there, and `order` depends on `client`.
MAVEN = """#!{python}
import pathlib, re, sys
root = pathlib.Path(sys.argv[sys.argv.index("-f") + 1]).parent
for pom in root.glob("*/pom.xml"):
    artifact, version = re.search("<dependency>.*<artifactId>(.*)</artifactId><version>(.*)</version>", pom.read_text()).groups()
    if artifact != "nothing":
        needed = {{"client": ["client"], "order": ["order", "client"]}}[artifact]
        (pom.parent / "classpath").write_text("|".join("{jars}/%s-1.0.jar" % name for name in needed))
"""


@pytest.fixture
def maven(tmp_path: Path) -> Path:
    """A folder with a command `mvn`."""
    jars, commands = tmp_path / "jars", tmp_path / "bin"
    jars.mkdir()
    commands.mkdir()
    for name in ("client", "order"):
        folder = ROOT / f"models/java/{name}/classes"
        with zipfile.ZipFile(jars / f"{name}-1.0.jar", "w") as archive:
            for file in sorted(folder.rglob("*.class")):
                archive.write(file, file.relative_to(folder))
    command = commands / "mvn"
    command.write_text(MAVEN.format(python=sys.executable, jars=jars))
    command.chmod(0o755)
    return commands


def test_a_survey(tmp_path: Path, maven: Path) -> None:
    coordinates = tmp_path / "archives.txt"
    coordinates.write_text("# some archives\nown:order:1.0\nown:nothing:1.0\nown:client:1.0\n")
    words = [sys.executable, str(SCRIPT), str(coordinates), str(tmp_path / "out"), "--workers", "1"]
    environment = {**os.environ, "PATH": f"{maven}:{os.environ['PATH']}"}

    def run() -> str:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 3, done.stderr
        return done.stdout

    assert run().startswith("2 of 3 archives, ")
    listed = [json.loads(line) for line in (tmp_path / "out/list.jsonl").read_text().splitlines()]
    assert [entry["name"] for entry in listed] == ["own:order:1.0", "own:client:1.0"]
    assert [len(entry["libraries"]) for entry in listed] == [1, 0]
    table = parquet.read_table(tmp_path / "out/findings.parquet").to_pylist()
    reports = {path.stem: json.loads(path.read_text()) for path in (tmp_path / "out/reports").glob("*.json")}
    expected = {
        (name.replace("_", ":"), finding["fingerprint"])
        for name, report in reports.items()
        for subject in report["subjects"]
        for finding in subject["findings"]
        if not finding.get("repeats")
    }
    assert {(row["archive"], row["fingerprint"]) for row in table} == expected and len(expected) > 50
    page = (tmp_path / "out/index.html").read_text()
    assert "own:nothing:1.0" in page and "Maven does not find it" in page and f"{len(table)} findings" in page
    # The second run fetches and analyses nothing.
    (maven / "mvn").write_text("#!/bin/sh\nexit 1\n")
    run()
    assert parquet.read_table(tmp_path / "out/findings.parquet").to_pylist() == table


def test_confirmed_findings_come_first() -> None:
    module = survey()
    row = {name: kind() for name, kind in module.COLUMNS.items()}
    rows = [
        {**row, "archive": "g:a:1", "says": "possible one", "likelihood": "possible", "rank": 0.9},
        {**row, "archive": "g:b:1", "says": "confirmed one", "likelihood": "possible", "confirmed": True, "rank": 0.1},
        {**row, "archive": "g:a:1", "says": "likely <one>", "likelihood": "likely", "rank": 0.2},
    ]
    lines = [{"name": name, "cost": 1.5, "opening": 0.5, "classes": 10, "subjects": 2} for name in ("g:a:1", "g:b:1")]
    page = module.page(rows, lines, [], 0.1)
    places = [page.index(text) for text in ("confirmed one", "likely &lt;one&gt;", "possible one")]
    assert places == sorted(places)
    by_archive = page[page.index("By archive") :]
    assert by_archive.index("g:b:1") < by_archive.index("g:a:1")
    # Two seconds an archive.
    assert "100,000 archives take 56 hours" in page and "$6 at $0.1" in page


def test_coordinates() -> None:
    module = survey()
    assert module.coordinates("# a\ng:a:1\n\n g:b:2 \ng:a:1\n") == ["g:a:1", "g:b:2"]
    with pytest.raises(SystemExit):
        module.coordinates("g:a</version>:1")
    path = ["/m/b-2.jar", "/m/a-1.jar", "/m/c.pom"]
    assert module.entry_of("g:a:1", path) == {"name": "g:a:1", "paths": ["/m/a-1.jar"], "libraries": ["/m/b-2.jar"]}
    assert module.entry_of("g:x:1", path) is None
    named = [line for line in (ROOT / "bench/registry/archives.txt").read_text().splitlines() if not line.startswith("#")]
    judged = [json.loads(line) for line in (ROOT / "bench/precision/judged.jsonl").read_text().splitlines()]
    judged += [json.loads(line) for line in (ROOT / "bench/precision/documented.jsonl").read_text().splitlines()]
    assert named == sorted({line["jar"] for line in judged} - {"jdk:java.base:17"})
