"""The command as a process of a worker."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
from typing import Any

from asercheck.cluster._errors import JobError


@functools.cache
def command() -> str:
    """The command that this package has installed; otherwise the one on the path."""
    name = "asercheck.exe" if os.name == "nt" else "asercheck"
    own = os.path.join(sysconfig.get_path("scripts"), name)
    found = own if os.path.exists(own) else shutil.which("asercheck")
    if found is None:
        raise JobError("the command asercheck is not installed", 2)
    return found


@functools.cache
def build() -> str:
    """The hash of the command."""
    with open(command(), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Analysis:
    """An archive that a process has read and analysed, and whose classes it decides in groups.

    The process starts with the first use and ends with the object. A copy that another worker gets starts a process of
    its own, which analyses the archive again; ``run`` and ``build`` make sure that it answers the same questions.
    """

    def __init__(self, arguments: tuple[str, ...], run: str = "") -> None:
        self.arguments = arguments
        self.run = run
        self._process: subprocess.Popen[str] | None = None
        self._errors: Any = None
        # A worker may have several threads.
        self._lock = threading.RLock()
        self.opened: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.arguments, self.run)

    def __sizeof__(self) -> int:
        """The resident memory of the process. By this, Dask weighs whether another worker gets a copy."""
        try:
            with open(f"/proc/{self._process.pid if self._process else 'none'}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 1 << 20

    def open(self) -> dict[str, Any]:
        """Starts the process, if it is not there, and returns its first line."""
        with self._lock:
            return self._opened()

    def _opened(self) -> dict[str, Any]:
        if self._process is None:
            self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
            self._process = subprocess.Popen(
                [command(), "java", *self.arguments, "--parts", "--format", "json", "--quiet"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                encoding="utf-8",
            )
            self.opened = self._read()
            if self.run and self.opened["run"] != self.run:
                self.close()
                raise JobError("this machine has other classes under the same paths, or another asercheck", 2)
            self.run = self.opened["run"]
        return self.opened

    def decide(self, places: list[int], seconds: float) -> dict[str, Any]:
        """Decides classes, and begins none after some seconds. If the run is in the cache, all classes are decided."""
        with self._lock:
            if self.open()["is_known"]:
                return {"decided": [], "left": [], "unkept": {}}
            self._write({"decide": {"places": places, "seconds": seconds}})
            return self._read()

    def report(self, unkept: dict[str, Any]) -> tuple[str, int]:
        """The report, as the command prints it, and its exit code. The process ends."""
        with self._lock:
            return self._report(unkept)

    def _report(self, unkept: dict[str, Any]) -> tuple[str, int]:
        opened = self.open()
        if not opened["is_known"]:
            self._write({"finish": {"unkept": unkept}})
        assert self._process is not None and self._process.stdout is not None
        text = self._process.stdout.read()
        code = self._process.wait()
        if code not in (0, 1, 3) or not text:
            raise self._failure()
        self.close()
        return text, code

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout, self._errors):
                # What it has not read does not matter any more.
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            process.wait()

    def __del__(self) -> None:
        try:
            self.close()
        except Exception:  # noqa: BLE001
            # The interpreter may be ending.
            pass

    def _write(self, request: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._failure() from None

    def _read(self) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise self._failure()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _failure(self) -> JobError:
        """The reason why the process has ended without an answer."""
        assert self._process is not None
        code = self._process.wait()
        self._errors.seek(0)
        message = self._errors.read().strip() or f"asercheck has ended with code {code}"
        self.close()
        return JobError(message, code if code > 0 else 4)


def run(arguments: tuple[str, ...]) -> tuple[str, int]:
    """Runs the command; returns its output and its exit code."""
    done = subprocess.run([command(), *arguments], capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode not in (0, 1, 3):
        message = done.stderr.strip() or f"asercheck has ended with code {done.returncode}"
        raise JobError(message, done.returncode if done.returncode > 0 else 4)
    return done.stdout, done.returncode
