"""The types of the package, by mypy's strict mode (python/pyproject.toml has its settings)."""

import subprocess
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


def test_the_package_is_clean(tmp_path):
    mypy = pytest.importorskip("mypy", reason="mypy is not installed") and "/usr/bin/mypy"
    done = subprocess.run([mypy, "--cache-dir", str(tmp_path)], cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
