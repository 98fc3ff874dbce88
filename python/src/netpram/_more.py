"""The other questions: ranks, schedules, checks, embeddings, collectives, universal machines, experiments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Optional

import numpy as np

from . import _library, _pictures
from ._library import Options, Record, Result, Watch, ffi, lib, made, text
from ._network import Network, view, words32, pointer
from ._traffic import Traffic


def _watched(name: str, options: dict[str, Any], progress: Any) -> tuple[Any, ...]:
    given, watch = Options(name, options), Watch(progress)
    watch.put(given.c.watch)
    return given, watch


def _kept(result: Result, *networks: Network) -> Result:
    """The result, which C makes of networks that must live as long."""
    result.__dict__["_networks"] = networks
    return result


def _of_traffic(network: Network, traffic: Any, function: Any, of_packets: Any) -> tuple[Any, ...]:
    """The function for a spec or for packets, and what it takes."""
    if isinstance(traffic, str):
        return function, traffic.encode(), None
    packets = traffic if isinstance(traffic, Traffic) else Traffic(network, traffic)
    return of_packets, packets.c, packets


class Ranking(Result):
    """The outcome of ranks: its JSON, and `rank`, the rank of each packet."""

    def __init__(self, c: Any):
        super().__init__(lambda options, stream: lib.np_report_ranking(c, options, stream))
        self.__dict__.update(_c=c, rank=view(c, c.rank, c.packets, "uint32"))

    def save(self, path: Any) -> None:
        _library.check(lib.np_ranking_save(self._c, str(path).encode()))


def ranks(network: Any, *, traffic: Any = "random", progress: Any = None, **options: Any) -> Ranking:
    """Finds ranks off line for a routing that will be repeated, as `netpram ranks`, whose options these are."""
    network = Network(network)
    function, what, kept = _of_traffic(network, traffic, lib.np_ranking_find, lib.np_ranking_find_traffic)
    given, watch = _watched("ranking_options", options, progress)
    return Ranking(watch.made("np_ranking", lib.np_ranking_free, function, network.c, what, given.c))


class Schedule(Result):
    """The outcome of schedule: its JSON, and `hops`, a structured array with the fields step, packet and link."""

    HOP = np.dtype([("step", np.uint32), ("packet", np.uint32), ("link", np.uint32)])

    def __init__(self, c: Any):
        super().__init__(lambda options, stream: lib.np_report_offline(c, options, stream))
        hops = view(c, c.hop, 3 * c.hops, "uint32").view(self.HOP) if c.hop != ffi.NULL else None
        self.__dict__.update(_c=c, hops=hops)

    def save(self, path: Any) -> None:
        _library.check(lib.np_offline_save(self._c, str(path).encode()))


def schedule(network: Any, *, traffic: Any = "random", progress: Any = None, **options: Any) -> Schedule:
    """Fixes every hop before the first packet moves, as `netpram schedule`, whose options these are."""
    network = Network(network)
    function, what, kept = _of_traffic(network, traffic, lib.np_offline_find, lib.np_offline_find_traffic)
    given, watch = _watched("offline_options", options, progress)
    return Schedule(watch.made("np_offline", lib.np_offline_free, function, network.c, what, given.c))


def check(network: Any, scheme: Optional[str] = None, *, paths: Optional[str] = None, progress: Any = None,
                 **options: Any) -> Result:
    """Is each phase of a scheme oblivious, nonrepeating and symmetric? As `netpram check`."""
    network = Network(network)
    given, watch = _watched("check_options", options, progress)
    names = [ffi.NULL if name is None else name.encode() for name in (scheme, paths)]
    c = watch.made("np_check_scheme_result", lib.np_check_scheme_result_free, lib.np_check_scheme, network.c, *names, given.c)
    return _kept(Result(lambda report, stream: lib.np_report_check(c, report, stream)), network)


def defeat(network: Any, *, progress: Any = None, **options: Any) -> Result:
    """Constructs the permutation that defeats a path rule, and routes it, as `netpram defeat`."""
    network = Network(network)
    given, watch = _watched("defeat_options", options, progress)
    c = watch.made("np_defeat", lib.np_defeat_free, lib.np_defeat_find, network.c, given.c)
    return _kept(Result(lambda report, stream: lib.np_report_defeat(c, report, stream)), network)


def collective(network: Any, operation: str, *, progress: Any = None, **options: Any) -> Result:
    """Does a collective operation, checked round by round, as `netpram collective`."""
    network = Network(network)
    given, watch = _watched("collective_options", options, progress)
    c = watch.made("np_collective_result", lib.np_collective_result_free, lib.np_collective, network.c, operation.encode(),
                   given.c)
    return Result(lambda report, stream: lib.np_report_collective(network.c, c, ffi.NULL, report, stream))


def embed(guest: Any, host: Any, embedding: Optional[str] = None, *, map: Any = None, progress: Any = None,
          memory_limit: int = 0, **options: Any) -> Result:
    """
    Embeds one network in another, measures it, and runs a step of the guest on the host, as `netpram embed`.

    embedding  one of netpram.names("embeddings"); or give `map`, the host node of each guest node
    """
    guest, host = Network(guest), Network(host)
    if map is None:
        c = made("np_embedding", lib.np_embedding_free, lib.np_embedding_create,
                 ffi.NULL if embedding is None else embedding.encode(), guest.c, host.c, memory_limit)
    else:
        nodes = words32(map, "map")
        c = made("np_embedding", lib.np_embedding_free, lib.np_embedding_from_map, guest.c, host.c, pointer(nodes, "uint32_t"),
                 False, memory_limit)
    given, watch = _watched("embedding_run_options", options, progress)
    facts = ffi.new("np_embedding_facts *")
    _library.check(lib.np_embedding_measure(c, facts))
    run = watch.made("np_embedding_run_result", lib.np_embedding_run_result_free, lib.np_embedding_run, c, given.c)
    shown = ffi.new("np_report_map *")
    return _kept(Result(lambda report, stream: lib.np_report_embed(c, facts, run, shown, report, stream)), guest, host)


def universal(guest: Any, *, progress: Any = None, **options: Any) -> Result:
    """Simulates a network on an area-universal one: its load, the slowdown. As `netpram universal`."""
    guest = Network(guest)
    given, watch = _watched("universal_options", options, progress)
    c = watch.made("np_universal_result", lib.np_universal_result_free, lib.np_universal_simulate, guest.c, given.c)
    return Result(lambda report, stream: lib.np_report_universal(c, False, report, stream))


def reconfigure(program: str, *, progress: Any = None, **options: Any) -> Result:
    """Runs a program on a grid of switches that cut its wires into subnets, as `netpram reconfigure`."""
    given, watch = _watched("reconfigure_options", options, progress)
    c = watch.made("np_reconfigure_result", lib.np_reconfigure_result_free, lib.np_reconfigure, program.encode(), given.c)
    return Result(lambda report, stream: lib.np_report_reconfigure(c, False, report, stream))


class Sweep(Result):
    """
    The outcome of experiment: how many points there are, and

    path      the CSV of every measure
    findings  each fit and each comparison, in words
    """

    def __init__(self, outcome: Any, path: Path, findings: list[Any]):
        dict.__init__(self, points=outcome.points, points_all=outcome.points_all, before=outcome.before, plots=outcome.plots,
                      drawn=outcome.drawn)
        self.__dict__.update(path=path, findings=findings)

    def __str__(self) -> str:
        return "\n".join([f"{self.points} of {self.points_all} points, {self.before} of them before: {self.path}", *self.findings])

    __repr__ = __str__

    def csv(self) -> str:
        return self.path.read_text()

    def frame(self) -> Any:
        """The CSV as a pandas.DataFrame."""
        import pandas

        return pandas.read_csv(self.path)

    def plot(self, measure: str = "steps", *, phase: Optional[str] = None, x: str = "nodes", ax: Any = None) -> Any:
        """Draws a measure's mean with its confidence interval against a column, a line for each label. Returns the axes."""
        return _pictures.draw_sweep(self.frame(), measure, phase, x, ax)

    def _repr_html_(self) -> str:
        return str(self.frame()._repr_html_())


