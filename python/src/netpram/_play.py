"""Pages that play a run, in a notebook or to send to somebody."""

from __future__ import annotations

import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any, Optional, Union

from ._convert import path as path_of
from ._errors import InputError, check, ffi, lib
from ._library import Options, Watch
from ._network import Network
from ._traffic import packets_of


class Player:
    """A page with a run and its player inside. A notebook shows it."""

    def __init__(self, html: str):
        self.html = html

    def save(self, path: Union[str, Path]) -> Path:
        """Writes the page into a file."""
        path_of(path, "path")
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.html)}" width="100%" height="760" style="border: 0" title="netpram">'
                "</iframe>")


def _find_player() -> Path:
    """The page without a run: in the package, if `make web` came before it was built; or installed with the library."""
    places = [Path(__file__).parent,
              *(Path(prefix, "share", "netpram") for prefix in (sys.prefix, "/usr/local", "/usr"))]
    for place in places:
        if (place / "player.html").is_file():
            return place / "player.html"
    raise InputError("the page that plays runs is not installed: run make web, and install the package again")


def play(network: Any, scheme: Optional[str] = None, *, traffic: Any = "random", drawing: Optional[str] = None,
         player: Union[str, Path, None] = None, **options: Any) -> Player:
    """
    Routes traffic on a network, and gives a page that plays it, step by step.

    network, scheme, traffic  as route takes them
    drawing                   where the nodes are: one of netpram.names("drawings"); None: as suits the network
    player                    the page without a run; None: as it was installed

    The other options are those of `netpram route`.
    """
    network = Network(network)
    given = Options("route_options", {"scheme": scheme, **options})
    pictures = Options("picture_options", {"drawing": drawing})
    records = Options("record_options", {})
    is_spec, what, packets, _ = packets_of(network, traffic)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.html")
        kept = [ffi.new("char[]", path_of(path, "player"))
                for path in (file, _find_player() if player is None else player)]
        pictures.c.picture, pictures.c.player = kept
        records.c.picture = pictures.c
        place = ffi.new("np_record **")
        check(lib.np_record_open(records.c, f"netpram route {network.spec}".encode(), place))
        given.c.observer = lib.np_record_observer(place[0])
        watch = Watch()
        watch.put(given.c.watch)
        try:
            watch.made("np_route_result", lib.np_route_result_free, lib.np_route if is_spec else lib.np_route_traffic,
                       network.c, what, given.c)
        except BaseException:
            lib.np_record_discard(place[0])
            raise
        check(lib.np_record_commit(place[0]))
        return Player(file.read_text(encoding="utf-8"))
