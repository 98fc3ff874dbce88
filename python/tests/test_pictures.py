"""Pictures and tables of notebooks: what is in them is what was measured."""

import matplotlib
import numpy as np
import pytest

import netpram

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def close():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def observed():
    return netpram.route("hypercube:5", "cubes", traffic="transpose", runs=20, bound=True, observe=True)


def test_events_are_those_of_the_measures(observed):
    events = observed.events
    moved = events[events["kind"] == netpram.EVENTS.index("moved")]
    assert len(moved) == sum(20 * phase.hops.mean for phase in observed.phases)
    assert (np.bincount(events["kind"])[netpram.EVENTS.index("landed")]) == 2 * 20 * 32
    last = [moved[(moved["run"] == run) & (moved["phase"] == 1)]["step"].max() for run in range(20)]
    assert last == observed.sample("steps", "B").tolist()
    assert observed.phases == netpram.route("hypercube:5", "cubes", traffic="transpose", runs=20).phases


def test_loads_are_the_packets_over_links(observed):
    loads = observed.loads()
    assert loads.sum() == sum(20 * phase.hops.mean for phase in observed.phases)
    assert (observed.loads("A") + observed.loads("B") == loads).all()
    leveled = netpram.route("butterfly-io:4", "ranked", runs=7, observe=True)
    assert leveled.loads().sum() == 7 * leveled.phases[0].hops.mean
    one = netpram.route("mesh:3x3", "xy", traffic=([0], [8]), observe=True)
    tails, heads = netpram.Network("mesh:3x3").arcs()
    links, _, _ = netpram.Network("mesh:3x3")._numbered_arcs()
    crossed = one.loads()[links] > 0
    assert sorted(zip(tails[crossed].tolist(), heads[crossed].tolist())) == [(0, 3), (3, 6), (6, 7), (7, 8)]


def test_whoever_did_not_observe_is_told():
    result = netpram.route("mesh:4x4")
    for what in ("loads", "flow"):
        with pytest.raises(netpram.InputError, match="observe=True"):
            result.plot(what)
    with pytest.raises(netpram.InputError, match="bound=True"):
        result.plot("bound")
    with pytest.raises(netpram.InputError, match="one of delays, steps, bound, flow, loads"):
        result.plot("delay")


def test_histograms_of_delays_are_shares(observed):
    ax = observed.plot()
    assert [line.get_label() for line in ax.lines] == ["phase A", "phase B"]
    for line, phase in zip(ax.lines, "AB"):
        counts = observed.delays(phase)
        assert line.get_ydata()[:-1] == pytest.approx(counts / counts.sum())
        assert line.get_xdata()[0] == -0.5


def test_steps_flow_and_bound(observed):
    ax = observed.plot("steps")
    assert ax.lines[0].get_ydata().tolist() == observed.sample("steps", "A").tolist()
    ax = observed.plot("flow")
    events = observed.events
    first = events[(events["run"] == 0) & (events["kind"] == netpram.EVENTS.index("moved"))]
    assert sum(line.get_ydata().sum() for line in ax.lines[0:1]) == (first["phase"] == 0).sum()
    ax = observed.plot("bound")
    ladder = observed.bound[0].ladder
    assert ax.lines[0].get_ydata() == pytest.approx([rung.measured for rung in ladder])
    assert ax.lines[1].get_ydata() == pytest.approx([min(1, rung.bound) for rung in ladder])
    ranked = netpram.route("butterfly-io:4", "ranked", queue_size=2, runs=5, bound=True).plot("steps")
    assert "Theorem 2.9" in "".join(ranked.get_legend_handles_labels()[1])
    exact = netpram.route("mesh:8x8", "xy", traffic="transpose", queue="farthest-first", runs=2,
                          bound=True).plot("steps")
    labels = dict(zip(exact.get_legend_handles_labels()[1], exact.get_legend_handles_labels()[0]))
    assert labels["total"].get_ydata().tolist() == [14, 14]
    assert labels["greedy routing, for h-relations: at most"].get_ydata()[0] == 14
    with pytest.raises(netpram.InputError, match="no theorem here bounds a probability"):
        netpram.route("mesh:8x8", "xy", bound=True).plot("bound")


def test_networks_are_drawn_where_they_are_placed():
    mesh = netpram.Network("mesh:3x5")
    where = mesh.places()
    assert sorted(map(tuple, where.tolist())) == [(float(x), float(y)) for x in range(5) for y in range(3)]
    ax = mesh.plot()
    assert ax.collections[1].get_offsets().tolist() == where.tolist()
    assert len(ax.collections[0].get_segments()) == mesh.links
    assert len(ax.texts) == 15
    assert not netpram.Network("mesh:9x9").plot().texts
    circle = mesh.places("circle")
    assert not np.array_equal(circle, where)
    with pytest.raises(netpram.InputError, match="circle"):
        mesh.plot(drawing="circl")
    with pytest.raises(netpram.InputError, match="one for each of the"):
        mesh.plot([1, 2, 3])


def test_loads_colour_the_links(observed):
    ax = observed.plot("loads")
    network = netpram.Network("hypercube:5")
    links, tails, heads = network._numbered_arcs()
    lines = ax.collections[0]
    where = network.places()
    drawn = {tuple(np.round([*segment[0], *segment[-1]], 6)): load
             for segment, load in zip(lines.get_segments(), lines.get_array())}
    expected = {tuple(np.round([*where[u], *where[v]], 6)): observed.loads()[link]
                for link, u, v in zip(links, tails, heads)}
    assert drawn == expected


def test_notebooks_see_tables(observed):
    html = observed._repr_html_()
    assert html.count("<table>") == html.count("</table>") >= 4
    assert "phases: A" in html and "hypercube:5" in html
    assert f"<td>{observed.steps.mean:,.4g}</td>" in html
    ranked = netpram.route("butterfly-io:3", "ranked", queue_size=2, bound=True)
    assert "P[more than L + 1 + w steps] &lt;= " in ranked._repr_html_()
    assert "mesh:3x3" in netpram.Network("mesh:3x3")._repr_html_()
    for result in (netpram.sort("mesh:4x4"), netpram.universal("mesh:4x4"), netpram.pram("prefix-sums", n=20),
                   netpram.collective("ring:8", "broadcast"), netpram.schedule("mesh:4x4"),
                   netpram.check("hypercube:3", "cubes"), netpram.embed("ring:8", "hypercube:3"),
                   netpram.Network("ring:5").info()):
        assert "<table>" in result._repr_html_()


def test_sweeps_are_lines(tmp_path):
    sweep = netpram.experiment({"name": "cubes", "runs": 3, "seed": 1, "series": [
        {"label": "two phases", "networks": ["hypercube:3", "hypercube:4"], "scheme": "cubes",
         "traffic": "random"}]}, tmp_path)
    ax = sweep.plot("steps", phase="A")
    frame = sweep.frame()
    means = frame[(frame.phase == "A") & (frame.measure == "steps")]["mean"].tolist()
    assert ax.lines[0].get_ydata().tolist() == means
    with pytest.raises(netpram.InputError, match="no measure 'step'"):
        sweep.plot("step")
    assert "<table" in sweep._repr_html_()
