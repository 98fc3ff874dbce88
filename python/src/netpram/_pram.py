"""Shared memory: programs by name or as text, and PRAMs step by step on NumPy arrays."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._convert import (
    cells, encoded, entries, flag, graph_lists, is_graph, listed, marks, path, reals, refusal, whole, wholes, words32,
    written,
)
from ._errors import InputError, check, ffi, lib, made, text
from ._library import Options, Record, Result, Watch, command_line, fields, record, split
from ._network import Network, pointer, view

FETCHES = {"add": lib.NP_FETCH_ADD, "min": lib.NP_FETCH_MIN, "max": lib.NP_FETCH_MAX, "and": lib.NP_FETCH_AND,
           "or": lib.NP_FETCH_OR, "xor": lib.NP_FETCH_XOR}
SHORT_MOST = 4096  # processors of a step that takes less time than to start a thread
DTYPES = {"int": "int64", "real": "float64", "bool": "int64"}


def _pram_options(values: dict[str, Any], rule: Optional[str], progress: Any) -> tuple[Any, ...]:
    options, watch = Options("pram_options", values), Watch(progress)
    if rule is not None:
        place = ffi.new("np_access_rule *")
        check(lib.np_access_rule_parse(encoded(rule, "rule"), place))
        options.c.rule = place[0]
    watch.put(options.c.watch)
    return options, watch


class ProgramRun(Result):
    """
    The outcome of a program: its JSON, and its answer as arrays.

    outputs  of a text: an array for each name, by its name. They are C's own arrays, to be read only
    answer   the words of the only or the first output
    printed  the lines that the program printed
    """

    def __init__(self, write: Callable[..., Any], command: str, outputs: Mapping[str, Any], printed: list[Any]):
        super().__init__(write, command)
        self.__dict__.update(outputs=Record(outputs), printed=printed)

    @property
    def answer(self) -> NDArray[Any]:
        return next(iter(self.outputs.values()))


def _outputs(owner: Any, script: Any) -> dict[str, Any]:
    found = {}
    for i in range(script.outputs):
        output = script.output[i]
        found[text(output.name)] = view(owner, output.word, output.count, DTYPES[text(output.type)])
    return found


class _Inputs:
    """What `input` says: paths for the options of a program, and data that C borrows for the run."""

    def __init__(self, given: Any, script: Any):
        kinds = self._kinds(script)
        self._script = script
        self.paths: list[Any] = []
        self.data: list[Any] = []
        if isinstance(given, Mapping) and not hasattr(given, "tocoo"):  # a sparse matrix may be a dict
            for name, value in given.items():
                if name not in kinds:
                    raise InputError(f"input {name!r}: the program declares {', '.join(kinds) or 'no input'}")
                self._add(name, value, *kinds[name])
        elif given is not None:
            name = next(iter(kinds), "")
            if len(kinds) != 1 and not isinstance(given, (str, os.PathLike)):
                raise InputError(f"input: the program declares {', '.join(kinds) or 'no input'}: say which, as "
                                 "input={'NAME': ...}")
            self._add(name if len(kinds) == 1 else None, given, *kinds.get(name, ("", "")))
        self.c = ffi.new("np_script_data[]", self.data)

    @staticmethod
    def _kinds(script: Any) -> Dict[str, Tuple[str, str]]:
        """The kind and type of each input by its name."""
        inputs = [lib.np_script_input_get(script, i) for i in range(lib.np_script_inputs(script))]
        return {text(one.name) or "": (text(one.kind) or "", text(one.type) or "") for one in inputs}

    @property
    def path(self) -> Optional[str]:
        return ",".join(self.paths) or None

    def _add(self, name: Optional[str], value: Any, kind: str, type: str) -> None:
        if isinstance(value, os.PathLike) or (isinstance(value, str) and kind != "text"):
            where = path(value, f"input {name}").decode("utf-8", "surrogateescape")
            self.paths.append(where if name is None else f"{name}={where}")
        elif kind in ("graph", "digraph"):
            self._graph(name, value, kind, type)
        else:
            self._words(name, value, kind, type)

    def _words(self, name: Optional[str], value: Any, kind: str, type: str) -> None:
        if kind == "text" and isinstance(value, (str, bytes)):
            value = np.frombuffer(value.encode() if isinstance(value, str) else value, np.uint8)
        dimensions, called = 2 if kind == "matrix" else 1, f"input {name}"
        numbers = reals(value, called, dimensions) if type == "real" else cells(value, called, dimensions)
        words = np.ascontiguousarray(numbers).view(np.int64)
        self._keep(name, {"count": words.size, "rows": numbers.shape[0], "word": pointer(words, "np_word")})

    def _has_weights(self, name: Optional[str]) -> bool:
        """Does the text say NAME.weight?"""
        length, lines, i = ffi.new("size_t *"), [], 1
        while (line := lib.np_script_line_get(self._script, i, length)) != ffi.NULL:
            lines.append(ffi.buffer(line, length[0])[:].split(b"#")[0])
            i += 1
        return re.search(rb"\b" + encoded(name, "input") + rb"\s*\.\s*weight\b", b"\n".join(lines)) is not None

    def _graph(self, name: Optional[str], value: Any, kind: str, type: str) -> None:
        """
        A graph of networkx, whose attribute "weight" counts; a sparse matrix of weights; a Network; (vertices, tails,
        heads), or with weights. A program that does not use weights does not look at them.
        """
        tails: Any
        heads: Any
        weight: Any = None
        called, weighs = f"input {name}", self._has_weights(name)
        if is_graph(value):
            if kind == "graph" and value.is_directed():
                raise InputError(f"{called}: a directed graph, and edges of a 'graph' go both ways: declare a "
                                 "'digraph' to keep the directions, or give graph.to_undirected()")
            number, *ends, weight = graph_lists(value, "weight" if weighs else None, f"{called}: weights", False)
            vertices, (tails, heads) = len(number), ends
        elif hasattr(value, "tocoo"):
            if value.shape[0] != value.shape[1]:
                raise InputError(f"{called}: a graph's matrix is square, not {value.shape[0]} x {value.shape[1]}")
            vertices, (tails, heads, weight) = value.shape[0], entries(value, called)
        elif isinstance(value, Network):
            vertices, (tails, heads) = value.nodes, value.arcs()
        elif isinstance(value, tuple) and len(value) in (3, 4):
            vertices, tails, heads = value[:3]
            weight = value[3] if len(value) == 4 else None
        else:
            raise refusal(called, "a graph of networkx, a sparse matrix, a Network, (vertices, tails, heads) or a path",
                          value)
        lists = {"tail": words32(tails, f"{called}: tails"), "head": words32(heads, f"{called}: heads")}
        if weighs and weight is not None:
            lists["word"] = (reals if type == "real" else cells)(weight, f"{called}: weights").view(np.int64)
        if any(len(one) != len(lists["tail"]) for one in lists.values()):
            raise InputError(f"{called}: tails, heads and weights must be lists of one length")
        kinds = {"tail": "uint32_t", "head": "uint32_t", "word": "np_word"}
        self._keep(name, {"count": len(lists["tail"]), "rows": whole(vertices, f"{called}: vertices", 0, 2**32 - 2),
                          **{to: pointer(one, kinds[to]) for to, one in lists.items()}})

    def _keep(self, name: Optional[str], members: dict[str, Any]) -> None:
        called = ffi.NULL if name is None else ffi.new("char[]", encoded(name, "input"))
        self.data.append({"input": called, **members})  # they keep the arrays


def pram(program: Union[str, Path], *, input: Any = None, rule: Optional[str] = None,
         set: Optional[Mapping[str, Any]] = None, progress: Any = None, profile: bool = False,
         **options: Any) -> ProgramRun:
    """
    Runs a shared-memory program on a PRAM, ideal or on a network, and checks its answer.

    program   one of netpram.names("programs"); a path that ends in ".pram"; or the text itself, which has a line end
    input     None: drawn from the seed. An array; of a matrix one of two dimensions, or sparse; of a text a str; of a
              graph a graph of networkx, a sparse matrix of weights, a Network, or (vertices, tails, heads); or a path.
              Of several inputs a mapping from their names
    rule      an access rule, as "crew"; None: the program's own
    set       values of the options that a text declares; those whose names are no others may be given by them
    profile   of a text: the table says what each line cost

    The other options are those of `netpram pram`: machine, seed, n, ...
    """
    given, more = split(options, "pram_options", "program_options")
    if set is not None and not isinstance(set, Mapping):
        raise refusal("set", "a mapping from names to values", set)
    if set:
        more["set"] = ",".join(f"{name}={written(value, name)}" for name, value in set.items())
    flag(profile, "profile")
    program = encoded(program, "program").decode() if isinstance(program, str) else path(program, "program").decode()
    in_memory = "\n" in program or not (input is None or isinstance(input, (str, os.PathLike)))
    said = {"input": None if in_memory else input, "rule": rule, "profile": profile, **options, "set": more.get("set")}
    line = command_line("pram", [None if in_memory else program], said)
    if "\n" in program or program.endswith(".pram"):
        return _run_text(program, given, more, input, rule, progress, profile, line)
    return _run_library(program, given, more, input, rule, progress, profile, line)


class _ScriptOptions:
    """np_script_options of a script: its inputs, and the lines that it prints."""

    def __init__(self, script: Any, more: dict[str, Any], input: Any):
        self.printed: list[Any] = []
        self._inputs = _Inputs(input, script)
        self._inner = Options("program_options", {"input": self._inputs.path, **more})
        self._handle = ffi.new_handle(self.printed)
        self.c = ffi.new("np_script_options *")
        lib.np_options_init(fields("script_options"), self.c, ffi.sizeof(self.c[0]))
        self.c.program = self._inner.c[0]
        self.c.print, self.c.print_context = lib.netpram_line, self._handle
        self.c.data_count, self.c.data = len(self._inputs.data), self._inputs.c


def _take_declared(script: Any, given: dict[str, Any], more: dict[str, Any]) -> None:
    """Options that the text declares, and C has not, are those of `set`, as on the command line."""
    for i in range(lib.np_script_about_get(script).options):
        name = text(lib.np_script_option_get(script, i).name) or ""
        value = given.get(name)
        if value is not None and lib.np_fields_find(fields("pram_options"), name.encode()) == ffi.NULL:
            more["set"] = ",".join([*filter(None, [more.get("set")]), f"{name}={written(given.pop(name), name)}"])


def _machine(given: dict[str, Any], rule: Optional[str], preferred: int, progress: Any) -> tuple[Any, ...]:
    machine, watch = _pram_options(given, rule, progress)
    if rule is None:
        machine.c.rule = preferred
    return machine, watch


def _run_text(program: str, given: dict[str, Any], more: dict[str, Any], input: Any, rule: Optional[str], progress: Any,
              profile: bool, line: str) -> ProgramRun:
    if "\n" in program:
        code = program.encode()
        script = made("np_script", lib.np_script_free, lib.np_script_create, b"text", code, len(code), ffi.NULL)
    else:
        script = made("np_script", lib.np_script_free, lib.np_script_read, program.encode(), ffi.NULL)
    _take_declared(script, given, more)
    machine, watch = _machine(given, rule, lib.np_script_about_get(script).rule, progress)
    options = _ScriptOptions(script, more, input)
    result = watch.made("np_script_result", lib.np_script_result_free, lib.np_script_run, script, machine.c, options.c,
                        ffi.NULL)
    owner = (result, script)

    def write(report: Any, stream: Any) -> int:
        report.profile = profile
        return lib.np_report_pram_script(owner[0], report, stream)

    return ProgramRun(write, line, _outputs(owner, result), options.printed)


def _run_library(program: str, given: dict[str, Any], more: dict[str, Any], input: Any, rule: Optional[str],
                 progress: Any, profile: bool, line: str) -> ProgramRun:
    info, script = ffi.new("np_program_info **"), ffi.new("np_script **")
    check(lib.np_program_find(program.encode(), info))
    in_c = lib.np_script_library(program.encode(), script)  # then it draws its input
    owner = ffi.gc(script[0], lib.np_script_free)
    if not in_c:
        _take_declared(owner, given, more)
    machine, watch = _machine(given, rule, info[0].rule, progress)
    printed: list[Any] = []
    if in_c:
        inner = Options("program_options", {"input": input, **more})
        result = watch.made("np_program_result", lib.np_program_result_free, lib.np_program_run, program.encode(),
                            machine.c, inner.c)
    else:
        options = _ScriptOptions(owner, more, input)
        printed = options.printed
        result = watch.made("np_program_result", lib.np_program_result_free, lib.np_program_run_script,
                            program.encode(), machine.c, options.c)
    outputs = _outputs(result, result.script) if result.script != ffi.NULL else {
        "answer": view(result, result.answer, result.answers, "int64")}

    def write(report: Any, stream: Any) -> int:
        report.profile = profile
        return lib.np_report_pram(result, report, stream)

    return ProgramRun(write, line, outputs, printed)


class Array:
    """
    Cells of a PRAM's memory, from `base` on. array[i] is no step: it looks from outside, and so does array[i] = v.
    """

    def __init__(self, pram: "Pram", name: str, base: int, count: int):
        self.pram, self.name, self.base, self.count = pram, name, base, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        words = self.numpy()
        try:
            words[index] = _spread(value, np.shape(words[index]), self.name)
        except IndexError as raised:
            raise InputError(f"{self.name}: {raised}") from None
        check(lib.np_pram_put(self.pram.c, self.base, self.count, pointer(words, "np_word")))

    def numpy(self) -> NDArray[Any]:
        """All words, copied: no step, no cost."""
        words = np.empty(self.count, np.int64)
        check(lib.np_pram_get(self.pram.c, self.base, self.count, ffi.from_buffer("np_word[]", words)))
        return words

    def at(self, index: Any) -> NDArray[Any]:
        """The addresses of cells, for steps."""
        if isinstance(index, (int, float, np.integer, np.floating)) and not isinstance(index, bool):
            index = [index]
        index = listed(index, f"{self.name}.at")
        if index.dtype.kind == "b":
            raise InputError(f"{self.name}.at: a mask is no list of places: numpy.flatnonzero(mask) gives them")
        index = wholes(index, f"{self.name}.at", 0, self.count - 1, np.uint64)
        return index + np.uint64(self.base)


def _spread(value: Any, shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Words for all places: as many as there are, or one for all."""
    if isinstance(value, (int, float, np.generic)) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return np.full(shape, cells([value], name)[0])
    words = cells(value, name)
    if words.shape != shape:
        raise InputError(f"{name}: {words.size} values for {int(np.prod(shape, dtype=np.int64))} places")
    return words


