"""The build backend: maturin, with the command as a script of the wheel.

The command is a program of its own and not a function of the extension module: its batches start it again as workers.
The command has the features that ASERCHECK_FEATURES names, by default `object-store`: its caches can be in object
stores. The profile is that of MATURIN_PEP517_ARGS, by default `release`.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin
from maturin import get_requires_for_build_wheel  # noqa: F401

PACKAGE = Path(__file__).resolve().parent.parent
SCRIPTS = PACKAGE / "asercheck.data" / "scripts"


def profile() -> str:
    """The profile in the arguments for maturin."""
    arguments = shlex.split(os.environ.get("MATURIN_PEP517_ARGS", ""))
    for option, value in zip(arguments, arguments[1:]):
        if option == "--profile":
            return value
    return "release"


def features() -> str:
    """The features of the command, separated by commas."""
    return os.environ.get("ASERCHECK_FEATURES", "object-store")


def build_command() -> Path:
    """Builds the command and returns its path."""
    cargo = os.environ.get("CARGO", "cargo")
    build = [cargo, "build", "--manifest-path", str(PACKAGE / "Cargo.toml"), "--package", "asercheck", "--bin", "asercheck"]
    build += ["--features", features()]
    build += ["--profile", profile(), "--message-format", "json-render-diagnostics"]
    output = subprocess.run(build, check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in output.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message.get("executable"):
            return Path(message["executable"])
    sys.exit("cargo has built no command")


@contextmanager
def scripts() -> Iterator[Path]:
    """The folder of the scripts, while something is built."""
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    try:
        yield SCRIPTS
    finally:
        shutil.rmtree(SCRIPTS.parent)


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    """Writes the metadata, which do not depend on the command."""
    with scripts():
        return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Builds the command, and the wheel with it."""
    command = build_command()
    with scripts() as folder:
        target = folder / command.name
        shutil.copy2(command, target)
        target.chmod(0o755)
        # With the same features the module has the same crates, which are built already.
        shared = ",".join(f"asercheck/{name}" for name in ["default", *filter(None, features().split(","))])
        arguments = os.environ.get("MATURIN_PEP517_ARGS", "")
        os.environ["MATURIN_PEP517_ARGS"] = f"{arguments} --features {shared}"
        return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
