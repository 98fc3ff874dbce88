"""What used to go wrong without a word: each is exact now, or refused in a line that names the argument."""

from fractions import Fraction

import networkx
import numpy as np
import pandas
import pytest
import scipy.sparse

import netpram

# ---- Networks and traffic ----

def test_hosts_and_widths_are_heeded_or_refused():
    graph = networkx.path_graph(4)
    assert netpram.Network(graph, hosts=iter([0, 3])).terminals == netpram.Network(graph, hosts={0, 3}).terminals == 2
    assert netpram.Network((3, [0, 1], [1, 2]), width=[3, 1]).links == 4
    networkx.set_edge_attributes(graph, 2, "lanes")
    assert netpram.Network(graph, width="lanes").links == 12
    matrix = scipy.sparse.csr_matrix(np.eye(3, k=1))
    for call, reason in (
            (lambda: netpram.Network(graph, hosts=[]), "hosts: none is given"),
            (lambda: netpram.Network(graph, hosts=[9]), "hosts: the network has no node 9"),
            (lambda: netpram.Network(netpram.Network(graph), hosts=[0]), "width and hosts"),
            (lambda: netpram.Network(netpram.Network(graph), width="lanes"), "width and hosts"),
            (lambda: netpram.Network("mesh:4x4", hosts=[0]), "width and hosts"),
            (lambda: netpram.Network(graph, width="lane"), "no attribute 'lane'"),
            (lambda: netpram.Network(graph, width=True), "width: must be the name of an attribute"),
            (lambda: netpram.Network(matrix, width="lanes"), "width: must be True or False"),
            (lambda: netpram.Network((3, [0, 1], [1, 2]), width=[3]), "width: must be lists of one length"),
            (lambda: netpram.Network((3.5, [0], [1])), "nodes: must be a whole number"),
            (lambda: netpram.Network((True, [0], [0])), "nodes: must be a whole number"),
    ):
        with pytest.raises(netpram.InputError, match=reason):
            call()
    del graph.edges[0, 1]["lanes"]
    with pytest.raises(netpram.InputError, match="edge from 0 to 1 has no attribute 'lanes', and others have"):
        netpram.Network(graph, width="lanes")


def test_places_given_twice_add_up():
    twice = scipy.sparse.coo_matrix((np.array([100, 100, -1, 1], np.int8), ([0, 0, 1, 1], [1, 1, 2, 2])), (3, 3))
    assert netpram.Network(twice).links == 1 and netpram.Network(twice, width=True).links == 200
    assert twice.nnz == 4  # the matrix of the caller stays as it was
    assert len(netpram.Traffic("ring:3", twice)) == 200
    weighted = scipy.sparse.coo_matrix(([100, 100], ([0, 0], [1, 1])), (3, 3))
    run = netpram.pram("input x : graph\noutput x.weight\n", input=weighted)
    assert run.answer.tolist() == [200, 200]


def test_nodes_are_called_by_their_names():
    graph = networkx.Graph([(30, 10), (10, 20), (20, 30)])
    network = netpram.Network(graph)
    assert network.names() == ["30", "10", "20"]
    for ends in (([30, 10], [20, 20]), (["30", "10"], ["20", "20"]), (np.array([30, 10]), pandas.Series([20, 20]))):
        traffic = netpram.Traffic(network, ends)
        assert (traffic.sources.tolist(), traffic.destinations.tolist()) == ([0, 1], [2, 2])
    with pytest.raises(netpram.InputError, match="sources: the network has no node 0"):
        netpram.Traffic(network, ([0], [10]))
    by_number, by_name = (netpram.collective(network, "broadcast", root=root).root for root in (10, "10"))
    assert by_number == by_name
    frame = pandas.DataFrame([[0, 5], [1, 0]], index=[20, 30], columns=[10, 30])
    traffic = netpram.Traffic(network, frame)
    assert sorted(zip(traffic.sources.tolist(), traffic.destinations.tolist())) == [(0, 1)] + [(2, 0)] * 5
    with pytest.raises(netpram.InputError, match="demands: columns: the network has no node 7"):
        netpram.Traffic(network, frame.rename(columns={10: 7}))
    with pytest.raises(netpram.InputError, match="twice"):
        netpram.Traffic(network, frame.rename(columns={10: 30}))
    with pytest.raises(netpram.InputError, match="other names"):
        netpram.route("ring:3", traffic=traffic)
    grid = netpram.Network(networkx.grid_2d_graph(2, 2))
    assert netpram.Traffic(grid, ([(0, 0)], [(1, 1)])).destinations.tolist() == [3]


