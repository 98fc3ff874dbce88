"""The course: each week has a notebook, made by examples/course/build, that runs, and pictures of its programs."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import COMMAND
from nbclient import NotebookClient

COURSE = Path(__file__).resolve().parents[2] / "examples/course"
WEEKS = sorted(path.parent.name for path in COURSE.glob("*/task.toml"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("course")
    subprocess.run([sys.executable, COURSE / "build", COMMAND, out], check=True)
    return out


async def run(path):
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(path.parent)}}
    await NotebookClient(notebook, timeout=240, kernel_name="python3", resources=resources).async_execute()
    return notebook


def outputs(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def test_twelve_weeks(made):
    assert len(WEEKS) == 12 and sorted(path.parent.name for path in made.glob("*/notebook.ipynb")) == WEEKS


def test_pictures_of_all_programs(made):
    for week in WEEKS:
        for name in ("solution", "wrong"):
            picture = (made / week / f"{name}.svg").read_text()
            assert picture.startswith(("<svg", "<?xml")) and f"netpram pram {name}.pram" in picture


def test_the_notebooks_run(made, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))

    async def some(weeks):
        return await asyncio.gather(*(run(made / week / "notebook.ipynb") for week in weeks))

    for first in range(0, len(WEEKS), 4):
        weeks = WEEKS[first:first + 4]
        for week, notebook in zip(weeks, asyncio.run(some(weeks))):
            code = [cell for cell in notebook.cells if cell.cell_type == "code"]
            shown = [kind for cell in code for output in cell.outputs for kind in output.get("data", {})]
            assert "image/png" in shown, week
            solution, wrong, mine = (outputs(code[i]) for i in (1, 3, 4))
            assert solution.startswith("T = ") and " violations = 0\n" in solution and mine == solution, week
            assert wrong.count("T = ") == 2 and wrong.split("T = ")[1] != wrong.split("T = ")[2], week
