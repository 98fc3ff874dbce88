"""The C library as Python sees it: options by their tables, long calls, reports as objects."""

from __future__ import annotations

import inspect
import io
import json
import shlex
import sys
import threading
from concurrent.futures import Future, TimeoutError
from typing import Any, Callable, Dict, Iterable, Mapping, Optional

from netpram import _html

from ._convert import encoded, flag, written
from ._errors import CancelledError, InputError, OutOfMemoryError, check, ffi, lib, rows, text


def fields(name: str) -> Any:
    """The table of a structure: "route_options"."""
    return ffi.addressof(lib, f"np_{name}_fields")


class Options:
    """A structure of options, filled from keyword arguments by its table. It keeps what the structure borrows."""

    def __init__(self, name: str, values: dict[str, Any]):
        self.table = fields(name)
        self.c = ffi.new(f"np_{name} *")
        self.kept: list[Any] = []
        lib.np_options_init(self.table, self.c, ffi.sizeof(self.c[0]))
        for key, value in values.items():
            if value is not None:
                self.kept.append(ffi.new("char[]", encoded(written(value, key), key)))
                check(lib.np_fields_set(self.table, self.c, encoded(key, "an option"), self.kept[-1]))


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
    Tells a Python function how far a long call is; True is a Bar. The call ends by any exception: one that the
    function raises, or KeyboardInterrupt. C may call back from any of its threads and Python interrupts its main
    thread alone, so the main thread waits while another one makes the call.
    """

    def __init__(self, tell: Any = None, observer: Any = None):
        if not (tell is None or callable(tell)):
            tell = flag(tell, "progress (a function, or a flag)") or None
        self.bar = Bar() if tell is True else None
        self.tell = self.bar or tell
        self.observer = observer  # of events, which may end the call by what it raised
        self.raised: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)

    def put(self, watch: Any) -> None:
        """Makes the structure np_watch this one."""
        watch.tell = lib.netpram_tell
        watch.context = self.handle

    def call(self, function: Callable[..., Any], *arguments: Any, short: bool = False, leave: bool = False) -> None:
        """
        Calls a function that returns a status, and raises what it says.

        short  the call takes less time than to start a thread: the thread that asks makes it
        leave  all that C uses is in the arguments: an interrupt need not wait until C sees it
        """
        whole = False
        try:
            self._call(function, arguments, short, leave)
            whole = True
        finally:
            if self.bar is not None:
                self.bar.close(whole)

    def _call(self, function: Callable[..., Any], arguments: tuple[Any, ...], short: bool, leave: bool) -> None:
        def work() -> None:
            try:
                check(function(*arguments))
            except CancelledError:
                raise self.raised or getattr(self.observer, "raised", None) or CancelledError("interrupted") from None

        if short or threading.current_thread() is not threading.main_thread():
            return work()
        future: Future[None] = Future()

        def run() -> None:
            try:
                work()
                future.set_result(None)
            except BaseException as raised:
                future.set_exception(raised)

        try:
            threading.Thread(target=run, daemon=True).start()
        except RuntimeError:  # under a limit, addresses for another stack may lack
            return work()
        try:
            future.result()
        except KeyboardInterrupt as interrupt:
            self.raised = interrupt
            try:
                future.exception(1 if leave else None)  # wait until C has ended
            except TimeoutError:
                pass
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
    members = {lib.NP_VALUE_BOOL: "truth", lib.NP_VALUE_WHOLE: "whole", lib.NP_VALUE_INTEGER: "integer",
               lib.NP_VALUE_REAL: "real"}
    return None if kind == lib.NP_VALUE_NULL else getattr(value, members[kind])


def report(format: str, write: Callable[[Any, Any], int], command: str) -> str:
    """What a function np_report_... writes."""
    given = Options("report_options", {"format": format})
    kept = ffi.new("char[]", encoded(command, "the command"))
    given.c.command = kept
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
    """
    The outcome of a call: the members of its JSON (docs/json.md), and its table as text. It can be copied and pickled,
    and then holds all without C.

    command  the line that does the same in a shell; "" if a part of it was in memory
    """

    def __init__(self, write: Callable[[Any, Any], int], command: str = ""):
        super().__init__(json.loads(report("json", write, command), object_hook=Record))
        self.__dict__.update(_found={}, _write=write, _c=None)
        self["command"] = command

    def _once(self, key: Any, find: Callable[[], Any]) -> Any:
        """What C is asked for once, and a copy keeps."""
        found = self.__dict__["_found"]
        if key not in found:
            if self._write is None:
                raise InputError(f"{' '.join(key)}: a copy of a result has what its report names")
            found[key] = find()
        return found[key]

    def _written(self, format: str) -> str:
        return self._once((format,), lambda: report(format, self._write, self["command"]))

    def _keep_all(self) -> None:
        """Asks C for all that a copy needs."""
        for format in ("table", "csv"):
            self._written(format)

    def __reduce__(self) -> Any:
        if self._write is not None:
            self._keep_all()
        return _copied, (type(self), dict(self), {**self.__dict__, "_write": None, "_c": None})

    def __str__(self) -> str:
        return self._written("table")

    def __repr__(self) -> str:
        return self._written("table").strip()

    def _repr_html_(self) -> str:
        return _html.page(self)

    def csv(self) -> str:
        """The lines of CSV that the command prints."""
        return self._written("csv")

    def frame(self) -> Any:
        """The lines of csv() as a pandas.DataFrame."""
        import pandas

        return pandas.read_csv(io.StringIO(self.csv()))


def _copied(kind: Any, members: dict[str, Any], more: dict[str, Any]) -> Any:
    result = kind.__new__(kind)
    result.update(members)
    result.__dict__.update(more)
    return result


def command_line(verb: str, words: Iterable[Any], options: Mapping[str, Any]) -> str:
    """The line for a shell; "" if one of the words is None, for what is in memory."""
    words = list(words)
    if None in words:
        return ""
    for key, value in options.items():
        said = "false" if value is None else written(value, key)
        if said != "false":
            words += ["--" + key.replace("_", "-"), *([] if said == "true" else [said])]
    return " ".join(shlex.quote(str(word)) for word in ("netpram", verb, *words))


def document(call: Any, tables: Iterable[str]) -> None:
    """Adds the options of the tables to a call's text of help."""
    lines = []
    for row in (row for name in tables for row in rows(fields(name))):
        preset = text(row.preset)
        lines.append(f"    {text(row.name).replace('-', '_'):<20}{text(row.help) or ''}"
                     + (f" [{preset}]" if preset not in (None, "") else ""))
    call.__doc__ = f"{inspect.cleandoc(call.__doc__)}\n\nOptions:\n" + "\n".join(lines)
