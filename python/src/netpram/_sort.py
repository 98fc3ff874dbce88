"""Sorting on networks."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

import numpy as np
from numpy.typing import NDArray

from ._convert import listed, path, whole
from ._errors import InputError, lib
from ._library import Options, Result, Watch, command_line
from ._network import Network, pointer, view


def words(keys: NDArray[Any]) -> NDArray[Any]:
    """Unsigned words that compare as the keys compare."""
    kind = keys.dtype.kind
    if kind in "cV":
        raise InputError(f"keys: {keys.dtype} has no order")
    if kind in "fmMO":
        try:
            unlike = sum(bool(key != key) for key in keys) if kind == "O" else np.count_nonzero(keys != keys)
        except TypeError:  # pandas.NA is neither
            unlike = 1
        if unlike:
            raise InputError(f"keys: {unlike} of the values, as NaN, have no place in the order")
    if kind == "u":
        return keys.astype(np.uint64)
    if kind in "ibmM":
        return keys.astype(np.int64).view(np.uint64) ^ np.uint64(1 << 63)
    if kind == "f" and keys.dtype.itemsize <= 8:
        bits = keys.astype(np.float64).view(np.uint64)
        return np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(1 << 63))
    try:
        return np.unique(keys, return_inverse=True)[1].astype(np.uint64)  # their places among all
    except TypeError:
        raise InputError("keys: have no order: " + ", ".join(sorted({type(key).__name__ for key in keys}))) from None


def _given(keys: Any) -> tuple[Any, ...]:
    """The keys as an array, and their words."""
    categories = getattr(keys, "cat", keys)
    if getattr(categories, "ordered", False):  # of pandas: the order is that of the categories
        codes = np.asarray(categories.codes)
        if (codes < 0).any():
            raise InputError(f"keys: {np.count_nonzero(codes < 0)} of the values are missing")
        return np.asarray(keys), words(codes)
    given = listed(keys, "keys")
    return given, words(given)


class Sorting(Result):
    """
    The outcome of sort: its JSON, and

    order  after the last run: the i-th key is the order[i]-th key that was given. It is C's own array
    keys   the keys that were given, sorted; None if they were made or read from a file
    """

    def __init__(self, c: Any, given: Optional[NDArray[Any]], command: str):
        super().__init__(lambda options, stream: lib.np_report_sort(c, options, stream), command)
        order = view(c, c.order, c.keys, "uint32")
        self.__dict__.update(order=order, keys=None if given is None else given[order])

    @property
    def keys(self) -> Optional[NDArray[Any]]:  # type: ignore[override]
        """The sorted keys. (A Record is a dict, whose method of that name this hides.)"""
        return self.__dict__["keys"]


def sort(network: Any, keys: Any = None, algorithm: Optional[str] = None, *, progress: Any = None,
         **options: Any) -> Sorting:
    """
    Sorts keys on a network.

    network    as Network takes it
    keys       a list of numbers, of texts, or of whatever Python can order; an int: so many are made; a path: one a
               line; None: one a place is made
    algorithm  one of netpram.names("sorters"); None: the network's own

    The other options are those of `netpram sort`: order, runs, seed, ...
    """
    network, given, key = Network(network), None, None
    said: Dict[str, Any] = {"algorithm": algorithm, **options}
    if isinstance(keys, (str, os.PathLike)):
        path(keys, "keys")
        if options.get("input") is not None:
            raise InputError("keys and input: the keys are those of one file")
        said["input"] = keys
    elif isinstance(keys, (int, float, np.integer, np.floating)):
        said["keys"] = whole(keys, "keys", 1)
    elif keys is not None:
        given, key = _given(keys)
        if not given.size:
            raise InputError("keys: there is none")
    settings, watch = Options("sort_options", said), Watch(progress)
    watch.put(settings.c.watch)
    result = watch.made("np_sort_result", lib.np_sort_result_free, lib.np_sort, network.c,
                        0 if key is None else len(key),
                        pointer(None if key is None else np.ascontiguousarray(key), "uint64_t"), settings.c)
    return Sorting(result, given, command_line("sort", [network.word, *(() if given is None else (None,))], said))
