"""Pages that play a run."""

import json
import re

import pytest

import netpram


@pytest.fixture
def player(tmp_path):
    page = tmp_path / "player.html"
    page.write_text("<p>one</p><!--TRACE--><p>two</p>")
    return page


def lines(shown):
    trace = re.fullmatch(r'<p>one</p><script type="application/json" id="trace">([^<]*)</script><p>two</p>', shown.html)
    return [json.loads(line) for line in trace[1].splitlines()]


def test_the_run_is_in_the_page(player, tmp_path):
    shown = netpram.play("mesh:4x4", "greedy", traffic="transpose", player=player)
    told = lines(shown)
    assert [line["event"] for line in told[1:4]] == ["network", "places", "links"]
    observed = netpram.route("mesh:4x4", "greedy", traffic="transpose", observe=True)
    moves = (observed.events["kind"] == netpram.EVENTS.index("moved")).sum()
    assert sum(line.get("event") == "moved" for line in told) == moves
    assert shown.save(tmp_path / "run.html").read_text() == shown.html
    assert shown._repr_html_().startswith('<iframe srcdoc="&lt;p&gt;one')


def test_packets_and_drawings_of_ones_own(player):
    shown = netpram.play("ring:4", "greedy", traffic=([0, 1, 2], [2, 3, 0]), drawing="circle", player=player)
    assert sum(line.get("event") == "landed" for line in lines(shown)) == 3


def test_what_cannot_be_played_is_refused(player, tmp_path):
    with pytest.raises(netpram.InputError, match="no scheme 'gredy'"):
        netpram.play("mesh:4x4", "gredy", player=player)
    with pytest.raises(netpram.NetpramError, match="cannot read"):
        netpram.play("mesh:4x4", player=tmp_path / "none.html")
