"""The course: each week has a notebook, made by examples/course/build, that runs, and pictures of its programs."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import COMMAND

COURSE = Path(__file__).resolve().parents[2] / "examples/course"
WEEKS = sorted(path.parent.name for path in COURSE.glob("*/task.toml"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    out = tmp_path_factory.mktemp("course")
    subprocess.run([sys.executable, COURSE / "build", COMMAND, out], check=True)
    return out


def outputs(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def test_twelve_weeks(made):
    assert len(WEEKS) == 12 and sorted(path.parent.name for path in made.glob("*/notebook.ipynb")) == WEEKS


def test_pictures_of_all_programs(made):
    for week in WEEKS:
        for name in ("solution", "wrong"):
            picture = (made / week / f"{name}.svg").read_text()
            assert picture.startswith(("<svg", "<?xml")) and f"netpram pram {name}.pram" in picture


def test_the_notebooks_run(made, execute):
    notebooks = execute([made / week / "notebook.ipynb" for week in WEEKS], [made / week for week in WEEKS])
    for week, notebook in zip(WEEKS, notebooks):
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        shown = [kind for cell in code for output in cell.outputs for kind in output.get("data", {})]
        assert "image/png" in shown, week
        solution, wrong, mine = (outputs(code[i]) for i in (1, 3, 4))
        assert solution.startswith("T = ") and " violations = 0\n" in solution and mine == solution, week
        assert wrong.count("T = ") == 2 and wrong.split("T = ")[1] != wrong.split("T = ")[2], week
