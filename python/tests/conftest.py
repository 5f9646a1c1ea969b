"""What several tests need."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import json
import pytest

#: The repository.
ROOT = Path(__file__).resolve().parents[2]

#: Two threads run P. A unit of work reads x and writes it, but gives the lock up in between.
COUNTER = "lock l; shared x; process P * 2 { atomic { sync l { read x; } sync l { write x; } } }"

#: A model with so many queries and nested calls that deciding all takes minutes.
CLASSES = ROOT / "models/java/client/classes"

Command = Callable[..., Any]


@pytest.fixture(scope="session")
def command() -> Command:
    """Runs the installed command with ``--format json`` in the repository, and returns the JSON."""
    path = shutil.which("asercheck")
    assert path is not None, "the wheel installs the command"

    def run(*arguments: str) -> Any:
        words = [path, *arguments, "--format", "json", "--quiet"]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1, 3), done.stderr
        return json.loads(done.stdout)

    return run


def without_seconds(value: Any) -> Any:
    """A structure of JSON without times."""
    if isinstance(value, dict):
        return {name: without_seconds(inner) for name, inner in value.items() if name != "seconds"}
    if isinstance(value, list):
        return [without_seconds(inner) for inner in value]
    return value


def big_model() -> str:
    """A text whose queries take long: many processes with loops over many locks and locations."""
    locks = [f"l{number}" for number in range(24)]
    shared = [f"x{number}" for number in range(40)]
    accesses = " ".join(
        f"sync {locks[place % 24]} {{ read {name}; }} sync {locks[(place + 7) % 24]} {{ write {name}; }}"
        for place, name in enumerate(shared)
    )
    body = f"loop {{ choose {{ call f; }} or {{ atomic {{ {accesses} }} }} }}"
    processes = " ".join(f"process P{number} * many {{ {body} }}" for number in range(8))
    return (
        f"lock {', '.join(locks)}; shared {', '.join(shared)}; atomicset S {{ {', '.join(shared)} }} "
        f"fn f() {{ {accesses} choose {{ call f; }} or {{ skip; }} }} {processes}"
    )
