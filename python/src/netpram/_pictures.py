"""Pictures by matplotlib: drawn networks, histograms of delays, steps of runs, theorems beside what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._events import EVENTS
from ._convert import encoded, listed
from ._errors import InputError, check, ffi, lib, text

if TYPE_CHECKING:
    from ._network import Network
    from ._route import Routing

# Okabe & Ito 2002: colours that people tell apart who see no red or no green.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
LOADS = ("#dcdcdc", "#f2b56b", "#d55e00", "#7a2500", "#200800")  # darker is more, in print as well
NAMES_MOST = 64  # nodes of a network whose numbers are written


def axes(ax: Any = None, **figure: Any) -> Any:
    """The axes to draw on: those that were given, or new ones."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained", **figure)[1]


def places(network: "Network", drawing: Optional[str] = None) -> NDArray[Any]:
    """Where nodes stand in a drawing: [nodes, 2], x to the right and y downwards."""
    found = np.zeros((network.nodes, 2))
    name = ffi.NULL if drawing is None else encoded(drawing, "drawing")
    check(lib.np_drawing_place(network.c, name, ffi.from_buffer("np_point[]", found), ffi.NULL))
    return found


def drawing_of(network: "Network") -> str:
    """The drawing that suits the network best."""
    room, used = ffi.new("np_point[]", network.nodes), ffi.new("char **")
    check(lib.np_drawing_place(network.c, ffi.NULL, room, used))
    return text(used[0]) or ""


def draw_network(network: "Network", loads: Any = None, *, drawing: Optional[str] = None, names: Optional[bool] = None,
                 ax: Any = None) -> Any:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import LinearSegmentedColormap

    where, (links, tails, heads) = places(network, drawing), network._numbered_arcs()
    spread = where.max(axis=0) if len(where) else np.ones(2)
    ax = axes(ax, figsize=_size(spread))
    there = tails != heads
    curves = _curves(where[tails[there]], where[heads[there]], loads is not None)
    if loads is None:
        ax.add_collection(LineCollection(curves, colors="0.7", linewidths=0.8, zorder=1))
    else:
        loads = listed(loads, "loads")
        if loads.shape != (lib.np_network_link_numbers(network.c),):
            raise InputError(f"loads: must be one for each of the {lib.np_network_link_numbers(network.c)} link "
                             f"numbers, not of shape {loads.shape}")
        values = loads[links[there]]
        order = np.argsort(values, kind="stable")  # the heaviest on top
        lines = LineCollection([curves[i] for i in order], array=values[order], linewidths=1.4, zorder=1,
                               cmap=LinearSegmentedColormap.from_list("loads", LOADS))
        lines.set_clim(0, max(1, values.max(initial=0)))
        ax.add_collection(lines)
        ax.figure.colorbar(lines, ax=ax, label="packets over the link", shrink=0.7)
    many = network.nodes > 256
    if names is None:
        names = network.nodes <= NAMES_MOST
    ax.scatter(*where.T, s=4 if many else 160 if names else 24, color="white" if names else "0.2", edgecolors="0.2",
               linewidths=0 if many else 0.8, zorder=2)
    if names:
        for place, name in zip(where, network.names()):
            ax.annotate(name, place, ha="center", va="center", fontsize=7, zorder=3)
    ax.set_title(f"{network.spec}: {network.nodes} nodes, {network.links} links", fontsize=10)
    ax.set_axis_off()
    ax.margins(0.06)
    ax.invert_yaxis()
    ax.set_aspect("equal")
    return ax


def _size(spread: NDArray[Any]) -> tuple[Any, ...]:
    """Of a figure: 5 inches along the shorter side, at most twice as much along the longer one."""
    x, y = np.maximum(spread, 1)
    return (5 * min(2.0, max(1.0, x / y)), 5 * min(2.0, max(1.0, y / x)))


def _curves(begin: NDArray[Any], end: NDArray[Any], both: bool) -> Any:
    """
    Links as lines. Those along an axis over more than a unit bend, because nodes may be on the way. With both
    directions of a cable to be seen, all bend to the right of the way.
    """
    way = end - begin
    if not both:  # one curve for both directions
        back = (way.sum(axis=1) < 0)[:, None]
        way, begin = np.where(back, -way, way), np.where(back, end, begin)
    over = ((way == 0).any(axis=1) & (np.abs(way).sum(axis=1) > 1.01)) | both
    aside = np.stack([-way[:, 1], way[:, 0]], axis=1) * (0.08 * over)[:, None]
    t = np.linspace(0, 1, 9)[None, :, None]
    return begin[:, None] + t * way[:, None] + 4 * t * (1 - t) * aside[:, None]


