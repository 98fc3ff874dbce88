"""Networks: specs, graphs of networkx, sparse matrices of SciPy, arrays of links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Dict, Optional

import numpy as np
from numpy.typing import NDArray

from . import _html, _pictures
from ._convert import (
    NODES_MOST, by_labels, encoded, entries, flag, graph_lists, is_graph, refusal, whole, words32, written,
)
from ._errors import InputError, check, check_room, ffi, lib, made, text
from ._library import Result, Watch, command_line

check(lib.np_report_formats())


def info(network: Any, **options: Any) -> Result:
    """What a network is: degree, diameter, bisection and more, as `netpram info`. Options are those of Network.info."""
    return Network(network).info(**options)


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
    A network: nodes 0 .. nodes-1 and directed links. It is never changed, and any number of threads may use it. It can
    be copied and pickled; one of a file is then read again.

    what    a spec of the command, such as "hypercube:10" or "file:graph.mtx"; a graph of networkx; a square sparse
            matrix of SciPy, whose entry in row u and column v is a link from u to v; or (nodes, tails, heads)
    width   how many parallel links a link is. Of a graph the attribute that says it; of a matrix True: its entries; of
            arrays a list, one for each link
    hosts   graphs, matrices and arrays: the nodes at which packets start and end; None: all
    fail    a share of the cables that are down, as 0.01, or "file:PATH"; drawn from `seed`
    """

    c: Any
    labels: Optional[Dict[Any, int]]
    _recipe: tuple[Any, ...]

    def __init__(self, what: Any, *, width: Any = None, hosts: Optional[Iterable[Any]] = None, fail: Any = None,
                 seed: int = 1):
        if isinstance(what, (str, Network)) and not (width is None and hosts is None):
            raise InputError("width and hosts: of a graph, a matrix or arrays; of a file, say them behind its path, "
                             "file:PATH:width=NAME:hosts=..., and of a Network where it is made")
        if isinstance(what, Network):
            self.c, self._recipe, self.labels = what.c, what._recipe, what.labels
        elif isinstance(what, str):
            self._recipe, self.labels = (what,), None
            self.c = made("np_network", lib.np_network_free, lib.np_network_create, encoded(what, "network"))
            if self.family == "file":
                self.labels = self._names_unless_numbers()
        else:
            lists = self._lists(what, width, hosts)
            self._recipe, self.labels = (lists,), self._labels_of(what)
            self.c = self._of_lists(**lists)
        if fail is not None:
            self._fail(written(fail, "fail"), whole(seed, "seed", 0, 2**64 - 1))

    def _fail(self, which: str, seed: int) -> None:
        self.c = made("np_network", lib.np_network_free, lib.np_network_fail, self.c, encoded(which, "fail"), seed)
        self._recipe = (*self._recipe, (which, seed))

    def __reduce__(self) -> Any:
        return _network_again, (self._recipe, self.labels)

    def _lists(self, what: Any, width: Any, hosts: Any) -> Dict[str, Any]:
        """What np_network_lists has, of a graph, a matrix or arrays."""
        if is_graph(what):
            return self._of_graph(what, width, hosts)
        if hasattr(what, "tocoo"):
            return self._of_matrix(what, width, hosts)
        if not (isinstance(what, tuple) and len(what) == 3):
            raise refusal("network", "a spec, a graph, a sparse matrix or (nodes, tails, heads)", what)
        count = whole(what[0], "nodes", 1, NODES_MOST)
        lists = {"tails": words32(what[1], "tails"), "heads": words32(what[2], "heads")}
        if width is not None:
            lists["width"] = words32(width, "width")
        for name, values in lists.items():
            if len(values) != len(lists["tails"]):
                raise InputError(f"tails and {name}: must be lists of one length, not {len(lists['tails'])} and "
                                 f"{len(values)}")
        return {"nodes": count, **lists, "hosts": _hosts(hosts, None)}

    @staticmethod
    def _of_graph(graph: Any, width: Any, hosts: Any) -> Dict[str, Any]:
        if width is not None and not isinstance(width, str):
            raise refusal("width", "the name of an attribute", width)
        number, tails, heads, widths = graph_lists(graph, width, "width", width is not None)
        return {"nodes": len(number), "tails": np.array(tails, np.uint32), "heads": np.array(heads, np.uint32),
                "width": None if widths is None else words32(widths, "width"), "undirected": not graph.is_directed(),
                "names": [str(node) for node in number], "hosts": _hosts(hosts, number)}

    @staticmethod
    def _of_matrix(matrix: Any, width: Any, hosts: Any) -> Dict[str, Any]:
        if matrix.shape[0] != matrix.shape[1]:
            raise InputError("the matrix of a network has as many rows as columns, not "
                             f"{matrix.shape[0]} x {matrix.shape[1]}")
        counted = width is not None and flag(width, "width")
        rows, columns, values = entries(matrix, "network")
        there = values != 0
        return {"nodes": matrix.shape[0], "tails": rows[there].astype(np.uint32),
                "heads": columns[there].astype(np.uint32),
                "width": words32(values[there], "width") if counted else None, "hosts": _hosts(hosts, None)}

    @staticmethod
    def _labels_of(what: Any) -> Optional[Dict[Any, int]]:
        """The numbers of nodes by what a graph calls them, and by names; None: they are called 0, 1, ..."""
        if not is_graph(what):
            return None
        nodes = list(what)
        if all(type(node) is int and node == i for i, node in enumerate(nodes)):
            return None
        return {**{str(node): i for i, node in enumerate(nodes)}, **{node: i for i, node in enumerate(nodes)}}

    def _names_unless_numbers(self) -> Optional[Dict[Any, int]]:
        labels = {name: i for i, name in enumerate(self.names())}
        return None if all(name == str(i) for name, i in labels.items()) else labels

    @staticmethod
    def _of_lists(nodes: int, tails: Any, heads: Any, width: Any = None, undirected: bool = False, names: Any = None,
                  hosts: Any = None) -> Any:
        kept = None if names is None else [ffi.new("char[]", encoded(name, "names of nodes")) for name in names]
        lists = ffi.new("np_network_lists *")
        table = ffi.NULL if kept is None else ffi.new("char *[]", kept)
        lists.nodes, lists.links, lists.undirected = nodes, len(tails), undirected
        arrays = [pointer(array, "uint32_t") for array in (tails, heads, width, hosts)]
        lists.__setattr__("from", arrays[0])
        lists.to, lists.width, lists.name = arrays[1], arrays[2], table
        lists.hosts, lists.host = 0 if hosts is None else len(hosts), arrays[3]
        return made("np_network", lib.np_network_free, lib.np_network_from_lists, lists)

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
        # heads and tails, all and used; which are used
        check_room(numbers * (3 * 4 + 8 + 2 * 4), "an array of the links")
        heads = np.fromiter((lib.np_network_link_head(self.c, link) for link in range(numbers)), np.uint32, numbers)
        tails = np.fromiter((lib.np_network_link_tail(self.c, link) for link in range(numbers)), np.uint32, numbers)
        links = np.flatnonzero(heads != lib.UNUSED)
        return links, tails[links], heads[links]

    def arcs(self) -> tuple[Any, ...]:
        """Tails and heads of all directed links, in the order of their numbers."""
        return self._numbered_arcs()[1:]

    def places(self, drawing: Optional[str] = None) -> NDArray[Any]:
        """
        Where the nodes stand in a drawing, one of netpram.names("drawings"): [nodes, 2], x to the right and y
        downwards. None: the drawing that suits the network best.
        """
        return _pictures.places(self, drawing)

    def plot(self, loads: Any = None, *, drawing: Optional[str] = None, names: Optional[bool] = None,
             ax: Any = None) -> Any:
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
        watch, given, effort = Watch(progress), ffi.new("np_watch *"), whole(effort, "effort", 0, 2**64 - 1)
        watch.put(given)
        facts = ffi.new("np_network_facts *")
        watch.call(lib.np_network_measure_watched, self.c, effort, given, facts, leave=True)
        return Result(lambda options, stream: lib.np_report_network(self.c, facts, options, stream),
                      command_line("info", [self.word], {"effort": effort} if effort != 10**8 else {}))

    @property
    def word(self) -> Optional[str]:
        """The spec, if it makes the network again in another program; None: a part is in memory."""
        return self.spec if isinstance(self._recipe[0], str) else None

    def __repr__(self) -> str:
        return f"<netpram.Network {self.spec}: {self.nodes} nodes, {self.links} links>"


def _hosts(hosts: Any, number: Optional[Dict[Any, int]]) -> Any:
    if hosts is None:
        return None
    if isinstance(hosts, (set, frozenset)):
        hosts = list(hosts)
    found = words32(hosts, "hosts") if number is None else by_labels(hosts, number, "hosts")
    if not len(found):
        raise InputError("hosts: none is given; hosts=None: every node is one")
    return found


def _network_again(recipe: tuple[Any, ...], labels: Optional[Dict[Any, int]]) -> Network:
    made_of, *failures = recipe
    if isinstance(made_of, str):
        network = Network(made_of)
    else:
        network = Network.__new__(Network)
        network.c, network._recipe, network.labels = Network._of_lists(**made_of), (made_of,), labels
    for which, seed in failures:
        network._fail(which, seed)
    return network
