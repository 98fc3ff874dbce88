"""Routing."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

import numpy as np

from ._library import Options, Record, Result, Watch, check, ffi, lib, text
from ._network import Network, view
from ._traffic import Traffic


class Routing(Result):
    """The outcome of route: its JSON, with `steps` for those of all phases together, and the samples behind it."""

    def __init__(self, network: Network, c: Any, bound: bool):
        count, bounds = ffi.new("size_t *"), ffi.new("np_report_bound **")
        if bound:
            check(lib.np_report_bounds(network.c, c, bounds, count))
            self.__dict__["_bounds"] = ffi.gc(bounds[0], lib.np_report_bounds_free)

        def write(options: Any, stream: Any) -> int:
            options.bounds, options.bound = count[0], bounds[0]
            return lib.np_report_route(c, options, stream)

        super().__init__(write)
        self.__dict__["_c"] = c
        self.__dict__["steps"] = self["total_steps"]

    def phase(self, name: str) -> Record:
        """The phase of that name: "A"."""
        return self["phases"][self._index(name)]

    def _index(self, name: str) -> int:
        names = [phase["name"] for phase in self["phases"]]
        if name not in names:
            raise KeyError(f"no phase {name!r}: {', '.join(names)}")
        return names.index(name)

    def sample(self, measure: str, phase: Union[str, None] = None) -> np.ndarray:
        """The value of a measure in each run: [runs]. phase None: the only or the first one."""
        index = 0 if phase is None else self._index(phase)
        values = np.empty(self._c.runs)
        check(lib.np_route_sample(self._c, self._c.phase + index, measure.encode(), ffi.from_buffer("double[]", values)))
        return values

    def delays(self, phase: Optional[str] = None) -> np.ndarray:
        """How many packets were delayed by 0, 1, ... steps in a phase, over all runs. It is C's own array."""
        found = self._c.phase[0 if phase is None else self._index(phase)]
        return view(self._c, found.delay_histogram, found.delays, "uint64")

    def frame(self) -> Any:
        """A pandas.DataFrame: a row for each run and phase, a column for each measure."""
        import pandas

        phases = []
        for phase in self["phases"]:
            measures = [name for name, value in phase.items() if isinstance(value, dict) and "ci95" in value]
            columns = {name: self.sample(name, phase["name"]) for name in measures}
            phases.append(pandas.DataFrame({"phase": phase["name"], "run": np.arange(self._c.runs), **columns}))
        return pandas.concat(phases, ignore_index=True)


def route(network: Any, scheme: Optional[str] = None, *, traffic: Any = "random", bound: bool = False,
          progress: Union[Callable[[float, str], Any], None] = None, **options: Any) -> Routing:
    """
    Routes traffic on a network, and tells steps, delays, queues and populations.

    network   as Network takes it: "hypercube:10", a graph of networkx, a sparse matrix, ...
    scheme    one of netpram.names("schemes"); None: the network's own
    traffic   as Traffic takes it: "transpose", (sources, destinations), a matrix of demands
    bound     add the theorem's bound beside the measurement
    progress  is called now and then with the share that is done, 0..1, and the stage

    The other options are those of `netpram route`:
    """
    network = Network(network)
    given = Options("route_options", {"scheme": scheme, **options})
    watch = Watch(progress)
    watch.put(given.c.watch)
    if isinstance(traffic, str):
        function, what = lib.np_route, traffic.encode()
    else:
        packets = traffic if isinstance(traffic, Traffic) else Traffic(network, traffic)
        function, what = lib.np_route_traffic, packets.c
    result = watch.made("np_route_result", lib.np_route_result_free, function, network.c, what, given.c)
    return Routing(network, result, bound)
