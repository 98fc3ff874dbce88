"""Jobs that share a network: collective operations, each on hosts of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from typing import Any

from ._convert import encoded, nodes, path as path_of, reals, refusal
from ._errors import InputError, ffi, lib, made
from ._library import Result, command_line
from ._more import _watched
from ._network import Network, pointer

MEMBERS = ("name", "collective", "algorithm", "size", "start", "hosts")


def _placed(item: Any, hosts: str, where: str) -> None:
    """Of hosts that are chosen: "packed:8", "random:8"."""
    how, _, count = hosts.partition(":")
    if how not in ("packed", "random") or not (count.isascii() and count.isdigit() and 2 <= int(count) < 2**32):
        raise refusal(where, 'a list of hosts, "packed:8" or "random:8"', hosts)
    item.random, item.ranks = how == "random", int(count)


def _fill(network: Network, item: Any, job: Any, where: str) -> list[Any]:
    """One np_jobs_item; returns what it borrows."""
    if not isinstance(job, Mapping):
        raise refusal(where, "a dict of its members", job)
    given = {name: value for name, value in job.items() if value is not None}
    needs = ["collective", "hosts"] + (["size"] if given.get("collective") != "barrier" else [])
    unknown, missing = [name for name in given if name not in MEMBERS], [name for name in needs if name not in given]
    if unknown:
        raise InputError(f"{where}: a job has no member {unknown[0]!r}: {', '.join(MEMBERS)}")
    if missing:
        raise InputError(f"{where}: {missing[0]} is missing")
    kept = []
    for name in ("name", "collective", "algorithm"):
        if name in given:
            kept.append(ffi.new("char[]", encoded(given[name], f"{where}: {name}")))
            setattr(item, name, kept[-1])
    for name in ("size", "start"):
        if name in given:
            setattr(item, name, float(reals([given[name]], f"{where}: {name}")[0]))
    if isinstance(given["hosts"], str):
        _placed(item, given["hosts"], f"{where}: hosts")
        return kept
    hosts = nodes(network, given["hosts"], f"{where}: hosts")
    item.ranks, item.host = len(hosts), pointer(hosts, "uint32_t")
    return [*kept, hosts]


def jobs(network: Any, what: Any, *, progress: Any = None, **options: Any) -> Result:
    """
    Plays jobs that share a network, and each alone, as `netpram flows --jobs`: how long each takes. frame() has a row
    for each job. Of the options, paths, link_rate and seed are heeded.

    what  the path of a JSON file, or a list of dicts with the members of its objects (docs/flows.md); size and start
          are then numbers, and hosts a list of nodes, "packed:8" or "random:8"
    """
    network = Network(network)
    given, watch = _watched("flows_options", options, progress)
    if isinstance(what, (str, os.PathLike)):
        kept = made("np_jobs_file", lib.np_jobs_file_free, lib.np_jobs_file_read, path_of(what, "jobs"), network.c,
                    given.c.link_rate)
        count, items, word = kept.count, kept.job, what
    elif isinstance(what, (bytes, Mapping, Set)) or not isinstance(what, Iterable) or hasattr(what, "iloc"):
        raise refusal("jobs", "the path of a file, or a list of dicts", what)
    else:
        listed = list(what)
        if not listed:
            raise InputError("jobs: there are none")
        count, items, word = len(listed), ffi.new("np_jobs_item[]", len(listed)), None
        kept = [_fill(network, items[i], job, f"jobs[{i}]") for i, job in enumerate(listed)]
    c = watch.made("np_jobs_result", lib.np_jobs_free, lib.np_jobs_play, network.c, count, items, given.c)
    del kept
    return Result(lambda report, stream: lib.np_report_jobs((c, network)[0], report, stream),
                  command_line("flows", [network.word, "--jobs", word], options))
