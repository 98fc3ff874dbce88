"""What several tests need: the command of the same source tree, to which the answers are compared."""

import json
import os
import subprocess
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
