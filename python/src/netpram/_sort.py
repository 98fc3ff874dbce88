"""Sorting on networks."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from ._library import InputError, Options, Result, Watch, ffi, lib
from ._network import Network, pointer, view


def words(keys: NDArray[Any]) -> NDArray[Any]:
    """Unsigned words that compare as the keys compare."""
    if keys.dtype.kind == "u":
        return keys.astype(np.uint64)
    if keys.dtype.kind in "ib":
        return keys.astype(np.int64).view(np.uint64) ^ np.uint64(1 << 63)
    if keys.dtype.kind == "f":
        if np.isnan(keys).any():
            raise InputError("keys: NaN has no place in the order")
        bits = keys.astype(np.float64).view(np.uint64)
        return np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))
    return np.unique(keys, return_inverse=True)[1].astype(np.uint64)  # text, or whatever NumPy can order


class Sorting(Result):
    """
    The outcome of sort: its JSON, and

    order  after the last run: the i-th key is the order[i]-th key that was given. It is C's own array
    keys   the keys that were given, sorted; None if they were made or read from a file
    """

    def __init__(self, c: Any, given: Optional[NDArray[Any]]):
        super().__init__(lambda options, stream: lib.np_report_sort(c, options, stream))
        order = view(c, c.order, c.keys, "uint32")
        self.__dict__.update(_c=c, order=order, keys=None if given is None else given[order])

    @property
    def keys(self) -> Optional[NDArray[Any]]:  # type: ignore[override]
        """The sorted keys. (A Record is a dict, whose method of that name this hides.)"""
        return self.__dict__["keys"]


def sort(network: Any, keys: Any = None, algorithm: Optional[str] = None, *, progress: Any = None, **options: Any) -> Sorting:
    """
    Sorts keys on a network.

    network    as Network takes it
    keys       an array of numbers or of texts; an int: so many are made; a path: one a line; None: one a place is made
    algorithm  one of netpram.names("sorters"); None: the network's own

    The other options are those of `netpram sort`: order, runs, seed, ...
    """
    network, given, key = Network(network), None, None
    if isinstance(keys, str):
        options["input"] = keys
    elif isinstance(keys, (int, np.integer)):
        options["keys"] = int(keys)
    elif keys is not None:
        given = np.asarray(keys)
        if given.ndim != 1 or not given.size:
            raise InputError(f"keys: must be a list of at least one key, not of shape {given.shape}")
        key = np.ascontiguousarray(words(given))
    settings, watch = Options("sort_options", {"algorithm": algorithm, **options}), Watch(progress)
    watch.put(settings.c.watch)
    result = watch.made("np_sort_result", lib.np_sort_result_free, lib.np_sort, network.c, 0 if key is None else len(key),
                        pointer(key, "uint64_t"), settings.c)
    return Sorting(result, given)
