"""
What each argument takes: the table of docs/python.md, tried. Where it says yes, a value of that kind does what the
plain value or list does that is beside it here; where it says no, it is refused in one line that names the argument.
"""

import re
from pathlib import Path

import networkx
import numpy as np
import pandas
import pytest
import scipy.sparse

import netpram

PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"

MESH = netpram.Network("mesh:2x2")
RANKING = netpram.ranks("butterfly-io:2")
NONE = object()

# A kind of value: what makes it, and the plain value that it stands for (NONE: it stands for none).
ONE = {
    "`None`": (lambda: None, NONE),
    "`bool`, `numpy.bool_`": (lambda: np.bool_(True), True),
    "whole number": (lambda: 3, 3),
    "`numpy.int8` to `uint64`, as one number": (lambda: np.uint8(3), 3),
    "whole number above 2^64": (lambda: 2**100, 2**100),
    "whole `float`": (lambda: 3.0, 3),
    "other `float`": (lambda: 0.5, 0.5),
    "NaN, infinity": (lambda: float("nan"), NONE),
    "`complex`": (lambda: 3 + 0j, NONE),
    "`bytes`": (lambda: b"3", NONE),
}
#: The values 1, 0, 1, 1 as lists of all kinds.
NUMBERS = [1, 0, 1, 1]


def of_dtypes(*names):
    return lambda: [np.array(NUMBERS, name) for name in names]


