"""Sorting and the other calls: what the command says."""

import numpy as np
import pytest

import netpram


@pytest.mark.parametrize("keys", [
    np.random.default_rng(1).normal(size=64), np.random.default_rng(2).integers(-9, 9, 64),
    np.array([f"word{i * 37 % 64}" for i in range(64)]), np.arange(64, dtype=np.uint64)[::-1] << np.uint64(57)])
def test_sort_orders_keys_of_any_kind(keys):
    result = netpram.sort("mesh:8x8", keys)
    assert result.sorted and result.keys.tolist() == sorted(keys.tolist())
    assert sorted(result.order.tolist()) == list(range(64))


def test_others_say_what_the_command_says(command, same):
    same(netpram.sort("butterfly:4", algorithm="flashsort"), command("sort", "butterfly:4", "--algorithm", "flashsort"))
    same(netpram.collective("hypercube:4", "all-to-all"), command("collective", "hypercube:4", "all-to-all"),
         "schedule")
    same(netpram.embed("ring:16", "hypercube:4"), command("embed", "ring:16", "hypercube:4"))
    same(netpram.check("hypercube:3", "cubes"), command("check", "hypercube:3", "--scheme", "cubes"))
    same(netpram.defeat("hypercube:6"), command("defeat", "hypercube:6"))
    same(netpram.universal("mesh:4x4"), command("universal", "mesh:4x4"), "map")
    same(netpram.reconfigure("parity", n=8), command("reconfigure", "parity", "--n", "8"))
    same(netpram.ranks("butterfly-io:3"), command("ranks", "butterfly-io:3"), "file")
    same(netpram.schedule("mesh:4x4"), command("schedule", "mesh:4x4"))
    same(netpram.info("mesh:4x4"), command("info", "mesh:4x4"))
    same(netpram.Network("mesh:4x4").info(), command("info", "mesh:4x4"))


def test_hops_and_ranks_are_arrays():
    hops = netpram.schedule("mesh:4x4").hops
    assert hops.dtype.names == ("step", "packet", "link") and (np.diff(hops["step"].astype(int)) >= 0).all()
    ranks = netpram.ranks("butterfly-io:3")
    assert len(ranks.rank) == ranks.packets and ranks.rank.min() >= 1


def test_experiments_make_frames(tmp_path):
    what = {"name": "cubes", "runs": 3, "seed": 1, "series": [
        {"label": "two phases", "networks": ["hypercube:3", "hypercube:4"], "scheme": "cubes", "traffic": "random"}]}
    first = netpram.experiment(what, tmp_path)
    assert (first.points, first.before) == (2, 0)
    assert set(first.frame()["network"]) == {"hypercube:3", "hypercube:4"}
    assert netpram.experiment(what, tmp_path).before == 2


def test_lists():
    assert "cubes" in netpram.names("schemes")
    assert {"networks", "programs", "machines"} <= set(netpram.LISTS)
    with pytest.raises(KeyError, match="^no list 'scheme'") as refused:
        netpram.names("scheme")
    assert isinstance(refused.value, netpram.InputError)


def test_help_has_the_options():
    for call in (netpram.route, netpram.sort, netpram.pram, netpram.collective):
        assert "Options:" in call.__doc__ and "seed" in call.__doc__
