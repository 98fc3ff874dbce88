"""
What it costs to move traffic, run shared-memory programs and sort keys on a network.

    >>> import netpram
    >>> netpram.route("hypercube:10", "cubes", traffic="transpose", runs=100).steps.mean
    20.64

A call gives a Result: the members of the command's JSON as attributes and items, its table as str(result), and what is
long as NumPy arrays. What the library refuses is a NetpramError, whose text is one line.
"""

from ._events import EVENTS, REASONS
from ._errors import (
    ApplyError, CancelledError, DeadlockError, FileError, InputError, InternalError, LimitError, NameNotFoundError,
    NetpramError, OutOfMemoryError, lib, text,
)
from ._jobs import jobs
from ._library import Record, Result, document
from ._load import Load, deadlock, load
from ._more import (
    LISTS, Ranking, Schedule, Sweep, check, collective, defeat, embed, entries, experiment, names, ranks, reconfigure,
    schedule, universal,
)
from ._network import Network, info
from ._play import Player, play
from ._pram import Array, Pram, ProgramRun, pram
from ._route import Routing, route
from ._sort import Sorting, sort
from ._traffic import Traffic
from ._verdict import Flows, Worst, compare, flows, replay, throughput, verify, worst

__all__ = [
    "EVENTS", "LISTS", "REASONS", "ApplyError", "Array", "CancelledError", "DeadlockError", "FileError", "Flows",
    "InputError", "InternalError", "LimitError", "Load", "NameNotFoundError", "NetpramError", "Network",
    "OutOfMemoryError", "Player", "Pram", "ProgramRun", "Ranking", "Record", "Result", "Routing", "Schedule", "Sorting",
    "Sweep", "Traffic", "Worst", "check", "collective", "compare", "deadlock", "defeat", "embed", "entries",
    "experiment", "flows", "info", "jobs", "load", "names", "play", "pram", "ranks", "reconfigure", "replay", "route",
    "schedule", "sort", "throughput", "universal", "verify", "worst",
]

__version__: str = text(lib.np_version())

for _call, _tables in (
    (route, ("route_options",)), (play, ("route_options",)), (sort, ("sort_options",)),
    (pram, ("pram_options", "program_options")),
    (ranks, ("ranking_options",)), (schedule, ("offline_options",)), (check, ("check_options",)),
    (defeat, ("defeat_options",)), (collective, ("collective_options",)), (embed, ("embedding_run_options",)),
    (universal, ("universal_options",)), (reconfigure, ("reconfigure_options",)), (experiment, ("experiment_options",)),
    (throughput, ("throughput_options",)), (worst, ("worst_options",)), (compare, ("compare_options",)),
    (flows, ("flows_options",)), (jobs, ("flows_options",)), (replay, ("replay_options",)),
    (load, ("load_options",)), (deadlock, ("deadlock_options",)),
    (Pram, ("pram_options",)),
):
    document(_call, _tables)

for _class in (NetpramError, *NetpramError.__subclasses__(), NameNotFoundError):
    _class.__module__ = __name__  # tracebacks name what people catch
