"""The C library as Python sees it: errors as exceptions, options by their tables, reports as objects."""

from __future__ import annotations

import inspect
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, Optional

from netpram import _html
from netpram._netpram import ffi as ffi, lib as lib


class NetpramError(Exception):
    """What the library refused, in one line: the value, the reason and, where there is one, the nearest valid choice."""


class InputError(NetpramError, ValueError):
    """A value, a name or a file's text is not acceptable."""


class ApplyError(NetpramError, ValueError):
    """A scheme, path rule or traffic does not apply to this network."""


class LimitError(NetpramError, ValueError):
    """Too large: it overflows a number, or would take more memory than is allowed."""


class OutOfMemoryError(NetpramError, MemoryError):
    """An allocation failed."""


class FileError(NetpramError, OSError):
    """A file could not be read, written or put in place."""


class CancelledError(NetpramError):
    """The caller's own callback asked to stop."""


class InternalError(NetpramError, RuntimeError):
    """A bug in the library."""


class DeadlockError(NetpramError):
    """Packets wait for each other for ever."""


ERRORS = {
    lib.NP_ERROR_INPUT: InputError,
    lib.NP_ERROR_APPLY: ApplyError,
    lib.NP_ERROR_LIMIT: LimitError,
    lib.NP_ERROR_MEMORY: OutOfMemoryError,
    lib.NP_ERROR_IO: FileError,
    lib.NP_ERROR_CANCELLED: CancelledError,
    lib.NP_ERROR_INTERNAL: InternalError,
    lib.NP_ERROR_DEADLOCK: DeadlockError,
}


def text(value: Any) -> Any:
    """The Python string of a char *; None of NULL."""
    return None if value == ffi.NULL else ffi.string(value).decode()


def check(status: int) -> None:
    """Raises what the status says."""
    if status:
        raise ERRORS[status](text(lib.np_last_error()))


def made(kind: str, free: Callable[..., Any], make: Callable[..., Any], *arguments: Any) -> Any:
    """The object that `make` gives in its last argument; freed when Python forgets it."""
    place = ffi.new(f"{kind} **")
    check(make(*arguments, place))
    return ffi.gc(place[0], free)


def fields(name: str) -> Any:
    """The table of a structure: "route_options"."""
    return ffi.addressof(lib, f"np_{name}_fields")


def rows(table: Any) -> list[Any]:
    """The rows of a table, those of insets in their place."""
    found, i = [], 0
    while (row := lib.np_fields_row(table, i, ffi.NULL)) != ffi.NULL:
        found.append(row)
        i += 1
    return found


def written(value: Any) -> str:
    """A value as the text that the table's rows read."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, range)):
        ends = (value[0], value[-1]) if isinstance(value, range) else value
        return "..".join(written(end) for end in ends)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


class Options:
    """A structure of options, filled from keyword arguments by its table. It keeps what the structure borrows."""

    def __init__(self, name: str, values: dict[str, Any]):
        self.table = fields(name)
        self.c = ffi.new(f"np_{name} *")
        self.kept: list[Any] = []
        lib.np_options_init(self.table, self.c, ffi.sizeof(self.c[0]))
        for key, value in values.items():
            if value is not None:
                self.set(key, value)

    def set(self, key: str, value: Any) -> None:
        self.kept.append(ffi.new("char[]", written(value).encode()))
        check(lib.np_fields_set(self.table, self.c, key.encode(), self.kept[-1]))


def split(values: dict[str, Any], *names: str) -> list[Any]:
    """The values for each of the structures; what is in no table goes to the first, which refuses it."""
    parts: list[dict[str, Any]] = [{} for _ in names]
    tables = [fields(name) for name in names]
    for key, value in values.items():
        owners = [i for i, table in enumerate(tables) if lib.np_fields_find(table, key.encode()) != ffi.NULL]
        parts[owners[0] if owners else 0][key] = value
    return parts


class Bar:
    """Shows how far a call is: by tqdm, if it is installed, else by a line on the standard error."""

    def __init__(self) -> None:
        self.bar: Any = None
        try:
            from tqdm.auto import tqdm

            self.make: Optional[Callable[..., Any]] = tqdm
        except ImportError:
            self.make = None

    def __call__(self, share: float, stage: str) -> None:
        if self.make is None:
            print(f"\r{share:4.0%} {stage:<40.40}", end="", file=sys.stderr, flush=True)
            return
        if self.bar is None:
            self.bar = self.make(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}")
        self.bar.set_postfix_str(stage, refresh=False)
        self.bar.update(share - self.bar.n)

    def close(self, whole: bool) -> None:
        if self.make is None:
            print(file=sys.stderr)
        elif self.bar is not None:
            self.bar.update(1.0 - self.bar.n if whole else 0)
            self.bar.close()
            self.bar = None


class Watch:
    """
    Tells a Python function how far a long call is; True is a Bar. The call ends by any exception: one that the function raises, or
    KeyboardInterrupt. C may call back from any of its threads and Python interrupts its main thread alone, so the main thread
    waits while another one makes the call.
    """

    def __init__(self, tell: Any = None, observer: Any = None):
        self.bar = Bar() if tell is True else None
        self.tell = self.bar or (tell if callable(tell) else None)
        self.observer = observer  # of events, which may end the call by what it raised
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)

    def put(self, watch: Any) -> None:
        """Makes the structure np_watch this one."""
        watch.tell = lib.netpram_tell
        watch.context = self.handle

    def call(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls a function that returns a status, and raises what it says."""
        whole = False
        try:
            self._call(function, *arguments)
            whole = True
        finally:
            if self.bar is not None:
                self.bar.close(whole)

    def _call(self, function: Callable[..., Any], *arguments: Any) -> None:
        def work() -> None:
            try:
                check(function(*arguments))
            except CancelledError:
                raise self.raised or getattr(self.observer, "raised", None) or CancelledError("interrupted") from None

        if threading.current_thread() is not threading.main_thread():
            return work()
        with ThreadPoolExecutor(1) as thread:
            future = thread.submit(work)
            try:
                return future.result()
            except KeyboardInterrupt as interrupt:
                self.raised = interrupt
                future.exception()  # wait until C has ended
                raise

    def made(self, kind: str, free: Callable[..., Any], make: Callable[..., Any], *arguments: Any) -> Any:
        """As the function `made`."""
        place = ffi.new(f"{kind} **")
        self.call(make, *arguments, place)
        return ffi.gc(place[0], free)


