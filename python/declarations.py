"""The declarations of netpram's public headers, as cffi reads them: nothing is declared twice."""

import re
import subprocess
import tempfile
from pathlib import Path

# Headers of the system, of which cffi knows all types that ours use.
SYSTEM = ("math", "stdarg", "stdbool", "stddef", "stdint", "stdio", "string")


def preprocess(include: Path, compiler: str) -> str:
    """All public headers as the compiler sees them, without those of the system and without directives."""
    with tempfile.TemporaryDirectory() as empty:
        for name in SYSTEM:
            (Path(empty) / f"{name}.h").touch()
        source = Path(empty) / "all.c"
        source.write_text("#include <netpram/netpram.h>\n#include <netpram/report.h>\n")
        text = subprocess.run(
            [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-DUINT32_MAX=4294967295u", f"-I{include}", f"-I{empty}",
             str(source)],
            check=True, capture_output=True, text=True).stdout
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def without_functions(text: str) -> str:
    """The text without the bodies and heads of inline functions: they are not in the library."""
    head = re.compile(r"static inline [^{;]*\{")
    while found := head.search(text):
        end, depth = found.end(), 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[end:]
    return text


def declarations(include: Path, compiler: str = "cc") -> str:
    """What cffi's cdef takes. Of an `extern const` it would make a copy, and tables are told by their addresses."""
    return without_functions(preprocess(include, compiler)).replace("extern const ", "extern ")
