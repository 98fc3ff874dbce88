"""The notebooks: they run, they show pictures, and none holds outputs."""

import asyncio
import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
PAPERS = {"valiant-brebner-1981", "ranade-1987a", "sibeyn", "ranade-1987b", "leighton-1994"}


def test_each_paper_has_one():
    assert {path.stem for path in NOTEBOOKS} == PAPERS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_holds_no_outputs(path):
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert cell.cell_type == "markdown" or (not cell.outputs and cell.execution_count is None)


async def run(path, tmp_path):
    """The notebook with its outputs. Its kernel is this Python."""
    notebook = nbformat.read(path, 4)
    resources = {"metadata": {"path": str(tmp_path)}}
    await NotebookClient(notebook, timeout=240, kernel_name="python3", resources=resources).async_execute()
    return notebook


def test_they_run_and_show_pictures(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))

    async def all_of_them():
        return await asyncio.gather(*(run(path, tmp_path) for path in NOTEBOOKS))

    for path, notebook in zip(NOTEBOOKS, asyncio.run(all_of_them())):
        shown = [kind for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
                 for kind in output.get("data", {})]
        assert shown.count("image/png") >= 2, f"{path.stem} shows {shown}"


def test_a_cell_that_fails_is_noticed(tmp_path):
    path = tmp_path / "bad.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert 1 == 2")]), path)
    with pytest.raises(CellExecutionError, match="AssertionError"):
        asyncio.run(run(path, tmp_path))
