"""How good any routing can be, and how long a job takes: throughput, worst, verify, compare, flows, replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._convert import is_graph, nodes, path as path_of, reals, refusal, whole
from ._errors import InputError, ffi, lib
from ._library import Result, Watch, command_line
from ._more import _OfFile, _watched
from ._network import Network, pointer, view
from ._traffic import Traffic, packets_of


def throughput(network: Any, *, traffic: Any = "all-to-all", progress: Any = None, **options: Any) -> Result:
    """
    Finds how much of a traffic the best routing of all can carry: two numbers, each with a proof. As
    `netpram throughput`. A gap that is not reached is no error: `reached` says so.

    traffic  as Traffic takes it: "transpose", (sources, destinations), a matrix of demands
    """
    network = Network(network)
    given, watch = _watched("throughput_options", options, progress)
    is_spec, _, packets, word = packets_of(network, traffic)
    if options.get("certificate") is not None and None in (network.word, word):
        raise InputError("certificate: verify makes network and traffic anew from their specs, and one is in memory")
    if is_spec:
        packets = Traffic(network, traffic, seed=given.c.seed)
    c = watch.made("np_throughput", lib.np_throughput_free, lib.np_throughput_find, network.c, packets.c, given.c)
    return Result(lambda report, stream: lib.np_report_throughput((c, network)[0], report, stream),
                  command_line("throughput", [network.word, "--traffic", word], options))


class Worst(_OfFile):
    """
    The outcome of worst: its JSON, and the permutation, `source` and `destination`: the numbers of nodes. save()
    writes it for traffic="file:PATH".
    """

    _put = staticmethod(lib.np_worst_save)

    def __init__(self, network: Network, c: Any, command: str):
        super().__init__(lambda options, stream: lib.np_report_worst(c, options, stream), command)
        self.__dict__.update(_c=c, network_object=network,
                             **{name: view(c, getattr(c, name), c.packets, "uint32")
                                for name in ("source", "destination")})


def worst(network: Any, paths: Optional[str] = None, *, progress: Any = None, **options: Any) -> Worst:
    """
    Finds the permutation for which a path rule loads some link most, and so the factor that the rule guarantees. As
    `netpram throughput --worst`.

    paths  one of netpram.names("paths"), "valiant" or "valiant:RULE"; None: "greedy"
    """
    network = Network(network)
    given, watch = _watched("worst_options", {"paths": paths, **options}, progress)
    c = watch.made("np_worst", lib.np_worst_free, lib.np_worst_find, network.c, given.c)
    return Worst(network, c, command_line("throughput", [network.word, "--worst"],
                                          {"paths": "greedy" if paths is None else paths, **options}))


def verify(file: Any, *, memory_limit: int = 0, progress: Any = None) -> Result:
    """Checks a certificate of throughput in whole numbers, as `netpram verify`: InputError if it proves less."""
    where, limit = path_of(file, "file"), whole(memory_limit, "memory_limit", 0, 2**64 - 1)
    watch, told = Watch(progress), ffi.new("np_watch *")
    watch.put(told)
    c = watch.made("np_throughput_proof", lib.np_throughput_proof_free, lib.np_throughput_verify, where, limit, told[0])
    return Result(lambda report, stream: lib.np_report_proof(c, report, stream), command_line("verify", [file], {}))


def compare(networks: Iterable[Any], *, progress: Any = None, **options: Any) -> Result:
    """
    Networks beside each other: cost, certified throughput, guarantees, failures. As `netpram compare`; frame() has a
    row for each network.
    """
    if isinstance(networks, (str, bytes, Mapping, set, frozenset, Network)) or is_graph(networks) or not isinstance(
            networks, Iterable):
        raise refusal("networks", "a list of networks", networks)
    these = [Network(network) for network in networks]
    if not these:
        raise InputError("networks: there is none")
    given, watch = _watched("compare_options", options, progress)
    c = watch.made("np_compare", lib.np_compare_free, lib.np_compare_find, len(these),
                   ffi.new("np_network *[]", [network.c for network in these]), given.c)
    return Result(lambda report, stream: lib.np_report_compare((c, these)[0], report, stream),
                  command_line("compare", [network.word for network in these], options))


class Flows(Result):
    """
    The outcome of flows: its JSON, and of each flow `source` and `destination`, the numbers of nodes, `size`, `start`
    and `finish`. They are C's own arrays.
    """

    COLUMNS = {"source": "uint32", "destination": "uint32", "size": "float64", "start": "float64", "finish": "float64"}

    def __init__(self, network: Network, c: Any, command: str):
        super().__init__(lambda options, stream: lib.np_report_flows(c, options, stream), command)
        self.__dict__.update(_c=c, network_object=network,
                             **{name: view(c, getattr(c, name), c.flows, kind) for name, kind in self.COLUMNS.items()})

    def frame(self) -> Any:
        """A pandas.DataFrame: a row for each flow."""
        import pandas

        return pandas.DataFrame({name: self.__dict__[name] for name in self.COLUMNS})


def _columns(network: Network, what: Any) -> Tuple[Optional[NDArray[Any]], ...]:
    """Sources, destinations, sizes and starts of flows in memory; None: there are no starts."""
    names = ("source", "destination", "size", "start")
    if isinstance(what, Traffic):
        packets_of(network, what)  # refuses one of other nodes
        what = (what.sources, what.destinations)
    elif hasattr(what, "iloc") and hasattr(what, "columns"):  # pandas.DataFrame
        unknown = [str(name) for name in what.columns if name not in names]
        if unknown or not {"source", "destination"} <= set(what.columns) or len(set(what.columns)) < len(what.columns):
            raise InputError("traffic: a frame of flows has the columns source, destination, and perhaps size and "
                             f"start, not {', '.join(map(str, what.columns))}")
        what = [what[name] if name in what.columns else None for name in names]
    elif not isinstance(what, tuple) or not 2 <= len(what) <= 4:
        raise refusal("traffic", "a spec, (sources, destinations, sizes, starts) or a frame with such columns", what)
    given = [*what, None, None][:4]
    ends = [nodes(network, values, name) for name, values in zip(names, given[:2])]
    numbers = [None if values is None else reals(values, name) for name, values in zip(names[2:], given[2:])]
    lengths = {len(array) for array in (*ends, *numbers) if array is not None}
    if len(lengths) > 1:
        raise InputError("traffic: sources, destinations, sizes and starts must be lists of one length")
    return (*ends, *numbers)


def flows(network: Any, *, traffic: Any = "random", progress: Any = None, **options: Any) -> Flows:
    """
    Plays flows that share links fairly, and tells how long they take, as `netpram flows`.

    traffic  a spec of the command; (sources, destinations), with sizes, and with starts; a frame that has these as
             columns source, destination, size and start; or a Traffic: each packet is a flow. Sizes are packets, starts
             steps; with link_rate sizes are bytes, which must be given, and starts seconds
    """
    network = Network(network)
    given, watch = _watched("flows_options", options, progress)
    if isinstance(traffic, str):
        _, what, _, word = packets_of(network, traffic)
        c = watch.made("np_flows_result", lib.np_flows_free, lib.np_flows, network.c, what, given.c)
        return Flows(network, c, command_line("flows", [network.word, "--traffic", word], options))
    source, destination, size, start = _columns(network, traffic)
    if options.get("arrivals") is not None:
        raise InputError("arrivals: is for flows that are made, not for those in memory")
    if size is None and options.get("link_rate") is not None:
        raise InputError("traffic: with link_rate each flow needs its size in bytes")
    assert source is not None
    size = np.ones(len(source)) if size is None else size
    listed = ffi.new("np_flow_list *", {
        "flows": len(source), "source": pointer(source, "uint32_t"), "destination": pointer(destination, "uint32_t"),
        "size": pointer(size, "double"), "start": pointer(start, "double")})
    c = watch.made("np_flows_result", lib.np_flows_free, lib.np_flows_play, network.c, listed, given.c)
    return Flows(network, c, "")


def replay(network: Any, file: Any, *, progress: Any = None, **options: Any) -> Result:
    """How long the schedule of messages of a GOAL file takes, as `netpram replay`."""
    network = Network(network)
    given, watch = _watched("replay_options", options, progress)
    c = watch.made("np_replay_result", lib.np_replay_result_free, lib.np_replay, network.c, path_of(file, "file"),
                   given.c)
    return Result(lambda report, stream: lib.np_report_replay(c, report, stream),
                  command_line("replay", [network.word, file], options))