# ---- Keys ----

@pytest.mark.parametrize("keys", [
    [2**53 + 1, 2**53, 2**53 + 2, 0], [2**63, 2**63 + 1, -1, 2**63 - 1], [2**53 + 1, float(2**53), 2**53 - 1, 0.5],
    [2**70, 2**70 + 1, 2**70 - 1, 0], [Fraction(1, 3), Fraction(1, 2), Fraction(1, 4), 0],
    ["b", "a\0", "a", "ä"], [b"b", b"a\0", b"a", b"c"], [True, False, True, False],
    np.array([1, 1 + np.finfo("longdouble").eps, 1 - np.finfo("longdouble").eps, 0], "longdouble"),
    np.array(["2021-01-01", "1969-01-01", "2020-01-01", "2022-01-01"], "datetime64[D]"),
    np.array([0.5, 3, 2, 1], "float16"),
])
def test_sorts_exactly(keys):
    result = netpram.sort("mesh:2x2", keys)
    assert result.sorted and result.keys.tolist() == sorted(np.asarray(keys, object).tolist())
    assert [list(keys)[i] for i in result.order] == sorted(keys)


def test_ordered_categories_keep_their_order():
    ordered = pandas.CategoricalDtype(["small", "medium", "large"], ordered=True)
    sizes = pandas.Series(["small", "large", "medium", "small"], dtype=ordered)
    for keys in (sizes, sizes.array):
        assert netpram.sort("mesh:2x2", keys).keys.tolist() == ["small", "small", "medium", "large"]


@pytest.mark.parametrize("keys, reason", [
    (np.array([1, float("nan")], object), "NaN"), ([1.5, float("nan")], "NaN"),
    (np.array(["NaT", "2020"], "datetime64[D]"), "NaN"), (np.ma.masked_array([1, 2], [0, 1]), "masked"),
    ([1, "a"], "no order: int, str"), ([1j], "no order"), ([None, 1], "no order"),
    (pandas.Series(pandas.Categorical(["a", None], ordered=True)), "missing"),
    (pandas.Series([1, None], dtype="Int64"), "NaN"), ({3, 1}, "keys: must be a list, not set"),
    (b"abc", "keys: must be a list"), ([[1]], "1 dimension"), ([], "there is none"), (True, "keys"),
    (2.5, "keys: must be a whole number"), (np.array([(1, 2)], "i4,i4"), "no order"), ([1, 2 + 0j], "no order"),
])
def test_keys_without_an_order_are_refused(keys, reason):
    with pytest.raises(netpram.InputError, match=reason) as raised:
        netpram.sort("mesh:2x2", keys)
    assert "\n" not in str(raised.value)


def test_keys_of_a_file_and_counts(tmp_path):
    (tmp_path / "keys").write_text("3\n1\n2\n")
    as_path, as_text = netpram.sort("mesh:2x2", tmp_path / "keys"), netpram.sort("mesh:2x2", str(tmp_path / "keys"))
    assert as_path["keys"] == as_text["keys"] == 3
    assert netpram.sort("mesh:2x2", 8.0)["keys"] == netpram.sort("mesh:2x2", np.uint8(8))["keys"] == 8
    for keys, options in (([2, 1], {"order": "sorted"}), ([2, 1], {"input": "keys"}),
                          (tmp_path / "keys", {"input": "x"}), (tmp_path / "keys", {"order": "sorted"})):
        with pytest.raises(netpram.InputError, match="^(order|input|keys) "):
            netpram.sort("mesh:2x2", keys, **options)


# ---- PRAMs ----

def test_a_pram_ends_with_its_block():
    with netpram.Pram() as pram:
        x = pram.array(4, "x", [1, 2, 3, 4])
        places = x.at([0])
    for use in (lambda: x.numpy(), lambda: x[0], lambda: x.__setitem__(0, 1), lambda: pram.read(places),
                lambda: pram.write(places, 1), lambda: pram.fetch("add", places, 1), lambda: pram.move(places, places),
                lambda: pram.report(), lambda: pram.array(3), lambda: pram.__exit__()):
        with pytest.raises(netpram.InputError, match="ended with its block"):
            use()