def experiment(what: Any, directory: Any = ".", *, progress: Any = None, **options: Any) -> Sweep:
    """
    Runs an experiment (docs/experiments.md): the path of its JSON file, or the file's content as a dict. Points that are
    done already are not done again.
    """
    if isinstance(what, dict):
        code = json.dumps(what).encode()
        c = made("np_experiment", lib.np_experiment_free, lib.np_experiment_parse, b"experiment", code, len(code))
    else:
        c = made("np_experiment", lib.np_experiment_free, lib.np_experiment_read, str(what).encode())
    given, watch = _watched("experiment_options", {"output": directory, **options}, progress)
    findings: list[Any] = []
    handle = ffi.new_handle(findings)
    given.c.on_finding, given.c.context = lib.netpram_line, handle
    outcome = ffi.new("np_experiment_outcome *")
    watch.call(lib.np_experiment_run, c, given.c, outcome)
    return Sweep(outcome, Path(directory) / f"{text(lib.np_experiment_name(c))}.csv", findings)


LISTS = [text(lib.np_list_name(kind)) for kind in range(lib.NP_LISTS)]


def entries(kind: str) -> list[Any]:
    """What is found by name: entries("networks") and so on, as `netpram list`; see netpram.LISTS."""
    if kind not in LISTS:
        raise KeyError(f"no list {kind!r}: {', '.join(LISTS)}")
    found, i = [], 0
    members = [name for name, _ in ffi.typeof("np_entry").fields]
    while (entry := lib.np_list_get(LISTS.index(kind), i)) != ffi.NULL:
        i += 1
        found.append(Record({name: text(getattr(entry, name)) for name in members if getattr(entry, name) != ffi.NULL}))
    return found


def names(kind: str) -> list[Any]:
    """The names in a list: names("schemes")."""
    return [entry.name for entry in entries(kind)]
