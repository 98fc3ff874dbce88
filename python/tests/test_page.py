"""The sessions of docs/python.md, word for word."""

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"


def test_the_sessions_of_the_page():
    sessions = re.findall(r"^```pycon\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(sessions) >= 6
    whole = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, PAGE.name, str(PAGE), 0)
    told = []
    outcome = doctest.DocTestRunner(verbose=False).run(whole, out=told.append)
    assert outcome.attempted > 15 and outcome.failed == 0, "".join(told)