@pytest.mark.parametrize("use, reason", [
    (lambda pram, x: x.at([True, False, True, True]), "x.at: a mask"),
    (lambda pram, x: x.at([0.5]), "x.at: must be whole numbers"),
    (lambda pram, x: x.at(-1), "x.at: must be in 0..3"),
    (lambda pram, x: pram.read([0.5]), "address: must be whole"),
    (lambda pram, x: pram.read([-1]), "address: must be in"),
    (lambda pram, x: pram.read(np.array([True, False])), "address: must be whole numbers, not bool"),
    (lambda pram, x: pram.read([2**64]), "address: must be in"),
    (lambda pram, x: pram.write([0], np.array([2**63], np.uint64)), "write: must be in"),
    (lambda pram, x: pram.write([0, 1], [1, 2, 3]), "write: 3 values for 2 places"),
    (lambda pram, x: pram.fetch("add", [0], [1.5]), "fetch add: must be whole"),
    (lambda pram, x: pram.read([0, 1], active=[1, 2]), "active: must be in 0..1"),
    (lambda pram, x: pram.read([0, 1], active=[True]), "active: a step has one length"),
    (lambda pram, x: pram.move([0, 1], [2]), "target: a step has one length"),
    (lambda pram, x: pram.array(2, "y", [1, 2, 3]), "y: 3 values for 2 places"),
    (lambda pram, x: pram.array(2.5), "count: must be a whole number"),
    (lambda pram, x: pram.array(-1), "count: must be in"),
    (lambda pram, x: pram.array(2, None), "name: must be a text"),
    (lambda pram, x: x.__setitem__(7, 1), "x: index 7"),
    (lambda pram, x: x.__setitem__(0, "a"), "x: must be a list"),
])
def test_cells_and_addresses_are_exact(use, reason):
    with netpram.Pram() as pram:
        x = pram.array(4, "x", [3, 4, 5, 6])
        with pytest.raises(netpram.InputError, match=reason):
            use(pram, x)
        assert x[:].tolist() == [3, 4, 5, 6]


def test_set_is_a_mapping():
    with pytest.raises(netpram.InputError, match="set: must be a mapping"):
        netpram.pram("prefix-sums", set=[1])


def test_options_of_a_text_have_their_own_names():
    def answer(program="bfs", **options):
        return netpram.pram(program, n=9, edges=20, **options).answer.tolist()

    text = "input G : graph\noption root : int := 0\noutput y\nshared y\ny := root\n"
    assert answer(root=3) == answer(set={"root": 3}) != answer(root=4)
    assert answer(text, root=np.int8(7)) == [7] and answer(text, root=None) == [0]
    with pytest.raises(netpram.InputError, match="set root: it is given twice"):
        answer(root=3, set={"root": 4})
    with pytest.raises(netpram.InputError, match="no option 'rot'"):
        answer(rot=3)


def test_weights_count_where_the_program_uses_them():
    graph = networkx.path_graph(4)
    graph.edges[0, 1]["weight"] = 7
    weighs, plain = "input x : graph\noutput x.weight\n", "input x : graph\noutput x.head  # not x.weight\n"
    with pytest.raises(netpram.InputError,
                       match="weights: the edge from 1 to 2 has no attribute 'weight', and others have it"):
        netpram.pram(weighs, input=graph)
    for weights in ([0.5, 1.5, 2.5], [1.0, 2.0, 3.0], [True, False, True]):
        matrix = scipy.sparse.coo_matrix((np.array(weights), ([0, 1, 2], [1, 2, 3])), (4, 4))
        assert netpram.pram(plain, input=matrix).answer.tolist() == netpram.pram(plain, input=graph).answer.tolist()
    assert netpram.pram(weighs, input=(3, [0, 1], [1, 2], [-5, 2.0])).answer.tolist() == [-5, -5, 2, 2]
    real = "input x : graph of real\noutput x.weight\n"
    assert netpram.pram(real, input=(3, [0, 1], [1, 2], [0.5, 2])).answer.tolist() == [0.5, 0.5, 2, 2]
