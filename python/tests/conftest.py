"""What several tests need: the command of the same source tree, to which the answers are compared."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

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

    def run(paths, folders):
        notebooks = [nbformat.read(path, 4) for path in paths]
        together = nbformat.v4.new_notebook()
        for notebook, folder in zip(notebooks, folders):
            nbformat.validate(notebook)
            together.cells += [nbformat.v4.new_code_cell(f"%cd -q {folder}\n%reset -f"), *notebook.cells]
        resources = {"metadata": {"path": str(tmp_path)}}
        NotebookClient(together, timeout=240, kernel_name="python3", resources=resources).execute()
        return notebooks

    return run
