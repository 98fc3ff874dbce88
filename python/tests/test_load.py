"""Load, deadlock and jobs: what the command says, and what Python adds to it."""

import json
import pickle
import shlex

import networkx
import numpy as np
import pandas
import pytest

import netpram

QUICK = {"precision": 0.2, "cycles": 4000}
JOBS = [{"name": "ring", "collective": "all-reduce", "algorithm": "ring", "size": 8, "hosts": [0, 1, 2, 3]},
        {"collective": "all-to-all", "size": 4, "hosts": "packed:4", "start": 2},
        {"name": "lot", "collective": "broadcast", "size": 6, "hosts": "random:3"}]


def test_they_say_what_the_command_says(command, same, tmp_path):
    same(netpram.load("mesh:4x4", loads=[0.1, 0.3], **QUICK),
         command("load", "mesh:4x4", "--loads", "0.1,0.3", "--precision", "0.2", "--cycles", "4000"))
    same(netpram.load("ring:8", traffic="tornado", paths=["greedy", "valiant"], from_=0.5, resolution=0.3, bound=True,
                      **QUICK),
         command("load", "ring:8", "--traffic", "tornado", "--paths", "greedy,valiant", "--from", "0.5",
                 "--resolution", "0.3", "--bound", "--precision", "0.2", "--cycles", "4000"))
    same(netpram.load("ring:8", window=[1, 2], **QUICK),
         command("load", "ring:8", "--window", "1,2", "--precision", "0.2", "--cycles", "4000"))
    same(netpram.deadlock("mesh:4x4", "dimension-order", 2),
         command("check", "mesh:4x4", "--paths", "dimension-order", "--channels", "2"))
    file = tmp_path / "jobs.json"
    file.write_text(json.dumps([{**job, "hosts": job["hosts"]} for job in JOBS]))
    expected = command("flows", "array:16", "--jobs", str(file), "--seed", "3")
    same(netpram.jobs("array:16", file, seed=3), expected)
    same(netpram.jobs("array:16", JOBS, seed=3), expected)
    assert netpram.jobs("hypercube:4", JOBS).command == ""


@pytest.mark.parametrize("call", [
    lambda file: netpram.load("ring:8", loads=[0.1], paths=["spray"], model="steps", **QUICK),
    lambda file: netpram.load("ring:8", from_=0.8, resolution=0.5, **QUICK),
    lambda file: netpram.deadlock("mesh:3x3"),
    lambda file: netpram.jobs("hypercube:4", file, paths="spray"),
], ids="load search deadlock jobs".split())
def test_the_line_does_the_same_in_a_shell(call, command, same, tmp_path):
    file = tmp_path / "jobs.json"
    file.write_text(json.dumps(JOBS))
    result = call(file)
    same(result, command(*shlex.split(result.command)[1:]))


def test_loads_may_be_any_numbers():
    plain = netpram.load("ring:4", loads="0.1,0.2", **QUICK).points
    for loads in ([0.1, 0.2], (0.1, 0.2), np.array([0.1, 0.2]), pandas.Series([0.1, 0.2]), iter([0.1, "0.2"])):
        assert netpram.load("ring:4", loads=loads, **QUICK).points == plain
    for alone in (0.1, np.float64(0.1), np.array(0.1)):
        assert netpram.load("ring:4", loads=alone, **QUICK).points == plain[:1]


def test_loads_may_be_sums_of_floats():
    steps = netpram.load("ring:4", loads=np.linspace(0.1, 0.5, 5), **QUICK)
    assert "--loads 0.1,0.2,0.3,0.4,0.5 " in steps.command
    assert netpram.load("ring:4", loads=[0.1 + 0.2], **QUICK).points[0]["offered"] == 0.3
    for value in (0.1234567891234, 1e-10, float(np.float32(0.1))):
        with pytest.raises(netpram.InputError, match="nine decimals"):
            netpram.load("ring:4", loads=[value], **QUICK)


