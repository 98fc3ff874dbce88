"""The module netpram._netpram: every public function of the library that is installed below NETPRAM_PREFIX."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import cffi

sys.path.insert(0, str(Path(__file__).resolve().parent))
from declarations import declarations  # noqa: E402

PREFIX = Path(os.environ["NETPRAM_PREFIX"])

# What the library calls back, and streams that end in memory.
EXTRA = """
extern "Python" int netpram_tell(void *context, const np_progress *progress);
extern "Python" int netpram_phase_begins(void *context, const np_event_phase *phase);
extern "Python" int netpram_events(void *context, size_t count, const np_event *event);
extern "Python" void netpram_line(void *context, const char *line);
FILE *open_memstream(char **text, size_t *length);
int fclose(FILE *stream);
void free(void *memory);
#define UNUSED ...
"""


def flags(option: str) -> list:
    places = [str(PREFIX / "lib/pkgconfig"), os.environ.get("PKG_CONFIG_PATH", "")]
    environment = dict(os.environ, PKG_CONFIG_PATH=":".join(filter(None, places)))
    command = ["pkg-config", option, "netpram-report"]
    return shlex.split(subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout)


def parts() -> list:
    """What the module holds: it is built again when one of these is newer."""
    patterns = ("include/netpram/*.h", "lib*/libnetpram*")
    return [str(path) for pattern in patterns for path in sorted(PREFIX.glob(pattern))]


builder = cffi.FFI()
builder.cdef(declarations(PREFIX / "include") + EXTRA)
builder.set_source(
    "netpram._netpram",
    "#include <stdio.h>\n#include <stdlib.h>\n#include <netpram/netpram.h>\n#include <netpram/report.h>\n"
    "#define UNUSED NP_NONE\n",
    extra_compile_args=[*flags("--cflags"), "-Wno-discarded-qualifiers"],
    extra_link_args=flags("--libs"),
    depends=parts(),
)

if __name__ == "__main__":
    builder.compile(verbose=True)
