"""Routing: what the command says, arrays without copies, networks and traffic from other libraries."""

import networkx
import numpy as np
import pytest
import scipy.sparse

import netpram
from netpram._library import ffi


@pytest.mark.parametrize("words, call", [
    (["hypercube:6", "--scheme", "cubes", "--traffic", "transpose", "--runs", "20"],
     lambda: netpram.route("hypercube:6", "cubes", traffic="transpose", runs=20)),
    (["mesh:8x8", "--scheme", "greedy", "--queue", "farthest-first", "--seed", "7", "--bound"],
     lambda: netpram.route("mesh:8x8", "greedy", queue="farthest-first", seed=7, bound=True)),
    (["butterfly-io:5", "--scheme", "ranked", "--queue-size", "1", "--message-length", "2..3"],
     lambda: netpram.route("butterfly-io:5", "ranked", queue_size=1, message_length=(2, 3))),
    (["torus:6x6", "--paths", "shortest", "--fail", "0.05"],
     lambda: netpram.route("torus:6x6", paths="shortest", fail=0.05)),
])
def test_says_what_the_command_says(command, same, words, call):
    same(call(), command("route", *words))


def test_the_example_of_the_page():
    result = netpram.route("hypercube:10", "cubes", traffic="transpose", runs=100)
    assert result.steps is result.total_steps
    assert result.steps.mean == result["total_steps"]["mean"] > 10
    assert "hypercube:10" in str(result)
    assert result.csv().startswith("network,")


def test_samples_are_those_of_the_summaries():
    result = netpram.route("hypercube:5", "cubes", runs=50)
    sample = result.sample("steps", "B")
    assert len(sample) == 50 and sample.mean() == pytest.approx(result.phase("B").steps.mean)
    frame = result.frame()
    assert len(frame) == 100
    assert frame[frame.phase == "B"].steps.tolist() == sample.tolist()
    with pytest.raises(KeyError, match="^no phase 'C': A, B") as refused:
        result.sample("steps", "C")
    assert isinstance(refused.value, netpram.InputError)
    with pytest.raises(netpram.InputError):
        result.sample("step")


def test_delays_are_not_copied():
    result = netpram.route("hypercube:5", "cubes", runs=50)
    delays = result.delays("A")
    there = int(ffi.cast("uintptr_t", result._c.phase[0].delay_histogram))
    assert delays.__array_interface__["data"] == (there, True)
    assert delays.sum() == 50 * 32
    address, total = delays.__array_interface__["data"][0], delays.sum()
    del result  # the array keeps what it looks at
    netpram.route("hypercube:8", runs=50)
    assert delays.sum() == total and delays.__array_interface__["data"][0] == address
    with pytest.raises(ValueError):
        delays[0] = 1


def test_traffic_of_arrays_and_matrices_is_the_same():
    sources, destinations = np.arange(16), np.roll(np.arange(16), 3)
    demands = np.zeros((16, 16), int)
    demands[sources, destinations] = 1
    results = [netpram.route("mesh:4x4", "xy", traffic=traffic) for traffic in (
        (sources, destinations), (sources.astype(np.uint32), destinations.tolist()), demands,
        scipy.sparse.csr_matrix(demands), netpram.Traffic("mesh:4x4", (sources, destinations)))]
    assert len({result.steps.mean for result in results}) == 1
    assert all(result.packets == 16 for result in results)
    packets = netpram.Traffic("mesh:4x4", scipy.sparse.csr_matrix(3 * demands))
    assert len(packets) == 48 and sorted(set(packets.sources.tolist())) == list(range(16))


@pytest.mark.parametrize("traffic, reason", [
    ((np.arange(4), np.arange(5)), "lists of one length"),
    ((np.array([0.5]), np.array([1])), "whole numbers"),
    ((np.array([-1]), np.array([1])), "must be in 0.."),
    ((np.array([99]), np.array([1])), "99"),
    (np.full((16, 16), 0.5), "demands: must be whole numbers, not 0.5"),
    (np.zeros((3, 3)), "3 x 3, and the network has 16 nodes"),
    (7, "traffic: must be a spec"),
])
def test_bad_traffic_is_refused(traffic, reason):
    with pytest.raises(netpram.NetpramError, match=reason) as raised:
        netpram.route("mesh:4x4", traffic=traffic)
    assert "\n" not in str(raised.value)


def test_networks_of_graphs_and_matrices():
    graph = networkx.petersen_graph()
    network = netpram.Network(graph)
    assert (network.nodes, network.links) == (10, 30)
    assert network.info().diameter.measured == networkx.diameter(graph)
    back = network.graph()
    assert networkx.is_isomorphic(networkx.Graph(back), graph)
    ring = scipy.sparse.coo_matrix((np.full(5, 2), (np.arange(5), (np.arange(5) + 1) % 5)), (5, 5))
    assert netpram.Network(ring).links == 5
    assert netpram.Network(ring, width=True).links == 10
    assert netpram.Network((5, ring.row, ring.col)).links == 5
    assert sorted(netpram.Network(ring).graph().edges()) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
    ones = scipy.sparse.coo_matrix((np.array([1, 0, 1]), (np.array([0, 0, 1]), np.array([1, 2, 0]))), (3, 3))
    assert sorted(netpram.Network(ones).graph().edges()) == [(0, 1), (1, 0)]  # a zero that is stored is no link
    graph = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    assert netpram.Network(graph).names() == ["a", "b", "c"]
    assert netpram.Network(graph, hosts=["c", "a"]).terminals == 2
    with pytest.raises(netpram.InputError, match="no node 'x'"):
        netpram.Network(graph, hosts=["x"])
    assert netpram.Network("torus:8x8", fail=0.1).links < netpram.Network("torus:8x8").links


def test_errors_are_one_line_and_name_what_is_near():
    with pytest.raises(netpram.InputError, match="did you mean 'hypercube'"):
        netpram.route("hypercub:3")
    with pytest.raises(netpram.InputError, match="did you mean 'scheme'"):
        netpram.route("hypercube:3", schem="greedy")
    with pytest.raises(ValueError, match="runs 0"):
        netpram.route("hypercube:3", runs=0)
    with pytest.raises(netpram.ApplyError):
        netpram.route("mesh:4x4", "cubes")
    with pytest.raises(netpram.LimitError):
        netpram.route("hypercube:20", memory="1M")
    with pytest.raises(OSError):
        netpram.Network("file:/nowhere")
    with pytest.raises(AttributeError, match="no member 'stepz'"):
        netpram.route("hypercube:3").stepz
