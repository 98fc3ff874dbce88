"""The two lines by which people install the package, without the minutes that compiling the library takes."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
PREFIX = PACKAGE / "build/prefix"  # where `make python` has installed the library


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if not (PREFIX / "lib/libnetpram.a").exists():
        pytest.fail(f"{PREFIX}: no library there: 'make python' builds it")
    to = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
                    "-w", to, PACKAGE], check=True, env=dict(os.environ, NETPRAM_PREFIX=str(PREFIX), CFLAGS="-O0"))
    return next(to.glob("netpram-*.whl"))


def test_a_wheel_holds_all(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    sources = {f"netpram/{path.name}" for path in (PACKAGE / "src/netpram").iterdir()
               if path.suffix in (".py", ".typed")}
    assert sources <= set(names)
    assert [name for name in names if name.startswith("netpram/_netpram") and name.endswith(".so")]


def test_it_runs_where_it_is_installed(wheel, tmp_path, command):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", wheel],
                   check=True)
    code = ("import netpram; "
            "print(netpram.route('mesh:32x32', 'greedy', traffic='transpose').steps.mean, netpram.__file__)")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path,
                          env=environment)
    steps, where = done.stdout.split()
    assert where.startswith(str(tmp_path / "venv"))
    expected = command("route", "mesh:32x32", "--scheme", "greedy", "--traffic", "transpose")
    assert float(steps) == expected["total_steps"]["mean"]


def test_a_new_library_is_built_into_the_module(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "python", ignore=shutil.ignore_patterns("build", "__pycache__", "*.egg-info"))
    for part in ("lib", "include"):
        shutil.copytree(PREFIX / part, tmp_path / "prefix" / part)
    (tmp_path / "include").symlink_to(PACKAGE.parent / "include")

    def built():
        subprocess.run([sys.executable, "setup.py", "-q", "build"], cwd=tmp_path / "python", check=True,
                       env=dict(os.environ, NETPRAM_PREFIX=str(tmp_path / "prefix"), CFLAGS="-O0"))
        return next((tmp_path / "python/build").glob("lib*/netpram/_netpram*.so")).stat().st_mtime_ns

    first = built()
    assert built() == first
    later = first + 2 * 10**9  # setuptools compares whole seconds
    os.utime(tmp_path / "prefix/lib/libnetpram.a", ns=(later, later))
    assert built() > first
    (tmp_path / "python/src/netpram/_play.py").unlink()
    built()
    assert not list((tmp_path / "python/build").glob("lib*/netpram/_play.py"))
