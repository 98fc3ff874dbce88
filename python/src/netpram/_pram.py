"""Shared memory: programs by name or as text, and PRAMs step by step on NumPy arrays."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from ._library import InputError, Options, Record, Result, Watch, check, fields, ffi, lib, made, record, split, text
from ._network import pointer, view

FETCHES = {"add": lib.NP_FETCH_ADD, "min": lib.NP_FETCH_MIN, "max": lib.NP_FETCH_MAX, "and": lib.NP_FETCH_AND,
           "or": lib.NP_FETCH_OR, "xor": lib.NP_FETCH_XOR}
DTYPES = {"int": np.int64, "real": np.float64, "bool": np.int64}


def _pram_options(values: dict, rule: Optional[str], progress: Any) -> tuple:
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

    def __init__(self, write: Callable, c: Any, outputs: Mapping, printed: list):
        super().__init__(write)
        self.__dict__.update(_c=c, outputs=Record(outputs), printed=printed)

    @property
    def answer(self) -> np.ndarray:
        return next(iter(self.outputs.values()))


def _outputs(owner: Any, script: Any) -> dict:
    found = {}
    for i in range(script.outputs):
        output = script.output[i]
        found[text(output.name)] = view(owner, output.word, output.count, DTYPES[text(output.type)])
    return found


def _input(given: Any, folder: Path) -> str:
    """What the option `input` says: a path, or files for arrays."""
    if isinstance(given, Mapping):
        return ",".join(f"{name}={_file(value, folder / name)}" for name, value in given.items())
    return _file(given, folder / "input")


def _file(value: Any, stem: Path) -> str:
    if isinstance(value, (str, Path)):
        return str(value)
    path = stem.with_suffix(".npy")
    np.save(path, np.asarray(value))
    return str(path)


def pram(program: Union[str, Path], *, input: Any = None, rule: Optional[str] = None, set: Optional[Mapping] = None,
         progress: Any = None, profile: bool = False, **options: Any) -> ProgramRun:
    """
    Runs a shared-memory program on a PRAM, ideal or on a network, and checks its answer.

    program   one of netpram.names("programs"); a path that ends in ".pram"; or the text itself, which has a line end
    input     an array, or a mapping from the names of inputs to arrays; or a path; None: drawn from the seed
    rule      an access rule, as "crew"; None: the program's own
    set       values of the options that a text declares
    profile   of a text: the table says what each line cost

    The other options are those of `netpram pram`: machine, seed, n, ...
    """
    given, more = split(options, "pram_options", "program_options")
    with tempfile.TemporaryDirectory(prefix="netpram-") as folder:
        if input is not None:
            more["input"] = _input(input, Path(folder))
        if set:
            more["set"] = ",".join(f"{name}={value}" for name, value in set.items())
        program = str(program)
        if "\n" in program or program.endswith(".pram"):
            return _run_text(program, given, more, rule, progress, profile)
        return _run_library(program, given, more, rule, progress, profile)


def _run_text(program: str, given: dict, more: dict, rule: Optional[str], progress: Any, profile: bool) -> ProgramRun:
    if "\n" in program:
        code = program.encode()
        script = made("np_script", lib.np_script_free, lib.np_script_create, b"text", code, len(code), ffi.NULL)
    else:
        script = made("np_script", lib.np_script_free, lib.np_script_read, program.encode(), ffi.NULL)
    machine, watch = _pram_options(given, rule, progress)
    if rule is None:
        machine.c.rule = lib.np_script_about_get(script).rule
    inner = Options("program_options", more)
    options = ffi.new("np_script_options *")
    lib.np_options_init(fields("script_options"), options, ffi.sizeof(options[0]))
    options.program = inner.c[0]
    printed: list = []
    handle = ffi.new_handle(printed)
    options.print, options.print_context = lib.netpram_line, handle
    result = watch.made("np_script_result", lib.np_script_result_free, lib.np_script_run, script, machine.c, options, ffi.NULL)
    owner = (result, script)

    def write(report: Any, stream: Any) -> int:
        report.profile = profile
        return lib.np_report_pram_script(owner[0], report, stream)

    return ProgramRun(write, owner, _outputs(owner, result), printed)


def _run_library(program: str, given: dict, more: dict, rule: Optional[str], progress: Any, profile: bool) -> ProgramRun:
    info = ffi.new("np_program_info **")
    check(lib.np_program_find(program.encode(), info))
    machine, watch = _pram_options(given, rule, progress)
    if rule is None:
        machine.c.rule = info[0].rule
    inner = Options("program_options", more)
    result = watch.made("np_program_result", lib.np_program_result_free, lib.np_program_run, program.encode(), machine.c, inner.c)
    outputs = _outputs(result, result.script) if result.script != ffi.NULL else {
        "answer": view(result, result.answer, result.answers, np.int64)}

    def write(report: Any, stream: Any) -> int:
        report.profile = profile
        return lib.np_report_pram(result, report, stream)

    return ProgramRun(write, result, outputs, [])


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
        words[index] = value
        check(lib.np_pram_put(self.pram.c, self.base, self.count, pointer(words, "np_word")))

    def numpy(self) -> np.ndarray:
        """All words, copied: no step, no cost."""
        words = np.empty(self.count, np.int64)
        check(lib.np_pram_get(self.pram.c, self.base, self.count, ffi.from_buffer("np_word[]", words)))
        return words

    def at(self, index: Any) -> np.ndarray:
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
        self._labels: dict = {}

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
    def _vectors(address: Any, active: Any, value: Any = None) -> tuple:
        address = np.ascontiguousarray(address, np.uint64)
        count = address.size
        active = None if active is None else np.ascontiguousarray(active, np.uint8)
        value = np.empty(count, np.int64) if value is None else value
        if (active is not None and active.size != count) or value.size != count:
            raise InputError(f"a step has one length: {count} addresses, {value.size} values"
                             + ("" if active is None else f", {active.size} marks of activity"))
        return count, address, active, value

    def read(self, address: Any, *, active: Any = None, label: str = "") -> np.ndarray:
        """One step: processor i reads address[i]. Values of processors that are not active are 0."""
        count, address, active, value = self._vectors(address, active)
        if active is not None:
            value[:] = 0
        self._watch.call(lib.np_pram_read, self.c, count, pointer(address, "np_address"), pointer(active, "uint8_t"),
                         pointer(value, "np_word"), self._label(label))
        return value

    def write(self, address: Any, value: Any, *, active: Any = None, label: str = "") -> None:
        """One step: processor i writes value[i] to address[i]."""
        value = np.ascontiguousarray(np.broadcast_to(value, np.shape(address)), np.int64)
        count, address, active, value = self._vectors(address, active, value)
        self._watch.call(lib.np_pram_write, self.c, count, pointer(address, "np_address"), pointer(active, "uint8_t"),
                         pointer(value, "np_word"), self._label(label))

    def fetch(self, op: str, address: Any, operand: Any, *, active: Any = None, label: str = "") -> np.ndarray:
        """One step, multiprefix: what each cell held, combined with the operands of all lower processors at the cell."""
        if op not in FETCHES:
            raise InputError(f"fetch {op}: one of {', '.join(FETCHES)}")
        operand = np.array(np.broadcast_to(operand, np.shape(address)), np.int64)
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
