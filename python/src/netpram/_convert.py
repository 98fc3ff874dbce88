"""
Values of Python as C takes them: used exactly, or refused in a line that names the argument. There is one converter for
each kind of argument; the table of docs/python.md says what each takes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError

if TYPE_CHECKING:
    from ._network import Network

NODES_MOST = 2**32 - 2
CELL_LEAST, CELL_MOST = -(2**63), 2**63 - 1
EXACT_MOST = 2**53  # whole numbers up to here are doubles


def shown(value: Any) -> str:
    """A value in a line of refusal."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a number of {value.bit_length()} bits"
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return ascii(value)[:60] if isinstance(value, (str, bytes)) else repr(value)[:60]
    return type(value).__name__


def refusal(name: str, wanted: str, value: Any) -> InputError:
    return InputError(f"{name}: must be {wanted}, not {shown(value)}")


# ---- One value ----


def encoded(value: Any, name: str) -> bytes:
    """A text, as C reads it."""
    if not isinstance(value, str):
        raise refusal(name, "a text", value)
    if "\0" in value:
        raise InputError(f"{name}: {shown(value)} has a character NUL")
    try:
        return value.encode("utf-8", "surrogateescape")  # names of files may have bytes that are no characters
    except UnicodeEncodeError:
        raise InputError(f"{name}: {shown(value)} has half a character") from None


def path(value: Any, name: str) -> bytes:
    """The path of a file."""
    where = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(where, str) or not where:
        raise refusal(name, "a path", value)
    return encoded(where, name)


