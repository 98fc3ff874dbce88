"""Shared memory: programs by name or as text, and PRAMs step by step on NumPy arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._library import InputError, Options, Record, Result, Watch, check, fields, ffi, lib, made, record, split, text
from ._network import Network, pointer, view, words32

FETCHES = {"add": lib.NP_FETCH_ADD, "min": lib.NP_FETCH_MIN, "max": lib.NP_FETCH_MAX, "and": lib.NP_FETCH_AND,
           "or": lib.NP_FETCH_OR, "xor": lib.NP_FETCH_XOR}
DTYPES = {"int": "int64", "real": "float64", "bool": "int64"}


def _pram_options(values: dict[str, Any], rule: Optional[str], progress: Any) -> tuple[Any, ...]:
    options, watch = Options("pram_options", values), Watch(progress)
    if rule is not None:
        place = ffi.new("np_access_rule *")
        check(lib.np_access_rule_parse(rule.encode(), place))
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

    def __init__(self, write: Callable[..., Any], c: Any, outputs: Mapping[str, Any], printed: list[Any]):
        super().__init__(write)
        self.__dict__.update(_c=c, outputs=Record(outputs), printed=printed)

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
        self.paths: list[Any] = []
        self.data: list[Any] = []
        if isinstance(given, Mapping):
            for name, value in given.items():
                if name not in kinds:
                    raise InputError(f"input {name!r}: the program declares {', '.join(kinds) or 'no input'}")
                self._add(name, value, *kinds[name])
        elif given is not None:
            name = next(iter(kinds), "")
            if len(kinds) != 1 and not isinstance(given, (str, Path)):
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
        if isinstance(value, Path) or (isinstance(value, str) and kind != "text"):
            self.paths.append(str(value) if name is None else f"{name}={value}")
        elif kind == "graph":
            self._graph(name, value)
        else:
            self._words(name, value, kind, type)

    def _words(self, name: Optional[str], value: Any, kind: str, type: str) -> None:
        if hasattr(value, "toarray"):  # a sparse matrix
            value = value.toarray()
        if isinstance(value, (str, bytes)):
            value = np.frombuffer(value.encode() if isinstance(value, str) else value, np.uint8)
        array = np.asarray(value)
        if array.ndim != (2 if kind == "matrix" else 1):
            raise InputError(f"input {name}: must have {2 if kind == 'matrix' else 1} dimensions, not {array.ndim}")
        numbers = np.asarray(array, np.float64) if type == "real" else _whole(array, f"input {name}")
        words = np.ascontiguousarray(numbers).view(np.int64)
        self._keep(name, {"count": words.size, "rows": array.shape[0], "word": pointer(words, "np_word")})

    def _graph(self, name: Optional[str], value: Any) -> None:
        """A graph of networkx, whose attribute "weight" counts; a sparse matrix of weights; a Network; (vertices, tails, heads)."""
        weight = None
        if hasattr(value, "is_directed") and hasattr(value, "adj"):
            number = {node: i for i, node in enumerate(value)}
            edges = list(value.edges(data="weight"))
            vertices, tails, heads = len(number), [number[u] for u, _, _ in edges], [number[v] for _, v, _ in edges]
            if edges and all(weight is not None for _, _, weight in edges):
                weight = [weight for _, _, weight in edges]
        elif hasattr(value, "tocoo"):
            entries = value.tocoo()
            if entries.shape[0] != entries.shape[1]:
                raise InputError(f"input {name}: a graph's matrix is square, not {entries.shape[0]} x {entries.shape[1]}")
            vertices, tails, heads, weight = entries.shape[0], entries.row, entries.col, entries.data
        elif isinstance(value, Network):
            vertices, (tails, heads) = value.nodes, value.arcs()
        elif isinstance(value, tuple) and len(value) in (3, 4):
            vertices, tails, heads = value[:3]
            weight = value[3] if len(value) == 4 else None
        else:
            raise InputError(f"input {name}: a graph of networkx, a sparse matrix, a Network, (vertices, tails, heads) or a "
                             f"path, not {type(value).__name__}")
        lists = [words32(np.asarray(tails, None if len(tails) else np.uint32), f"input {name}: tails"),
                 words32(np.asarray(heads, None if len(heads) else np.uint32), f"input {name}: heads")]
        if weight is not None:
            lists.append(words32(weight, f"input {name}: weights"))
        if any(one.shape != lists[0].shape or one.ndim != 1 for one in lists):
            raise InputError(f"input {name}: tails, heads and weights must be lists of one length")
        names = ("tail", "head", "weight")
        self._keep(name, {"count": len(lists[0]), "rows": vertices,
                          **{to: pointer(one, "uint32_t") for to, one in zip(names, lists)}})

    def _keep(self, name: Optional[str], members: dict[str, Any]) -> None:
        called = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        self.data.append({"input": called, **members})  # they keep the arrays


def pram(program: Union[str, Path], *, input: Any = None, rule: Optional[str] = None, set: Optional[Mapping[str, Any]] = None,
         progress: Any = None, profile: bool = False, **options: Any) -> ProgramRun:
    """
    Runs a shared-memory program on a PRAM, ideal or on a network, and checks its answer.

    program   one of netpram.names("programs"); a path that ends in ".pram"; or the text itself, which has a line end
    input     None: drawn from the seed. An array; of a matrix one of two dimensions, or sparse; of a text a str; of a graph
              a graph of networkx, a sparse matrix of weights, a Network, or (vertices, tails, heads); or a path. Of several
              inputs a mapping from their names
    rule      an access rule, as "crew"; None: the program's own
    set       values of the options that a text declares
    profile   of a text: the table says what each line cost

    The other options are those of `netpram pram`: machine, seed, n, ...
    """
    given, more = split(options, "pram_options", "program_options")
    if set:
        more["set"] = ",".join(f"{name}={value}" for name, value in set.items())
    program = str(program)
    if "\n" in program or program.endswith(".pram"):
        return _run_text(program, given, more, input, rule, progress, profile)
    return _run_library(program, given, more, input, rule, progress, profile)


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


def _machine(given: dict[str, Any], rule: Optional[str], preferred: int, progress: Any) -> tuple[Any, ...]:
    machine, watch = _pram_options(given, rule, progress)
    if rule is None:
        machine.c.rule = preferred
    return machine, watch


def _run_text(program: str, given: dict[str, Any], more: dict[str, Any], input: Any, rule: Optional[str], progress: Any,
              profile: bool) -> ProgramRun:
    if "\n" in program:
        code = program.encode()
        script = made("np_script", lib.np_script_free, lib.np_script_create, b"text", code, len(code), ffi.NULL)
    else:
        script = made("np_script", lib.np_script_free, lib.np_script_read, program.encode(), ffi.NULL)
    machine, watch = _machine(given, rule, lib.np_script_about_get(script).rule, progress)
    options = _ScriptOptions(script, more, input)
    result = watch.made("np_script_result", lib.np_script_result_free, lib.np_script_run, script, machine.c, options.c, ffi.NULL)
    owner = (result, script)

    def write(report: Any, stream: Any) -> int:
        report.profile = profile
        return lib.np_report_pram_script(owner[0], report, stream)

    return ProgramRun(write, owner, _outputs(owner, result), options.printed)


def _run_library(program: str, given: dict[str, Any], more: dict[str, Any], input: Any, rule: Optional[str], progress: Any,
                 profile: bool) -> ProgramRun:
    info, script = ffi.new("np_program_info **"), ffi.new("np_script **")
    check(lib.np_program_find(program.encode(), info))
    machine, watch = _machine(given, rule, info[0].rule, progress)
    printed: list[Any] = []
    if lib.np_script_library(program.encode(), script):  # it is in C, and draws its input
        inner = Options("program_options", {"input": input, **more})
        result = watch.made("np_program_result", lib.np_program_result_free, lib.np_program_run, program.encode(), machine.c,
                            inner.c)
    else:
        options = _ScriptOptions(ffi.gc(script[0], lib.np_script_free), more, input)
        printed = options.printed
        result = watch.made("np_program_result", lib.np_program_result_free, lib.np_program_run_script, program.encode(),
                            machine.c, options.c)
    outputs = _outputs(result, result.script) if result.script != ffi.NULL else {
        "answer": view(result, result.answer, result.answers, "int64")}

    def write(report: Any, stream: Any) -> int:
        report.profile = profile
        return lib.np_report_pram(result, report, stream)

    return ProgramRun(write, result, outputs, printed)


def _whole(value: Any, called: str) -> NDArray[Any]:
    """Words of integers: what is no whole number is refused, since NumPy would cut it, and so are numbers of 2^63 or more."""
    array = np.asarray(value)
    if array.size and array.dtype.kind not in "iub":
        raise InputError(f"{called}: must be whole numbers, not {array.dtype}")
    if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
        raise InputError(f"{called}: {array.max()}: whole numbers go up to 2^63 - 1")
    return array.astype(np.int64)


class Array:
    """Cells of a PRAM's memory, from `base` on. array[i] is no step: it looks from outside, and so does array[i] = v."""

    def __init__(self, pram: "Pram", name: str, base: int, count: int):
        self.pram, self.name, self.base, self.count = pram, name, base, count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        words = self.numpy()
        words[index] = _whole(value, self.name)
        check(lib.np_pram_put(self.pram.c, self.base, self.count, pointer(words, "np_word")))

    def numpy(self) -> NDArray[Any]:
        """All words, copied: no step, no cost."""
        words = np.empty(self.count, np.int64)
        check(lib.np_pram_get(self.pram.c, self.base, self.count, ffi.from_buffer("np_word[]", words)))
        return words

    def at(self, index: Any) -> NDArray[Any]:
        """The addresses of cells, for steps."""
        index = np.asarray(index)
        if index.size and (index.min() < 0 or index.max() >= self.count):
            raise InputError(f"{self.name}[{index.min() if index.min() < 0 else index.max()}]: it has {self.count} cells")
        return index.astype(np.uint64) + np.uint64(self.base)


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
        self.c = made("np_pram", lib.np_pram_free, lib.np_pram_create, self._options.c)
        self._labels: dict[str, Any] = {}

    def __enter__(self) -> "Pram":
        return self

    def __exit__(self, *raised: Any) -> None:
        ffi.release(self.c)

    def array(self, count: int, name: str = "cells", values: Any = None) -> Array:
        """New cells, all 0, or with these values."""
        base = ffi.new("np_address *")
        check(lib.np_pram_allocate(self.c, count, name.encode(), base))
        array = Array(self, name, base[0], count)
        if values is not None:
            array[:] = np.fromiter(values, np.int64, count) if isinstance(values, range) else values
        return array

    def _label(self, label: str) -> Any:
        return self._labels.setdefault(label, ffi.new("char[]", label.encode()))  # C keeps it as long as the PRAM

    @staticmethod
    def _vectors(address: Any, active: Any, value: Any = None) -> tuple[Any, ...]:
        address = np.ascontiguousarray(address, np.uint64)
        count = address.size
        active = None if active is None else np.ascontiguousarray(active, np.uint8)
        value = np.empty(count, np.int64) if value is None else value
        if (active is not None and active.size != count) or value.size != count:
            raise InputError(f"a step has one length: {count} addresses, {value.size} values"
                             + ("" if active is None else f", {active.size} marks of activity"))
        return count, address, active, value

    def read(self, address: Any, *, active: Any = None, label: str = "") -> NDArray[Any]:
        """One step: processor i reads address[i]. Values of processors that are not active are 0."""
        count, address, active, value = self._vectors(address, active)
        if active is not None:
            value[:] = 0
        self._watch.call(lib.np_pram_read, self.c, count, pointer(address, "np_address"), pointer(active, "uint8_t"),
                         pointer(value, "np_word"), self._label(label))
        return value

    def write(self, address: Any, value: Any, *, active: Any = None, label: str = "") -> None:
        """One step: processor i writes value[i] to address[i]."""
        value = np.ascontiguousarray(np.broadcast_to(_whole(value, "write"), np.shape(address)))
        count, address, active, value = self._vectors(address, active, value)
        self._watch.call(lib.np_pram_write, self.c, count, pointer(address, "np_address"), pointer(active, "uint8_t"),
                         pointer(value, "np_word"), self._label(label))

    def fetch(self, op: str, address: Any, operand: Any, *, active: Any = None, label: str = "") -> NDArray[Any]:
        """One step, multiprefix: what each cell held, combined with the operands of all lower processors at the cell."""
        if op not in FETCHES:
            raise InputError(f"fetch {op}: one of {', '.join(FETCHES)}")
        operand = np.array(np.broadcast_to(_whole(operand, f"fetch {op}"), np.shape(address)))
        count, address, active, value = self._vectors(address, active, operand)
        self._watch.call(lib.np_pram_fetch, self.c, FETCHES[op], count, pointer(address, "np_address"),
                         pointer(active, "uint8_t"), pointer(value, "np_word"), self._label(label))
        return value

    def move(self, source: Any, target: Any, *, active: Any = None, label: str = "") -> None:
        """One step, a classical PRAM instruction: processor i reads source[i] and writes it to target[i]."""
        count, source, active, _ = self._vectors(source, active)
        target = np.ascontiguousarray(target, np.uint64)
        if target.size != count:
            raise InputError(f"a step has one length: {count} sources, {target.size} targets")
        self._watch.call(lib.np_pram_move, self.c, count, pointer(source, "np_address"), pointer(target, "np_address"),
                         pointer(active, "uint8_t"), self._label(label))

    def report(self) -> Record:
        """What it cost so far, and the violations of the access rule."""
        report = ffi.new("np_pram_report *")
        check(lib.np_pram_report_get(self.c, report))
        found = record(fields("pram_report"), report)
        return found
