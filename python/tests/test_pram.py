"""Shared memory: programs of the library, texts, and PRAMs step by step."""

import numpy as np
import pytest

import netpram

DOUBLE = """program double
rule erew
option factor : int := 2 "of each number"
input x : array
output y, total
shared y[n], total
for i in 0 .. n - 1 pardo y[i] := factor * x[i] end
total := y[n - 1]
print "n is ", n
"""


def test_says_what_the_command_says(command, same):
    same(netpram.pram("components", n=500, machine="butterfly:4", seed=3),
         command("pram", "components", "--n", "500", "--machine", "butterfly:4", "--seed", "3"))
    same(netpram.pram("random-reads", n=64, machine="butterfly:4"),
         command("pram", "random-reads", "--n", "64", "--machine", "butterfly:4"))


@pytest.mark.parametrize("machine", ["ideal", "butterfly:4", "leveled:mesh:4x4", "two-phase:hypercube:4"])
def test_arrays_go_in_and_out(machine):
    numbers = np.array([3, -1, 4, 1, -5, 9, 2, 6])
    run = netpram.pram("prefix-sums", input=numbers, machine=machine)
    assert run.correct and run.answer.tolist() == np.cumsum(numbers).tolist()


def test_texts_have_outputs_options_and_lines():
    run = netpram.pram(DOUBLE, input=np.arange(5), set={"factor": 3})
    assert run.outputs.y.tolist() == [0, 3, 6, 9, 12]
    assert run.outputs.total.tolist() == [12]
    assert run.printed == ["n is 5"]
    assert run.work == 12
    with pytest.raises(netpram.InputError, match=r"text:7:"):
        netpram.pram(DOUBLE.replace("factor * x[i]", "factor * z[i]"), input=np.arange(5))


def test_outputs_outlive_their_result():
    y = netpram.pram(DOUBLE, input=np.arange(1000)).outputs.y
    netpram.pram(DOUBLE, input=np.arange(1000) + 1)
    assert y.tolist() == list(range(0, 2000, 2))


def prefix_sums(pram, x, n):
    """Hillis and Steele 1986: ceil(log2 n) rounds, each a step that reads and one that writes."""
    reach = 1
    while reach < n:
        i = np.arange(reach, n)
        x_i, left = pram.read(x.at(i)), pram.read(x.at(i - reach))
        pram.write(x.at(i), x_i + left)
        reach *= 2


@pytest.mark.parametrize("machine", ["ideal", "butterfly:5"])
def test_step_by_step(machine):
    numbers = np.random.default_rng(1).integers(-100, 100, 50)
    with netpram.Pram(machine, rule="crew") as pram:
        x = pram.array(50, "x", numbers)
        prefix_sums(pram, x, 50)
        assert x.numpy().tolist() == np.cumsum(numbers).tolist()
        report = pram.report()
        assert report.pram_steps == 3 * 6 and report.violation_count == 0
        assert (report.network_steps.total > 0) == (machine != "ideal")


def test_fetches_moves_and_violations():
    with netpram.Pram(rule="crcw-add") as pram:
        x = pram.array(4, "x", [10, 20, 30, 40])
        assert pram.fetch("add", x.at([1, 1, 1]), [1, 2, 3]).tolist() == [20, 21, 23]
        assert x[1] == 26
        pram.move(x.at([0, 1, 2]), x.at([1, 2, 3]))
        assert x.numpy().tolist() == [10, 10, 26, 30]
        assert pram.read(x.at([0, 1]), active=[True, False]).tolist() == [10, 0]
        with pytest.raises(netpram.InputError, match="x.4.: it has 4 cells"):
            x.at([4])
        with pytest.raises(netpram.InputError, match="one length"):
            pram.move(x.at([0]), x.at([1, 2]))
    with netpram.Pram(rule="erew") as pram:
        x = pram.array(4, "x")
        pram.read(x.at([2, 2]))
        found = pram.report().violations
        assert len(found) == 1 and found[0].array == "x" and found[0].offset == 2
