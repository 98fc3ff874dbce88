"""The sessions of docs/python.md and README.md, word for word."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page, least", [("docs/python.md", 16), ("README.md", 2)])
def test_the_sessions_of_the_page(page, least):
    sessions = re.findall(r"^```pycon\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    whole = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, page, page, 0)
    told = []
    outcome = doctest.DocTestRunner(verbose=False).run(whole, out=told.append)
    assert outcome.attempted >= least and outcome.failed == 0, "".join(told)
