"""Traffic: specs, arrays of sources and destinations, matrices of demands."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._convert import demands, encoded, nodes, refusal, whole, words32
from ._errors import InputError, ffi, lib, made, text
from ._network import Network, pointer, view


class Traffic:
    """
    Packets on a network.

    what  a spec of the command, such as "transpose"; (sources, destinations), or with priorities (smaller is more
          urgent), where nodes are called by their names; a matrix of demands, dense or of SciPy, whose entry in row u
          and column v is the number of packets from node number u to v; or a pandas.DataFrame of demands, whose labels
          are the names of nodes
    """

    def __init__(self, network: Any, what: Any, *, seed: int = 1, run: int = 0):
        self.network = Network(network)
        self._recipe: tuple[Any, ...]
        if isinstance(what, str):
            seed, run = whole(seed, "seed", 0, 2**64 - 1), whole(run, "run", 0, 2**32 - 1)
            self._recipe = (self.network, what, seed, run)
            self.c = made("np_traffic", lib.np_traffic_free, lib.np_traffic_create, encoded(what, "traffic"),
                          self.network.c, seed, run)
        elif isinstance(what, tuple) and len(what) in (2, 3):
            names = ("sources", "destinations", "priorities")
            arrays = [nodes(self.network, ends, name) for ends, name in zip(what[:2], names)]
            self._of_arrays(*arrays, *(words32(values, "priorities") for values in what[2:]))
        elif (found := demands(self.network, what)) is not None:
            sources, destinations, packets = found
            if packets.sum(dtype=np.float64) > 2**32 - 2:
                raise InputError("demands: more than 2^32 - 2 packets")
            self._of_arrays(*(np.repeat(ends, packets).astype(np.uint32) for ends in (sources, destinations)))
        else:
            raise refusal("traffic", "a spec, (sources, destinations) or a matrix of demands", what)

    def _of_arrays(self, *arrays: NDArray[Any]) -> None:
        if any(array.shape != arrays[0].shape for array in arrays):
            raise InputError("sources and destinations: must be lists of one length, not "
                             + " and ".join(str(len(array)) for array in arrays))
        self._recipe = (self.network, *arrays)
        pointers = [pointer(array, "uint32_t") for array in arrays] + [ffi.NULL]
        self.c = made("np_traffic", lib.np_traffic_free, lib.np_traffic_from_arrays, self.network.c, len(arrays[0]),
                      *pointers[:3])

    def __reduce__(self) -> Any:
        return _traffic_again, self._recipe

    @property
    def spec(self) -> str:
        return text(lib.np_traffic_spec(self.c))

    def __len__(self) -> int:
        return lib.np_traffic_packets(self.c)

    @property
    def sources(self) -> NDArray[Any]:
        return view(self, lib.np_traffic_sources(self.c), len(self), "uint32")

    @property
    def destinations(self) -> NDArray[Any]:
        return view(self, lib.np_traffic_destinations(self.c), len(self), "uint32")

    @property
    def priorities(self) -> Optional[NDArray[Any]]:
        values = lib.np_traffic_priorities(self.c)
        return None if values == ffi.NULL else view(self, values, len(self), "uint32")

    def __repr__(self) -> str:
        return f"<netpram.Traffic {self.spec}: {len(self)} packets on {self.network.spec}>"


def _traffic_again(network: Network, what: Any, *more: Any) -> Traffic:
    if isinstance(what, str):
        return Traffic(network, what, seed=more[0], run=more[1])
    traffic = Traffic.__new__(Traffic)
    traffic.network = network
    traffic._of_arrays(what, *more)
    return traffic


def packets_of(network: Network, traffic: Any) -> tuple[Any, ...]:
    """Is it a spec? What C's function for a spec, or for packets, takes; what keeps that; and the word of a command."""
    if isinstance(traffic, str):
        return True, encoded(traffic, "traffic"), None, traffic
    packets = traffic if isinstance(traffic, Traffic) else Traffic(network, traffic)
    if packets.network.labels != network.labels:
        raise InputError(f"traffic: made for {packets.network.spec}, whose nodes have other names than those of "
                         f"{network.spec}")
    return False, packets.c, packets, None
