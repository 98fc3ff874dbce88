"""Networks: specs, graphs of networkx, sparse matrices of SciPy, arrays of links."""

from __future__ import annotations

from typing import Any, Iterable, Optional

import numpy as np
from numpy.typing import NDArray

from . import _html, _pictures
from ._library import InputError, Result, Watch, check, ffi, lib, made, text

check(lib.np_report_formats())


def info(network: Any, **options: Any) -> Result:
    """What a network is: degree, diameter, bisection and more, as `netpram info`. Options are those of Network.info."""
    return Network(network).info(**options)


def words32(values: Any, what: str) -> NDArray[Any]:
    """The values as the array of uint32 that C reads: the array itself, if it is one."""
    array = np.asarray(values)
    if array.dtype == np.uint32 and array.flags.c_contiguous:
        return array
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise InputError(f"{what}: must be whole numbers, not {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= 2**32 - 1):
        raise InputError(f"{what}: must be in 0..{2**32 - 2}")
    return np.ascontiguousarray(array, dtype=np.uint32)


def pointer(array: Optional[NDArray[Any]], kind: str) -> Any:
    """The array as C takes it, without a copy; NULL of None."""
    return ffi.NULL if array is None else ffi.from_buffer(f"{kind}[]", array)


def view(owner: Any, values: Any, count: int, kind: str) -> NDArray[Any]:
    """An array that C owns, without a copy, to be read only. It lives as long as the owner, which the array keeps."""
    if not count:
        return np.empty(0, kind)
    class Holder:  # numpy keeps it, and it keeps the owner
        __array_interface__ = {
            "shape": (count,), "typestr": np.dtype(kind).str, "version": 3,
            "data": (int(ffi.cast("uintptr_t", values)), True),
        }
        kept = owner
    return np.asarray(Holder())


class Network:
    """
    A network: nodes 0 .. nodes-1 and directed links. It is never changed, and any number of threads may use it.

    what    a spec of the command, such as "hypercube:10" or "file:graph.mtx"; a graph of networkx; a square sparse
            matrix of SciPy, whose entry in row u and column v is a link from u to v; or (nodes, tails, heads)
    width   graphs and matrices: the attribute that is a link's number of parallel links; of a matrix True: its entries
    hosts   graphs, matrices and arrays: the nodes at which packets start and end; None: all
    fail    a share of the cables that are down, as 0.01, or "file:PATH"; drawn from `seed`
    """

    def __init__(self, what: Any, *, width: Any = None, hosts: Optional[Iterable[Any]] = None, fail: Any = None, seed: int = 1):
        self.c: Any
        if isinstance(what, Network):
            self.c = what.c
        elif isinstance(what, str):
            if width is not None or hosts is not None:
                raise InputError(f"{what}: of a file, say width and hosts behind its path: file:PATH:width=NAME:hosts=...")
            self.c = made("np_network", lib.np_network_free, lib.np_network_create, what.encode())
        elif hasattr(what, "is_directed") and hasattr(what, "adj"):
            self.c = self._of_graph(what, width, hosts)
        elif hasattr(what, "tocoo"):
            self.c = self._of_matrix(what, width, hosts)
        elif isinstance(what, tuple) and len(what) == 3:
            self.c = self._of_lists(what[0], what[1], what[2], None, False, None, hosts)
        else:
            raise InputError(f"a network is a spec, a graph, a sparse matrix or (nodes, tails, heads), not {type(what).__name__}")
        if fail is not None:
            which = fail if isinstance(fail, str) else repr(fail)
            self.c = made("np_network", lib.np_network_free, lib.np_network_fail, self.c, which.encode(), seed)

    @staticmethod
    def _of_lists(nodes: int, tails: Any, heads: Any, width: Any, undirected: bool, names: Any, hosts: Any) -> Any:
        tails, heads = words32(tails, "tails"), words32(heads, "heads")
        if tails.shape != heads.shape or tails.ndim != 1:
            raise InputError(f"tails and heads: must be two lists of one length, not {tails.shape} and {heads.shape}")
        width = None if width is None else words32(width, "width")
        hosts = None if hosts is None else words32(list(hosts), "hosts")
        kept = None if names is None else [ffi.new("char[]", name.encode()) for name in names]
        lists = ffi.new("np_network_lists *")
        table = ffi.NULL if kept is None else ffi.new("char *[]", kept)
        lists.nodes, lists.links, lists.undirected = nodes, len(tails), undirected
        arrays = [pointer(array, "uint32_t") for array in (tails, heads, width, hosts)]
        lists.__setattr__("from", arrays[0])
        lists.to, lists.width, lists.name = arrays[1], arrays[2], table
        lists.hosts, lists.host = 0 if hosts is None else len(hosts), arrays[3]
        return made("np_network", lib.np_network_free, lib.np_network_from_lists, lists)

    @classmethod
    def _of_graph(cls, graph: Any, width: Optional[str], hosts: Optional[Iterable[Any]]) -> Any:
        number = {node: i for i, node in enumerate(graph)}
        edges = list(graph.edges(data=True))
        widths = None if width is None else [data.get(width, 1) for _, _, data in edges]
        where = None
        if hosts is not None:
            missing = [host for host in hosts if host not in number]
            if missing:
                raise InputError(f"hosts: the graph has no node {missing[0]!r}")
            where = [number[host] for host in hosts]
        return cls._of_lists(
            len(number), np.array([number[u] for u, _, _ in edges], np.uint32),
            np.array([number[v] for _, v, _ in edges], np.uint32), widths, not graph.is_directed(),
            [str(node) for node in number], where)

    @classmethod
    def _of_matrix(cls, matrix: Any, width: Any, hosts: Any) -> Any:
        if matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"the matrix of a network has as many rows as columns, not {matrix.shape[0]} x {matrix.shape[1]}")
        entries = matrix.tocoo()
        there = entries.data != 0
        return cls._of_lists(
            matrix.shape[0], entries.row[there].astype(np.uint32), entries.col[there].astype(np.uint32),
            entries.data[there] if width else None, False, None, hosts)

    @property
    def spec(self) -> str:
        """The spec that makes this network again; "links" of a graph, a matrix or arrays."""
        return text(lib.np_network_spec(self.c))

    @property
    def family(self) -> str:
        return text(lib.np_network_family_name(self.c))

    @property
    def nodes(self) -> int:
        return lib.np_network_nodes(self.c)

    @property
    def links(self) -> int:
        """Directed links."""
        return lib.np_network_links(self.c)

    @property
    def terminals(self) -> int:
        """Where packets start and end."""
        return lib.np_network_terminals(self.c)

    def names(self) -> list[Any]:
        """The names of the nodes: as graph or file have them, else their numbers."""
        room = ffi.new("char[]", lib.NP_NAME_ROOM)
        return [text(lib.np_network_node_name(self.c, node, room)) for node in range(self.nodes)]

    def _numbered_arcs(self) -> tuple[Any, ...]:
        """The numbers of all directed links, their tails and heads. Numbers may have holes."""
        numbers = lib.np_network_link_numbers(self.c)
        heads = np.fromiter((lib.np_network_link_head(self.c, link) for link in range(numbers)), np.uint32, numbers)
        tails = np.fromiter((lib.np_network_link_tail(self.c, link) for link in range(numbers)), np.uint32, numbers)
        links = np.flatnonzero(heads != lib.UNUSED)
        return links, tails[links], heads[links]

    def arcs(self) -> tuple[Any, ...]:
        """Tails and heads of all directed links, in the order of their numbers."""
        return self._numbered_arcs()[1:]

    def places(self, drawing: Optional[str] = None) -> NDArray[Any]:
        """
        Where the nodes stand in a drawing, one of netpram.names("drawings"): [nodes, 2], x to the right and y downwards.
        None: the drawing that suits the network best.
        """
        return _pictures.places(self, drawing)

    def plot(self, loads: Any = None, *, drawing: Optional[str] = None, names: Optional[bool] = None, ax: Any = None) -> Any:
        """
        Draws the network by matplotlib, and returns the axes.

        loads    a number for each link number, as Routing.loads() has them: colours links by them
        drawing  one of netpram.names("drawings"); None: the one that suits the network best
        names    write the names of nodes; None: if there are at most 64
        ax       axes to draw on; None: new ones
        """
        return _pictures.draw_network(self, loads, drawing=drawing, names=names, ax=ax)

    def _repr_html_(self) -> str:
        return _html.page({"network": self.spec, "nodes": self.nodes, "links": self.links, "terminals": self.terminals})

    def graph(self) -> Any:
        """The network as a graph of networkx: an nx.MultiDiGraph, because links may be parallel."""
        import networkx

        graph = networkx.MultiDiGraph(spec=self.spec)
        graph.add_nodes_from(range(self.nodes))
        graph.add_edges_from(zip(*(ends.tolist() for ends in self.arcs())))
        return graph

    def info(self, effort: int = 10**8, progress: Any = None) -> Result:
        """Degree, diameter, bisection and more, by formula and by measurement, as `netpram info`."""
        watch, given = Watch(progress), ffi.new("np_watch *")
        watch.put(given)
        facts = ffi.new("np_network_facts *")
        watch.call(lib.np_network_measure_watched, self.c, effort, given, facts)
        return Result(lambda options, stream: lib.np_report_network(self.c, facts, options, stream))

    def __repr__(self) -> str:
        return f"<netpram.Network {self.spec}: {self.nodes} nodes, {self.links} links>"
