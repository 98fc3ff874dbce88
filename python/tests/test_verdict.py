"""Throughput, comparisons, flows and replays: what the command says, and what Python adds to it."""

import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pandas
import pytest

import netpram

FLOWS = pandas.DataFrame({"source": [0, 0, 1], "destination": [1, 1, 2], "size": [4.0, 2.0, 3.0],
                          "start": [0.0, 0.0, 1.0]})


@pytest.fixture
def goal(tmp_path):
    """The schedule of an all-reduce of 40 bytes on a ring, from the library itself."""
    file = tmp_path / "ring.goal"
    netpram.collective("ring:4", "all-reduce", size=40, goal=file)
    return file


def test_they_say_what_the_command_says(command, same, goal):
    same(netpram.throughput("torus:4x4", traffic="transpose", paths="spray"),
         command("throughput", "torus:4x4", "--traffic", "transpose", "--paths", "spray"))
    same(netpram.throughput("mesh:3x3", traffic="random", seed=7),
         command("throughput", "mesh:3x3", "--traffic", "random", "--seed", "7"))
    same(netpram.worst("mesh:4x4", "dimension-order"),
         command("throughput", "mesh:4x4", "--paths", "dimension-order", "--worst"))
    same(netpram.compare(["torus:4x4", "hypercube:4"], draws=2),
         command("compare", "torus:4x4", "hypercube:4", "--draws", "2"))
    same(netpram.flows("xgft:2:4,4:1,2", traffic="uniform", load=0.6, arrivals=300),
         command("flows", "xgft:2:4,4:1,2", "--traffic", "uniform", "--load", "0.6", "--arrivals", "300"))
    same(netpram.replay("ring:4", goal, model="flows"), command("replay", "ring:4", str(goal), "--model", "flows"))
    same(netpram.collective("ring:4", "all-reduce", model="flows", size=40),
         command("collective", "ring:4", "all-reduce", "--model", "flows", "--size", "40"), "schedule")


@pytest.mark.parametrize("call", [
    lambda goal: netpram.throughput("mesh:3x3", traffic="transpose", gap=0.05),
    lambda goal: netpram.worst("mesh:3x3"),
    lambda goal: netpram.compare(["ring:4", "mesh:2x2"], draws=0),
    lambda goal: netpram.flows("ring:4", traffic="complement", size=3),
    lambda goal: netpram.replay("ring:4", goal, model="steps"),
], ids="throughput worst compare flows replay".split())
def test_the_line_does_the_same_in_a_shell(call, goal, command, same):
    import shlex
    result = call(goal)
    same(result, command(*shlex.split(result.command)[1:]))


def test_certificates_are_verified(command, same, tmp_path):
    file = tmp_path / "c.json"
    found = netpram.throughput("torus:4x4", traffic="transpose", certificate=file)
    proof = netpram.verify(file)
    same(proof, command("verify", str(file)))
    assert proof.factor.low <= found.factor.high and proof.gap <= 0.01
    file.write_text(file.read_text().replace('"packets": ', '"packets": 1', 1))
    with pytest.raises(netpram.InputError):
        netpram.verify(file)
    with pytest.raises(netpram.InputError, match="in memory"):
        netpram.throughput("ring:4", traffic=([0], [2]), certificate=tmp_path / "d.json")
    assert not (tmp_path / "d.json").exists()


def test_the_worst_permutation_is_routed(tmp_path):
    worst = netpram.worst("mesh:4x4", "dimension-order")
    assert sorted(worst.source.tolist()) == sorted(worst.destination.tolist()) == list(range(16))
    worst.save(tmp_path / "worst.txt")
    for traffic in (f"file:{tmp_path}/worst.txt", (worst.source, worst.destination)):
        found = netpram.throughput("mesh:4x4", traffic=traffic, paths="dimension-order")
        assert found.paths.factor == pytest.approx(worst.worst.factor)  # what the rule guarantees, reached


def test_demands_in_memory():
    demands = np.zeros((4, 4), int)
    demands[0, 2] = 2
    found = netpram.throughput("ring:4", traffic=demands)
    assert found.packets == 2 and found.factor.low <= 1 <= found.factor.high and found.command == ""


