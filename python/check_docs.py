"""Runs the blocks of Python in pages, and compares what they print with the block of text after them.

The blocks of a page are one program. ``app.jar`` and ``lib.jar`` stand for the classes of the repository.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path

CLASSES = "models/java/client/classes"
BLOCKS = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def check(page: Path) -> int:
    """Runs a page; returns the number of its blocks."""
    names: dict[str, object] = {}
    blocks = BLOCKS.findall(page.read_text(encoding="utf-8"))
    for code, expected in blocks:
        code = code.replace('["app.jar"]', f'["{CLASSES}"], classes="client.CheckThenAct"')
        code = code.replace('libraries=["lib.jar"]', "libraries=[]")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(code, str(page), "exec"), names)
        if expected and printed.getvalue() != expected:
            sys.exit(f"{page} shows\n{expected}and the program prints\n{printed.getvalue()}")
    return len(blocks)


for argument in sys.argv[1:]:
    count = check(Path(argument))
    if not count:
        sys.exit(f"{argument} has no Python")
    print(f"{argument}: {count} blocks")
