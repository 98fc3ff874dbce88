"""As people use the package: type checks, copies, process pools, commands, errors, interrupts."""

import concurrent.futures
import copy
import errno
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import networkx
import numpy as np
import pytest
import scipy.sparse

import netpram

SCRIPT = '''
from __future__ import annotations

import numpy as np

import netpram


def delays(network: netpram.Network, runs: int) -> int:
    result: netpram.Routing = netpram.route(network, "greedy", traffic="transpose", runs=runs)
    return int(result.delays().sum()) + int(result.steps.max)


def cost(machine: str) -> int:
    with netpram.Pram(machine, rule="erew") as pram:
        x = pram.array(8, "x", range(8))
        pram.write(x.at(np.arange(8)), pram.read(x.at(np.arange(8))))
        return int(pram.report().pram_steps)


try:
    print(delays(netpram.Network("mesh:4x4"), 2), cost("ideal"), netpram.names("schemes")[0], netpram.__version__)
    print(netpram.sort("mesh:4x4", [3, 1, 2]).keys, netpram.pram("prefix-sums", input=[1, 2]).answer)
except netpram.InputError as error:
    print(error)
'''


def test_mypy_accepts_a_script(tmp_path):
    mypy = pytest.importorskip("mypy", reason="mypy is not installed") and "/usr/bin/mypy"
    (tmp_path / "script.py").write_text(SCRIPT)

    def check():
        environment = {**os.environ, "MYPYPATH": str(Path(__file__).resolve().parents[1] / "src")}
        cache = str(tmp_path / "cache")
        return subprocess.run([mypy, "--strict", "--follow-imports", "silent", "--cache-dir", cache, "script.py"],
                              cwd=tmp_path, env=environment, capture_output=True, text=True)

    done = check()
    assert done.returncode == 0, done.stdout + done.stderr
    exec(SCRIPT, {})
    (tmp_path / "script.py").write_text(SCRIPT + "\nnetpram.delay()\n")
    assert 'has no attribute "delay"' in check().stdout


def test_all_names_what_there_is():
    assert all(hasattr(netpram, name) for name in netpram.__all__)
    public = {name for name, value in vars(netpram).items()
              if not name.startswith("_") and getattr(value, "__module__", "").startswith("netpram")}
    assert public - set(netpram.__all__) <= {"lib", "text", "document"}


# ---- Copies ----

RESULTS = {
    "route": lambda: netpram.route("hypercube:4", "cubes", runs=3, observe=True, bound=True),
    "route, failed": lambda: netpram.route(networkx.cycle_graph(9), paths="shortest", fail=0.1, observe=True),
    "sort": lambda: netpram.sort("mesh:4x4"),
    "sort, keys": lambda: netpram.sort("mesh:2x2", [3, 1, 2, 0]),
    "ranks": lambda: netpram.ranks("butterfly-io:3"),
    "schedule": lambda: netpram.schedule("mesh:4x4"),
    "collective": lambda: netpram.collective("ring:4", "gossip"),
    "embed": lambda: netpram.embed("ring:16", "hypercube:4"),
    "check": lambda: netpram.check("hypercube:3", "cubes"),
    "defeat": lambda: netpram.defeat("hypercube:4"),
    "universal": lambda: netpram.universal("mesh:4x4"),
    "reconfigure": lambda: netpram.reconfigure("parity", n=8),
    "info": lambda: netpram.info("mesh:4x4"),
    "pram": lambda: netpram.pram("prefix-sums", n=64, machine="butterfly:4"),
    "pram, text": lambda: netpram.pram("input x : array\noutput x\nprint \"x\"\n", input=[1, 2]),
}
ARRAYS = ("order", "keys", "rank", "hops", "printed")


def assert_same(one, other):
    assert type(one) is type(other) and one == other and one is not other
    assert str(one) == str(other) and one.csv() == other.csv() and one._repr_html_() == other._repr_html_()
    for name in ARRAYS:
        assert np.array_equal(one.__dict__.get(name), other.__dict__.get(name))
    if isinstance(one, netpram.ProgramRun):
        assert one.answer.tolist() == other.answer.tolist()
    if isinstance(one, netpram.Routing):
        assert one.frame().equals(other.frame()) and (one.delays() == other.delays()).all()
        assert (one.events == other.events).all() and (one.loads() == other.loads()).all()
        assert one.network_object.spec == other.network_object.spec and other.steps == other["steps"]


@pytest.mark.parametrize("what", RESULTS)
def test_results_can_be_copied(what, tmp_path):
    result = RESULTS[what]()
    for other in (copy.deepcopy(result), copy.copy(result), pickle.loads(pickle.dumps(result))):
        assert_same(result, other)
        assert_same(result, pickle.loads(pickle.dumps(other)))
        if hasattr(result, "save"):
            result.save(tmp_path / "one")
            other.save(tmp_path / "other")
            assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes() != b""