def objects(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


MANY = {
    "`list`": lambda: [list(NUMBERS)],
    "`tuple`, `range`": lambda: [tuple(NUMBERS)],
    "iterator": lambda: [iter(NUMBERS), (number for number in NUMBERS)],
    "`set`": lambda: [set(NUMBERS)],
    "`dict`": lambda: [dict.fromkeys(NUMBERS)],
    "array of integers": of_dtypes("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                                   ">i4", ">u8"),
    "array of whole floats": of_dtypes("float16", "float32", "float64", "longdouble"),
    "array of other floats": lambda: [np.array([1, 0.5, 1, 1], dtype) for dtype in ("float16", "float32", "float64")],
    "array with NaN": lambda: [np.array([1, np.nan, 1, 1])],
    "array of `bool`": of_dtypes("bool"),
    "array of objects": lambda: [objects(NUMBERS), objects([1.0, 0, np.int8(1), 1])],
    "array of objects with `None`": lambda: [objects([1, None, 1, 1])],
    "array of `complex`": of_dtypes("complex64", "complex128"),
    "array of dates": of_dtypes("datetime64[s]"),
    "array of texts": of_dtypes("str"),
    "array of bytes": of_dtypes("bytes"),
    "strided array": lambda: [np.repeat(NUMBERS, 2)[::2], np.array(NUMBERS[::-1])[::-1]],
    "masked array, nothing masked": lambda: [np.ma.masked_array(NUMBERS)],
    "masked array": lambda: [np.ma.masked_array(NUMBERS, [0, 1, 0, 0])],
    "pandas `Series`": lambda: [pandas.Series(NUMBERS, [9, 8, 7, 6]), pandas.Series(NUMBERS, dtype="Int64")],
    "`Series` with missing values": lambda: [pandas.Series([1, None, 1, 1], dtype="Int64")],
    "`DataFrame`": lambda: [pandas.DataFrame([NUMBERS])],
    "graph of networkx": lambda: [networkx.Graph([(1, 0)])],
    "sparse matrix": lambda: [scipy.sparse.coo_matrix([NUMBERS])],
    "list of lists": lambda: [[NUMBERS], [[1], [0, 1]]],
    "list with a whole number above 2^64": lambda: [[1, 0, 2**64, 1]],
    "list with a negative number": lambda: [[1, 0, -1, 1]],
    "`str`": lambda: ["1011"],
}


def cells_after(step):
    with netpram.Pram(rule="crcw-add") as pram:
        x = pram.array(4, "x", [10, 20, 30, 40])
        got = step(pram, x)
        return x.numpy().tolist(), None if got is None else got.tolist()


def edges(**members):
    return netpram.Network((2, [0, 1, 0, 1], [1, 0, 1, 0]), **members).graph().edges()


#: The arguments of one value: what a call gives for it.
OPTIONS = {
    "option that is a whole number": ("runs", lambda value: netpram.route(MESH, runs=value).runs),
    "option that is a real": ("ca", lambda value: netpram.collective("ring:4", "gossip", ca=value).ca),
    "option that is a flag": ("same", lambda value: netpram.route(MESH, runs=2, same_traffic=value).phases),
    "flag of a call": ("bound", lambda value: "bound" in netpram.route(MESH, bound=value)),
    "count": ("count", lambda value: cells_after(lambda pram, x: pram.array(value).numpy())),
    "spec, name, text": ("network|str", lambda value: netpram.Network(value).spec),
    "path": ("path", lambda value: RANKING.save(value)),
}
LISTS = {
    "nodes": ("sources", lambda value: netpram.Traffic("mesh:2x2", (value, [0, 1, 2, 3])).sources.tolist()),
    "numbers from 0": ("priorities",
                       lambda value: netpram.Traffic(MESH, ([0] * 4, [1] * 4, value)).priorities.tolist()),
    "cells": ("write", lambda value: cells_after(lambda pram, x: pram.write(x.at(range(4)), value))),
    "reals": ("input|cannot open",
              lambda value: netpram.pram("input x : array of real\noutput x\n", input=value).answer.tolist()),
    "addresses": ("address", lambda value: cells_after(lambda pram, x: pram.read(value))),
    "flags": ("active", lambda value: cells_after(lambda pram, x: pram.read(x.at(range(4)), active=value))),
    "keys": ("keys|cannot open",
             lambda value: (lambda r: (r.sorted, r.keys.tolist(), r.order.tolist()))(netpram.sort(MESH, value))),
}
#: More arguments of the kinds, by the column that says what they take.
ALIKE = {
    "nodes": [("destinations", lambda value: netpram.Traffic(MESH, ([0, 1, 2, 3], value)).destinations.tolist()),
              ("map", lambda value: netpram.embed("mesh:2x2", "mesh:2x2", map=value).load)],
    "numbers from 0": [("tails", lambda value: netpram.Network((2, value, [1, 1, 1, 0])).graph().edges()),
                       ("heads", lambda value: netpram.Network((2, [0, 1, 1, 0], value)).graph().edges()),
                       ("width", lambda value: edges(width=value)),
                       ("tails", lambda value: netpram.pram("input x : graph\noutput x.first\n",
                                                            input=(2, value, [0, 1, 0, 0])).answer.tolist())],
    "cells": [("y", lambda value: cells_after(lambda pram, x: pram.array(4, "y", value).numpy())),
              ("fetch add", lambda value: cells_after(lambda pram, x: pram.fetch("add", x.at(range(4)), value))),
              ("x", lambda value: cells_after(lambda pram, x: x.__setitem__(slice(None), value))),
              ("input|cannot open",
               lambda value: netpram.pram("input x : array\noutput x\n", input=value).answer.tolist()),
              ("weights", lambda value: netpram.pram("input x : graph\noutput x.weight\n",
                                                     input=(5, [0, 1, 2, 3], [1, 2, 3, 4], value)).answer.tolist())],
    "addresses": [("x.at", lambda value: cells_after(lambda pram, x: x.at(value))),
                  ("source", lambda value: cells_after(lambda pram, x: pram.move(value, [0, 1, 2, 3]))),
                  ("target", lambda value: cells_after(lambda pram, x: pram.move([0, 1, 2, 3], value)))],
}
#: A matrix of demands or of an input: what each kind makes of the rows ROWS.
ROWS = [[0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [3, 0, 0, 0]]


def coordinates(dtype, *more):
    """ROWS as a sparse matrix that has an entry twice."""
    rows, columns = [0, 0, 1, 3] + [2] * len(more), [1, 1, 2, 0] + [2] * len(more)
    return scipy.sparse.coo_matrix((np.array([1, 1, 1, 3, *more], dtype), (rows, columns)), (4, 4))


MATRICES = {
    "array of integers": lambda: [*(np.array(ROWS, dtype) for dtype in ("int8", "uint64", ">i4")),
                                  np.array(ROWS, order="F")],
    "array of whole floats": lambda: [np.array(ROWS, float)],
    "array of other floats": lambda: [np.array(ROWS) / 2],
    "array with NaN": lambda: [np.where(ROWS, ROWS, np.nan)],
    "array of `complex`": lambda: [np.array(ROWS, complex)],
    "array of texts": lambda: [np.array(ROWS, str)],
    "array of objects": lambda: [np.array(ROWS, object)],
    "masked array, nothing masked": lambda: [np.ma.masked_array(ROWS)],
    "masked array": lambda: [np.ma.masked_array(ROWS, np.array(ROWS) == 2)],
    "sparse matrix": lambda: [kind(ROWS) for kind in (
        scipy.sparse.csr_matrix, scipy.sparse.dok_matrix, scipy.sparse.csc_array)],
    "sparse matrix, places given twice": lambda: [coordinates("int8"), coordinates("float64"), coordinates("uint64")],
    "sparse matrix of other floats": lambda: [coordinates("float64", 0.5)],
    "sparse matrix with NaN": lambda: [coordinates("float64", np.nan)],
    "`DataFrame`": lambda: [pandas.DataFrame(ROWS), pandas.DataFrame(ROWS).astype("Int64")],
    "list of lists": lambda: [ROWS],
    "`list`": lambda: [[1, 2, 3, 4]],
    "array of one dimension": lambda: [np.arange(4)],
    "`bytes`, a number": lambda: [b"x", 7, 0.5],
}


def packets(value):
    traffic = netpram.Traffic(MESH, value)
    return sorted(zip(traffic.sources.tolist(), traffic.destinations.tolist()))


USES = {
    "demands": ("demands|traffic", packets, sorted([(0, 1)] * 2 + [(1, 2)] + [(3, 0)] * 3)),
    "input `matrix`": (
        "input x", lambda value: netpram.pram("input x : matrix\noutput x\n", input=value).answer.tolist(),
        sum(ROWS, [])),
}
#: Which plain list an argument of that kind takes the values for.
STANDS_FOR = {"flags": lambda numbers: [bool(number) for number in numbers]}


def table(first):
    """The table of the page whose head begins with `first`: {row: {column: cell}}."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.read_text().splitlines()]
    begin = next(i for i, line in enumerate(lines) if line[0] == first)
    head, found = lines[begin], {}
    for line in lines[begin + 2:]:
        if len(line) != len(head):
            break
        found[line[0]] = dict(zip(head[1:], line[1:]))
    return found


def assert_refused(name, call):
    with pytest.raises(netpram.NetpramError) as raised:
        call()
    line = str(raised.value)
    assert "\n" not in line and len(line) < 300 and re.search(rf"\b({name})", line), line


def test_the_tables_are_whole():
    assert set(table("one value")) == set(ONE) and set(table("many values")) == set(MANY)
    assert set(table("matrices")) == set(MATRICES)
    assert all(set(row) == set(OPTIONS) for row in table("one value").values())
    assert all(set(row) == set(LISTS) for row in table("many values").values())
    assert all(set(row) == set(USES) for row in table("matrices").values())


@pytest.mark.parametrize("column", OPTIONS)
@pytest.mark.parametrize("row", ONE)
def test_one_value(row, column):
    (make, plain), (name, call) = ONE[row], OPTIONS[column]
    says = table("one value")[row][column]
    if says == "no":
        assert_refused(name, lambda: call(make()))
    elif says == "default":
        assert call(make()) == call(None)
    else:
        assert says == "yes" and call(make()) == call(plain)


@pytest.mark.parametrize("column", LISTS)
@pytest.mark.parametrize("row", MANY)
def test_many_values(row, column):
    for name, call in [LISTS[column], *ALIKE.get(column, [])]:
        for value in MANY[row]():
            says = table("many values")[row][column]
            if says == "no":
                assert_refused(name, lambda: call(value))
            else:
                numbers = plain_numbers(row, value)
                assert says == "yes", says
                assert same(call(value), call(STANDS_FOR.get(column, list)(numbers))), (row, name)


@pytest.mark.parametrize("column", USES)
@pytest.mark.parametrize("row", MATRICES)
def test_matrices(row, column):
    name, call, right = USES[column]
    for value in MATRICES[row]():
        if table("matrices")[row][column] == "no":
            assert_refused(name, lambda: call(value))
        else:
            assert table("matrices")[row][column] == "yes" and call(value) == right, value


def plain_numbers(row, value):
    """The plain list of a value whose kind is taken, without any code of the package."""
    if row == "iterator":
        return NUMBERS
    return [number.item() if hasattr(number, "item") else number for number in value]


def same(one, other):
    return one == other or repr(one) == repr(other)  # NaN is what it was
