"""The sessions of docs/python.md and README.md, word for word."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name, sessions_least, lines_least", [("docs/python.md", 8, 30), ("README.md", 1, 2)])
def test_the_sessions_of_the_page(name, sessions_least, lines_least):
    page = ROOT / name
    sessions = re.findall(r"^```pycon\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert len(sessions) >= sessions_least
    whole = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, page.name, str(page), 0)
    told = []
    outcome = doctest.DocTestRunner(verbose=False).run(whole, out=told.append)
    assert outcome.attempted >= lines_least and outcome.failed == 0, "".join(told)
