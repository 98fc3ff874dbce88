"""Shared memory: programs of the library, texts, and PRAMs step by step."""

import networkx
import numpy as np
import pytest
import scipy.sparse

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
        with pytest.raises(netpram.InputError, match="x.at: must be in 0..3, not 4"):
            x.at([4])
        with pytest.raises(netpram.InputError, match="one length"):
            pram.move(x.at([0]), x.at([1, 2]))
    with netpram.Pram(rule="erew") as pram:
        x = pram.array(4, "x")
        pram.read(x.at([2, 2]))
        found = pram.report().violations
        assert len(found) == 1 and found[0].array == "x" and found[0].offset == 2


COPY = """program copy
input x : {kind}
output {what}
"""


@pytest.mark.parametrize("kind, what, given, expected", [
    ("array", "x", [3, -1, 4], [3, -1, 4]),
    ("array", "x", np.array([True, False]), [1, 0]),
    ("array", "x", np.arange(5, dtype=np.uint8)[::-2], [4, 2, 0]),
    ("array of real", "x", [0.5, -2.0], [0.5, -2.0]),
    ("array of real", "x", [1, 2], [1.0, 2.0]),
    ("text", "x", "abä", [97, 98, 195, 164]),
    ("matrix", "x", np.array([[1, 2, 3], [4, 5, 6]], order="F"), [1, 2, 3, 4, 5, 6]),
    ("matrix", "x", scipy.sparse.coo_matrix(([7, 8], ([0, 1], [1, 0])), (2, 2)), [0, 7, 8, 0]),
    ("list", "x", [1, 2, 2], [1, 2, 2]),
    ("tree", "x", [1, 1, 0], [1, 1, 0]),
    ("digraph", "x.head", networkx.DiGraph([(0, 1), (2, 1)]), [1, 1]),
    ("graph", "x.head", networkx.path_graph(4), [1, 0, 2, 1, 3, 2]),
    ("graph", "x.first", networkx.Graph([("a", "b"), ("b", "c")]), [0, 1, 3, 4]),
    ("graph", "x.first", networkx.empty_graph(3), [0, 0, 0, 0]),
    ("graph", "x.weight", scipy.sparse.coo_matrix(([7, 8], ([0, 1], [1, 2])), (3, 3)), [7, 7, 8, 8]),
    ("graph", "x.head", netpram.Network("ring:3"), [1, 2, 0, 2, 0, 1]),
    ("graph", "x.weight", (3, [0, 1], [1, 2], [5, 6]), [5, 5, 6, 6]),
])
def test_inputs_from_memory(kind, what, given, expected):
    run = netpram.pram(COPY.format(kind=kind, what=what), input=given)
    assert run.answer.tolist() == expected
    assert netpram.pram(COPY.format(kind=kind, what=what), input={"x": given}).answer.tolist() == expected


@pytest.mark.parametrize("kind, what, text, expected", [
    ("array", "x", "7 8\n", [7, 8]), ("graph", "x.head", "0 1\n", [1, 0]), ("text", "x", "a", [97])])
def test_an_input_from_a_file(tmp_path, kind, what, text, expected):
    file, program = tmp_path / "x=1.txt", COPY.format(kind=kind, what=what)
    file.write_text(text)
    assert netpram.pram(program, input=file).answer.tolist() == expected
    assert netpram.pram(program, input={"x": file}).answer.tolist() == expected
    if kind == "array":
        assert netpram.pram(program, input=str(file)).answer.tolist() == expected
        assert netpram.pram("prefix-sums", input=file).answer.tolist() == [7, 15]


def test_several_inputs_and_those_of_the_library(tmp_path):
    text = "input x : array\ninput y : array of real\noutput y, x\n"
    (tmp_path / "x.txt").write_text("7 8 9\n")
    run = netpram.pram(text, input={"x": tmp_path / "x.txt", "y": [0.5, 1.5]})
    assert (run.outputs.y.tolist(), run.outputs.x.tolist()) == ([0.5, 1.5], [7, 8, 9])
    assert netpram.pram(text, input={"x": [1, 2]}, n=5).outputs.y.size == 2  # drawn, of the size of the first
    graph = networkx.disjoint_union(networkx.cycle_graph(30), networkx.path_graph(20))
    run = netpram.pram("components", input=graph)
    assert run.correct and run.answer_count == 2 and len(set(run.answer.tolist())) == 2


@pytest.mark.parametrize("kind, given, reason", [
    ("array", [0.5], "must be whole numbers, not 0.5"),
    ("array", np.array([2**63], np.uint64), "must be in .*, not 9223372036854775808"),
    ("array", [[1]], "1 dimension, not 2"),
    ("matrix", [1], "2 dimensions, not 1"),
    ("list", [5], "x: item 0 has 5"),
    ("graph", 7, "graph of networkx"),
    ("graph", networkx.DiGraph([(0, 1)]), "x: a directed graph, .* declare a 'digraph'"),
    ("graph", (2, [0], [5]), "edge 0 is from 0 to 5"),
    ("graph", (2, [0], [1, 0]), "lists of one length"),
    ("graph", scipy.sparse.coo_matrix((2, 3)), "square, not 2 x 3"),
    ("array", {"z": [1]}, "declares x"),
])
def test_bad_inputs_are_refused(kind, given, reason):
    with pytest.raises(netpram.InputError, match=reason) as raised:
        netpram.pram(f"input x : {kind}\n", input=given)
    assert "\n" not in str(raised.value)


def test_no_file_is_written(monkeypatch):
    monkeypatch.setattr("tempfile.mkdtemp", lambda *_, **__: pytest.fail("a file between"))
    monkeypatch.setattr("tempfile.mkstemp", lambda *_, **__: pytest.fail("a file between"))
    assert netpram.pram("prefix-sums", input=[1, 2]).answer.tolist() == [1, 3]


@pytest.mark.parametrize("write", [
    lambda pram, x: pram.array(2, "y", [0.5, 1]),
    lambda pram, x: x.__setitem__(0, 0.5),
    lambda pram, x: pram.write(x.at([0]), [0.5]),
    lambda pram, x: pram.fetch("add", x.at([0]), 0.5),
])
def test_half_a_cell_is_refused(write):
    with netpram.Pram() as pram:
        x = pram.array(2, "x", [3, 4])
        with pytest.raises(netpram.InputError, match="must be whole numbers, not 0.5"):
            write(pram, x)
        assert x[:].tolist() == [3, 4]