# ---- Routings ----


def _delays(result: "Routing", ax: Any) -> None:
    for i, phase in enumerate(result["phases"]):
        counts = result.delays(phase["name"])
        share = counts / max(1, counts.sum())
        ax.step(np.arange(len(share) + 1) - 0.5, [*share, share[-1]] if len(share) else [0], where="post",
                color=COLOURS[i], label=f"phase {phase['name']}" if phase["name"] else "")
        ax.fill_between(np.arange(len(share) + 1) - 0.5, [*share, share[-1]] if len(share) else [0], step="post",
                        color=COLOURS[i], alpha=0.2)
    ax.set(yscale="log", xlabel="delay of a packet, steps", ylabel="share of all packets", title="Delays")


def _steps(result: "Routing", ax: Any) -> None:
    samples = {phase["name"]: result.sample("steps", phase["name"]) for phase in result["phases"]}
    colours = dict(zip(samples, COLOURS))
    if len(samples) > 1:
        total = np.nansum(list(samples.values()), axis=0)  # a run that lacks a phase has NaN there
        if abs(total.mean() - result["total_steps"]["mean"]) < 1e-9:  # every run had all phases
            samples["total"], colours["total"] = total, "black"
    for name, sample in samples.items():
        ax.plot(sample, ".", color=colours[name], label=name if name == "total" else f"phase {name}")
        if np.isfinite(sample).any():
            ax.axhline(np.nanmean(sample), color=colours[name], linewidth=0.8)
    for bound in result.get("bound", ()):
        most = _most_steps(bound)
        if most is not None:
            ax.axhline(most[0], color=colours.get(bound["phase"], "0.2"), linestyle="--", label=most[1])
    ax.set(xlabel="run", ylabel="steps", title="Steps, and their mean")
    ax.set_ylim(bottom=0)


def _most_steps(bound: Any) -> Optional[Tuple[float, str]]:
    """The steps that a theorem allows, and what it says of them; None: it speaks of something else."""
    if bound["steps"] is not None:
        return bound["steps"]["theorem"], f"{bound['theorem']}: {bound['steps']['relation']}"
    sure = [rung["steps"] for rung in bound["ladder"] if "steps" in rung and rung["bound"] <= 0.01]
    return (sure[0], f"{bound['theorem']}: more in less than 1% of runs") if sure else None


def _bound(result: "Routing", ax: Any) -> None:
    if "bound" not in result:
        raise InputError("plot('bound'): say route(..., bound=True)")
    what = "steps"
    for i, bound in enumerate(bound for bound in result["bound"] if bound["ladder"]):
        what = "delay" if "delay" in bound["ladder"][0] else "steps"
        x = [rung[what] for rung in bound["ladder"]]
        ax.plot(x, [rung["measured"] for rung in bound["ladder"]], "o-", color=COLOURS[i],
                label=f"phase {bound['phase']}, measured")
        ax.plot(x, [min(1.0, rung["bound"]) for rung in bound["ladder"]], "--", color=COLOURS[i],
                label=f"phase {bound['phase']}, {bound['theorem']}")
    if not ax.lines:
        raise InputError("plot('bound'): no theorem here bounds a probability: "
                         + "; ".join(bound["reason"] or bound["formula"] for bound in result["bound"]))
    least = 0.1 / result["runs"]
    ax.set_yscale("symlog", linthresh=least)
    ax.set_ylim(0, 2)
    ax.set(xlabel=f"{what} of a phase", ylabel="share of runs with as much", title="Theorem and measurement")


def _flow(result: "Routing", ax: Any) -> None:
    """Of the first run: how many packets move and wait in each step."""
    events = result.events
    events, begin = events[events["run"] == 0], 0
    for phase in range(len(result["phases"])):
        mine = events[events["phase"] == phase]
        last = int(mine["step"].max(initial=0))
        for name, colour in (("moved", COLOURS[0]), ("waited", COLOURS[1])):
            counts = np.bincount(mine["step"][mine["kind"] == EVENTS.index(name)], minlength=last + 1)[1:]
            ax.step(begin + np.arange(last), counts, where="post", color=colour,
                    label={"moved": "move", "waited": "wait"}[name] if not phase else "")
        if phase:
            ax.axvline(begin, color="0.7", linewidth=0.8)
        begin += last
    ax.set(xlabel="step", ylabel="packets", title="Packets that move and wait, run 0")
    ax.set_ylim(bottom=0)