def graph_with_names():
    graph = networkx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    return netpram.Network(graph, hosts=["d", "a", "b"])


@pytest.mark.parametrize("make", [
    lambda: netpram.Network("torus:6x6"), lambda: netpram.Network("torus:6x6", fail=0.1, seed=3), graph_with_names,
    lambda: netpram.Network(graph_with_names(), fail=0.3),
    lambda: netpram.Network((3, [0, 1, 2], [1, 2, 0]), width=[2, 1, 1]),
    lambda: netpram.Network(scipy.sparse.eye(4, k=1) + scipy.sparse.eye(4, k=-3), hosts=[3, 0])])
def test_networks_and_traffic_can_be_copied(make):
    network = make()
    for other in (copy.deepcopy(network), pickle.loads(pickle.dumps(network)),
                  pickle.loads(pickle.dumps(copy.copy(network)))):
        assert other.spec == network.spec and other.names() == network.names() and other.terminals == network.terminals
        assert all((one == two).all() for one, two in zip(network._numbered_arcs(), other._numbered_arcs()))
    traffic = netpram.Traffic("mesh:4x4", ([0, 1], [2, 3], [1, 0]))
    for traffic in (traffic, netpram.Traffic("mesh:4x4", "random", seed=7)):
        other = pickle.loads(pickle.dumps(traffic))
        assert (other.sources == traffic.sources).all() and (other.destinations == traffic.destinations).all()
        assert np.array_equal(other.priorities, traffic.priorities)


def route_one(seed):
    return netpram.route("hypercube:4", "cubes", seed=seed, runs=2)


def test_process_pools_return_results():
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for seed, result in zip(range(1, 5), pool.map(route_one, range(1, 5))):
            assert result["phases"] == route_one(seed)["phases"] and len(result.sample("steps", "A")) == 2


# ---- Commands ----

@pytest.mark.parametrize("call, line", [
    (lambda: netpram.route("butterfly-io:4", "ranked", traffic="random-function:2", runs=2, same_traffic=True,
                           message_length=(2, 3), bound=False),
     "netpram route butterfly-io:4 --traffic random-function:2 --scheme ranked --runs 2 --same-traffic "
     "--message-length 2..3"),
    (lambda: netpram.sort("mesh:4x4", 32, seed=np.int64(5)), "netpram sort mesh:4x4 --seed 5 --keys 32"),
    (lambda: netpram.collective("ring:4", "gossip", ca=0.5), "netpram collective ring:4 gossip --ca 0.5"),
    (lambda: netpram.embed("ring:16", "hypercube:4"), "netpram embed ring:16 hypercube:4"),
    (lambda: netpram.info("mesh:4x4", effort=1000), "netpram info mesh:4x4 --effort 1000"),
    (lambda: netpram.pram("prefix-sums", n=64, machine="butterfly:4"),
     "netpram pram prefix-sums --n 64 --machine butterfly:4"),
    (lambda: netpram.universal("mesh:4x4", seed=3), "netpram universal --guest mesh:4x4 --seed 3"),
    (lambda: netpram.route("torus:6x6:fail=0.1:seed=2", paths="shortest"),
     "netpram route torus:6x6:fail=0.1:seed=2 --traffic random --paths shortest"),
])
def test_the_command_does_the_same(call, line, command, same):
    result = call()
    assert result.command == result["command"] == line
    same(result, command(*shlex.split(line)[1:]), "map", "schedule")


def test_what_is_in_memory_has_no_command():
    assert netpram.route(networkx.cycle_graph(4)).command == "" == netpram.sort("mesh:2x2", [1, 2]).command
    assert netpram.route("mesh:2x2", traffic=([0], [1])).command == "" == netpram.pram("prefix-sums", input=[1]).command


def test_steps_and_delays_are_of_all_phases():
    result = netpram.route("hypercube:5", "cubes", runs=4)
    assert "steps" in result and result["steps"] is result.steps
    assert "stepz" not in result and result.get("stepz") is None
    a, b = result.delays("A"), result.delays("B")
    assert result.delays().sum() == a.sum() + b.sum() and result.delays()[0] == a[0] + b[0]


# ---- Failures ----