def test_flows_in_memory():
    """Two flows share a link until the shorter ends at 4: then 2 of the longer are left. The third is alone."""
    lists = tuple(FLOWS[name].tolist() for name in FLOWS)
    for traffic in (FLOWS, FLOWS[["size", "start", "destination", "source"]], lists,
                    tuple(np.array(column) for column in lists)):
        result = netpram.flows("array:3", traffic=traffic)
        assert result.finish.tolist() == [6, 4, 4] and result.makespan == 6
        frame = result.frame()
        assert frame[list(FLOWS)].astype(float).equals(FLOWS.astype(float)) and frame.finish.tolist() == [6, 4, 4]
    assert netpram.flows("array:3", traffic=lists[:2]).finish.tolist() == [2, 2, 1]  # of one packet each
    assert netpram.flows("array:3", traffic=netpram.Traffic("array:3", lists[:2])).makespan == 2
    rate = netpram.flows("array:3", traffic=FLOWS, link_rate="8bit/s")
    assert (rate.makespan, rate.time_unit) == (6, "seconds")
    import networkx
    named = netpram.Network(networkx.path_graph(["a", "b", "c"]))
    assert netpram.flows(named, traffic=(["a"], ["c"], [5])).makespan == 5


@pytest.mark.parametrize("line, traffic, options", [
    ("link_rate each flow needs its size", ([0], [1]), {"link_rate": "8bit/s"}),
    ("lists of one length", ([0], [1, 2]), {}), ("lists of one length", ([0], [1], [1, 2]), {}),
    ("arrivals", ([0], [1]), {"arrivals": 5}), ("load", ([0], [1]), {"load": 0.5}),
    ("columns source, destination", FLOWS.rename(columns={"size": "bytes"}), {}),
    ("columns source, destination", FLOWS[["source", "size"]], {}), ("traffic", np.zeros((3, 3)), {}),
    ("traffic", 3, {}), ("size", ([0], [1], ["x"]), {}), ("flow 0", ([0], [1], [-1]), {}),
    ("flow 0", ([0], [1], [1], [float("nan")]), {}), ("flow 0", ([0], [9]), {})])
def test_flows_in_memory_are_refused(line, traffic, options):
    with pytest.raises(netpram.InputError, match=line):
        netpram.flows("array:3", traffic=traffic, **options)


def test_refusals_are_the_librarys(goal):
    for call in (lambda: netpram.throughput("ring:4", gap=0), lambda: netpram.worst("ring:4", "no-rule"),
                 lambda: netpram.compare("ring:4"), lambda: netpram.compare([]), lambda: netpram.verify(goal),
                 lambda: netpram.compare({"ring:4"}), lambda: netpram.compare({"ring:4": 1}),
                 lambda: netpram.flows("ring:4", size=1, sizes="x"), lambda: netpram.flows("ring:4", speed=1)):
        with pytest.raises(netpram.InputError):
            call()
    with pytest.raises(netpram.ApplyError, match="hosts|nodes|ranks"):
        netpram.replay("ring:3", goal)
    with pytest.raises(netpram.LimitError):
        netpram.throughput("torus:8x8", memory="1000")
    with pytest.raises(netpram.FileError):
        netpram.replay("ring:4", goal.with_name("none.goal"))


def test_frames(goal):
    compared = netpram.compare(["torus:4x4", "hypercube:4"], draws=0).frame()
    assert compared.network.tolist() == ["torus:4x4", "hypercube:4"] and (compared.valiant == 1).all()
    for result in (netpram.throughput("mesh:3x3"), netpram.worst("mesh:3x3"), netpram.replay("ring:4", goal)):
        assert len(result.frame()) == 1
    assert netpram.throughput("ring:4").frame().low[0] == netpram.throughput("ring:4").factor.low


def test_copies_have_all(goal):
    for result in (netpram.throughput("ring:4"), netpram.compare(["ring:4"], draws=0),
                   netpram.flows("array:3", traffic=FLOWS), netpram.worst("mesh:3x3"), netpram.replay("ring:4", goal)):
        copy = pickle.loads(pickle.dumps(result))
        assert copy == result and str(copy) == str(result) and copy.frame().equals(result.frame())


LONG = {
    "throughput": "netpram.throughput('torus:32x32:fail=0.01', gap=1e-6, **more)",
    "worst": "netpram.worst('jellyfish:900,5', **more)",
    "compare": "netpram.compare(['torus:32x32'], **more)",
    "flows": "netpram.flows('hypercube:10', load=0.9, arrivals=10_000_000, **more)",
}


@pytest.mark.parametrize("verb", LONG)
def test_progress_is_told_and_may_end_the_call(verb):
    def tell(share, stage):
        assert 0 <= share <= 1
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        eval(LONG[verb], {"netpram": netpram, "more": {"progress": tell}})


@pytest.mark.parametrize("verb", LONG)
def test_an_interrupt_ends_the_call(verb):
    program = f"""
import netpram, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
more = {{}}
print("begun", flush=True)
try:
    {LONG[verb]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert rest == "interrupted\n" and process.returncode == 0