ROUTING: Dict[str, Callable[..., Any]] = {"delays": _delays, "steps": _steps, "bound": _bound, "flow": _flow}


def draw_routing(result: "Routing", what: str, ax: Any, **more: Any) -> Any:
    if what == "loads":
        return draw_network(result.network_object, result.loads(), ax=ax, **more)
    if what not in ROUTING:
        raise InputError(f"plot {what!r}: one of {', '.join(ROUTING)}, loads")
    if what == "flow":
        result.events  # refuses here, before there is an empty figure
    ax = axes(ax, figsize=(6, 4))
    ROUTING[what](result, ax, **more)
    title = f"{result['network']['spec']}, {result['scheme']}, {result['traffic']}, {result['runs']} runs"
    ax.set_title(f"{ax.get_title()}\n{title}", fontsize=10)
    ax.xaxis.get_major_locator().set_params(integer=True)
    if any(not label.startswith("_") for label in ax.get_legend_handles_labels()[1]):
        ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _bounds(curve: Any, load: NDArray[Any], color: str, ax: Any) -> None:
    """Theory on the mean as thin lines; loads that theory does not allow as upright ones, if they are near."""
    for theorem in curve.get("bound", ()):
        if not theorem["applies"]:
            continue
        values = np.array([np.nan if value is None else value for value in theorem["values"]], float)
        label = f"{theorem['name']}: {theorem['says']}"
        if theorem["says"].startswith("mean"):
            ax.plot(load, values, linewidth=0.8, linestyle=":", color=color, label=label)
        elif len(values) and values[0] <= 1.25 * load[-1]:
            ax.axvline(values[0], linewidth=0.8, linestyle="--", color=color, label=label)


def draw_load(result: Any, ax: Any) -> Any:
    ax = axes(ax, figsize=(6, 4))
    for i, curve in enumerate(result.get("curves", [result])):
        points, color = curve["points"], COLOURS[i % len(COLOURS)]
        load = np.array([point["accepted" if point.get("window") else "offered"] for point in points])
        there = [k for k, point in enumerate(points) if not point["saturated"] and point["latency"]["mean"] is not None]
        ax.errorbar(load[there], [points[k]["latency"]["mean"] for k in there],
                    [points[k]["latency"]["ci95"] or 0 for k in there], fmt=".-", color=color, capsize=2,
                    label=curve["paths"])
        _bounds(curve, load, color, ax)
    if result["model"].get("window"):
        ax.set(xlabel="round trips, a terminal and cycle", ylabel="mean round trip, cycles")
    else:
        ax.set(xlabel="offered load, flits a terminal and cycle", ylabel="mean latency, cycles")
    ax.set_title(f"{result['network']['spec']}, {result['traffic']}, model {result['model']['name']}", fontsize=10)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def draw_sweep(frame: Any, measure: str, phase: Optional[str], x: str, ax: Any) -> Any:
    """Lines of an experiment: the mean of a measure against a column, a line for each label."""
    if measure not in set(frame["measure"]):
        raise InputError(f"no measure {measure!r}: {', '.join(dict.fromkeys(frame['measure']))}")
    rows = frame[frame["measure"] == measure]
    phases = list(dict.fromkeys(rows["phase"])) if "phase" in rows else []
    if phase is not None and phase not in phases:
        raise InputError(f"no phase {phase!r}: {', '.join(map(str, phases))}")
    if len(phases) > 1 or phase is not None:
        rows = rows[rows["phase"] == (phases[0] if phase is None else phase)]
    ax = axes(ax, figsize=(6, 4))
    for i, (label, series) in enumerate(rows.groupby("label", sort=False)):
        series = series.sort_values(x)
        ax.errorbar(series[x], series["mean"], series["ci95"].fillna(0), fmt=".-", color=COLOURS[i % len(COLOURS)],
                    label=label, capsize=2)
    ax.set(xlabel=x, ylabel=f"{measure}, mean over runs", xscale="log" if x == "nodes" else "linear")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
