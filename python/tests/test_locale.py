"""Numbers do not depend on the locale of the program: a comma for a point changes nothing that is read or written."""

import json
import os
import subprocess
import sys

PROGRAM = """
import json, locale, sys
import netpram
if len(sys.argv) > 1:
    locale.setlocale(locale.LC_ALL, "")
    assert locale.localeconv()["decimal_point"] == ",", locale.localeconv()["decimal_point"]
found = netpram.check("mesh:4x4", scheme="grid", runs=20, error_rate=0.001)
print(json.dumps(found), netpram.route("mesh:4x4", runs=3)["phases"])
"""


def test_a_comma_for_a_point(tmp_path):
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], check=True)
    german = {**os.environ, "LOCPATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"}

    def run(*words, **options):
        done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True,
                              **options)
        return done.stdout

    plain = run()
    assert "0.001" in plain
    assert run("german", env=german) == plain
