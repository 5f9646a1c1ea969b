"""Executes a notebook, and fails if a cell fails or a result is not shown as HTML."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

path = Path(sys.argv[1])
notebook = nbformat.read(path, as_version=4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.resolve().parent.parent)}}).execute()
tables = [
    output
    for cell in notebook.cells
    if cell.cell_type == "code"
    for output in cell.outputs
    if "text/html" in output.get("data", {})
]
if len(tables) < 2:
    sys.exit(f"only {len(tables)} results are shown as HTML")
print(f"{path}: {len(notebook.cells)} cells, {len(tables)} tables")