def test_failed_links_are_drawn_and_loaded():
    result = netpram.route("torus:6x6", paths="shortest", fail=0.1, seed=4, observe=True)
    network = netpram.Network(result.network.spec)
    assert result.network.spec == "torus:6x6:fail=0.1:seed=4" and network.links < 144
    links, _, _ = network._numbered_arcs()
    loads = result.loads()
    assert loads[links].sum() == loads.sum() == sum(phase.hops.mean for phase in result.phases) > 0
    result.plot("loads")
    again = netpram.route(network, paths="shortest", seed=4, observe=True)
    assert again.phases == result.phases and (again.loads() == loads).all()


# ---- Errors ----

def test_errors_of_files_have_a_number(tmp_path):
    for path, code in ((tmp_path / "none", errno.ENOENT), (tmp_path, errno.EISDIR)):
        with pytest.raises(OSError) as raised:
            netpram.Network(f"file:{path}")
        assert raised.value.errno == code and "\n" not in str(raised.value) and not str(raised.value).startswith("[")


@pytest.mark.parametrize("call", [
    lambda: netpram.Network("mesh:4x4\0junk"), lambda: netpram.Network("mesh:4x4\ud800"),
    lambda: netpram.route("mesh:4x4", "greedy\0x"),
    lambda: netpram.route("mesh:4x4", traffic="random\0x"), lambda: netpram.route("mesh:4x4", **{"runs\0x": 3}),
    lambda: netpram.sort("mesh:4x4", "keys\0x"), lambda: netpram.collective("ring:4", "gossip\0x"),
    lambda: netpram.pram("prefix-sums\0x"), lambda: netpram.check("hypercube:3", "cubes\0x"),
    lambda: netpram.reconfigure("parity\0x"), lambda: netpram.ranks("butterfly-io:3").save("a\0b"),
    lambda: netpram.Network(networkx.Graph([("a\0", "b")])),
    lambda: netpram.pram("input x : array\noutput x\0\n", input=[1]),
    lambda: netpram.route("mesh:4x4").sample("steps\0x"),
])
def test_nul_is_refused(call):
    with pytest.raises(netpram.InputError, match="NUL|half a character"):
        call()


def test_options_may_be_of_numpy():
    result = netpram.route("mesh:4x4", runs=np.float64(3), same_traffic=np.bool_(True), queue_size=None)
    assert result.runs == 3 and result.phases == netpram.route("mesh:4x4", runs=3, same_traffic=True).phases
    given = netpram.collective("ring:4", "gossip", ca=np.float32(0.1))
    assert given.ca == pytest.approx(float(np.float32(0.1)), rel=1e-14)
    for bad in ([2, 3], {2}, (1, 2, 3), range(2, 9, 2), b"3", np.arange(2), float("inf"), 1j, object()):
        with pytest.raises(netpram.InputError, match="message.length"):
            netpram.route("mesh:4x4", message_length=bad)


# ---- Time ----

def test_a_step_in_the_main_thread_costs_what_it_costs_elsewhere():
    with netpram.Pram(rule="crew") as pram:
        x = pram.array(64, "x")
        places, took = x.at(np.arange(32)), []
        for _ in range(20):
            began = time.perf_counter()
            for _ in range(100):
                pram.read(places)
            took.append((time.perf_counter() - began) / 100)
    assert min(took) < 60e-6  # 12 us; with a thread for each step 200 us


INTERRUPTED = """
import netpram, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
network = netpram.Network("mesh:6x7")
print("begun", flush=True)
try:
    network.info(effort=10**18)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_ends_info():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert rest == "interrupted\n" and process.returncode == 0 and time.monotonic() - began < 10


@pytest.mark.parametrize("call, words", [
    (lambda: netpram.collective("complete:8", "all-reduce", model="steps", algorithm="double-tree", flits=3),
     "flits 3 is odd"),
    (lambda: netpram.collective("hypercube:3", "gossip", rounds=1), "rounds 1: gossip"),
    (lambda: netpram.flows("mesh:3x3", link_rate="1Gbit/s"), "give size or sizes"),
    (lambda: netpram.pram("prefix-sums", machine="butterfly:3", map="none", zeta=3), "only map hash"),
])
def test_refusals_name_arguments(call, words):
    with pytest.raises(netpram.NetpramError) as refused:
        call()
    assert words in str(refused.value) and "--" not in str(refused.value)


def test_names_of_files_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(netpram.FileError, match="'--to-do'"):
        netpram.info("file:--to-do")
    (tmp_path / "--to-do").write_text("a b\n1 2 3 4 5 x\n")
    with pytest.raises(netpram.InputError, match="^--to-do:"):
        netpram.info("file:--to-do")


def test_options_of_files_stay_the_command_s(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ways.txt").write_text("0 1\n1 0\n1 2\n2 1\n2 3\n")
    with pytest.raises(netpram.InputError, match="--undirected"):
        netpram.info("file:ways.txt")
