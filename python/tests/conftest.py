"""What several tests need: the command of the same source tree, to which the answers are compared."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(os.environ.get("NETPRAM_COMMAND", Path(__file__).resolve().parents[2] / "build/netpram"))


@pytest.fixture
def command():
    """command("route", "mesh:4x4") gives the JSON that the command prints."""
    if not COMMAND.exists():
        pytest.fail(f"{COMMAND}: not built; NETPRAM_COMMAND names another")

    def run(*words):
        done = subprocess.run([COMMAND, *words, "--format", "json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return run


@pytest.fixture
def same():
    """Asserts that a result says what the command says, but for what differs from call to call."""
    def compare(result, expected, *but):
        free = {"command", "wall_seconds", "map_seconds", "threads", *but}
        assert ({k: v for k, v in result.items() if k not in free}
                == {k: v for k, v in expected.items() if k not in free})

    return compare


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """execute(paths, folders): the notebooks with their outputs. One kernel, this Python, runs them one after the
    other, each in its folder and without the names of those before.
    """
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path))

    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    def run(paths, folders):
        notebooks = [nbformat.read(path, 4) for path in paths]
        together = nbformat.v4.new_notebook()
        for notebook, folder in zip(notebooks, folders):
            nbformat.validate(notebook)
            assert notebook.metadata.get("kernelspec", {}).get("name", "python3") == "python3"
            together.cells += [nbformat.v4.new_code_cell(f"%cd -q {folder}\n%reset -f"), *notebook.cells]
        resources = {"metadata": {"path": str(tmp_path)}}
        try:
            NotebookClient(together, timeout=240, kernel_name="python3", resources=resources).execute()
        except CellExecutionError:
            begun = [path for path, notebook in zip(paths, notebooks)
                     if any(cell.get("execution_count") for cell in notebook.cells)]
            print("in", begun[-1] if begun else paths[0])
            raise
        return notebooks

    return run
