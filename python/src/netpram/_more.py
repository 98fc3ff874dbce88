"""The other questions: ranks, schedules, checks, embeddings, collectives, universal machines, experiments."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Optional

import numpy as np

from . import _pictures
from ._convert import encoded, nodes, path as path_of, whole
from ._errors import InputError, NameNotFoundError, check as check_status, ffi, lib, made, text
from ._library import Options, Record, Result, Watch, command_line
from ._network import Network, pointer, view
from ._traffic import packets_of


def _watched(name: str, options: dict[str, Any], progress: Any) -> tuple[Any, ...]:
    given, watch = Options(name, options), Watch(progress)
    watch.put(given.c.watch)
    return given, watch


class _OfFile(Result):
    """A result that C writes into a file."""

    _put: Any  # by C, into a path

    def _text(self) -> bytes:
        def find() -> bytes:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "file")
                check_status(type(self)._put(self._c, str(file).encode()))
                return file.read_bytes()

        return self._once(("file",), find)

    def _keep_all(self) -> None:
        super()._keep_all()
        self._text()

    def save(self, path: Any) -> None:
        """Writes the file that the command takes."""
        where = path_of(path, "path")
        if self._c is None:
            Path(path).write_bytes(self._text())
        else:
            check_status(type(self)._put(self._c, where))


class Ranking(_OfFile):
    """The outcome of ranks: its JSON, and `rank`, the rank of each packet."""

    _put = staticmethod(lib.np_ranking_save)

    def __init__(self, c: Any, command: str):
        super().__init__(lambda options, stream: lib.np_report_ranking(c, options, stream), command)
        self.__dict__.update(_c=c, rank=view(c, c.rank, c.packets, "uint32"))


def ranks(network: Any, *, traffic: Any = "random", progress: Any = None, **options: Any) -> Ranking:
    """Finds ranks off line for a routing that will be repeated, as `netpram ranks`, whose options these are."""
    network = Network(network)
    is_spec, what, kept, word = packets_of(network, traffic)
    given, watch = _watched("ranking_options", options, progress)
    function = lib.np_ranking_find if is_spec else lib.np_ranking_find_traffic
    return Ranking(watch.made("np_ranking", lib.np_ranking_free, function, network.c, what, given.c),
                   command_line("ranks", [network.word, "--traffic", word], options))


class Schedule(_OfFile):
    """The outcome of schedule: its JSON, and `hops`, a structured array with the fields step, packet and link."""

    HOP = np.dtype([("step", np.uint32), ("packet", np.uint32), ("link", np.uint32)])
    _put = staticmethod(lib.np_offline_save)

    def __init__(self, c: Any, command: str):
        super().__init__(lambda options, stream: lib.np_report_offline(c, options, stream), command)
        hops = view(c, c.hop, 3 * c.hops, "uint32").view(self.HOP) if c.hop != ffi.NULL else None
        self.__dict__.update(_c=c, hops=hops)


def schedule(network: Any, *, traffic: Any = "random", progress: Any = None, **options: Any) -> Schedule:
    """Fixes every hop before the first packet moves, as `netpram schedule`, whose options these are."""
    network = Network(network)
    is_spec, what, kept, word = packets_of(network, traffic)
    given, watch = _watched("offline_options", options, progress)
    function = lib.np_offline_find if is_spec else lib.np_offline_find_traffic
    return Schedule(watch.made("np_offline", lib.np_offline_free, function, network.c, what, given.c),
                    command_line("schedule", [network.word, "--traffic", word], options))


def check(network: Any, scheme: Optional[str] = None, *, paths: Optional[str] = None, progress: Any = None,
          **options: Any) -> Result:
    """Is each phase of a scheme oblivious, nonrepeating and symmetric? As `netpram check`."""
    network = Network(network)
    given, watch = _watched("check_options", options, progress)
    names = [ffi.NULL if name is None else encoded(name, what) for name, what in ((scheme, "scheme"), (paths, "paths"))]
    c = watch.made("np_check_scheme_result", lib.np_check_scheme_result_free, lib.np_check_scheme, network.c, *names,
                   given.c)
    return Result(lambda report, stream: lib.np_report_check((c, network)[0], report, stream),
                  command_line("check", [network.word], {"scheme": scheme, "paths": paths, **options}))


def defeat(network: Any, *, progress: Any = None, **options: Any) -> Result:
    """Constructs the permutation that defeats a path rule, and routes it, as `netpram defeat`."""
    network = Network(network)
    given, watch = _watched("defeat_options", options, progress)
    c = watch.made("np_defeat", lib.np_defeat_free, lib.np_defeat_find, network.c, given.c)
    return Result(lambda report, stream: lib.np_report_defeat((c, network)[0], report, stream),
                  command_line("defeat", [network.word], options))


def collective(network: Any, operation: str, *, progress: Any = None, **options: Any) -> Result:
    """Does a collective operation, checked round by round, as `netpram collective`."""
    network = Network(network)
    given, watch = _watched("collective_options", options, progress)
    c = watch.made("np_collective_result", lib.np_collective_result_free, lib.np_collective, network.c,
                   encoded(operation, "operation"), given.c)
    return Result(lambda report, stream: lib.np_report_collective(network.c, c, ffi.NULL, report, stream),
                  command_line("collective", [network.word, operation], options))


def embed(guest: Any, host: Any, embedding: Optional[str] = None, *, map: Any = None, progress: Any = None,
          memory_limit: int = 0, **options: Any) -> Result:
    """
    Embeds one network in another, measures it, and runs a step of the guest on the host, as `netpram embed`.

    embedding  one of netpram.names("embeddings"); or give `map`, the host node of each guest node
    """
    guest, host = Network(guest), Network(host)
    memory_limit = whole(memory_limit, "memory_limit", 0, 2**64 - 1)
    if map is None:
        name = ffi.NULL if embedding is None else encoded(embedding, "embedding")
        c = made("np_embedding", lib.np_embedding_free, lib.np_embedding_create, name, guest.c, host.c, memory_limit)
    elif embedding is not None:
        raise InputError(f"embedding {embedding!r} and a map: one of the two")
    else:
        of_host = nodes(host, map, "map")
        if len(of_host) != guest.nodes:
            raise InputError(f"map: {len(of_host)} nodes, and the guest has {guest.nodes}")
        c = made("np_embedding", lib.np_embedding_free, lib.np_embedding_from_map, guest.c, host.c,
                 pointer(of_host, "uint32_t"), False, memory_limit)
    given, watch = _watched("embedding_run_options", options, progress)
    facts = ffi.new("np_embedding_facts *")
    check_status(lib.np_embedding_measure(c, facts))
    run = watch.made("np_embedding_run_result", lib.np_embedding_run_result_free, lib.np_embedding_run, c, given.c)
    shown, kept = ffi.new("np_report_map *"), (guest, host)
    return Result(lambda report, stream: lib.np_report_embed((c, kept)[0], facts, run, shown, report, stream),
                  command_line("embed", [guest.word, host.word, *(() if map is None else (None,))],
                               {"embedding": embedding, **options}))


def universal(guest: Any, *, progress: Any = None, **options: Any) -> Result:
    """Simulates a network on an area-universal one: its load, the slowdown. As `netpram universal`."""
    guest = Network(guest)
    given, watch = _watched("universal_options", options, progress)
    c = watch.made("np_universal_result", lib.np_universal_result_free, lib.np_universal_simulate, guest.c, given.c)
    return Result(lambda report, stream: lib.np_report_universal(c, False, report, stream),
                  command_line("universal", ["--guest", guest.word], options))


def reconfigure(program: str, *, progress: Any = None, **options: Any) -> Result:
    """Runs a program on a grid of switches that cut its wires into subnets, as `netpram reconfigure`."""
    given, watch = _watched("reconfigure_options", options, progress)
    c = watch.made("np_reconfigure_result", lib.np_reconfigure_result_free, lib.np_reconfigure,
                   encoded(program, "program"), given.c)
    return Result(lambda report, stream: lib.np_report_reconfigure(c, False, report, stream),
                  command_line("reconfigure", [program], options))


class Sweep(Result):
    """
    The outcome of experiment: how many points there are, and

    path      the CSV of every measure
    findings  each fit and each comparison, in words
    """

    def __init__(self, outcome: Any, path: Path, findings: list[Any]):
        dict.__init__(self, points=outcome.points, points_all=outcome.points_all, before=outcome.before,
                      plots=outcome.plots, drawn=outcome.drawn)
        self.__dict__.update(path=path, findings=findings, _write=None)

    def __str__(self) -> str:
        return "\n".join([f"{self.points} of {self.points_all} points, {self.before} of them before: {self.path}",
                          *self.findings])

    __repr__ = __str__

    def csv(self) -> str:
        return self.path.read_text()

    def frame(self) -> Any:
        """The CSV as a pandas.DataFrame."""
        import pandas

        return pandas.read_csv(self.path)

    def plot(self, measure: str = "steps", *, phase: Optional[str] = None, x: str = "nodes", ax: Any = None) -> Any:
        """
        Draws a measure's mean with its confidence interval against a column, a line for each label. Returns the axes.
        """
        return _pictures.draw_sweep(self.frame(), measure, phase, x, ax)

    def _repr_html_(self) -> str:
        return str(self.frame()._repr_html_())


def experiment(what: Any, directory: Any = ".", *, progress: Any = None, **options: Any) -> Sweep:
    """
    Runs an experiment (docs/experiments.md): the path of its JSON file, or the file's content as a dict. Points that
    are done already are not done again.
    """
    if isinstance(what, dict):
        code = json.dumps(what).encode()
        c = made("np_experiment", lib.np_experiment_free, lib.np_experiment_parse, b"experiment", code, len(code))
    else:
        c = made("np_experiment", lib.np_experiment_free, lib.np_experiment_read, path_of(what, "experiment"))
    path_of(directory, "directory")
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
        raise NameNotFoundError(f"no list {kind!r}: {', '.join(LISTS)}")
    found, i = [], 0
    members = [name for name, _ in ffi.typeof("np_entry").fields]
    while (entry := lib.np_list_get(LISTS.index(kind), i)) != ffi.NULL:
        i += 1
        found.append(Record({name: text(getattr(entry, name)) for name in members if getattr(entry, name) != ffi.NULL}))
    return found


def names(kind: str) -> list[Any]:
    """The names in a list: names("schemes")."""
    return [entry.name for entry in entries(kind)]
