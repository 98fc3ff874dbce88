"""The library's errors as exceptions, and its objects."""

from __future__ import annotations

import errno
import functools
import gc
import os
import re
from typing import Any, Callable

from netpram._netpram import ffi as ffi, lib as lib


class NetpramError(Exception):
    """
    What the library refused, in one line: the value, the reason and, where there is one, the nearest valid choice.
    """


class InputError(NetpramError, ValueError):
    """A value, a name or a file's text is not acceptable."""


class NameNotFoundError(InputError, KeyError):
    """There is no list, and no phase, of this name."""

    __str__ = Exception.__str__  # KeyError would quote the line


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


def rows(table: Any) -> list[Any]:
    """The rows of a table, those of insets in their place."""
    found, i = [], 0
    while (row := lib.np_fields_row(table, i, ffi.NULL)) != ffi.NULL:
        found.append(row)
        i += 1
    return found


@functools.lru_cache(maxsize=None)
def arguments() -> set[str]:
    """The options of the command that are arguments here: those in a table of options."""
    tables = [ffi.addressof(lib, name) for name in dir(lib) if name.endswith("_options_fields")]
    return {text(row.name) for table in tables for row in rows(table)}


def of_python(line: str) -> str:
    """The library names options as the command does, --queue-size; here they are arguments, queue_size."""
    def name(found: re.Match[str]) -> str:
        plain = found[1].replace("-", "_")
        return plain if plain in arguments() else found[0]

    return re.sub(r"(?<![^\s(])--([a-z][a-z-]*[a-z]|[a-z])(?=[\s,:;.)]|$)", name, line)


def check_room(needed: int, what: str) -> None:
    """Raises LimitError if so many bytes are not left: the system grants NumPy more than there is, and kills later."""
    left = lib.np_memory_default()
    if needed > left:
        gc.collect()  # what was observed stays until then
        left = lib.np_memory_default()
    if needed > left:
        raise LimitError(f"no memory for {what}: {needed / 1e6:.1f} MB, {left / 1e6:.1f} MB are left")


def check(status: int) -> None:
    """Raises what the status says."""
    if status:
        line = text(lib.np_last_error())
        raised = ERRORS[status](line if status == lib.NP_ERROR_IO else of_python(line))  # a file may have such a name
        if isinstance(raised, FileError):  # the line ends with the system's words
            codes = [code for code in errno.errorcode if str(raised).endswith(os.strerror(code))]
            raised.errno = codes[0] if codes else errno.EIO
        raise raised


def made(kind: str, free: Callable[..., Any], make: Callable[..., Any], *arguments: Any) -> Any:
    """The object that `make` gives in its last argument; freed when Python forgets it."""
    place = ffi.new(f"{kind} **")
    check(make(*arguments, place))
    return ffi.gc(place[0], free)
