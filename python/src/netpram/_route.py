"""Routing."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from . import _pictures
from ._events import Recorder
from ._convert import encoded, flag, whole
from ._errors import InputError, NameNotFoundError, check, ffi, lib
from ._library import Options, Record, Result, Watch, command_line
from ._network import Network, view
from ._traffic import packets_of


class Routing(Result):
    """
    The outcome of route: its JSON, the samples behind it, and

    steps           total_steps, of all phases together
    events          of a routing that was observed: what happened, as a structured array (netpram.EVENTS)
    network_object  the Network; with fail= the one of the links that are left
    """

    def __init__(self, network: Network, c: Any, bound: bool, recorder: Optional[Recorder], command: str):
        count, bounds = ffi.new("size_t *"), ffi.new("np_report_bound **")
        if bound:
            check(lib.np_report_bounds(network.c, c, bounds, count))
            bounds = [ffi.gc(bounds[0], lib.np_report_bounds_free)]

        def write(options: Any, stream: Any) -> int:
            options.bounds, options.bound = count[0], bounds[0]
            return lib.np_report_route(c, options, stream)

        super().__init__(write, command)
        self.__dict__.update(_c=c, network_object=network, _recorder=recorder)

    @property
    def steps(self) -> Record:
        """The steps of all phases together."""
        return self["total_steps"]

    def __missing__(self, name: str) -> Any:
        if name != "steps":
            raise KeyError(name)
        return self["total_steps"]

    def __contains__(self, name: object) -> bool:
        return name == "steps" or super().__contains__(name)

    def _keep_all(self) -> None:
        super()._keep_all()
        for i, phase in enumerate(self["phases"]):
            self._delays(i)
            for measure in _measures(phase):
                self._sample(measure, i)

    @property
    def events(self) -> NDArray[Any]:
        """
        A row for each event, in the order of time: run, phase, kind (an index into netpram.EVENTS), step, packet, ...
        """
        recorder = self._observed()
        if "_events" not in self.__dict__:
            self.__dict__["_events"] = recorder.array()
        return self.__dict__["_events"]

    def _observed(self) -> Recorder:
        if self.__dict__["_recorder"] is None:
            raise InputError("nobody observed this routing: say route(..., observe=True)")
        return self.__dict__["_recorder"]

    def loads(self, phase: Optional[str] = None) -> NDArray[Any]:
        """Of a routing that was observed: the packets that crossed each link in all runs: [link numbers]."""
        return self._observed().loads(self.network_object, None if phase is None else self._index(phase))

    def plot(self, what: str = "delays", *, ax: Any = None, **more: Any) -> Any:
        """
        Draws by matplotlib, and returns the axes.

        what  "delays": a histogram; "steps": those of each run, with the theorem's, if there is one; "bound": the
              probability that the theorem allows beside the measured share of runs; of a routing that was observed also
              "loads": the network, its links coloured by load (drawing=... as Network.plot) and "flow": how many
              packets move and wait in each step
        """
        return _pictures.draw_routing(self, what, ax, **more)

    def phase(self, name: str) -> Record:
        """The phase of that name: "A"."""
        return self["phases"][self._index(name)]

    def _index(self, name: str) -> int:
        names = [phase["name"] for phase in self["phases"]]
        if name not in names:
            raise NameNotFoundError(f"no phase {name!r}: {', '.join(names)}")
        return names.index(name)

    def sample(self, measure: str, phase: Optional[str] = None) -> NDArray[Any]:
        """
        The value of a measure in each run, NaN where it lacks the phase: [runs]. phase None: the only or the first one.
        """
        return self._sample(measure, 0 if phase is None else self._index(phase))

    def _sample(self, measure: str, index: int) -> NDArray[Any]:
        def find() -> NDArray[Any]:
            c, values = self._c, np.empty(self["runs"])
            check(lib.np_route_sample(c, c.phase + index, encoded(measure, "measure"),
                                      ffi.from_buffer("double[]", values)))
            return values

        return self._once(("sample", measure, str(index)), find)

    def delays(self, phase: Optional[str] = None) -> NDArray[Any]:
        """
        How many packets were delayed by 0, 1, ... steps in a phase, over all runs; None: in each of the phases, added.
        Of one phase it is C's own array.
        """
        if phase is not None or len(self["phases"]) == 1:
            return self._delays(0 if phase is None else self._index(phase))
        all_of_them = [self._delays(i) for i in range(len(self["phases"]))]
        total = np.zeros(max(map(len, all_of_them)), np.uint64)
        for delays in all_of_them:
            total[:len(delays)] += delays
        return total

    def _delays(self, index: int) -> NDArray[Any]:
        def find() -> NDArray[Any]:
            c = self._c
            return view(c, c.phase[index].delay_histogram, c.phase[index].delays, "uint64")

        return self._once(("delays", str(index)), find)

    def frame(self) -> Any:
        """A pandas.DataFrame: a row for each run and phase, a column for each measure."""
        import pandas

        phases = []
        for phase in self["phases"]:
            columns = {name: self.sample(name, phase["name"]) for name in _measures(phase)}
            phases.append(pandas.DataFrame({"phase": phase["name"], "run": np.arange(self["runs"]), **columns}))
        return pandas.concat(phases, ignore_index=True)


def route(network: Any, scheme: Optional[str] = None, *, traffic: Any = "random", bound: bool = False,
          observe: bool = False, progress: Any = None, **options: Any) -> Routing:
    """
    Routes traffic on a network, and tells steps, delays, queues and populations.

    network   as Network takes it: "hypercube:10", a graph of networkx, a sparse matrix, ...
    scheme    one of netpram.names("schemes"); None: the network's own
    traffic   as Traffic takes it: "transpose", (sources, destinations), a matrix of demands
    bound     add the theorem's bound beside the measurement
    observe   keep what happens to each packet: `events`, `loads()`, and their pictures. One thread does all runs then
    progress  True: a bar, by tqdm if it is there; a function: is called now and then with the share that is done, 0..1,
              and the stage

    The other options are those of `netpram route`:
    """
    network, bound, observe = Network(network), flag(bound, "bound"), flag(observe, "observe")
    given = Options("route_options", {"scheme": scheme, **options})
    recorder = Recorder() if observe else None
    watch = Watch(progress, recorder)
    watch.put(given.c.watch)
    if recorder is not None:
        given.c.observer = recorder.c
    is_spec, what, kept, word = packets_of(network, traffic)
    function = lib.np_route if is_spec else lib.np_route_traffic
    result = watch.made("np_route_result", lib.np_route_result_free, function, network.c, what, given.c)
    line = command_line("route", [network.word, "--traffic", word],
                        {"scheme": scheme, "bound": bound, **options})
    if options.get("fail") is not None:
        network = Network(network, fail=options["fail"], seed=whole(options.get("seed") or 1, "seed", 0, 2**64 - 1))
    return Routing(network, result, bound, recorder, line)


def _measures(phase: Record) -> list[str]:
    return [name for name, value in phase.items() if isinstance(value, dict) and "ci95" in value]
