"""Builds netpram's library from this source tree and the module that calls it. NETPRAM_PREFIX: one that is installed."""

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
         "-DNETPRAM_SHARED=OFF", "-DNETPRAM_TESTS=OFF", "-DNETPRAM_BENCH=OFF"],
        check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        ["cmake", "--build", library, "--parallel", str(os.cpu_count()), "--target", "netpram_product"], check=True)
    subprocess.run(["cmake", "--install", library], check=True, stdout=subprocess.DEVNULL)
    return prefix


if "NETPRAM_PREFIX" not in os.environ:
    os.environ["NETPRAM_PREFIX"] = str(build_library())
# The page that plays runs, if make web has made it (netpram.play).
if (SOURCE / "web/dist/player.html").is_file():
    shutil.copyfile(SOURCE / "web/dist/player.html", HERE / "src/netpram/player.html")
setup(version=version(), cffi_modules=["build_module.py:builder"])
