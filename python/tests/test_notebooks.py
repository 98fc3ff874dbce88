"""The notebooks: they run, they show pictures, and none holds outputs."""

from pathlib import Path

import nbformat
import pytest
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


def test_they_run_and_show_pictures(execute, tmp_path):
    for path, notebook in zip(NOTEBOOKS, execute(NOTEBOOKS, [tmp_path] * len(NOTEBOOKS))):
        shown = [kind for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
                 for kind in output.get("data", {})]
        assert shown.count("image/png") >= 2, f"{path.stem} shows {shown}"


def test_a_cell_that_fails_is_noticed(execute, tmp_path):
    good, bad = tmp_path / "good.ipynb", tmp_path / "bad.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1\nassert x == 1")]), good)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert x == 1")]), bad)
    with pytest.raises(CellExecutionError, match="NameError"):  # names of the one before are gone
        execute([good, bad], [tmp_path] * 2)