def test_frames_have_a_row_for_each_point():
    frame = netpram.load("ring:8", loads=[0.1, 0.3], paths=["greedy", "valiant"], **QUICK).frame()
    assert frame.offered.tolist() == [0.1, 0.3, 0.1, 0.3] and frame.paths.nunique() == 2
    assert (frame["mean"] > 1).all() and not frame.saturated.any()
    jobs = netpram.jobs("hypercube:4", JOBS).frame()
    assert jobs.name.tolist() == ["ring", "1", "lot"] and (jobs.time >= jobs.alone).all()
    assert netpram.deadlock("ring:8", "shortest", 1).frame().length.tolist() == [8]


def test_a_cycle_of_channels_is_found_and_refused():
    """The shortest ways half round a ring of 8 wait for each other all around."""
    found = netpram.deadlock("ring:8", "shortest")
    assert found.possible and sorted(channel["link"] for channel in found.cycle) == sorted(
        {channel["link"] for channel in found.cycle}) and len(found.cycle) == 8
    assert not netpram.deadlock("ring:8", "dimension-order", 2).possible
    with pytest.raises(netpram.DeadlockError, match="may deadlock"):
        netpram.load("ring:8", model="flits", paths="shortest", channels=1)


def test_jobs_by_hand():
    """A ring all-reduce of 8 on 4 neighbours: 2 x 3 rounds of 2 steps. Both on the same links take twice as long."""
    ring = {"collective": "all-reduce", "algorithm": "ring", "size": 8, "hosts": range(4)}
    alone = netpram.jobs("ring:4", [ring])
    assert alone.makespan == 12 and alone.jobs[0].slowdown == 1
    both = netpram.jobs("ring:4", [ring, {**ring, "hosts": np.arange(4)}])
    assert both.makespan == 24 and [job.slowdown for job in both.jobs] == [2, 2]
    named = netpram.Network(networkx.cycle_graph(["a", "b", "c", "d"]))
    assert netpram.jobs(named, [{**ring, "hosts": ["a", "b", "c", "d"]}]).makespan == 12


@pytest.mark.parametrize("line, what", [
    ("jobs: must be the path of a file, or a list of dicts", 3), ("jobs: must be", {"collective": "scan"}),
    ("jobs: must be", pandas.DataFrame(JOBS)), ("jobs: there are none", []),
    (r"jobs\[0\]: must be a dict", ["all-reduce"]),
    (r"jobs\[1\]: a job has no member 'sise'", [JOBS[0], {**JOBS[0], "sise": 1}]),
    (r"jobs\[0\]: size is missing", [{"collective": "scan", "hosts": "packed:3"}]),
    (r"jobs\[0\]: hosts is missing", [{"collective": "barrier"}]),
    (r'jobs\[0\]: hosts: must be a list of hosts, "packed:8"', [{**JOBS[0], "hosts": "0..3"}]),
    (r"jobs\[0\]: hosts", [{**JOBS[0], "hosts": [0, 1.5]}]), (r"jobs\[0\]: size", [{**JOBS[0], "size": "8MB"}]),
    (r"jobs\[0\]: collective", [{**JOBS[0], "collective": 5}]),
    ("twice", [{**JOBS[0], "hosts": [0, 0]}]), ("at no host", [{**JOBS[0], "hosts": [0, 99]}]),
    ("size", [{**JOBS[0], "size": -1}]), ("collective|operation", [{**JOBS[0], "collective": "all-reduc"}])])
def test_jobs_are_refused_in_a_line(line, what):
    with pytest.raises(netpram.InputError, match=line) as raised:
        netpram.jobs("hypercube:4", what)
    assert "\n" not in str(raised.value)