@ffi.def_extern(error=1)  # type: ignore[misc]
def netpram_tell(context: Any, progress: Any) -> int:
    watch = ffi.from_handle(context)
    try:
        if watch.raised is None and watch.tell is not None:
            watch.tell(progress.share, text(progress.stage) or "")
    except BaseException as raised:  # it must not pass through C
        watch.raised = raised
    return int(watch.raised is not None)


@ffi.def_extern()  # type: ignore[misc]
def netpram_line(context: Any, line: Any) -> None:
    ffi.from_handle(context).append(text(line))


class Record(Dict[str, Any]):
    """An object of a report: its members are attributes and items alike."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no member '{name}': {', '.join(self)}") from None

    def __dir__(self) -> list[Any]:
        return [*super().__dir__(), *self]


def record(table: Any, structure: Any) -> Record:
    """A structure of C as an object, by its table."""
    found, value, i = Record(), ffi.new("np_value *"), 0
    while (row := lib.np_fields_row(table, i, ffi.NULL)) != ffi.NULL:
        i += 1
        if lib.np_fields_get(table, structure, row.name, value):
            put(found, text(row.name).split("."), plain(value))
    return found


def put(found: Record, names: list[Any], value: Any) -> None:
    for name in names[:-1]:
        found = found.setdefault(name, Record())
    found[names[-1]] = value


def plain(value: Any) -> Any:
    kind = value.kind
    if kind == lib.NP_VALUE_OBJECT:
        return record(value.fields, value.object)
    if kind == lib.NP_VALUE_LIST:
        items, item = [], ffi.new("np_value *")
        for i in range(value.count):
            lib.np_value_item(value, i, item)
            items.append(plain(item))
        return items
    if kind == lib.NP_VALUE_TEXT:
        return text(value.text)
    members = {lib.NP_VALUE_BOOL: "truth", lib.NP_VALUE_WHOLE: "whole", lib.NP_VALUE_INTEGER: "integer", lib.NP_VALUE_REAL: "real"}
    return None if kind == lib.NP_VALUE_NULL else getattr(value, members[kind])


def report(format: str, write: Callable[[Any, Any], int], **options: Any) -> str:
    """What a function np_report_... writes."""
    given = Options("report_options", {"format": format, **options})
    place, length = ffi.new("char **"), ffi.new("size_t *")
    stream = lib.open_memstream(place, length)
    if stream == ffi.NULL:
        raise OutOfMemoryError("no memory for a report")
    try:
        status = write(given.c, stream)
    finally:
        lib.fclose(stream)
        whole = ffi.buffer(place[0], length[0])[:].decode()
        lib.free(place[0])
    check(status)
    return whole


class Result(Record):
    """The outcome of a call: the members of its JSON (docs/json.md), and its table as text."""

    def __init__(self, write: Callable[[Any, Any], int], **options: Any):
        super().__init__(json.loads(report("json", write, **options), object_hook=Record))
        self.__dict__["_write"] = lambda format: report(format, write, **options)

    def __str__(self) -> str:
        return self._write("table")

    def __repr__(self) -> str:
        return self._write("table").strip()

    def _repr_html_(self) -> str:
        return _html.page(self)

    def csv(self) -> str:
        """The lines of CSV that the command prints."""
        return self._write("csv")


def document(call: Any, tables: Iterable[str]) -> None:
    """Adds the options of the tables to a call's text of help."""
    lines = []
    for row in (row for name in tables for row in rows(fields(name))):
        preset = text(row.preset)
        lines.append(f"    {text(row.name).replace('-', '_'):<20}{text(row.help) or ''}"
                     + (f" [{preset}]" if preset not in (None, "") else ""))
    call.__doc__ = f"{inspect.cleandoc(call.__doc__)}\n\nOptions:\n" + "\n".join(lines)
