"""Long calls: interrupts, progress, and the lock of the interpreter."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import netpram

LONG = dict(scheme="greedy", traffic="random", runs=100_000, threads=1)


def test_progress_is_told_and_may_end_the_call():
    shares = []

    def tell(share, stage):
        shares.append(share)
        if len(shares) == 5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        netpram.route("mesh:16x16", progress=tell, **LONG)
    assert len(shares) == 5 and all(0 <= share <= 1 for share in shares)


def test_a_bar_is_shown(capsys, monkeypatch):
    netpram.route("mesh:16x16", "greedy", runs=2000, threads=1, progress=True)
    shown = capsys.readouterr().err
    assert "100%" in shown and "|" in shown  # of tqdm
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    netpram.route("mesh:16x16", "greedy", runs=2000, threads=1, progress=True)
    plain = capsys.readouterr().err
    assert "%" in plain and "|" not in plain and plain.endswith("\n")


def test_other_threads_run_during_a_call():
    turns, over = 0, threading.Event()

    def count():
        nonlocal turns
        while not over.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    netpram.route("mesh:64x64", "greedy", runs=100, threads=1)
    took, counted = time.monotonic() - began, turns
    over.set()
    thread.join()
    assert counted > 20 * took  # of about a thousand a second, where nothing holds the thread up


INTERRUPTED = """
import netpram, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background it is ignored
print("begun", flush=True)
try:
    netpram.route("mesh:64x64", "greedy", runs=1_000_000, threads=int(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupt_ends_the_call(threads):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, threads], stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, PYTHONUNBUFFERED="1"))
    try:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert rest == "interrupted\n" and process.returncode == 0


def test_without_another_thread(monkeypatch):
    """Where no thread can be started the call is made by the one that asks."""

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    expected = netpram.route("hypercube:6", runs=2).total_steps
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert netpram.route("hypercube:6", runs=2).total_steps == expected
