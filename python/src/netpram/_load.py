"""Networks under load: latency against offered load, and routes that may deadlock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, Optional

from . import _pictures
from ._convert import encoded, refusal, written
from ._errors import InputError, lib
from ._library import Result, command_line
from ._more import _watched
from ._network import Network


class Load(Result):
    """The outcome of load: its JSON; frame() has a row for each point."""

    def plot(self, ax: Any = None) -> Any:
        """
        Draws mean latency with its interval against offered load, a line for each path rule, and the bounds of
        load(..., bound=True). Returns the axes.
        """
        return _pictures.draw_load(self, ax)


def _joined(values: Any, name: str) -> Optional[str]:
    """A list as the text with commas that the command takes."""
    if values is None or isinstance(values, str):
        return values
    if isinstance(values, (bytes, Mapping, Set)):
        raise refusal(name, "a list, or a text with commas", values)
    entries = list(values) if isinstance(values, Iterable) else [values]
    if not entries:
        raise InputError(f"{name}: there is none")
    return ",".join(written(entry, name) for entry in entries)


def load(network: Any, *, traffic: str = "uniform", paths: Any = None, loads: Any = None, from_: Any = None,
         progress: Any = None, **options: Any) -> Load:
    """
    Measures latency at one offered load after the other, and looks for saturation, as `netpram load`.

    traffic  a spec of the command
    paths    a path rule, or a list of them: a curve for each
    loads    a list of numbers: these points alone
    from_    the option from, which is a word of Python's own
    """
    network = Network(network)
    options = {"paths": _joined(paths, "paths"), "loads": _joined(loads, "loads"), "from": from_, **options}
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