def flag(value: Any, name: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise refusal(name, "True or False", value)
    return bool(value)


def whole(value: Any, name: str, low: int = CELL_LEAST, high: int = CELL_MOST) -> int:
    """A whole number: an int, or a float that is one."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)) or (
            isinstance(value, (float, np.floating)) and not (np.isfinite(value) and value == np.trunc(value))):
        raise refusal(name, "a whole number", value)
    if not low <= int(value) <= high:
        raise InputError(f"{name}: must be in {low}..{high}, not {shown(value)}")
    return int(value)


def written(value: Any, name: str) -> str:
    """The value of an option as the text that the table's rows read."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        if int(value).bit_length() > 256:
            raise refusal(name, "a number of 64 bits", value)
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if not np.isfinite(value) or number != value:  # long doubles may have more digits
            raise refusal(name, "a number that 64 bits hold", value)
        return str(int(number)) if number.is_integer() and abs(number) < EXACT_MOST else repr(number)
    if isinstance(value, range) and len(value) and value.step == 1:
        value = (value[0], value[-1])
    if isinstance(value, tuple) and len(value) == 2:
        return "..".join(written(end, name) for end in value)
    if isinstance(value, (str, os.PathLike)):
        return os.fsdecode(value)
    raise refusal(name, "a number, a text, True or False, or (least, most)", value)


# ---- Lists ----


def _exactly(items: list[Any], name: str) -> NDArray[Any]:
    """The array of a list; of Python's own objects where NumPy would round, or make texts of numbers."""
    try:
        array = np.asarray(items)
    except (ValueError, OverflowError):
        raise InputError(f"{name}: rows must be of one length") from None
    kind = array.dtype.kind
    if kind in "biuO":
        return array
    objects = np.empty(array.shape, object)
    objects[...] = items
    rounded = (isinstance(item, (int, np.integer)) and abs(int(item)) > EXACT_MOST for item in objects.flat)
    if kind in "fc" and not any(rounded):
        return array
    if kind in "US" and all(isinstance(item, (str, bytes)) and not item[-1:] in ("\0", b"\0") for item in objects.flat):
        return array
    return objects if kind in "fcUS" else array


def listed(values: Any, name: str, dimensions: int = 1) -> NDArray[Any]:
    """A list of any kind as an array with exactly its values."""
    wanted = "a list" if dimensions == 1 else "a matrix"
    if isinstance(values, np.ma.MaskedArray):
        masked = np.count_nonzero(np.ma.getmaskarray(values))  # type: ignore[no-untyped-call]
        if masked:
            raise InputError(f"{name}: {masked} of the values are masked")
        values = values.data
    if hasattr(values, "tocoo") and dimensions == 2:
        rows, columns, data = entries(values, name)
        array: NDArray[Any] = np.zeros(values.shape, data.dtype)
        array[rows, columns] = data
    elif hasattr(values, "to_numpy"):  # of pandas
        array = np.asarray(values.to_numpy())
    elif isinstance(values, np.ndarray):
        array = values
    elif isinstance(values, (str, bytes, bytearray, Mapping, Set)) or not isinstance(values, Iterable) or hasattr(
            values, "tocoo") or is_graph(values):
        raise refusal(name, wanted, values)
    else:
        array = np.asarray(values) if isinstance(values, (range, memoryview)) else _exactly(list(values), name)
    if array.ndim != dimensions:
        raise InputError(f"{name}: must have {dimensions} dimension{'s' * (dimensions > 1)}, not {array.ndim}")
    return array


def wholes(values: Any, name: str, low: int, high: int, dtype: Any, *, dimensions: int = 1,
           flags: bool = False) -> NDArray[Any]:
    """Whole numbers in low..high; with `flags` also True and False. An array of the type that C reads is not copied."""
    if type(values) is np.ndarray and values.dtype == dtype and values.ndim == dimensions and high - low == 2**64 - 1:
        return np.ascontiguousarray(values)  # the step of a PRAM: any number of the type will do
    array = listed(values, name, dimensions)
    kind = array.dtype.kind
    if not array.size:
        return np.empty(array.shape, dtype)
    if kind == "O":
        numbers = [whole(int(item) if flags and isinstance(item, (bool, np.bool_)) else item, name, low, high)
                   for item in array.flat]
        return np.array(numbers, dtype).reshape(array.shape)
    if kind not in ("biuf" if flags else "iuf"):
        raise InputError(f"{name}: must be whole numbers, not {array.dtype}")
    if kind == "f":
        with np.errstate(invalid="ignore"):
            bad = ~np.isfinite(array) | (array != np.trunc(array))
        if bad.any():
            raise InputError(f"{name}: must be whole numbers, not {array[bad].flat[0]}")
    for end in (int(array.min()), int(array.max())):
        if not low <= end <= high:
            raise InputError(f"{name}: must be in {low}..{high}, not {end}")
    return np.ascontiguousarray(array, dtype)


def words32(values: Any, name: str) -> NDArray[Any]:
    return wholes(values, name, 0, NODES_MOST, np.uint32)


def cells(values: Any, name: str, dimensions: int = 1) -> NDArray[Any]:
    """Words of a memory."""
    return wholes(values, name, CELL_LEAST, CELL_MOST, np.int64, dimensions=dimensions, flags=True)


def reals(values: Any, name: str, dimensions: int = 1) -> NDArray[Any]:
    """Doubles, each exactly the number that was given."""
    array = listed(values, name, dimensions)
    if not array.size or array.dtype.kind == "b" or (array.dtype.kind == "f" and array.dtype.itemsize <= 8):
        return np.ascontiguousarray(array, np.float64)
    if array.dtype.kind not in "iufO":
        raise InputError(f"{name}: must be numbers, not {array.dtype}")
    found = np.empty(array.shape)
    for place, item in np.ndenumerate(array):
        try:
            found[place] = float(item) if isinstance(item, (int, float, np.integer, np.floating)) else "no number"
        except (ValueError, OverflowError):
            raise refusal(name, "numbers", item) from None
        if found[place] != item and item == item:
            raise InputError(f"{name}: {shown(item)} is no number of 64 bits: it would be rounded")
    return found


def marks(values: Any, name: str) -> NDArray[Any]:
    """Flags, one a processor: bool, or 0 and 1."""
    return wholes(values, name, 0, 1, np.uint8, flags=True)


# ---- Nodes and matrices ----


def by_labels(values: Any, labels: Mapping[Any, int], name: str) -> NDArray[Any]:
    """The numbers of nodes that are given by their names, or as the graph had them."""
    if isinstance(values, np.ndarray) or hasattr(values, "to_numpy"):
        values = listed(values, name).tolist()
    elif isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise refusal(name, "a list of nodes", values)
    return np.array([_labelled(node, labels, name) for node in values], np.uint32)


def _labelled(node: Any, labels: Mapping[Any, int], name: str) -> int:
    try:
        if not isinstance(node, (bool, np.bool_)) and node in labels:
            return labels[node]
        if isinstance(node, (int, float, np.integer, np.floating)) and str(whole(node, name)) in labels:
            return labels[str(whole(node, name))]
    except TypeError:  # it has no hash
        pass
    raise InputError(f"{name}: the network has no node {shown(node)}")


def nodes(network: "Network", values: Any, name: str) -> NDArray[Any]:
    """Nodes of a network by their names, which are numbers if it has no others."""
    if network.labels is None:
        if isinstance(values, Set):
            raise refusal(name, "a list", values)
        values = values if isinstance(values, np.ndarray) else listed(values, name)
        if values.dtype.kind not in "UO":
            return wholes(values, name, 0, NODES_MOST, np.uint32)
        digits = (isinstance(node, str) and node.isascii() and node.isdigit() for node in values.tolist())
        return words32([int(node) if is_number else node for node, is_number in zip(values.tolist(), digits)], name)
    if isinstance(values, Set):
        raise refusal(name, "a list", values)
    return by_labels(values, network.labels, name)


def entries(matrix: Any, name: str) -> Tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Rows, columns and values of a sparse matrix. Values of one place add up, as everywhere in SciPy."""
    found = matrix.tocoo(copy=True)
    if found.data.dtype.kind in "biu":
        data = wholes(found.data, name, CELL_LEAST, CELL_MOST, np.int64, flags=True)
        if data.size and max(-int(data.min()), int(data.max())) > EXACT_MOST:
            raise InputError(f"{name}: entries must be at most 2^53")
        found.data = data
    elif found.data.dtype.kind != "f" or np.isnan(found.data).any():
        kind = "NaN" if found.data.dtype.kind == "f" else found.data.dtype
        raise InputError(f"{name}: entries must be numbers, not {kind}")
    found.sum_duplicates()
    return found.row, found.col, found.data


def demands(network: "Network", what: Any) -> Optional[Tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """
    Sources, destinations and counts of packets of a matrix, in the order of node numbers, or of a frame, by names.
    """
    count, name = network.nodes, "demands"
    if hasattr(what, "iloc") and hasattr(what, "columns"):  # pandas.DataFrame
        rows, columns = nodes(network, what.index, "demands: rows"), nodes(network, what.columns, "demands: columns")
        for ends, where in ((rows, "rows"), (columns, "columns")):
            if len(set(ends.tolist())) < len(ends):
                raise InputError(f"demands: {where}: a node is there twice")
        packets = wholes(what, name, 0, NODES_MOST, np.int64, dimensions=2, flags=True)
        u, v = np.nonzero(packets)
        return rows[u], columns[v], packets[u, v]
    if hasattr(what, "tocoo"):
        shape, (u, v, values) = what.shape, entries(what, name)
        packets = wholes(values, name, 0, NODES_MOST, np.int64)
    elif isinstance(what, np.ndarray):
        packets = wholes(what, name, 0, NODES_MOST, np.int64, dimensions=2, flags=True)
        shape, (u, v) = what.shape, np.nonzero(packets)
        packets = packets[u, v]
    else:
        return None
    if shape != (count, count):
        raise InputError(f"demands: {shape[0]} x {shape[1]}, and the network has {count} nodes")
    return u, v, packets


# ---- Graphs of networkx ----


def is_graph(value: Any) -> bool:
    return hasattr(value, "is_directed") and hasattr(value, "adj")


def graph_lists(graph: Any, attribute: Any, name: str,
                needed: bool) -> Tuple[Dict[Any, int], list[int], list[int], Any]:
    """
    The number of each node, tails, heads, and the attribute of each edge; None if no edge has it and it is not needed.
    An edge without it, among edges with it, is refused.
    """
    number = {node: i for i, node in enumerate(graph)}
    edges = list(graph.edges(data=True))
    tails, heads = [number[u] for u, _, _ in edges], [number[v] for _, v, _ in edges]
    lack = [(u, v) for u, v, data in edges if attribute not in data]
    if len(lack) == len(edges) and not needed:
        return number, tails, heads, None
    if lack:
        u, v = (shown(node) for node in lack[0])
        raise InputError(f"{name}: the edge from {u} to {v} has no attribute {attribute!r}"
                         + (", and others have it" if len(lack) < len(edges) else ""))
    return number, tails, heads, [data[attribute] for _, _, data in edges]