class Pram:
    """
    A PRAM, whose processors are the places of NumPy arrays: each call of read, write, fetch and move is one PRAM step.

        with netpram.Pram("butterfly:6", rule="erew") as p:
            x = p.array(64, "x", range(64))
            values = p.read(x.at(np.arange(32)))
            print(p.report().network_steps)

    The options are those of `netpram pram`: seed, slack, map, ...
    """

    def __init__(self, machine: str = "ideal", *, rule: Optional[str] = None, progress: Any = None, **options: Any):
        self._options, self._watch = _pram_options({"machine": machine, **options}, rule, progress)
        self._c: Any = made("np_pram", lib.np_pram_free, lib.np_pram_create, self._options.c)
        self._labels: dict[str, Any] = {}

    @property
    def c(self) -> Any:
        if self._c is None:
            raise InputError("this Pram has ended with its block: its memory is gone; look at it within the block")
        return self._c

    def __enter__(self) -> "Pram":
        return self

    def __exit__(self, *raised: Any) -> None:
        ended, self._c = self.c, None
        ffi.release(ended)

    def array(self, count: int, name: str = "cells", values: Any = None) -> Array:
        """New cells, all 0, or with these values."""
        count, base = whole(count, "count", 0, 2**63 - 1), ffi.new("np_address *")
        words = None if values is None else _spread(values, (count,), name)
        check(lib.np_pram_allocate(self.c, count, encoded(name, "name"), base))
        array = Array(self, name, base[0], count)
        if words is not None:
            check(lib.np_pram_put(self.c, array.base, count, pointer(words, "np_word")))
        return array

    def _label(self, label: str) -> Any:
        if label not in self._labels:
            self._labels[label] = ffi.new("char[]", encoded(label, "label"))  # C keeps it as long as the PRAM
        return self._labels[label]

    def _step(self, function: Any, address: Any, active: Any, label: str, *, op: Any = (), target: Any = (),
              value: Any = ()) -> None:
        """A step of as many processors as there are addresses. op, target, value: what C takes besides, or nothing."""
        if active is not None:
            active = marks(active, "active")
            if len(active) != len(address):
                raise InputError(f"active: a step has one length: {len(address)} addresses, {len(active)} marks")
        self._watch.call(function, self.c, *op, len(address), pointer(address, "np_address"), *target,
                         pointer(active, "uint8_t"), *value, self._label(label), short=len(address) <= SHORT_MOST)

    def read(self, address: Any, *, active: Any = None, label: str = "") -> NDArray[Any]:
        """One step: processor i reads address[i]. Values of processors that are not active are 0."""
        address = _addresses(address, "address")
        value = np.zeros(len(address), np.int64)
        self._step(lib.np_pram_read, address, active, label, value=[pointer(value, "np_word")])
        return value

    def write(self, address: Any, value: Any, *, active: Any = None, label: str = "") -> None:
        """One step: processor i writes value[i] to address[i]."""
        address = _addresses(address, "address")
        value = _spread(value, address.shape, "write")
        self._step(lib.np_pram_write, address, active, label, value=[pointer(value, "np_word")])

    def fetch(self, op: str, address: Any, operand: Any, *, active: Any = None, label: str = "") -> NDArray[Any]:
        """
        One step, multiprefix: what each cell held, combined with the operands of all lower processors at the cell.
        """
        if op not in FETCHES:
            raise InputError(f"fetch {op}: one of {', '.join(FETCHES)}")
        address = _addresses(address, "address")
        value = _spread(operand, address.shape, f"fetch {op}").copy()
        self._step(lib.np_pram_fetch, address, active, label, op=[FETCHES[op]], value=[pointer(value, "np_word")])
        return value

    def move(self, source: Any, target: Any, *, active: Any = None, label: str = "") -> None:
        """One step, a classical PRAM instruction: processor i reads source[i] and writes it to target[i]."""
        source, target = _addresses(source, "source"), _addresses(target, "target")
        if len(target) != len(source):
            raise InputError(f"target: a step has one length: {len(source)} sources, {len(target)} targets")
        self._step(lib.np_pram_move, source, active, label, target=[pointer(target, "np_address")])

    def report(self) -> Record:
        """What it cost so far, and the violations of the access rule."""
        report = ffi.new("np_pram_report *")
        check(lib.np_pram_report_get(self.c, report))
        found = record(fields("pram_report"), report)
        return found


def _addresses(values: Any, name: str) -> NDArray[Any]:
    return wholes(values, name, 0, 2**64 - 1, np.uint64)
