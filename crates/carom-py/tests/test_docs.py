"""The examples of the documentation."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import carom
import pytest
from carom import billiards, gym, matches, observe, sweep

PACKAGE = Path(__file__).parents[1]
PAGES = [PACKAGE / "README.md", PACKAGE.parents[1] / "docs" / "python.md"]
EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples_run(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What they write stays out of the package.
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "example", "exec"), {"__name__": "example"})


def test_the_notebook_runs() -> None:
    without = "there is no Jupyter here"
    nbformat: Any = pytest.importorskip("nbformat", reason=without)
    nbclient: Any = pytest.importorskip("nbclient", reason=without)
    pytest.importorskip("ipykernel", reason=without)
    book = nbformat.read(PACKAGE.parents[1] / "examples" / "python" / "tour.ipynb", 4)
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3").execute()
    shown = [cell for cell in book.cells if cell.cell_type == "code" and cell.outputs]
    assert len(shown) >= 8


@pytest.mark.parametrize("module", [carom, billiards, gym, matches, observe, sweep])
def test_the_examples_of_modules_run(module: ModuleType) -> None:
    done = doctest.testmod(module)
    assert done.attempted > 0 and done.failed == 0
