"""
What does not fit is refused in one line, by the limit that is there: that of the process, or that of a control group.
"""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 256 << 20  # bytes
# Each call is done or refused; the interpreter goes on. Prints the outcomes.
PROGRAM = """
import json, sys
import netpram
outcomes = {}
for call in json.loads(sys.argv[1]):
    try:
        outcomes[call] = ["done", type(eval(call)).__name__]
    except MemoryError as refusal:
        outcomes[call] = ["MemoryError", str(refusal)]
    except netpram.LimitError as refusal:
        outcomes[call] = ["LimitError", str(refusal)]
print(json.dumps(outcomes))
"""
TOO_LARGE = [
    "netpram.route('hypercube:24', runs=1)",
    "netpram.route('mesh:200x200', runs=1, observe=True)",  # the packets fit, and their events do not
    "netpram.pram('prefix-sums', n=100_000_000)",
    "netpram.sort('mesh:20000x20000')",
    "netpram.collective('mesh:5000x5000', 'broadcast')",
    "netpram.check('hypercube:26')",
    "netpram.Network('hypercube:20').arcs()",
]
FITS = ["netpram.route('mesh:20x20', runs=2, observe=True).events", "netpram.Network('hypercube:10').arcs()",
        "netpram.route('hypercube:10', runs=2)"]


def judge(enter):
    """The calls in a process of its own, which first enters its limit."""
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # NumPy maps memory for each
    done = subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(TOO_LARGE + FITS)], preexec_fn=enter,
                          env=one_thread, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", (done.returncode, done.stderr)
    outcomes = json.loads(done.stdout)
    for call in FITS:
        assert outcomes[call][0] == "done", (call, outcomes[call])
    for call in TOO_LARGE:
        kind, line = outcomes[call]
        assert kind != "done" and line and "\n" not in line, (call, kind, line)


def test_under_the_limit_of_the_process():
    judge(lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)))


@pytest.fixture
def group():
    """
    A control group with the limit, inside that of this process. It is made as the tests of the command make theirs.
    """
    script = Path(__file__).resolve().parents[2] / "tests/cli/control_group"
    make = f'. "{script}"; make_group memory {LIMIT} memory.max memory.limit_in_bytes >&2; echo "$group"'
    made = subprocess.run(["bash", "-c", make], capture_output=True, text=True, check=True).stdout.strip()
    if not made:
        pytest.skip("this system lets us make no control group of memory")
    yield Path(made)
    os.rmdir(made)


def test_under_a_control_group(group):
    judge(lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