def test_refusals():
    for line, call in (
            ("traffic: must be a text", lambda: netpram.load("ring:4", traffic=([0], [2]))),
            ("from: is for a search", lambda: netpram.load("ring:4", loads=[0.1], from_=0.2)),
            ("to: is for a search", lambda: netpram.load("ring:4", loads=[0.1], to=0.2)),
            ("loads: there is none", lambda: netpram.load("ring:4", loads=[])),
            ("loads: must be a list", lambda: netpram.load("ring:4", loads={0.1})),
            ("loads: must be a number", lambda: netpram.load("ring:4", loads=[None])),
            ("loads", lambda: netpram.load("ring:4", loads=[0.2, 0.1])),
            ("channels", lambda: netpram.deadlock("torus:4x4", "dimension-order", 1)),
            ("channels 0: must be a whole number in 1..255", lambda: netpram.deadlock("ring:4", channels=0)),
            ("rule|routes|relation", lambda: netpram.deadlock("ring:4", "no-rule"))):
        with pytest.raises(netpram.InputError, match=line):
            call()
    with pytest.raises(netpram.ApplyError, match="load|size"):
        netpram.jobs("hypercube:4", JOBS, load=0.5)
    with pytest.raises(netpram.FileError):
        netpram.jobs("ring:4", "nowhere.json")
    with pytest.raises(netpram.LimitError):
        netpram.load("torus:32x32", memory="10000")


def test_copies_have_all():
    for result in (netpram.load("ring:4", loads=[0.1], **QUICK), netpram.deadlock("ring:4"),
                   netpram.jobs("hypercube:4", JOBS)):
        copy = pickle.loads(pickle.dumps(result))
        assert copy == result and str(copy) == str(result) and copy.frame().equals(result.frame())


@pytest.mark.parametrize("call", [
    lambda tell: netpram.load("torus:16x16", progress=tell),
    lambda tell: netpram.deadlock("torus:20x20", "shortest", progress=tell),
    lambda tell: netpram.jobs("hypercube:6", [{"collective": "all-to-all", "size": 64, "hosts": "packed:64"}] * 1,
                              progress=tell)], ids="load deadlock jobs".split())
def test_progress_is_told_and_may_end_the_call(call):
    def tell(share, stage):
        assert 0 <= share <= 1
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        call(tell)


def test_curves_are_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    result = netpram.load("ring:8", loads=[0.1, 0.5, 1], paths=["greedy", "valiant"], bound=True, **QUICK)
    axes = result.plot()
    assert netpram.load("ring:4", loads=[0.1], **QUICK).plot(axes) is axes
    links = [theorem for theorem in result.curves[0].bound if theorem.name == "links"][0]
    upright = [line for line in axes.lines if line.get_label() == "links: accepted at most"][0]
    assert list(upright.get_xdata()) == [links["values"][0]] * 2
    windows = netpram.load("ring:4", window=[1, 4], **QUICK).plot()
    assert len(windows.containers[0].lines[0].get_xdata()) == 2
    assert "round trips" in windows.get_xlabel() and "round trip" in windows.get_ylabel()
    labels = [container.get_label() for container in axes.containers]
    assert labels[:2] == [curve.paths for curve in result.curves]
    drawn = axes.containers[0].lines[0].get_xdata()
    assert 0.1 in drawn and 1 not in drawn  # saturated


def test_series_of_load_and_compare(tmp_path):
    sweep = netpram.experiment({"name": "loads", "series": [
        {"label": "curve", "load": "uniform", "networks": "ring:8", **QUICK,
         "sweep": {"loads": [0.1, 0.3], "paths": ["greedy", "valiant"]}},
        {"label": "two", "compare": ["ring:8", "mesh:3x3"], "draws": 0}]}, tmp_path)
    frame = sweep.frame()
    means = frame[frame.measure == "latency.mean"]
    assert means.loads.tolist() == [0.1, 0.3, 0.1, 0.3]
    point = netpram.load("ring:8", loads=[0.3], **QUICK).points[0]
    assert means["mean"].iloc[1] == point.latency.mean
    assert frame[frame.measure == "cables"]["mean"].tolist() == [8, 12]
    pytest.importorskip("matplotlib").use("agg")
    axes = sweep.plot("latency.mean", x="loads")
    assert [container.get_label() for container in axes.containers] == ["curve; greedy", "curve; valiant"]
