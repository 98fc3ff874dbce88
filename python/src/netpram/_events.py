"""What happened in a run, packet by packet: C's events as a structured array, and the loads of links."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import ApplyError, check_room, ffi, lib, text

#: The names of the kinds of events, and of the reasons for waiting: events["kind"] is an index into the first.
EVENTS = ("injected", "moved", "waited", "combined", "split", "landed")
REASONS = ("", "behind", "room", "order", "length", "plan", "phase")

_FIELDS = ffi.typeof("np_event").fields
EVENT = np.dtype({"names": [name for name, _ in _FIELDS], "formats": [np.uint32] * len(_FIELDS),
                  "offsets": [field.offset for _, field in _FIELDS], "itemsize": ffi.sizeof("np_event")})
#: An event of a run: docs of netpram/engine.h say what its fields mean.
ROW = np.dtype([("run", np.uint32), ("phase", np.uint32), *((name, np.uint32) for name, _ in _FIELDS)])


STRIDE = 1 << 20  # bytes; ours: the system is asked before so much more is kept
BATCH = 200  # bytes beside the events of a batch, for Python's objects


class Recorder:
    """An observer that keeps all events. It is C's for one call."""

    def __init__(self, kinds: int = 0) -> None:
        self.phases: List[dict[str, Any]] = []
        self.raised: Optional[BaseException] = None
        self.granted = 0  # bytes that may be kept before the system is asked again
        self.handle = ffi.new_handle(self)
        self.c = ffi.new("np_observer *")
        self.c.kinds, self.c.context = kinds, self.handle
        self.c.begin, self.c.events = lib.netpram_phase_begins, lib.netpram_events

    def __getstate__(self) -> Dict[str, Any]:
        return {"phases": self.phases, "raised": self.raised}

    def begin(self, phase: Any) -> None:
        found: Dict[str, Any] = {"run": phase.run, "phase": phase.phase, "name": text(phase.name) or "", "batches": [],
                                 "spec": text(lib.np_network_spec(phase.network)), "walk": None}
        if phase.leveled != ffi.NULL:
            leveled = phase.leveled
            walk = _copy(leveled.walk, leveled.edges + 1)
            found["walk"] = (walk, _copy(leveled.link, int(walk[-1])))
        self.phases.append(found)

    def add(self, count: int, events: Any) -> None:
        needed = count * EVENT.itemsize + BATCH
        if self.granted < needed:
            check_room(needed + STRIDE, "the events of an observed run")
            self.granted = needed + STRIDE
        self.granted -= needed
        arrived = np.frombuffer(ffi.buffer(events, count * ffi.sizeof("np_event")), EVENT)
        self.phases[-1]["batches"].append(arrived.copy())

    def __len__(self) -> int:
        return sum(len(batch) for phase in self.phases for batch in phase["batches"])

    def array(self) -> NDArray[Any]:
        """All events, in the order of time."""
        check_room(len(self) * ROW.itemsize, "an array of the events")
        found = np.empty(len(self), ROW)
        at = 0
        for phase in self.phases:
            for batch in phase["batches"]:
                rows = found[at:at + len(batch)]
                rows["run"], rows["phase"] = phase["run"], phase["phase"]
                for name in EVENT.names or ():
                    rows[name] = batch[name]
                at += len(batch)
        return found

    def loads(self, network: Any, phase: Optional[int]) -> NDArray[Any]:
        """The packets that crossed each link, over all runs: [link numbers]."""
        check_room(len(self) * (2 * 4 + 8), "the loads of links")  # NumPy's copies of the links that were crossed
        loads = np.zeros(lib.np_network_link_numbers(network.c), np.int64)
        for one in self.phases:
            if phase is None or one["phase"] == phase:
                if one["spec"] != network.spec:
                    raise ApplyError(f"phase {one['name']!r} moves packets on {one['spec']}, not on {network.spec}: "
                                     "its events have its own links")
                self._add_loads(loads, one)
        return loads

    @staticmethod
    def _add_loads(loads: NDArray[Any], phase: dict[str, Any]) -> None:
        moved = [batch["link"][batch["kind"] == EVENTS.index("moved")] for batch in phase["batches"]]
        links = np.concatenate(moved) if moved else np.empty(0, np.uint32)
        if phase["walk"] is None:
            loads += np.bincount(links, minlength=len(loads))
        else:
            walk, physical = phase["walk"]
            counts = np.bincount(links, minlength=len(walk) - 1)
            np.add.at(loads, physical, np.repeat(counts, np.diff(walk.astype(np.int64))))


def _copy(values: Any, count: int) -> NDArray[Any]:
    return np.frombuffer(ffi.buffer(values, 4 * count), np.uint32).copy() if count else np.empty(0, np.uint32)


def _kept(context: Any, call: Any, *arguments: Any) -> int:
    """An exception must not pass through C: it is kept, and ends the call."""
    recorder: Recorder = ffi.from_handle(context)
    try:
        call(recorder, *arguments)
    except BaseException as raised:
        recorder.raised = raised
        return 1
    return 0


@ffi.def_extern(error=1)  # type: ignore[misc]
def netpram_phase_begins(context: Any, phase: Any) -> int:
    return _kept(context, Recorder.begin, phase)


@ffi.def_extern(error=1)  # type: ignore[misc]
def netpram_events(context: Any, count: int, events: Any) -> int:
    return _kept(context, Recorder.add, count, events)
