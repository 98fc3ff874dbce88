"""
Builds netpram's library from this source tree and the module that calls it. NETPRAM_PREFIX: one that is installed.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent
BUILD = HERE / "build"


def version() -> str:
    header = (SOURCE / "include/netpram/base.h").read_text()
    return re.search(r'#define NETPRAM_VERSION "(.*)"', header).group(1)


def build_library() -> Path:
    """The static libraries of this tree, installed below BUILD: the module holds them, and needs no other file."""
    library, prefix = BUILD / "library", BUILD / "prefix"
    subprocess.run(
        ["cmake", "-S", SOURCE, "-B", library, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib",
         "-DNETPRAM_SHARED=OFF", "-DNETPRAM_TESTS=OFF", "-DNETPRAM_BENCH=OFF",
         f"-DNETPRAM_WERROR={os.environ.get('WERROR', 'OFF')}"],
        check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        ["cmake", "--build", library, "--parallel", str(os.cpu_count()), "--target", "netpram_product"], check=True)
    subprocess.run(["cmake", "--install", library], check=True, stdout=subprocess.DEVNULL)
    return prefix


if "NETPRAM_PREFIX" not in os.environ:
    os.environ["NETPRAM_PREFIX"] = str(build_library())
# The page that plays runs, if make web has made it (netpram.play).
player, copied = SOURCE / "web/dist/player.html", HERE / "src/netpram/player.html"
if player.is_file():
    shutil.copyfile(player, copied)
else:
    copied.unlink(missing_ok=True)
# Files of the package that are no more must not come from an earlier build.
for old in BUILD.glob("lib*/netpram/*.py"):
    old.unlink()
setup(version=version(), cffi_modules=["build_module.py:builder"])
