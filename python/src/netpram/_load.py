"""Networks under load: latency against offered load, and routes that may deadlock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, Optional

import numpy as np

from . import _pictures
from ._convert import encoded, refusal, written
from ._errors import InputError, lib
from ._library import Result, command_line
from ._more import _watched
from ._network import Network

ROUNDED = 1e-13  # of a value: far below a unit of the ninth decimal


class Load(Result):
    """The outcome of load: its JSON; frame() has a row for each point."""

    def plot(self, ax: Any = None) -> Any:
        """
        Draws mean latency with its interval against offered load, a line for each path rule, and the bounds of
        load(..., bound=True). Returns the axes.
        """
        return _pictures.draw_load(self, ax)


def _entry(value: Any, name: str) -> str:
    """Sums of floats such as 0.1 + 0.2 are those of nine decimals, which a load has at most."""
    if isinstance(value, (float, np.floating)) and np.isfinite(value):
        text = f"{float(value):.9f}".rstrip("0").rstrip(".")
        if abs(float(text) - float(value)) <= ROUNDED * abs(float(value)):
            return text
    return written(value, name)


def _joined(values: Any, name: str) -> Optional[str]:
    """A list as the text with commas that the command takes."""
    if values is None or isinstance(values, str):
        return values
    if isinstance(values, (bytes, Mapping, Set)):
        raise refusal(name, "a list, or a text with commas", values)
    alone = not isinstance(values, Iterable) or (isinstance(values, np.ndarray) and not values.ndim)
    entries = [values] if alone else list(values)
    if not entries:
        raise InputError(f"{name}: there is none")
    return ",".join(_entry(entry, name) for entry in entries)


def load(network: Any, *, traffic: str = "uniform", paths: Any = None, loads: Any = None, window: Any = None,
         from_: Any = None, progress: Any = None, **options: Any) -> Load:
    """
    Measures latency at one offered load after the other, and looks for saturation, as `netpram load`.

    traffic  a spec of the command
    paths    a path rule, or a list of them: a curve for each
    loads    a list of numbers: these points alone
    window   a list of numbers: closed loop, a point for each
    from_    the option from, which is a word of Python's own
    """
    network = Network(network)
    lists = {"paths": _joined(paths, "paths"), "loads": _joined(loads, "loads"), "window": _joined(window, "window")}
    options = {**lists, "from": from_, **options}
    search = [name for name in ("from", "to", "resolution") if options.get(name) is not None]
    if loads is not None and search:
        raise InputError(f"{search[0]}: is for a search, and loads says what is measured")
    given, watch = _watched("load_options", options, progress)
    c = watch.made("np_load_result", lib.np_load_free, lib.np_load, network.c, encoded(traffic, "traffic"), given.c)
    return Load(lambda report, stream: lib.np_report_load((c, network)[0], report, stream),
                command_line("load", [network.word, "--traffic", traffic], options))


def deadlock(network: Any, paths: Optional[str] = None, channels: Optional[int] = None, *, progress: Any = None,
             **options: Any) -> Result:
    """
    May packets wait for each other for ever? As `netpram check --channels`. A deadlock that is possible is no error:
    `possible` says so, and `cycle` has the channels.

    paths     routes hop by hop, of netpram.names("relations"); None: greedy
    channels  virtual channels of a link; None: as many as the routes have classes
    """
    network = Network(network)
    given, watch = _watched("deadlock_options", {"paths": paths, "channels": channels, **options}, progress)
    c = watch.made("np_deadlock", lib.np_deadlock_free, lib.np_deadlock_find, network.c, given.c)
    return Result(lambda report, stream: lib.np_report_deadlock((c, network)[0], report, stream),
                  command_line("check", [network.word], {"paths": paths, "channels": c.channels, **options}))
