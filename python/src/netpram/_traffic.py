"""Traffic: specs, arrays of sources and destinations, matrices of demands."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._library import InputError, ffi, lib, made, text
from ._network import Network, pointer, view, words32


class Traffic:
    """
    Packets on a network.

    what  a spec of the command, such as "transpose"; a square matrix of demands, dense or of SciPy, whose entry in row u
          and column v is the number of packets from u to v; or (sources, destinations), or with priorities (smaller
          is more urgent)
    """

    def __init__(self, network: Any, what: Any, *, seed: int = 1, run: int = 0):
        self.network = Network(network)
        if isinstance(what, str):
            self.c = made("np_traffic", lib.np_traffic_free, lib.np_traffic_create, what.encode(), self.network.c, seed, run)
        elif isinstance(what, tuple) and len(what) in (2, 3):
            self.c = self._of_arrays(*what)
        elif hasattr(what, "tocoo") or getattr(what, "ndim", 0) == 2:
            self.c = self._of_matrix(what)
        else:
            raise InputError(
                f"traffic is a spec, (sources, destinations) or a matrix of demands, not {type(what).__name__}")

    def _of_arrays(self, sources: Any, destinations: Any, priorities: Any = None) -> Any:
        arrays = [words32(sources, "sources"), words32(destinations, "destinations")]
        if priorities is not None:
            arrays.append(words32(priorities, "priorities"))
        if any(array.shape != arrays[0].shape or array.ndim != 1 for array in arrays):
            raise InputError("sources and destinations: must be lists of one length, not "
                             + " and ".join(str(array.shape) for array in arrays))
        pointers = [pointer(array, "uint32_t") for array in arrays] + [ffi.NULL]
        return made("np_traffic", lib.np_traffic_free, lib.np_traffic_from_arrays, self.network.c, len(arrays[0]),
                    *pointers[:3])

    def _of_matrix(self, matrix: Any) -> Any:
        nodes = self.network.nodes
        if matrix.shape != (nodes, nodes):
            raise InputError(f"demands: {matrix.shape[0]} x {matrix.shape[1]}, and the network has {nodes} nodes")
        if hasattr(matrix, "tocoo"):
            entries = matrix.tocoo()
            u, v, packets = entries.row, entries.col, entries.data
        else:
            u, v = np.nonzero(matrix)
            packets = matrix[u, v]
        whole = packets.astype(np.int64)
        if (whole != packets).any() or (whole < 0).any():
            raise InputError("demands: must be whole numbers of packets from 0")
        return self._of_arrays(np.repeat(u, whole), np.repeat(v, whole))

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
